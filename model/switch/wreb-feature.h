// SPDX-License-Identifier: GPL-2.0-only
#ifndef WREB_FEATURE_H
#define WREB_FEATURE_H

#include "int-stamper.h"
#include "switch-feature.h"
#include "switch-outbox.h"

#include "ns3/back-to-sender-notifier.h"
#include "ns3/queue-view.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class LogComponent;
struct BackToSenderNotice;

/**
 * @ingroup dcfabric
 * @brief Weighted random early back-to-sender notification on a switch: gives its queue discs a
 * BackToSenderNotifier and sends what they have to say to the sources of data packets.
 *
 * A notification leaves at the time of its cause, in the control class, by a route of its own:
 * forwarded from here to the source like any packet, with the entropy of the packet that triggered
 * it. Packets that the memory of the switch refuses are dropped packets as those that the queue
 * disc refuses, and so are those for which no port is left: of them a notification without signals
 * tells, with FabricPacketItem::NO_PORT as its port. Only what is lost or damaged on the wire tells
 * nobody: the switch has not seen it, or cannot trust its source. Packets of hosts' own stacks are
 * marked, but have no sender that would understand.
 */
class WrebFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    WrebFeature();
    ~WrebFeature() override;

    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    void CheckRate(uint16_t port, uint64_t rateBps) const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also if a port has no
    /// CongestionAwareQueueDisc
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress) override;
    void OnTimer(int64_t nowPs) override;

    /// @return the settings
    Ptr<BackToSenderNotifier> GetNotifier() const
    {
        return m_notifier;
    }

    /// @return notifications sent so far
    uint64_t GetNSent() const
    {
        return m_sent;
    }

    /// @return frame bytes of these
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    class Port;

    /// Make a packet of a notification.
    void Send(uint16_t port, const BackToSenderNotice& notice);

    Ptr<BackToSenderNotifier> m_notifier; //!< when queues notify, and of what
    Ptr<WireFormat> m_wire;               //!< sizes on the wire
    Ptr<IntFormat> m_intFormat;           //!< layout of the INT record
    bool m_tellInt;                       //!< notifications carry an INT record of the port
    bool m_send;                          //!< send what queues have to say
    uint8_t m_controlClass;               //!< class of the notifications

    IntStamper m_stamper;                       //!< of records
    std::vector<std::unique_ptr<Port>> m_ports; //!< what surrounds each queue disc
    SwitchOutbox m_outbox;                      //!< notifications of this moment
    uint64_t m_sent{0};                         //!< notifications
    uint64_t m_sentBytes{0};                    //!< their frames
};

} // namespace ns3

#endif /* WREB_FEATURE_H */
