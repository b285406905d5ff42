// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_FEATURE_H
#define SWITCH_FEATURE_H

#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/named-counters.h"
#include "ns3/object.h"
#include "ns3/policy-default.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNetDevice;
class FabricSwitch;
class WireFormat;
struct PortGroup;

/**
 * @ingroup dcfabric
 * @brief Something a switch does beyond forwarding: telemetry, notification, regional control.
 *
 * Any number may be installed on a switch, which knows none of them by name. A feature says with
 * GetHooks() which hooks it implements; one that nobody implements costs the switch a branch.
 * Features are called in the order of their installation. A feature may send packets with
 * FabricSwitch::Originate() and ask for the time with FabricSwitch::ArmTimer().
 */
class SwitchFeature : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Bits of GetHooks().
    enum Hook : uint32_t
    {
        RECEIVE = 1,     //!< OnReceive()
        CHOOSE_PATH = 2, //!< OnChoosePath()
        ENQUEUE = 4,     //!< OnEnqueue()
        DEQUEUE = 8,     //!< OnDequeue()
        DROP = 16,       //!< OnDrop()
        TRANSMIT = 32,   //!< OnTransmit()
        ADMIT = 64,      //!< OnAdmit()
        CONSUME = 128,   //!< OnConsume()
        FILTER = 256,    //!< OnFilter()
        PEER_PAUSE = 512 //!< OnPeerPause()
    };

    /// @return a mask of Hook bits
    virtual uint32_t GetHooks() const = 0;

    /// @return why a switch may not have the feature twice, as it goes on after that in a message;
    /// null: it may
    virtual const char* GetClash() const;

    /// What a feature adds to frames.
    struct Growth
    {
        uint32_t dataBytes{0};   //!< to a data packet
        uint32_t answerBytes{0}; //!< to an ACK and what is sent in its place
    };

    /**
     * @param wire sizes of frames
     * @param hops number of switches on the way
     * @param exact INT records are carried unpacked (IntFormat::IsExact)
     * @return what all features of this class on the way add, at most
     */
    virtual Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const;

    /// What hosts and queues notice of a feature.
    struct Effects
    {
        uint8_t markedClasses{0};       //!< bit mask: classes whose packets it marks, by draws
        bool sharesProfile{false};      //!< it draws by the marking profile of queues that have one
        bool tellsDrops{false};         //!< senders are told of drops
        bool answerInt{false};          //!< ACKs get INT records
        uint32_t paths{1};              //!< over which it sends packets of a flow; UINT32_MAX: any
        bool moves{false};              //!< seldom, it moves a flow to another path, where it stays
        const char* stay{nullptr};      //!< own attribute that keeps it from moving flows ...
        const char* stayValue{"false"}; //!< ... with this value
        bool keepsOrder{true};          //!< packets of a flow do not overtake one another
        bool leadsByLoad{false};        //!< where packets enter the network it leads each to the
                                        //!< path with less load here
        bool drops{false};              //!< it drops packets of lossless classes
        bool holdsPackets{false};     //!< packets wait in their input queues until it lets them go
        bool reachesSwitches{false};  //!< tells switches on the way of a flow something, at any
                                      //!< distance: they need routes, see `message`
        bool dataInt{false};          //!< data packets with an INT header get its INT
        const char* message{nullptr}; //!< it, as in `tells sources fair rates`; null: no message
        const char* repeat{nullptr};  //!< own attribute with the time after which a message that
                                      //!< holds is sent again; null: it is not
        int64_t repeatPs{0};          //!< that time
    };

    /// @return what the feature does to others, with its attributes as they are
    virtual Effects GetEffects() const;

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is what holds where packets overtake, unless it keeps
     * order
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /// Names, as in `summary.json`, and counts.
    using Counters = NamedCounters;

    /// @return what the feature has counted so far
    virtual Counters GetCounters() const;

    /**
     * @brief Serve a switch whose ports all exist.
     * @param sw the switch, outlives the feature
     * @param number to be passed to FabricSwitch::ArmTimer()
     * @throws FabricError if the feature cannot work on this switch
     */
    virtual void Attach(FabricSwitch* sw, uint32_t number);

    /**
     * @brief Make draws independent of others.
     * @param stream first stream to use
     * @return how many are used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * @brief A packet has arrived; it has not been charged to the buffer yet.
     * @param ingress port
     * @param item the packet
     * @return true if the feature keeps the packet: the switch does no more with it
     */
    virtual bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item);

    /**
     * @brief A packet to the switch itself has arrived, and no OnReceive() has kept it.
     * @param ingress port
     * @param item the packet
     * @return true if the feature takes it; one that nobody takes is dropped
     */
    virtual bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item);

    /**
     * @brief A packet's egress port is being chosen. Called for Fabric::TracePath(), too.
     * @param group the equal-cost ports, at least one
     * @param item the packet
     * @param port the choice so far, to be changed
     */
    virtual void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port);

    /**
     * @brief A packet, arrived or made here, has got its egress port, its room and its class there.
     * @param egress port
     * @param item the packet
     * @return why the switch is to drop it; DropReason::NONE: it goes on
     */
    virtual DropReason OnFilter(const FabricNetDevice& egress, const FabricPacketItem& item);

    /**
     * @brief The peer of a port stops other classes than before.
     * @param egress port
     * @param classes bit mask of the classes that it stops now
     */
    virtual void OnPeerPause(FabricNetDevice& egress, uint8_t classes);

    /**
     * @brief An arrived packet has got its room; it goes to its egress queue or waits in a virtual
     * output queue.
     * @param ingress port
     * @param egress port
     * @param item the packet
     */
    virtual void OnAdmit(FabricNetDevice& ingress, FabricNetDevice& egress, FabricPacketItem& item);

    /**
     * @brief A packet is about to enter an egress queue; its size may change.
     * @param egress port
     * @param item the packet
     */
    virtual void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item);

    /**
     * @brief A packet has left its egress queue; its size may change.
     * @param egress port
     * @param item the packet
     */
    virtual void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item);

    /**
     * @brief The switch drops a packet.
     * @param item the packet
     * @param reason why
     * @param egress port to which it was to go; null if there is none
     */
    virtual void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress);

    /**
     * @brief A packet goes on the wire in its final form, after all OnDequeue().
     * @param egress port
     * @param item the packet
     */
    virtual void OnTransmit(FabricNetDevice& egress, const FabricPacketItem& item);

    /**
     * @brief Asked before the run: may a port of this switch come to have a rate?
     * @param port the port
     * @param rateBps bit/s
     * @throws FabricError if the feature cannot work with it
     */
    virtual void CheckRate(uint16_t port, uint64_t rateBps) const;

    /**
     * @brief The link of a port has gone down, come up or changed its rate.
     * @param port the port
     */
    virtual void OnLinkChange(FabricNetDevice& port);

    /// The switch has failed or come back (FabricSwitch::IsOn()), just after its links have.
    virtual void OnPower();

    /**
     * @brief A time asked for has come.
     * @param nowPs time in ps
     */
    virtual void OnTimer(int64_t nowPs);

  protected:
    void DoDispose() override;

    /// @return true if the switch is on, and simulated by this process: links go down and come up
    /// in all processes, packets are sent in one
    bool MaySend() const;

    FabricSwitch* m_switch{nullptr}; //!< the switch
    uint32_t m_number{0};            //!< for FabricSwitch::ArmTimer()
};

} // namespace ns3

#endif /* SWITCH_FEATURE_H */
