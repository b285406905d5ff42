// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUP_LINKS_H
#define GROUP_LINKS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which links lead from each switch to other groups; shared by all switches of a network of
 * groups.
 */
struct GroupLinks
{
    /// A link to another group.
    struct Global
    {
        uint16_t port; //!< of the switch that has it
        uint32_t far;  //!< address of the switch at its far end
    };

    std::vector<uint32_t> groupOf;            //!< by fabric address
    std::vector<std::vector<Global>> globals; //!< by address of a switch, in order of ports

    /**
     * @param link one of #globals
     * @param address of a receiver, or of a switch by way of which a packet goes
     * @return true if the link leads into its group
     */
    bool LeadsTo(const Global& link, uint32_t address) const
    {
        return groupOf[link.far] == groupOf[address];
    }
};

} // namespace ns3

#endif /* GROUP_LINKS_H */
