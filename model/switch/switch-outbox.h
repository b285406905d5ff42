// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_OUTBOX_H
#define SWITCH_OUTBOX_H

#include "fabric-switch.h"

#include "ns3/fabric-packet-item.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Packets that a switch feature makes while a queue is busy: they leave at the same time,
 * but not from within that queue, into which the way to their destination may lead.
 */
class SwitchOutbox
{
  public:
    /**
     * @brief A packet is to leave now.
     * @param item the packet
     * @param owner the switch
     * @param number of the feature, for FabricSwitch::ArmTimer()
     */
    void Put(Ptr<FabricPacketItem> item, FabricSwitch& owner, uint32_t number)
    {
        if (m_items.empty())
        {
            owner.ArmTimer(number, owner.GetNowPs());
        }
        m_items.push_back(std::move(item));
    }

    /**
     * @brief The feature's timer is due: send everything.
     * @param owner the switch
     */
    void Send(FabricSwitch& owner)
    {
        std::vector<Ptr<FabricPacketItem>> items;
        items.swap(m_items);
        for (auto& item : items)
        {
            owner.Originate(std::move(item));
        }
    }

    /// Forget what was to leave.
    void Clear()
    {
        m_items.clear();
    }

  private:
    std::vector<Ptr<FabricPacketItem>> m_items; //!< of this moment
};

} // namespace ns3

#endif /* SWITCH_OUTBOX_H */
