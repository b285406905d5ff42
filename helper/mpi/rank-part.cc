// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief A scenario of several processes (ranks).
 */
#include "fabric-partition.h"
#include "head-starts.h"
#include "rank-links.h"
#include "rank-run.h"
#include "whole-network.h"

#include "ns3/core-communicator.h"
#include "ns3/drain-event.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/parse-units.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"
#include "ns3/scenario-schema.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t MOST_CORES = 256;

/// @return values of the option `partition`
std::vector<ScenarioValue>
ListPartitions(const std::string& /* option */)
{
    return {{"pods", "whole pods or groups, or the hosts of a switch"},
            {"file:PATH", "", "", true}};
}

[[maybe_unused]] const bool g_hasRankOptions = GetScenarioOptionTable().Add(
    "stop",
    {{"partition",
      ScenarioOption::Kind::CHOICE,
      "pods",
      "which core simulates what, if there are several, or which rank under mpiexec "
      "(:doc:`distributed`)",
      &ListPartitions,
      "",
      {},
      ScenarioOption::Role::RUN},
     {"cores",
      ScenarioOption::Kind::INTEGER,
      "1",
      "processes on this machine for one simulation, which share it (:doc:`distributed`)",
      nullptr,
      "",
      {1, MOST_CORES},
      ScenarioOption::Role::RUN}});

/// Refuse what needs all nodes in one process.
void
CheckScenarioRanks(const ScenarioNetwork& network, const ScenarioOptions& options)
{
    if (const auto whole = FindWholeNetworkNeed(network, options))
    {
        throw FabricError(*whole + "; leave out " + whole->ListTerms().front() + ", or " +
                          RankWorld::GetRemedy() + " (there are " + RankWorld::CountInWords() +
                          ")");
    }
}

/// Refuse triggers that flows of one rank activate and that start flows of another.
void
CheckScenarioTriggers(const ScenarioNetwork& network, const FabricPartition& partition)
{
    for (const FlowTrigger& trigger : network.triggers)
    {
        const std::set<uint32_t> hosts = ListTriggerHosts(trigger, network.flows);
        for (const uint32_t host : hosts)
        {
            if (partition.GetRank(host) != partition.GetRank(*hosts.begin()))
            {
                throw FabricError(
                    "trigger " + std::to_string(trigger.id) + ": hosts " +
                    std::to_string(*hosts.begin()) + " and " + std::to_string(host) +
                    " are of different ranks (there are " + RankWorld::CountInWords() +
                    "), and flows that end at the one cannot start others at the other "
                    "in no time; use " +
                    FabricTerm::Option("partition", "file:PATH") +
                    " that keeps them together, or " + RankWorld::GetRemedy());
            }
        }
    }
}

/// @return which rank simulates what
FabricPartition
MakePartition(const FabricGraph& graph, const ScenarioOptions& options)
{
    const std::string& text = options.Get("partition");
    const std::string prefix = "file:";
    if (text.compare(0, prefix.size(), prefix) == 0)
    {
        return FabricPartition(graph, RankWorld::GetSize(), text.substr(prefix.size()));
    }
    if (text != "pods")
    {
        RefuseFabricName(text, {"pods", "file:PATH"}, FabricTerm::Option("partition"));
    }
    return FabricPartition(graph, RankWorld::GetSize());
}

/// Let receives of messages from other ranks be posted.
void
DividePoster(ScenarioNetwork& network, RankNotes& links)
{
    const Ptr<ReceivePoster> poster = network.poster;
    const auto late = std::make_shared<LateReceives>(network.fabric);
    network.lateReceives = late;
    poster->SetPostedAtStart([late](uint32_t host) {
        late->OnPostedInTime(host); // of one time in another order
    });
    if (network.triggers.empty())
    {
        poster->Expect(network.flows);
        return;
    }
    // starts are known at the senders only, which tell of all in their order
    poster->SetTeller([&links](const FabricFlow& flow) {
        std::string note;
        WritePlain(note, flow);
        links.Tell(flow.dst, RankNotes::Topic::RECEIVE, note);
    });
    links.SetListener(RankNotes::Topic::RECEIVE, [poster, late](const std::string& note) {
        std::size_t at = 0;
        const auto flow = TakePlain<FabricFlow>(note, at);
        poster->PostFor(flow);
        late->OnPosted(flow.dst, flow.startPs);
    });
}

/// @return simulator events of this rank that are none of the one that simulates all
uint64_t
CountOwnEvents(const ScenarioNetwork& network, const RankLinks& links)
{
    uint64_t own = links.GetNEvents() + RankWorld::GetNEvents() + DrainEvent::GetNElsewhere();
    own += network.poster ? network.poster->GetNEvents() : 0;
    for (uint32_t node = 0; node < network.fabric->GetGraph().GetNNodes(); ++node)
    {
        // one each makes a node and its ports ready
        own += network.fabric->IsHere(node) ? 0 : 1 + network.fabric->GetActor(node)->GetNPorts();
    }
    const auto& wires = network.fabric->GetGraph().GetLinks();
    for (uint32_t i = 0; i < wires.size(); ++i)
    {
        // some releases of ns-3 make channels ready, too
        own +=
            !network.fabric->IsHere(wires[i].a) && network.fabric->GetChannel(i)->IsInitialized();
    }
    return own;
}

/// Divides a network among the ranks, if there are several, and joins what they know at the end.
class RankPart : public ScenarioPart
{
  public:
    void Begin(const ScenarioOptions& options) override
    {
        const uint64_t cores = options.GetUint("cores");
        if (cores == 0 || cores > MOST_CORES)
        {
            throw FabricError(options.Say("cores") + " must be from 1 to " +
                              std::to_string(MOST_CORES));
        }
        if (cores > 1 && RankWorld::CountStarted() > 1)
        {
            throw FabricError(options.Say("cores") + ": mpiexec has started " +
                              std::to_string(RankWorld::CountStarted()) +
                              " processes, each of which is a rank already; use one of the two");
        }
        if (cores > 1)
        {
            RankWorld::Use(std::make_unique<CoreCommunicator>(static_cast<uint32_t>(cores)));
        }
    }

    void Divide(const FabricGraph& graph,
                const ScenarioNetwork& network,
                const ScenarioOptions& options) override
    {
        if (RankWorld::GetSize() > 1)
        {
            CheckScenarioRanks(network, options);
            CheckScenarioTriggers(network, MakePartition(graph, options));
            RankWorld::Divide();
        }
    }

    void PlaceNodes(const FabricGraph& graph,
                    const ScenarioOptions& options,
                    std::vector<uint32_t>& rankOf) override
    {
        const FabricPartition partition = MakePartition(graph, options);
        for (uint32_t node = 0; node < graph.GetNNodes() && RankWorld::GetSize() > 1; ++node)
        {
            rankOf[node] = RankLinks::GetSystemId(partition.GetRank(node));
        }
    }

    void Install(ScenarioNetwork& network, const ScenarioOptions& options) override
    {
        m_headStarts.Read(network, options);
        if (RankWorld::GetSize() == 1)
        {
            return;
        }
        const FabricGraph& graph = network.fabric->GetGraph();
        const FabricPartition partition = MakePartition(graph, options);
        m_lookAheadPs = partition.GetLookAheadPs(graph);
        m_links = std::make_unique<RankLinks>(network.fabric, partition);
        if (network.poster)
        {
            DividePoster(network, *m_links);
        }
    }

    void Record(FlowRecorder& recorder, const ScenarioNetwork& network) override
    {
        m_network = &network;
        if (m_links)
        {
            RankLinks& links = *m_links;
            FlowStarter& starter = recorder.GetStarter();
            starter.SetTeller([&links](uint32_t host, const std::string& note) {
                links.Tell(host, RankLinks::Topic::FLOW, note);
            });
            links.SetListener(RankLinks::Topic::FLOW,
                              [&starter](const std::string& note) { starter.ReceiveNote(note); });
        }
    }

    std::unique_ptr<RunLoop> MakeLoop(FlowRecorder& recorder,
                                      int64_t stopPs,
                                      std::function<bool()> isOver) override
    {
        FabricEngine* engine = m_headStarts.Find(*m_network);
        if (!m_links && !engine)
        {
            return nullptr;
        }
        std::function<void()> flush = [] {};
        if (m_links)
        {
            flush = [links = m_links.get()] { links->Flush(); };
        }
        auto run =
            std::make_unique<RankRun>(recorder,
                                      std::move(flush),
                                      m_links ? m_lookAheadPs : m_headStarts.GetLeastDelayPs(),
                                      stopPs,
                                      std::move(isOver));
        if (engine)
        {
            run->GiveHeadStarts(*engine);
            recorder.GetProgress().KeepOrder();
        }
        return run;
    }

    bool JoinRanks(const ScenarioNetwork& network,
                   FlowRecorder& recorder,
                   RunSummary& summary,
                   Fabric::Conservation& where,
                   int64_t endPs) override
    {
        if (!m_links)
        {
            return false;
        }
        const auto countParts = [&network, endPs] {
            uint64_t events = 0;
            for (const auto& part : network.parts)
            {
                events += part->CountEvents(endPs);
            }
            return events;
        };
        summary.events -= CountOwnEvents(network, *m_links) + countParts();
        summary.events = RankWorld::Sum(summary.events);
        where.created = RankWorld::Sum(where.created);
        where.consumed = RankWorld::Sum(where.consumed);
        where.dropped = RankWorld::Sum(where.dropped);
        where.inFlight =
            RankWorld::Sum(where.inFlight + m_links->GetNSent() - m_links->GetNReceived());
        const uint64_t ownBytes =
            RunSummary::GetPeakRssBytes() -
            std::min(RunSummary::GetPeakRssBytes(), RankWorld::GetSharedBytes());
        summary.peakRssBytesOfOthers = RankWorld::Sum(ownBytes) - ownBytes;
        for (const std::string& ends : RankWorld::Gather(recorder.Pack()))
        {
            recorder.Join(ends);
        }
        summary.events -= recorder.GetStarter().GetNRepeatedStarts();
        for (const auto& part : network.parts)
        {
            for (const std::string& there : RankWorld::Gather(part->Pack()))
            {
                part->Join(there);
            }
        }
        summary.events += countParts();
        summary.Collect(recorder, endPs);
        for (const std::string& totals : RankWorld::Gather(summary.totals.Pack()))
        {
            summary.totals.Join(totals);
        }
        return true;
    }

  private:
    std::unique_ptr<RankLinks> m_links;        //!< between ranks; null: there is one
    int64_t m_lookAheadPs{0};                  //!< least delay of these links in ps
    HeadStarts m_headStarts;                   //!< of nodes
    const ScenarioNetwork* m_network{nullptr}; //!< what is run
};

[[maybe_unused]] const bool g_hasRankPart =
    GetScenarioPartTable().Add("", {{"mpi", &MakeScenarioPart<RankPart>}});

} // namespace

} // namespace ns3
