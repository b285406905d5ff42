// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-detector.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

namespace
{

/// @return the channel that ends at a place
RouteWalk::Channel
FindChannel(const FabricGraph& graph, const WaitGraph::Place& place)
{
    const auto& [link, sender] = graph.GetPort(place.node, place.port);
    uint16_t port = 0;
    while (graph.GetPort(sender, port).link != link)
    {
        ++port;
    }
    return {sender, port, place.priority};
}

/// @return which vertices lead to some of a graph, those included
std::vector<bool>
FindLeadingTo(const SuccessorLists& successors, const std::vector<uint32_t>& ends)
{
    std::vector<bool> leads(successors.size(), false);
    for (const uint32_t end : ends)
    {
        leads[end] = true;
    }
    for (bool changed = true; changed;)
    {
        changed = false;
        for (uint32_t i = 0; i < successors.size(); ++i)
        {
            if (!leads[i] && std::any_of(successors[i].begin(),
                                         successors[i].end(),
                                         [&leads](uint32_t next) { return leads[next]; }))
            {
                leads[i] = true;
                changed = true;
            }
        }
    }
    return leads;
}

/// @return a time in words
std::string
FormatMilliseconds(int64_t timePs)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.6f ms", static_cast<double>(timePs) / 1e9);
    return text;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DeadlockDetector);

std::string
Deadlock::ToText(const FabricGraph& graph) const
{
    return "deadlock since " + FormatMilliseconds(sincePs) +
           (endedPs < 0 ? "" : " until " + FormatMilliseconds(endedPs)) +
           ": packets wait for one another in a circle: " +
           ChannelDependencies::Describe(graph, cycle) +
           (victims == 0 ? ""
                         : "; " + FormatFabricCount(victims,
                                                    "more input waits for these",
                                                    "more inputs wait for these"));
}

TypeId
DeadlockDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DeadlockDetector")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DeadlockDetector>()
            .AddAttribute("Interval",
                          "Time between two looks; a deadlock is found at the second look that "
                          "meets it.",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&DeadlockDetector::m_interval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddTraceSource("Deadlock",
                            "A deadlock was found.",
                            MakeTraceSourceAccessor(&DeadlockDetector::m_trace),
                            "ns3::DeadlockDetector::DeadlockTracedCallback");
    return tid;
}

DeadlockDetector::DeadlockDetector() = default;

DeadlockDetector::~DeadlockDetector() = default;

void
DeadlockDetector::Attach(Ptr<Fabric> fabric)
{
    m_fabric = fabric;
}

void
DeadlockDetector::Install(Ptr<Fabric> fabric)
{
    if (RankWorld::GetSize() > 1)
    {
        throw FabricError("DeadlockDetector::Install(): the " +
                          std::to_string(RankWorld::GetSize()) +
                          " ranks of a simulation have to look together, between events; give "
                          "DeadlockDetector::LookLate() to RunLoop::Add()");
    }
    Attach(fabric);
    m_tasks.Add(FabricTime::ToPs(Simulator::Now()), [this](int64_t nowPs) { return Look(nowPs); });
    m_tasks.Start();
}

int64_t
DeadlockDetector::Look(int64_t nowPs)
{
    if (!m_fabric || m_fabric->GetLosslessClasses() == 0)
    {
        return FabricTime::NEVER;
    }
    const WaitGraph waits(*m_fabric);
    NoteStanding(waits, nowPs);
    EndOld(nowPs);
    FindNew(waits, nowPs);
    return nowPs + FabricTime::ToPs(m_interval);
}

int64_t
DeadlockDetector::LookLate(int64_t nowPs)
{
    // One look finds that nothing moves, the next one that nothing has moved; further ones the
    // same.
    constexpr int NEWS = 2;
    for (int look = 0; look < NEWS && m_nextPs <= nowPs; ++look)
    {
        m_nextPs = Look(m_nextPs);
    }
    if (m_nextPs <= nowPs)
    {
        const int64_t intervalPs = FabricTime::ToPs(m_interval);
        m_nextPs += ((nowPs - m_nextPs) / intervalPs + 1) * intervalPs;
    }
    return m_nextPs;
}

bool
DeadlockDetector::IsDeadlocked() const
{
    return std::any_of(m_deadlocks.begin(), m_deadlocks.end(), [](const Deadlock& deadlock) {
        return deadlock.endedPs < 0;
    });
}

void
DeadlockDetector::NoteStanding(const WaitGraph& waits, int64_t nowPs)
{
    std::map<WaitGraph::Place, Standing> standing;
    for (uint32_t i = 0; i < waits.GetStanding().size(); ++i)
    {
        const WaitGraph::Place& place = waits.GetStanding()[i];
        const auto before = m_standing.find(place);
        const bool same = before != m_standing.end() && before->second.head == waits.GetHead(i);
        standing.emplace(place, Standing{waits.GetHead(i), same ? before->second.sincePs : nowPs});
    }
    m_standing.swap(standing);
}

void
DeadlockDetector::EndOld(int64_t nowPs)
{
    for (std::size_t i = 0; i < m_deadlocks.size(); ++i)
    {
        Deadlock& deadlock = m_deadlocks[i];
        const auto stands = [&](const WaitGraph::Place& place) {
            const auto entry = m_standing.find(place);
            return entry != m_standing.end() && entry->second.sincePs <= deadlock.sincePs;
        };
        if (deadlock.endedPs < 0 && !std::all_of(m_cycles[i].begin(), m_cycles[i].end(), stands))
        {
            deadlock.endedPs = nowPs;
        }
    }
}

bool
DeadlockDetector::IsKnown(const std::vector<WaitGraph::Place>& places) const
{
    for (std::size_t i = 0; i < m_deadlocks.size(); ++i)
    {
        const auto& cycle = m_cycles[i];
        const bool shares =
            std::find_first_of(places.begin(), places.end(), cycle.begin(), cycle.end()) !=
            places.end();
        if (shares && m_deadlocks[i].endedPs < 0)
        {
            return true;
        }
    }
    return false;
}

void
DeadlockDetector::FindNew(const WaitGraph& waits, int64_t nowPs)
{
    const std::vector<WaitGraph::Place>& all = waits.GetStanding();
    SuccessorLists left = waits.GetWaits();
    const auto sinceOf = [&](uint32_t number) { return m_standing.at(all[number]).sincePs; };
    for (uint32_t i = 0; i < left.size(); ++i)
    {
        if (sinceOf(i) == nowPs)
        {
            left[i].clear(); // it may have come about by what is on its way
        }
    }
    for (std::vector<uint32_t> cycle = FindShortestCycle(left); !cycle.empty();
         cycle = FindShortestCycle(left))
    {
        // whoever waits for this cycle is told with it
        const std::vector<bool> caught = FindLeadingTo(left, cycle);
        std::vector<WaitGraph::Place> places;
        for (uint32_t i = 0; i < left.size(); ++i)
        {
            if (caught[i])
            {
                places.push_back(all[i]);
                left[i].clear();
            }
        }
        if (IsKnown(places))
        {
            continue;
        }
        Deadlock found;
        found.foundPs = nowPs;
        m_cycles.emplace_back();
        for (const uint32_t number : cycle)
        {
            found.cycle.push_back(FindChannel(m_fabric->GetGraph(), all[number]));
            m_cycles.back().push_back(all[number]);
            found.sincePs = std::max(found.sincePs, sinceOf(number));
        }
        found.victims = static_cast<uint32_t>(places.size() - cycle.size());
        m_deadlocks.push_back(found);
        m_trace(found);
    }
}

void
DeadlockDetector::DoDispose()
{
    m_fabric = nullptr;
    m_standing.clear();
    Object::DoDispose();
}

} // namespace ns3
