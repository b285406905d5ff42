// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRILL_PATH_SELECTOR_H
#define DRILL_PATH_SELECTOR_H

#include "state-path-selector.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief DRILL ([DRILL]_): each data packet takes the best of a few ports that are drawn and of the
 * one that was best for its destination the last time.
 *
 * Best is the port where what waits takes the least time on the wire: with links of one rate the
 * fewest bytes. A later candidate has to be strictly better; the remembered port is the first.
 * All other packets are hashed as by ECMP. Packets of a flow overtake one another.
 */
class DrillPathSelector : public StatePathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Attach(uint32_t address, uint8_t tier) override;
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;
    /// @brief Choose likewise among the rest. @copydetails PathSelector::SelectAgain
    uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item) override;
    void OnTableChange() override;

    bool KeepsOrder() const override
    {
        return false;
    }

    /**
     * @param candidates ports, at least one
     * @return the first of those where what waits takes the least time
     */
    uint16_t FindBest(const std::vector<uint16_t>& candidates) const;

    /// @return destinations for which a port is remembered
    std::size_t GetNRemembered() const
    {
        return m_best.size();
    }

  private:
    /// @return the best of the remembered port, if the group has it, and of those that are drawn
    uint16_t Choose(const PortGroup& group, uint32_t destination, bool canLack);
    /// Draw ports of a group, each at most once, and add them to the candidates.
    void DrawSamples(const PortGroup& group);
    /// @return the port of a packet that is no data
    uint16_t Hash(const PortGroup& group, const FabricPacketItem& item) const;

    uint32_t m_samples{2};                         //!< ports that are drawn for each packet
    bool m_remembers{true};                        //!< the best port is a candidate again
    uint32_t m_seed{0};                            //!< changes the choices for other packets
    uint32_t m_salt{0};                            //!< of this switch
    std::unordered_map<uint32_t, uint16_t> m_best; //!< port that was best, by destination
    std::vector<uint16_t> m_candidates;            //!< scratch
    std::vector<uint32_t> m_drawn;                 //!< scratch: their places, in order
};

} // namespace ns3

#endif /* DRILL_PATH_SELECTOR_H */
