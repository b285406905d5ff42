// SPDX-License-Identifier: GPL-2.0-only
#ifndef ATTRIBUTE_DEFAULTS_H
#define ATTRIBUTE_DEFAULTS_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Notices when somebody changes the default of an attribute of a class or one of its bases
 * (Config::SetDefault(), Config::Reset()), without asking ns-3 for all of them each time, which is
 * slow.
 *
 * A default that is replaced loses a reference: what is counted here tells that something may have
 * changed. There is one object for each class, so that no two of them count for one another. It
 * goes unnoticed only if the same moment takes a reference to the old default that stays.
 */
class AttributeDefaults
{
  public:
    /**
     * @param type a class
     * @return what knows its defaults, for as long as the process runs
     */
    static AttributeDefaults& Of(TypeId type);

    /// @return a number that is another one after a default has changed
    uint64_t GetVersion()
    {
        for (const Default& one : m_defaults)
        {
            if (one.value->GetReferenceCount() != one.references)
            {
                Read();
                break;
            }
        }
        return m_version;
    }

  private:
    /// One of an attribute.
    struct Default
    {
        Ptr<const AttributeValue> value; //!< as it was last read
        uint32_t references{0};          //!< to it, this one included
    };

    explicit AttributeDefaults(TypeId type);
    /// Ask ns-3 for all defaults.
    void Read();

    TypeId m_type;                   //!< the class
    std::vector<Default> m_defaults; //!< of its attributes and those of its bases
    uint64_t m_version{0};           //!< see GetVersion()
};

} // namespace ns3

#endif /* ATTRIBUTE_DEFAULTS_H */
