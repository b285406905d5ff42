// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_ROOFLINE_H
#define RANK_ROOFLINE_H

#include "ns3/fabric-text.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How long a rank takes for computations that are counted: the roofline of Williams,
 * Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for Multicore
 * Architectures", CACM 2009.
 *
 * What the slower one of processor and memory takes: with an intensity of I operations a byte,
 * operations over the lower of the one's rate and I times that of the other.
 */
class RankRoofline
{
  public:
    /// None: nothing that is counted has a time.
    RankRoofline() = default;

    /**
     * @param text FLOPS,BYTES/s, such as `312TFLOPS,2TB/s`; prefixes k to E, units may be left out
     * @param where place for messages
     * @throws FabricError if it is anything else, or if a rate is not above 0
     */
    RankRoofline(const std::string& text, const FabricText& where);

    /// @return true if it has been given
    bool IsGiven() const
    {
        return m_flops > 0;
    }

    /**
     * @param operations number of a computation
     * @param bytes that it moves between memory and processor
     * @return its time in ps, rounded, at least 1; 0 for nothing
     * @throws FabricError if it would end after the end of time
     */
    int64_t GetTimePs(int64_t operations, int64_t bytes) const;

  private:
    double m_flops{0};     //!< operations in a second; 0: not given
    double m_bandwidth{0}; //!< bytes in a second
};

} // namespace ns3

#endif /* RANK_ROOFLINE_H */
