// SPDX-License-Identifier: GPL-2.0-only
#ifndef INT_PATH_SET_H
#define INT_PATH_SET_H

#include "congestion-info.h"
#include "int-path-state.h"

#include "ns3/int-format.h"
#include "ns3/type-id.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a sender knows by INT of each path of a small set.
 */
class IntPathSet
{
  public:
    /**
     * @brief Begin, with nothing known.
     * @param path the connection; records are as its intFormat says, else as IntFormat is by
     * default
     * @param owner class that asks, for errors
     * @throws FabricError if there are more than PathInfo::MAX_PATH_SET paths
     */
    void Start(const PathInfo& path, TypeId owner);

    /// @return how records are to be read
    const IntFormat& GetFormat() const
    {
        return *PeekPointer(m_format);
    }

    /**
     * @brief Find a path; it is the present one from now on.
     * @param entropy of the path
     * @param paths most of which to keep something (PathInfo::paths): one more takes the place of
     * the one that was not used for longest
     * @return what is known of it
     */
    IntPathState& Find(uint16_t entropy, uint32_t paths);

    /// @return the path that was found last
    const IntPathState& GetPresent() const
    {
        return *m_present;
    }

    /// @return paths of which there are records
    std::size_t GetN() const
    {
        return m_first.IsEmpty() ? 0 : 1 + m_more.size();
    }

    IntPathSet() = default;

    /// Know nothing: what is known of paths is of one connection.
    IntPathSet(const IntPathSet& /* other */)
        : IntPathSet()
    {
    }

    IntPathSet& operator=(const IntPathSet&) = delete;

  private:
    /// @return what is known of a path
    IntPathState& Search(uint16_t entropy, uint32_t paths);

    Ptr<const IntFormat> m_format;     //!< see GetFormat()
    IntPathState* m_present{&m_first}; //!< see GetPresent()
    IntPathState m_first;              //!< the path, or the first one
    std::vector<IntPathState> m_more;  //!< other paths, at first use
};

} // namespace ns3

#endif /* INT_PATH_SET_H */
