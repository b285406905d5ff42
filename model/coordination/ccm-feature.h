// SPDX-License-Identifier: GPL-2.0-only
#ifndef CCM_FEATURE_H
#define CCM_FEATURE_H

#include "ccm-claims.h"
#include "ccm-routes.h"
#include "light-path-choice.h"
#include "load-level.h"
#include "queued-flows.h"
#include "recent-packets.h"

#include "ns3/nstime.h"
#include "ns3/phantom-queue.h"
#include "ns3/switch-feature.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-format.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class LogComponent;
class VirtualChannels;

/**
 * @ingroup dcfabric
 * @brief Coordinated congestion management on a switch ([CCM] section 6.3): wires its parts to the
 * ports.
 *
 * Data with a tag whose CC indicator is clear is routed adaptively. A switch with several light
 * paths names itself in the tag; one with a single light path leaves the tag as it is; one with
 * none asks the switch or host that the tag names to take another path (type 3), and where the tag
 * names nobody it asks the source for congestion control (type 1). A flow moves only if its present
 * path is not light. Who gets a type 3 does not count the path reported as light for that flow for
 * a while, so that its next packet leaves it (CcmRoutes). A switch with no port that is up for a
 * packet asks likewise.
 *
 * A switch that gets a type 3 and has no other light path does nothing with it, and sends it on to
 * nobody: it has fewer than two light paths for that flow now, so that the flow's next packets do
 * not name it. Whoever reports then turns to the one before, or, where there is none, to the source
 * (type 1). So each point is asked in turn by the tags alone, and a report cannot go round.
 *
 * Without adaptive routing (Adaptive) the path of a packet is all it has: type 1 while it is heavy.
 *
 * At the output to a host congestion is an incast: no path leads around it. The sources of flows
 * that have their share of what waits are told (type 1); type 2 follows when it is over
 * (CcmClaims). So are flows of several sources to one receiver that fill a path between switches
 * (RecentPackets), which are not moved. Marks are those of the queue, by its profile: sources heed
 * them from then on. With MarkIncasts and MarkNoPath all packets of these flows are marked, which
 * makes DCQCN lower its rates by far too much. Data with the CC indicator keeps its path and is
 * never routed adaptively.
 */
class CcmFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CcmFeature();
    ~CcmFeature() override;

    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    /// @return the tag, which hosts have put into data before
    Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const override;
    Counters GetCounters() const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also if thresholds or times do not fit
    void Attach(FabricSwitch* sw, uint32_t number) override;
    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port) override;
    void OnAdmit(FabricNetDevice& ingress,
                 FabricNetDevice& egress,
                 FabricPacketItem& item) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress) override;
    void CheckRate(uint16_t port, uint64_t rateBps) const override;
    void OnLinkChange(FabricNetDevice& port) override;
    void OnTimer(int64_t nowPs) override;

    /**
     * @param port output
     * @return true if so much waits for it that it is no light path
     */
    bool IsHeavy(uint16_t port) const;

    /**
     * @param port output to a host
     * @return true while there is an incast
     */
    bool IsIncast(uint16_t port) const;

    /// @return flows that this switch has asked to be controlled
    std::size_t GetNClaims() const
    {
        return m_claims->GetSize();
    }

    /// @return flows whose port is not, or may come not to be, that of all packets
    std::size_t GetNRoutes() const
    {
        return m_routes->GetSize();
    }

    /// What a switch has made of a tagged packet.
    struct TagReport
    {
        uint32_t src;     //!< source of the flow
        uint32_t pdc;     //!< its PDC there
        bool cc;          //!< CC indicator
        uint32_t arPoint; //!< AR indicator as it leaves; FabricPacketItem::NO_AR_POINT: none
        uint16_t port;    //!< output
        uint16_t nLight;  //!< light paths; 0 also with the CC indicator, and at the last switch
    };

    /**
     * @brief Signature of the trace source `Tag`.
     * @param report of a packet
     */
    typedef void (*TagTracedCallback)(const TagReport& report);

    /**
     * @brief Signature of the trace source `Tell`.
     * @param item notification that the switch sends
     */
    typedef void (*TellTracedCallback)(Ptr<const FabricPacketItem> item);

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// An output.
    struct Output
    {
        uint32_t neighbor{0}; //!< address of the node behind it
        bool toHost{false};   //!< the neighbor is no switch
        LoadLevel load;       //!< as a path
        PhantomQueue use;     //!< how busy it is
        LoadLevel incast;     //!< as the last one to a host
        QueuedFlows waiting;  //!< flows, of an output to a host
        RecentPackets last;   //!< of an output to a switch
        int64_t spacingPs{0}; //!< from a flow that moves there to the next one
        int64_t takesPs{0};   //!< when that may come
    };

    /// What was decided on a packet whose path is being chosen.
    struct Decision
    {
        const FabricPacketItem* item{nullptr}; //!< which; null: nothing
        uint64_t path{0};                      //!< number of its flow's path
        uint16_t port{0};                      //!< output
        uint16_t nLight{0};                    //!< light paths
        bool known{false};                     //!< its flow has a route of its own
        bool moves{false};                     //!< it gets another one
        bool reported{false};                  //!< because of a type 3
        bool isIncast{false};                  //!< its path is heavy because of an incast behind
    };

    /// Thresholds of an output.
    struct Thresholds
    {
        uint64_t lightBytes;  //!< as a path, light at most
        uint64_t heavyBytes;  //!< heavy from here on
        uint64_t incastBytes; //!< an incast from here on
    };

    /**
     * @param port number, for the message
     * @param rateBps of the line
     * @return what is heavy there
     * @throws FabricError if thresholds do not rise
     */
    Thresholds GetThresholds(uint16_t port, uint64_t rateBps) const;
    /// Set the thresholds of an output by its rate.
    void Configure(uint16_t port, uint64_t rateBps);
    /// @return bytes that wait for an output, the packet that is being admitted included
    uint64_t GetWaitingBytes(uint16_t port, const FabricPacketItem& item) const;
    /// Look at an output; so many bytes wait for it.
    void Look(uint16_t port, uint64_t bytes);
    /// Look at an output as it is.
    void Look(uint16_t port);
    /// @return all ports that a packet may take, as paths of its flow
    const std::vector<LightPathChoice::Path>& ListPaths(const PortGroup& group,
                                                        const FabricPacketItem& item,
                                                        const CcmRoutes::Route* route,
                                                        int64_t nowPs);
    /// Look at the features of the switch, once: some come after this one.
    void LookAround();
    /// @return the virtual channels of the switch; null: none
    const Ptr<VirtualChannels>& GetChannels();
    /// @return class in which a packet would leave through a port
    uint8_t GetNextClass(const FabricPacketItem& item, uint16_t port);
    /// @return true if much waits for an output, or if it must not send a packet's class now
    bool IsBlocked(uint16_t port, const FabricPacketItem& item);
    /// A packet goes to another switch, on the path that was chosen here.
    void Steer(const Decision& decision, FabricPacketItem& item, int64_t nowPs);
    /// A packet goes to another switch, on a path that others have chosen.
    void Watch(uint16_t port, FabricPacketItem& item, int64_t nowPs);
    /**
     * @param item it
     * @return true if a packet could leave to some switch without waiting for long
     */
    bool HasLight(const FabricPacketItem& item);
    /// A claim because there was no path goes on, or is over for now.
    void Renew(const FabricPacketItem& item, bool over, int64_t nowPs);
    /// A packet has no path that helps: its flow is for congestion control.
    void GiveUp(FabricPacketItem& item, int64_t nowPs);
    /// @return true if the tag of a packet names an AR point, which is not this switch
    bool NamesOther(const FabricPacketItem& item) const;
    /// A packet was dropped because there is no path left for it.
    void ReportDeadEnd(FabricPacketItem& item);
    /// There is no light path for a packet.
    void Report(FabricPacketItem& item, int64_t nowPs);
    /// A packet goes to its receiver.
    void Deliver(uint16_t port, FabricPacketItem& item, int64_t nowPs);
    /// Claim a flow: its source is told if that is new.
    void Claim(const CcmFlow& flow, uint16_t reason, int64_t nowPs);
    /// A switch behind asks for another path for a flow. @return false if nothing comes of it
    bool Reroute(const CcmFlow& flow, uint32_t reporter, int64_t nowPs);
    /// @return which of a flow's ports a reporter tells of, given the one that the flow has
    CcmRoutes::Source GetSource(const PortGroup& group, uint16_t present, uint32_t reporter) const;
    /// Send a notification.
    void Tell(uint8_t kind, uint32_t to, const CcmFlow& flow);
    /// Have claims looked at when that is due.
    void ArmReview();

    Ptr<WireFormat> m_wire;    //!< sizes on the wire
    uint8_t m_controlClass{6}; //!< class of the notifications
    bool m_adaptive{true};     //!< data without CC indicator is routed adaptively
    /// Bytes that wait for a port up to which a heavy path is light again, and an incast over
    uint64_t m_lightBytes{0};
    uint64_t m_heavyBytes{0}; //!< bytes that wait for a port from which on a path is heavy
    /// Bytes that wait for a port to a host from which on it is an incast
    uint64_t m_incastBytes{0};
    /// Share of the average queue of a flow from which on it is of an incast
    double m_incastShare{0.5};
    bool m_markIncasts{false}; //!< mark flows of an incast, whatever the profile says
    bool m_markNoPath{false};  //!< mark packets that find no light path, whatever the profile says
    Time m_reportInterval;     //!< least time between two messages of type 3 about a flow
    Time m_reportLife; //!< how long a port that was reported by type 3 is no light path of its flow
    Time m_moveHold;   //!< least time between two moves of a flow
    Time m_flowTimeout;  //!< pause of a flow after which its port is forgotten
    Time m_claimRefresh; //!< time after which type 1 is sent again while its reason lasts
    Time m_claimTimeout; //!< time without a packet of a flow after which it is released
    Time m_releaseDelay; //!< time that the reason of type 1 has to be over before type 2 follows
    uint32_t m_tableSize{0}; //!< flows in each table

    std::vector<Output> m_outputs;               //!< by port
    std::unique_ptr<CcmRoutes> m_routes;         //!< flows that were moved or reported
    std::unique_ptr<CcmClaims> m_claims;         //!< flows that were claimed
    std::unique_ptr<AgedTable<bool>> m_reports;  //!< flows of which type 3 was just sent
    Ptr<VirtualChannels> m_channels;             //!< of the switch; null: none
    bool m_isLedByLoad{false};                   //!< packets that enter the network here are
    bool m_hasLooked{false};                     //!< LookAround() was called
    std::vector<LightPathChoice::Path> m_paths;  //!< scratch
    Decision m_decision;                         //!< on the present packet
    int64_t m_reviewPs{FabricTime::NEVER};       //!< time that was asked for
    uint64_t m_told[4]{};                        //!< notifications sent, by type
    uint64_t m_moves{0};                         //!< flows that got another port
    uint64_t m_movesUpstream{0};                 //!< of these because of a type 3
    uint64_t m_ineffectiveReports{0};            //!< type 3 received of which nothing came
    TracedCallback<const TagReport&> m_tagTrace; //!< each tagged packet
    TracedCallback<Ptr<const FabricPacketItem>> m_tellTrace; //!< each notification
};

} // namespace ns3

#endif /* CCM_FEATURE_H */
