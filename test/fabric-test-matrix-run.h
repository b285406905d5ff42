// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MATRIX_RUN_H
#define FABRIC_TEST_MATRIX_RUN_H

#include "fabric-test-matrix-fabric.h"
#include "fabric-test-schedule.h"
#include "fabric-test-transport.h"

#include "ns3/adaptive-path-selector.h"
#include "ns3/credit-flow-control.h"
#include "ns3/dctcp-congestion-control.h"
#include "ns3/entropy-store.h"
#include "ns3/external-congestion-control.h"
#include "ns3/flowlet-path-selector.h"
#include "ns3/int-window-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/power-window-congestion-control.h"
#include "ns3/rocc-feature.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/timely-congestion-control.h"
#include "ns3/wreb-feature.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @brief What the suites of combinations share: runs on the small fabric, and what is seen there.
 */

namespace ns3::tests
{
namespace matrix
{

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
    /**
     * @brief Decide.
     * @param call what happened
     */
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
        m_decider.wantsInt = c.cc->Is(DATA_INT | ACK_INT);
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
            m_network.MessagesOf(message.src)
                .SendAt(message.startUs * US, message.dst, message.packets * 1000, tag++);
        }
        for (int64_t us = 5; us <= 600; us += 5)
        {
            CallIn(MicroSeconds(us), [this]() { LookAtAll(); });
        }
        Await();
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        AddUp();
    }

    /**
     * @param counter which
     * @return sum of a counter over all NICs
     */
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

    /// @return a counter of the features of all switches @param name of it
    uint64_t Count(const std::string& name) const
    {
        const auto found = counters.find(name);
        return found == counters.end() ? 0 : found->second;
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
    uint64_t disordered{0};    //!< of these, that go-back-N refused
    uint64_t taken{0};         //!< entropies recycled
    uint64_t moves{0};         //!< flowlets that changed their port
    uint64_t decided{0};       //!< packets for which adaptive routing found a difference
    std::map<std::string, SendingPdcs::ModifierCounts> modifiers; //!< by TypeId name
    std::map<std::string, uint64_t> counters;                     //!< of features of switches

  private:
    /// Stop when all is done; switches may go on for long to tell nobody of rates.
    void Await()
    {
        CallIn(MilliSeconds(1), [this]() {
            if (GetCompleted().size() == std::size(TRAFFIC) && GetConservation().inFlight == 0)
            {
                Simulator::Stop();
                return;
            }
            Await();
        });
    }

    /// Look at the state of all congestion controls.
    void LookAtAll()
    {
        for (const uint32_t host : m_network.fabric->GetHosts())
        {
            for (const SendingPdc* pdc : m_network.Nic(host).GetSendingPdcs().GetBusy())
            {
                moving += IsMoving(*PeekPointer(pdc->GetCongestionControl()));
            }
        }
    }

    /**
     * @param cc the algorithm
     * @return true if an algorithm has measured something
     */
    static bool IsMoving(const CongestionControl& cc)
    {
        if (const auto* byInt = dynamic_cast<const IntWindowCongestionControl*>(&cc))
        {
            return byInt->GetUtilization() > 0;
        }
        if (const auto* power = dynamic_cast<const PowerWindowCongestionControl*>(&cc))
        {
            return power->GetPower() != 1;
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
    void AddUp()
    {
        const Fabric& fabric = *m_network.fabric;
        for (const auto& [reason, count] : fabric.GetDrops())
        {
            drops += count;
            disordered += reason == DropReason::OUT_OF_ORDER ? count : 0;
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

    /**
     * @brief Add a NIC.
     * @param nic which
     */
    void CountNic(FabricNic& nic)
    {
        reductions += nic.GetSendingPdcs().GetTotals().reductions;
        if (const auto store =
                DynamicCast<EntropyStore>(nic.GetSendingPdcs().GetPolicies().Find().shared))
        {
            taken += store->GetNTaken();
        }
        for (const auto& [type, counts] : nic.GetSendingPdcs().GetTotals().modifiers)
        {
            modifiers[type].acts += counts.acts;
            modifiers[type].withheld += counts.withheld;
        }
    }

    /**
     * @brief Add a switch.
     * @param sw which
     */
    void CountSwitch(const FabricSwitch& sw)
    {
        const auto rocc = sw.GetFeature<RoccFeature>();
        rateMessages += rocc ? rocc->GetNMessages() : 0;
        const auto wreb = sw.GetFeature<WrebFeature>();
        notifications += wreb ? wreb->GetNSent() : 0;
        const auto selector = sw.GetPathSelector();
        for (const auto& feature : sw.GetFeatures())
        {
            for (const auto& [name, count] : feature->GetCounters())
            {
                counters[name] += count;
            }
        }
        const auto flowlet = DynamicCast<FlowletPathSelector>(selector);
        moves += flowlet ? flowlet->GetNMoves() : 0;
        const auto adaptive = DynamicCast<AdaptivePathSelector>(selector);
        decided += adaptive ? adaptive->GetNDecided() : 0;
    }

    SimpleDecider m_decider; //!< of external congestion controls
    TestNetwork m_network;   //!< the fabric
};

} // namespace matrix
} // namespace ns3::tests

#endif /* FABRIC_TEST_MATRIX_RUN_H */
