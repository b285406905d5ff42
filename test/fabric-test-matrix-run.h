// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MATRIX_RUN_H
#define FABRIC_TEST_MATRIX_RUN_H

#include "fabric-test-matrix.h"
#include "fabric-test-transport.h"

#include "ns3/adaptive-path-selector.h"
#include "ns3/back-to-sender-notifier.h"
#include "ns3/boolean.h"
#include "ns3/credit-flow-control.h"
#include "ns3/curved-profiles.h"
#include "ns3/dctcp-congestion-control.h"
#include "ns3/double.h"
#include "ns3/entropy-store.h"
#include "ns3/external-congestion-control.h"
#include "ns3/flowlet-path-selector.h"
#include "ns3/int-window-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rocc-feature.h"
#include "ns3/string.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/timely-congestion-control.h"
#include "ns3/uinteger.h"
#include "ns3/wreb-feature.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @brief What the suites of combinations share: a small fabric on which everything has reason to
 * act, and what is seen there.
 */

namespace ns3
{
namespace tests
{
namespace matrix
{

constexpr uint32_t N_SPINES = 4; //!< of the small fabric

/**
 * @brief Two leaves with four hosts each under four spines, 10 Gb/s and 1 us: a packet of 1062 B
 * takes 866 ns, a base RTT between leaves 11.8 us, which is a BDP of 14.8 kB.
 * @return hosts 0 to 3 and 4 to 7, leaves 8 and 9, spines 10 to 13
 */
inline FabricGraph
MakeSmallFabric()
{
    FabricGraph graph;
    for (uint32_t i = 0; i < 8; ++i)
    {
        graph.AddHost();
    }
    graph.AddSwitch(1);
    graph.AddSwitch(1);
    for (uint32_t i = 0; i < 8; ++i)
    {
        graph.AddLink(i, 8 + i / 4, 10 * G_BPS, US);
    }
    for (uint32_t i = 0; i < N_SPINES; ++i)
    {
        const uint32_t spine = graph.AddSwitch(2);
        graph.AddLink(8, spine, 10 * G_BPS, US);
        graph.AddLink(9, spine, 10 * G_BPS, US);
    }
    return graph;
}

/// A message.
struct Message
{
    uint32_t src;     //!< host
    uint32_t dst;     //!< host
    uint32_t packets; //!< of 1000 B
    int64_t startUs;  //!< when it is handed over
};

/**
 * An incast of four to host 4, of which the one from host 0 goes on alone, and connections across
 * that pause for longer than a flowlet.
 */
constexpr Message TRAFFIC[] = {{0, 4, 200, 0},
                               {1, 4, 100, 0},
                               {2, 4, 100, 0},
                               {5, 4, 100, 0},
                               {6, 1, 40, 0},
                               {7, 2, 40, 0},
                               {3, 7, 30, 0},
                               {6, 1, 30, 150},
                               {7, 2, 30, 150},
                               {3, 7, 30, 150}};

/// @brief Set the congestion control, with values for the small fabric. @param helper to be told
/// @param cc which
inline void
SetCc(FabricHelper& helper, const Cc& cc)
{
    const std::string name = cc.name;
    if (name == "timely")
    {
        // the paper's thresholds are several times the base RTT of its network, too
        helper.SetCongestionControl(cc.type,
                                    "LowThreshold",
                                    TimeValue(MicroSeconds(15)),
                                    "HighThreshold",
                                    TimeValue(MicroSeconds(60)),
                                    "MinRtt",
                                    TimeValue(MicroSeconds(12)),
                                    "SegmentBytes",
                                    UintegerValue(4000));
    }
    else if (name == "swift")
    {
        helper.SetCongestionControl(cc.type,
                                    "BaseTarget",
                                    TimeValue(MicroSeconds(12)),
                                    "HopTarget",
                                    TimeValue(NanoSeconds(1000)),
                                    "FlowRange",
                                    TimeValue(MicroSeconds(5)));
    }
    else if (cc.flag)
    {
        helper.SetCongestionControl(cc.type, cc.flag, BooleanValue(true));
    }
    else
    {
        helper.SetCongestionControl(cc.type);
    }
}

/// @brief Set load balancing. @param helper to be told @param lb which
inline void
SetLb(FabricHelper& helper, const Lb& lb)
{
    if (std::string(lb.selector) == "ns3::FlowletPathSelector")
    {
        helper.SetPathSelector(lb.selector, "Timeout", TimeValue(MicroSeconds(20)));
    }
    else
    {
        helper.SetPathSelector(lb.selector);
    }
    if (lb.hostPaths > 1 && lb.hostPaths != ALL_PATHS)
    {
        helper.SetLoadBalancer(lb.balancer, "Entropies", UintegerValue(lb.hostPaths));
    }
    else
    {
        helper.SetLoadBalancer(lb.balancer);
    }
}

/// @brief Set flow control and memory. @param helper to be told @param c combination
inline void
SetFlow(FabricHelper& helper, const Combination& c)
{
    helper.SetFlowControl(c.flow->type);
    if (c.voq)
    {
        helper.SetBuffer(c.GetBuffer(),
                         "QueueBytes",
                         UintegerValue(6000),
                         "OutputBytes",
                         UintegerValue(8000),
                         "ResumeOffset",
                         UintegerValue(2000));
    }
    else if (c.flow->lossless)
    {
        helper.SetBuffer(c.GetBuffer(),
                         "XoffThreshold",
                         UintegerValue(4000),
                         "PortReserve",
                         UintegerValue(1000),
                         "ResumeOffset",
                         UintegerValue(1000));
    }
    else
    {
        // eight ports and two classes reserve 16 kB; a queue may X
        helper.SetBuffer(c.GetBuffer(),
                         "Size",
                         UintegerValue(30000),
                         "PortReserve",
                         UintegerValue(1000));
    }
}

/// @return a helper @param c what it is to install
inline FabricHelper
MakeHelper(const Combination& c)
{
    FabricHelper helper;
    SetCc(helper, *c.cc);
    SetLb(helper, *c.lb);
    SetFlow(helper, c);
    if (c.goBackN)
    {
        helper.SetReliability(c.GetReliability());
    }
    else
    {
        helper.SetReliability(c.GetReliability(), "ReorderThreshold", UintegerValue(1000));
    }
    helper.SetQueueDisc(c.disc);
    if (c.marks)
    {
        helper.SetMarkingProfile(PROFILE, "Kmin", UintegerValue(2000), "Kmax", UintegerValue(2000));
    }
    for (const std::string feature : c.features)
    {
        if (feature == "ns3::RoccFeature")
        {
            helper.AddSwitchFeature(feature,
                                    "Interval",
                                    TimeValue(MicroSeconds(10)),
                                    "Qref",
                                    UintegerValue(6000),
                                    "Qmid",
                                    UintegerValue(18000),
                                    "Qmax",
                                    UintegerValue(30000));
        }
        else if (feature == "ns3::WrebFeature")
        {
            // more often than by default: of bytes at 100 Gb/s, a tenth of them here
            const auto profile = CreateObjectWithAttributes<PiecewiseMarkingProfile>(
                "Points",
                StringValue("20000:0.02,60000:0.2"));
            helper.AddSwitchFeature(feature,
                                    "Notifier",
                                    PointerValue(CreateObjectWithAttributes<BackToSenderNotifier>(
                                        "Profile",
                                        PointerValue(profile))));
        }
        else
        {
            helper.AddSwitchFeature(feature);
        }
    }
    uint32_t nGates = 0;
    for (const Modifier* modifier : c.modifiers)
    {
        const std::string name = modifier->name;
        const bool isGate = name.find("-gate") != std::string::npos;
        if (isGate && c.Has("ns3::WrebFeature") && nGates == 0)
        {
            // queues that notify mark few packets, which opens no gate; delays do
            helper.AddModifier(modifier->type, "Signal", StringValue("ns3::RttExcessSignal"));
        }
        else if (name == "ewma-gate" && nGates > 0)
        {
            // what the first gate lets pass this one shall withhold
            helper.AddModifier(modifier->type, "Threshold", DoubleValue(1));
        }
        else
        {
            helper.AddModifier(modifier->type);
        }
        nGates += isGate;
    }
    helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
    helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(c.flow->lossless ? 4000 : 300)));
    return helper;
}

/// What the packets of a connection did.
struct Connection
{
    std::set<uint16_t> entropies;  //!< of its data
    std::set<uint32_t> dataSpines; //!< that its data crossed
    std::set<uint32_t> ackSpines;  //!< that its ACKs crossed
    uint32_t packets{0};           //!< of data
};

/// By source and destination.
using Connections = std::map<std::pair<uint32_t, uint32_t>, Connection>;

/**
 * @ingroup dcfabric-tests
 * @brief Notes who crosses a spine.
 */
class SpineTap : public SwitchFeature
{
  public:
    uint32_t GetHooks() const override
    {
        return RECEIVE;
    }

    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        const uint32_t spine = ingress.GetActor()->GetAddress();
        if (item.type == FabricPacketType::DATA)
        {
            Connection& connection = (*connections)[{item.src, item.dst}];
            connection.entropies.insert(item.entropy);
            connection.dataSpines.insert(spine);
            ++connection.packets;
        }
        else if (item.type == FabricPacketType::ACK)
        {
            (*connections)[{item.dst, item.src}].ackSpines.insert(spine);
        }
        return false;
    }

    Connections* connections{nullptr}; //!< where to
};

/**
 * @ingroup dcfabric-tests
 * @brief A congestion control outside of the module: halves its rate when it hears of a queue, at
 * most once in 20 us, and otherwise rises. With INT it hears of queues by INT alone.
 */
class SimpleDecider
{
  public:
    SimpleDecider()
    {
        ExternalCongestionControl::SetDecider([this](ExternalCongestionCall& call) { Ask(call); });
    }

    ~SimpleDecider()
    {
        ExternalCongestionControl::SetDecider({});
    }

    SimpleDecider(const SimpleDecider&) = delete;
    SimpleDecider& operator=(const SimpleDecider&) = delete;

    bool wantsInt{false}; //!< hears by INT
    uint64_t nHops{0};    //!< INT records that came

  private:
    /// @brief Decide. @param call what happened
    void Ask(ExternalCongestionCall& call)
    {
        if (call.kind != ExternalCongestionCall::ACK)
        {
            return;
        }
        bool isLong = !wantsInt && call.ack->markedPackets > 0;
        for (const IntSample& hop : call.hops)
        {
            ++nHops;
            isLong = isLong || hop.queueBytes > 2000;
        }
        int64_t& cutPs = m_cutPs[call.connection];
        if (isLong && call.nowPs >= cutPs + 20 * US)
        {
            call.rate = std::max(call.rate / 2, 1e8);
            cutPs = call.nowPs;
        }
        else
        {
            call.rate *= 1.02;
        }
    }

    std::map<uint32_t, int64_t> m_cutPs; //!< by connection
};

/**
 * @ingroup dcfabric-tests
 * @brief A combination that runs to its end on the small fabric, and what its policies did.
 */
class MatrixRun
{
  public:
    /// @param c legal
    explicit MatrixRun(const Combination& c)
        : m_network(MakeSmallFabric(), MakeHelper(c))
    {
        m_decider.wantsInt = c.cc->dataInt || c.cc->ackInt;
        const Fabric& fabric = *m_network.fabric;
        for (uint32_t spine = 10; spine < 10 + N_SPINES; ++spine)
        {
            const auto tap = CreateObject<SpineTap>();
            tap->connections = &connections;
            fabric.GetSwitch(spine)->AddFeature(tap);
        }
        uint32_t tag = 0;
        for (const Message& message : TRAFFIC)
        {
            m_network.Nic(message.src)
                .SendAt(message.startUs * US, message.dst, message.packets * 1000, tag++);
        }
        for (int64_t us = 5; us <= 600; us += 5)
        {
            Simulator::Schedule(MicroSeconds(us), [this]() { Sample(); });
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        Count();
    }

    /// @return sum of a counter over all NICs @param counter which
    uint64_t Sum(uint64_t FabricNic::Counters::*counter) const
    {
        return m_network.Sum(counter);
    }

    /// @return events of messages that arrived
    const std::vector<FabricMessageEvent>& GetDelivered() const
    {
        return m_network.delivered;
    }

    /// @return events of messages that were acknowledged
    const std::vector<FabricMessageEvent>& GetCompleted() const
    {
        return m_network.completed;
    }

    /// @return where all packets are
    Fabric::Conservation GetConservation() const
    {
        return m_network.fabric->CheckConservation();
    }

    /// @return INT records that the decider of external congestion controls got
    uint64_t GetNHops() const
    {
        return m_decider.nHops;
    }

    Connections connections;   //!< between the leaves
    uint64_t reductions{0};    //!< of windows and rates
    uint64_t moving{0};        //!< samples in which the control's own state was not the initial
    uint64_t rateMessages{0};  //!< of RoccFeature
    uint64_t notifications{0}; //!< of WrebFeature
    uint64_t pauses{0};        //!< PFC frames that stop a class
    uint64_t stalls{0};        //!< times that credits ran out
    uint64_t drops{0};         //!< packets, by whatever reason
    uint64_t taken{0};         //!< entropies recycled
    uint64_t moves{0};         //!< flowlets that changed their port
    uint64_t decided{0};       //!< packets for which adaptive routing found a difference
    std::map<std::string, FabricNic::ModifierCounts> modifiers; //!< by TypeId name

  private:
    /// Look at the state of all congestion controls.
    void Sample()
    {
        for (const uint32_t host : m_network.fabric->GetHosts())
        {
            for (const SendingPdc* pdc : m_network.Nic(host).GetSendingPdcs())
            {
                moving += IsMoving(*PeekPointer(pdc->GetCongestionControl()));
            }
        }
    }

    /// @return true if an algorithm has measured something @param cc the algorithm
    static bool IsMoving(const CongestionControl& cc)
    {
        if (const auto* byInt = dynamic_cast<const IntWindowCongestionControl*>(&cc))
        {
            return byInt->GetUtilization() > 0;
        }
        if (const auto* timely = dynamic_cast<const TimelyCongestionControl*>(&cc))
        {
            return timely->GetGradient() != 0;
        }
        if (const auto* swift = dynamic_cast<const SwiftCongestionControl*>(&cc))
        {
            return swift->GetFabricWindow() * 1000 < static_cast<double>(cc.GetPath().bdpBytes);
        }
        if (const auto* dctcp = dynamic_cast<const DctcpCongestionControl*>(&cc))
        {
            return dctcp->GetAlpha() > 0 && dctcp->GetAlpha() < 1;
        }
        return false;
    }

    /// Add up.
    void Count()
    {
        const Fabric& fabric = *m_network.fabric;
        for (const auto& [reason, count] : fabric.GetDrops())
        {
            drops += count;
        }
        const FabricGraph& graph = fabric.GetGraph();
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            for (uint16_t p = 0; p < graph.GetDegree(node); ++p)
            {
                const LinkFlowControl* control = fabric.GetPort(node, p)->GetFlowControl();
                pauses += control ? control->GetNPauseFrames() : 0;
                const auto* credits = dynamic_cast<const CreditFlowControl*>(control);
                stalls += credits ? credits->GetNStalls() : 0;
            }
            graph.IsHost(node) ? CountNic(m_network.Nic(node))
                               : CountSwitch(*fabric.GetSwitch(node));
        }
    }

    /// @brief Add a NIC. @param nic which
    void CountNic(const FabricNic& nic)
    {
        reductions += nic.GetNReductions();
        if (const auto store = DynamicCast<EntropyStore>(nic.GetLoadBalancerState()))
        {
            taken += store->GetNTaken();
        }
        for (const auto& [type, counts] : nic.GetModifierCounts())
        {
            modifiers[type].acts += counts.acts;
            modifiers[type].withheld += counts.withheld;
        }
    }

    /// @brief Add a switch. @param sw which
    void CountSwitch(const FabricSwitch& sw)
    {
        const auto rocc = sw.GetFeature<RoccFeature>();
        rateMessages += rocc ? rocc->GetNMessages() : 0;
        const auto wreb = sw.GetFeature<WrebFeature>();
        notifications += wreb ? wreb->GetNSent() : 0;
        const auto selector = sw.GetPathSelector();
        const auto flowlet = DynamicCast<FlowletPathSelector>(selector);
        moves += flowlet ? flowlet->GetNMoves() : 0;
        const auto adaptive = DynamicCast<AdaptivePathSelector>(selector);
        decided += adaptive ? adaptive->GetNDecided() : 0;
    }

    SimpleDecider m_decider; //!< of external congestion controls
    TestNetwork m_network;   //!< the fabric
};

} // namespace matrix
} // namespace tests
} // namespace ns3

#endif /* FABRIC_TEST_MATRIX_RUN_H */
