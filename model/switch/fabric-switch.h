// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_SWITCH_H
#define FABRIC_SWITCH_H

#include "shared-buffer.h"
#include "switch-feature.h"

#include "ns3/fabric-actor.h"
#include "ns3/forwarding-table.h"
#include "ns3/lazy-trace.h"
#include "ns3/nstime.h"
#include "ns3/path-selector.h"
#include "ns3/port-loads.h"

#include <memory>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief A switch: forwarding table, path selection, packet memory, features.
 *
 * A packet that has arrived is forwarded to one port of the equal-cost group of its destination and
 * asks the SwitchBuffer for room under its ingress port and class. A SharedBuffer makes this an
 * output-queued switch: the packet goes to the egress queue at once and leaves the buffer when its
 * transmission begins. A VoqBuffer keeps packets in virtual output queues. The switch has an
 * address: it originates packets (Originate()) and features consume those sent to it.
 */
class FabricSwitch : public FabricActor
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    FabricSwitch();
    ~FabricSwitch() override;

    // Configuration, in any order, before the simulation runs.

    /**
     * @brief Set the table.
     * @param table the table
     */
    void SetForwardingTable(ForwardingTable table);
    /**
     * @brief Set the path selector.
     * @param selector one of this switch alone
     */
    void SetPathSelector(Ptr<PathSelector> selector);
    /**
     * @brief Set the buffer.
     * @param buffer configured for the ports of this switch
     */
    void SetBuffer(Ptr<SwitchBuffer> buffer);
    /**
     * @brief Set the tier.
     * @param tier distance from the nearest host
     */
    void SetTier(uint8_t tier);
    /**
     * @brief Add a feature; all ports exist.
     * @param feature one of this switch alone
     */
    void AddFeature(Ptr<SwitchFeature> feature);

    /**
     * @brief Change the table during the run, as a routing protocol does after a failure.
     *
     * Ports that are known to be down stay so. Credits for each queue of a switch are counted by
     * the first table for ever: they name queues, whichever port a packet takes.
     * @param table the new one
     */
    void UpdateForwardingTable(ForwardingTable table);

    /**
     * @brief Fail, or come back.
     *
     * A switch that fails drops what waits in it, and what its features send until it comes back,
     * which it does empty. Its links have to be taken down, too (FabricFaults).
     * @param on false: it fails
     */
    void SetPower(bool on);

    /// @return false while the switch has failed
    bool IsOn() const
    {
        return m_on;
    }

    /// @return the table
    const ForwardingTable& GetForwardingTable() const
    {
        return m_table;
    }

    /// @return the path selector
    Ptr<PathSelector> GetPathSelector() const
    {
        return m_selector;
    }

    /// @return what waits for each port
    const PortLoads& GetPortLoads() const
    {
        return m_loads;
    }

    /// @return the buffer
    Ptr<SwitchBuffer> GetBuffer() const
    {
        return m_buffer;
    }

    /// @return distance from the nearest host
    uint8_t GetTier() const
    {
        return m_tier;
    }

    /// @return all features, in order
    const std::vector<Ptr<SwitchFeature>>& GetFeatures() const
    {
        return m_features;
    }

    /// @return the first feature of a type, or null
    template <typename T>
    Ptr<T> GetFeature() const;

    /**
     * @brief Ask all features whether a port may come to have a rate.
     * @param port the port
     * @param rateBps bit/s
     * @throws FabricError if one cannot work with it
     */
    void CheckRate(uint16_t port, uint64_t rateBps) const override;

    // For features.

    /**
     * @brief Send a packet that this switch made.
     * @param item complete but for its ingress port
     * @param port through which; FabricPacketItem::NO_PORT: by the table. Tables lead to hosts
     * only: a packet for a neighbor names the port
     * @return false if it was dropped
     */
    bool Originate(Ptr<FabricPacketItem> item, uint16_t port = FabricPacketItem::NO_PORT);

    /**
     * @brief Have a feature's OnTimer() called.
     * @param feature its number
     * @param timePs when, in ps
     */
    void ArmTimer(uint32_t feature, int64_t timePs);

    /**
     * @brief Drop what waits for a port, in its queue and in virtual output queues.
     * @param port the port
     * @param reason why
     * @param classes bit mask of the classes to drop
     * @return how many were dropped
     */
    uint64_t DropWaiting(FabricNetDevice& port, DropReason reason, uint8_t classes = 0xff);

    // For the buffer.

    /**
     * @brief Put a packet into an egress queue.
     * @param egress the port
     * @param item the packet
     * @return false if it was dropped
     */
    bool PassToEgress(FabricNetDevice& egress, Ptr<FabricPacketItem> item);

    /**
     * @brief Give the room of a packet back and tell the flow control of its ingress port.
     * @param item the packet, which was charged
     * @param egress port to which it goes
     */
    void Release(const FabricPacketItem& item, uint16_t egress);

    /// @return true if a feature wants OnAdmit()
    bool TellsAdmissions() const
    {
        return !m_onAdmit.empty();
    }

    /**
     * @brief A packet has got its room: tell features.
     * @param item the packet
     * @param egress port to which it goes
     */
    void TellAdmitted(FabricPacketItem& item, uint16_t egress)
    {
        for (auto* feature : m_onAdmit)
        {
            feature->OnAdmit(*m_ports[item.ingressPort], *m_ports[egress], item);
        }
    }

    /**
     * @brief The room of a packet has been given back: tell the flow control of its ingress port.
     * @param item the packet, which was charged
     * @param resume its ingress queue was congested and is no longer
     */
    void TellReleased(const FabricPacketItem& item, bool resume)
    {
        if (resume || m_tellReleases) // else nobody there has to know
        {
            TellFlowControl(item, resume);
        }
    }

    /**
     * @brief Have SwitchBuffer::HandleTimer() called.
     * @param id less than 2^24
     * @param timePs when
     */
    void ArmBufferTimer(uint32_t id, int64_t timePs);

    /**
     * @param item a packet
     * @return the port it would take now, or FabricPacketItem::NO_PORT
     */
    uint16_t ChoosePort(FabricPacketItem& item);

    /**
     * @brief Signature of the Trim trace source.
     * @param item the packet, trimmed
     * @param bytes that it has lost
     * @param port to which it goes
     */
    typedef void (*TrimTracedCallback)(Ptr<const FabricPacketItem> item,
                                       uint32_t bytes,
                                       const FabricNetDevice* port);

    // Results.

    /// @return packets made by this switch
    uint64_t GetNOriginated() const
    {
        return m_originated;
    }

    /// @return packets kept by a feature
    uint64_t GetNConsumed() const
    {
        return m_consumed;
    }

    // from FabricActor
    void Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item) override;
    void OnTransmit(FabricNetDevice& port, FabricPacketItem& item) override;
    void OnQueueDrop(FabricNetDevice& port, FabricPacketItem& item) override;
    void OnQueueTrim(FabricNetDevice& port, FabricPacketItem& item, uint32_t bytes) override;
    uint16_t PredictPort(const FabricPacketItem& item) const override;
    void OnGateOpen(FabricNetDevice& port) override;
    void OnLinkChange(FabricNetDevice& port) override;
    void OnPeerPause(FabricNetDevice& port, uint8_t classes) override;
    void OnPass(FabricNetDevice& port, Ptr<FabricPacketItem> item, uint32_t owner) override;
    uint64_t GetNHeldPackets() const override;

  protected:
    void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* port) override;
    void HandleTimer(uint32_t id) override;
    void NameRouteLines(const HotLines& lines,
                        const FabricNetDevice& port,
                        const FabricPacketItem& item) const override;
    const FabricNetDevice* PredictEgress(const FabricPacketItem& item) const override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /**
     * @brief Put a packet into an egress queue.
     * @return false if it was dropped
     */
    bool Forward(Ptr<FabricPacketItem> item);

    /**
     * @brief Put a packet that does not wait here into an egress queue, or let it wait for the
     * gate.
     * @param egress the port
     * @param item the packet, which is taken
     * @return false if it was dropped
     */
    bool PassFreely(FabricNetDevice& egress, Ptr<FabricPacketItem>& item)
    {
        // under a gate it was made here: it has no virtual queue in which it could wait
        return !PassOrPark(egress, item, 0) || PassToEgress(egress, std::move(item));
    }

    /**
     * @brief Charge an arrived packet to the buffer.
     * @param port ingress
     * @param item packet
     * @param egress port
     */
    bool Admit(FabricNetDevice& port, FabricPacketItem& item, FabricNetDevice& egress);
    /**
     * @brief Trim a packet that the buffer has refused, if it then has room for it.
     * @param port ingress
     * @param item packet
     * @param egress port
     * @return false if it remains as it is, to be dropped
     */
    bool AdmitTrimmed(const FabricNetDevice& port, FabricPacketItem& item, FabricNetDevice& egress);
    /// A packet has been trimmed: tell sinks.
    void TellTrim(FabricPacketItem& item, uint32_t bytes, const FabricNetDevice& egress) const;
    /// A packet is no longer in an egress queue.
    void Depart(const FabricNetDevice& egress, const FabricPacketItem& item);
    /// @return another port for a packet whose port is known to be down, or NO_PORT
    uint16_t ChooseAgain(const FabricPacketItem& item);
    /// The link of a port has changed: watch whether it stays down.
    void WatchLink(FabricNetDevice& port);
    /// The time to find out is over: leave a port out, if it is still down, and drop what waits for
    /// it.
    void LeaveOut(FabricNetDevice& port);
    /// As TellReleased(), where it has to know.
    void TellFlowControl(const FabricPacketItem& item, bool resume);
    /// The same, inlined where it is defined.
    void TellPort(const FabricPacketItem& item, bool resume);
    /// Find out which detours packets need not take.
    void FindShortcuts();
    /// A packet has arrived and takes no room.
    void Refund(const FabricPacketItem& item);
    /**
     * @brief A packet to the switch itself has arrived.
     * @param port ingress
     * @param item the packet
     */
    void Consume(FabricNetDevice& port, FabricPacketItem& item);

    /// Bit of a timer's number: it belongs to the link of a port.
    static constexpr uint32_t LINK_TIMERS = 1U << 30;

    /// What path selection sees.
    class Loads final : public PortLoads
    {
      public:
        /**
         * @param owner the switch
         */
        explicit Loads(const FabricSwitch& owner)
            : m_switch(owner)
        {
        }

        int64_t GetPresentPs() const override;
        uint64_t GetWaitingBytes(uint16_t port) const override;
        int64_t GetWaitingPs(uint16_t port) const override;

      private:
        const FabricSwitch& m_switch; //!< the switch
    };

    // what each packet needs: at first what FabricActor::NameHotLines() reaches
    Loads m_loads{*this};                    //!< for the path selector
    Ptr<PathSelector> m_selector;            //!< chooses among equal-cost ports
    Ptr<SwitchBuffer> m_buffer;              //!< memory
    SharedBuffer* m_shared{nullptr};         //!< the same, if it is one: called without a detour
    bool m_holds{false};                     //!< packets wait in the buffer
    bool m_mayTake{false};                   //!< SwitchBuffer::TakeArrival() may be tried
    bool m_foretells{false};                 //!< FabricPacketItem::output is what it would choose
    bool m_tellReleases{false};              //!< a port's flow control wants OnBufferReleased()
    uint8_t m_tier{1};                       //!< distance from the nearest host
    ForwardingTable m_table;                 //!< routes
    std::vector<SwitchFeature*> m_onReceive; //!< with the hook
    std::vector<SwitchFeature*> m_onConsume; //!< with the hook
    std::vector<SwitchFeature*> m_onChoosePath; //!< with the hook
    std::vector<SwitchFeature*> m_onFilter;     //!< with the hook
    std::vector<SwitchFeature*> m_onAdmit;      //!< with the hook
    std::vector<SwitchFeature*> m_onEnqueue;    //!< with the hook
    std::vector<SwitchFeature*> m_onDequeue;    //!< with the hook
    std::vector<SwitchFeature*> m_onTransmit;   //!< with the hook

    std::vector<Ptr<SwitchFeature>> m_features; //!< all
    std::vector<SwitchFeature*> m_onDrop;       //!< with the hook
    std::vector<SwitchFeature*> m_onPeerPause;  //!< with the hook
    Time m_detectionTime; //!< time from a link going down until the switch leaves the port out
    std::vector<int64_t> m_detectPs;            //!< by port: when that will be known, or NEVER
    std::unique_ptr<ForwardingTable> m_planned; //!< the first table; null: there is no other
    bool m_on{true};                            //!< see IsOn()
    uint64_t m_originated{0};                   //!< packets made here
    uint64_t m_consumed{0};                     //!< packets kept by features
    LazyTrace<Ptr<const FabricPacketItem>, uint32_t, const FabricNetDevice*>
        m_trimTrace; //!< packets trimmed
};

template <typename T>
Ptr<T>
FabricSwitch::GetFeature() const
{
    for (const auto& feature : m_features)
    {
        if (Ptr<T> found = DynamicCast<T>(feature))
        {
            return found;
        }
    }
    return nullptr;
}

} // namespace ns3

#endif /* FABRIC_SWITCH_H */
