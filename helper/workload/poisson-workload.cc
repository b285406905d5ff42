// SPDX-License-Identifier: GPL-2.0-only
#include "poisson-workload.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-time.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3
{

namespace
{

/// Orders of groups. @{
constexpr const char* CONTIGUOUS = "contiguous";
constexpr const char* STRIDED = "strided";
/** @} */

} // namespace

NS_OBJECT_ENSURE_REGISTERED(PoissonWorkload);

constexpr uint32_t PoissonWorkload::MAX_STREAMS;
constexpr double PoissonWorkload::MAX_FLOWS;

TypeId
PoissonWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PoissonWorkload")
            .SetParent<GeneratedWorkload>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PoissonWorkload>()
            .AddAttribute("Cdf",
                          "Distribution of flow sizes: " +
                              JoinFabricNames(FlowSizeDistribution::GetNames()) + " or cdf:PATH.",
                          StringValue("websearch"),
                          MakeStringAccessor(&PoissonWorkload::SetCdf, &PoissonWorkload::GetCdf),
                          MakeStringChecker())
            .AddAttribute("Load",
                          "Payload bits offered per host over its line rate.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PoissonWorkload::m_load),
                          MakePositiveDoubleChecker(1))
            .AddAttribute(
                "Duration",
                "Span in which flows arrive.",
                TimeValue(MilliSeconds(2)),
                MakeTimeAccessor(&PoissonWorkload::SetDuration, &PoissonWorkload::GetDuration),
                MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "Groups",
                "Groups of hosts between which there is no traffic; divides their number.",
                UintegerValue(1),
                MakeUintegerAccessor(&PoissonWorkload::m_nGroups),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GroupOrder",
                          "Which hosts are a group: contiguous (neighbors in the order of hosts) "
                          "or strided (the same remainder by the number of groups).",
                          StringValue(CONTIGUOUS),
                          MakeStringAccessor(&PoissonWorkload::SetGroupOrder,
                                             &PoissonWorkload::GetGroupOrder),
                          MakeStringChecker());
    return tid;
}

int64_t
PoissonWorkload::AssignStreams(int64_t stream)
{
    GeneratedWorkload::AssignStreams(stream);
    return MAX_STREAMS;
}

int64_t
PoissonWorkload::GetSpanPs() const
{
    return m_durationPs;
}

double
PoissonWorkload::GetMeanGapPs(const FabricGraph& graph, uint32_t host) const
{
    constexpr double BITS_PER_BYTE = 8;
    return m_distribution.GetMeanBytes() * BITS_PER_BYTE /
           (m_load * static_cast<double>(graph.GetNodeRateBps(host))) *
           double(FabricTime::PS_PER_SECOND);
}

std::vector<FabricFlow>
PoissonWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "Poisson arrivals");
    CheckGroups(hosts.size());
    if (!(m_load > 0 && m_load <= 1))
    {
        throw FabricError("load " + std::to_string(m_load) +
                          " is outside 0 (exclusive) to 1: write a fraction, such as 0.5");
    }
    if (m_durationPs < 1)
    {
        throw FabricError(FabricTerm::Option("duration") + ": must be above 0, such as 2ms");
    }
    double expected = 0;
    for (auto host : hosts)
    {
        expected += static_cast<double>(m_durationPs) / GetMeanGapPs(graph, host);
    }
    if (expected > MAX_FLOWS)
    {
        throw FabricError("load and duration ask for about " + std::to_string(expected) +
                          " flows; at most " + std::to_string(MAX_FLOWS) + " are drawn");
    }
    std::vector<FabricFlow> flows;
    flows.reserve(static_cast<size_t>(expected * 1.1) + hosts.size());
    for (uint32_t i = 0; i < hosts.size(); i++)
    {
        GenerateHost(graph, i, flows);
    }
    // Stable: several flows of a host at one instant keep the order in which they were drawn.
    std::stable_sort(flows.begin(), flows.end(), [](const FabricFlow& a, const FabricFlow& b) {
        return std::tie(a.startPs, a.src) < std::tie(b.startPs, b.src);
    });
    return flows;
}

void
PoissonWorkload::GenerateHost(const FabricGraph& graph,
                              uint32_t index,
                              std::vector<FabricFlow>& flows)
{
    const std::vector<uint32_t>& hosts = graph.GetHosts();
    const uint32_t host = hosts[index];
    const double meanGapPs = GetMeanGapPs(graph, host);
    const Ptr<UniformRandomVariable> random = MakeStream(host);
    int64_t now = 0;
    while (true)
    {
        // Inverting the exponential distribution; log1p stays finite as the draw is below 1.
        const double gap = -meanGapPs * std::log1p(-random->GetValue(0, 1));
        if (gap >= static_cast<double>(m_durationPs - now))
        {
            return;
        }
        now += std::llround(gap);
        if (now >= m_durationPs)
        {
            return;
        }
        const Receiver peer = DrawReceiver(hosts, index, random);
        flows.push_back(
            MakeFlow(host, peer.host, m_distribution.GetSizeBytes(random->GetValue(0, 1)), now));
        flows.back().group = peer.group;
    }
}

PoissonWorkload::Receiver
PoissonWorkload::DrawReceiver(const std::vector<uint32_t>& hosts,
                              uint32_t index,
                              Ptr<UniformRandomVariable> random)
{
    // Hosts of a group are first, first + step, ...: uniform over these, stepping over the sender.
    const auto size = static_cast<uint32_t>(hosts.size() / m_nGroups);
    const uint32_t first = m_strided ? index % m_nGroups : index / size * size;
    const uint32_t step = m_strided ? m_nGroups : 1;
    const uint32_t own = (index - first) / step;
    uint32_t peer = random->GetInteger(0, size - 2);
    peer += peer >= own ? 1 : 0;
    return {hosts[first + peer * step]};
}

void
PoissonWorkload::CheckGroups(std::size_t nHosts) const
{
    if (m_nGroups == 0 || nHosts % m_nGroups != 0 || nHosts / m_nGroups < 2)
    {
        throw FabricError(
            FabricTerm::Attribute(GetInstanceTypeId(), "Groups"),
            ": " + std::to_string(nHosts) + " hosts do not make " + std::to_string(m_nGroups) +
                " groups of the same size with at least 2 hosts each",
            {FabricRemedy::Do("choose a number that divides " + std::to_string(nHosts))});
    }
}

void
PoissonWorkload::SetGroupOrder(std::string order)
{
    if (order != CONTIGUOUS && order != STRIDED)
    {
        RefuseFabricName(order, {CONTIGUOUS, STRIDED}, "order of groups");
    }
    m_strided = order == STRIDED;
}

std::string
PoissonWorkload::GetGroupOrder() const
{
    return m_strided ? STRIDED : CONTIGUOUS;
}

void
PoissonWorkload::SetCdf(std::string name)
{
    m_distribution = FlowSizeDistribution::FromName(name);
    m_cdf = name;
}

void
PoissonWorkload::SetDistribution(const FlowSizeDistribution& distribution)
{
    m_distribution = distribution;
    m_cdf.clear();
}

} // namespace ns3
