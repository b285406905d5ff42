// SPDX-License-Identifier: GPL-2.0-only
#ifndef BOLT_FEATURE_H
#define BOLT_FEATURE_H

#include "switch-feature.h"
#include "switch-outbox.h"

#include "ns3/wire-format.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The switch of Bolt (NSDI 2023): it tells senders of queues at once, and grants what
 * windows may grow.
 *
 * A data packet with an INT header that is about to enter an egress queue
 *
 * - whose class holds Threshold bytes may no longer increase its window, and if it has not been
 *   notified of before, the sender is (*sub-RTT control*): with the bytes of the queue and the rate
 *   of the link, in a packet of type BTS;
 * - else, if its sender says that none will follow it, leaves a token behind, unless it is of the
 *   sender's first window (*proactive ramp-up*);
 * - else, if it asks for an increase, takes a token or a packet's worth of supply, or may not.
 *
 * Supply is what the link could have sent less what has arrived, of any class and kind, at most
 * MaxSupply (*supply matching*). The bits are BoltBits.
 */
class BoltFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const override;
    Effects GetEffects() const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnTimer(int64_t nowPs) override;

    /// What is kept of an egress port.
    struct Port
    {
        int64_t lastPs{0};  //!< when the last packet came
        double supply{0};   //!< supply in bytes, negative after a burst
        uint32_t tokens{0}; //!< of flows that end
    };

    /**
     * @param port its number
     * @return its state
     */
    const Port& GetPort(uint16_t port) const
    {
        return m_ports[port];
    }

    /// @return notifications sent
    uint64_t GetNotified() const
    {
        return m_notified;
    }

  protected:
    void DoDispose() override;

  private:
    /// Tell the source of a packet of the queue that it meets.
    void Notify(const FabricNetDevice& egress, const FabricPacketItem& item, uint64_t queue);

    uint64_t m_threshold;   //!< bytes from which on a queue is told of; 0: those of the packet
    uint32_t m_maxSupply;   //!< most supply in bytes
    uint32_t m_maxTokens;   //!< most tokens
    uint8_t m_controlClass; //!< of notifications
    Ptr<WireFormat> m_wire; //!< sizes on the wire

    std::vector<Port> m_ports; //!< by number
    SwitchOutbox m_outbox;     //!< notifications of this moment
    uint64_t m_notified{0};    //!< see GetNotified()
};

} // namespace ns3

#endif /* BOLT_FEATURE_H */
