// SPDX-License-Identifier: GPL-2.0-only
#ifndef ADAPTIVE_PATH_SELECTOR_H
#define ADAPTIVE_PATH_SELECTOR_H

#include "state-path-selector.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Adaptive routing: each packet takes the port for which the fewest bytes wait, one drawn
 * uniformly among equals. Packets of a flow overtake one another.
 */
class AdaptivePathSelector : public StatePathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;

    bool KeepsOrder() const override
    {
        return false;
    }

    /// @return packets for which loads decided: not all ports of the group were alike
    uint64_t GetNDecided() const
    {
        return m_decided;
    }

  private:
    std::vector<uint16_t> m_least; //!< scratch
    uint64_t m_decided{0};         //!< packets for which loads decided
};

} // namespace ns3

#endif /* ADAPTIVE_PATH_SELECTOR_H */
