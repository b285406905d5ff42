// SPDX-License-Identifier: GPL-2.0-only
#include "all-reduce-workload.h"

#include "rank-collective.h"

#include "ns3/fabric-error.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AllReduceWorkload);
NS_OBJECT_ENSURE_REGISTERED(RingAllReduceWorkload);
NS_OBJECT_ENSURE_REGISTERED(HalvingDoublingWorkload);

constexpr uint64_t AllReduceWorkload::MAX_FLOWS;

TypeId
AllReduceWorkload::GetTypeId()
{
    static TypeId tid = AddSize(
        TypeId("ns3::AllReduceWorkload").SetParent<SizedWorkload>().SetGroupName("Dcfabric"),
        1000000,
        "Bytes of the vector that every host holds.");
    return tid;
}

AllReduceWorkload::AllReduceWorkload(const std::string& algorithm)
    : m_algorithm(algorithm)
{
}

void
AllReduceWorkload::CheckCount(uint32_t /* count */) const
{
}

std::vector<FabricFlow>
AllReduceWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "all-reduce");
    const auto count = static_cast<uint32_t>(hosts.size());
    CheckCount(count);
    const RankCollective& collective =
        GetRankCollectives()[FindRankCollective("allreduce", m_algorithm)];
    const uint32_t steps = collective.getNSteps(count);
    if (m_size < count)
    {
        throw FabricError("all-reduce: a vector of " + std::to_string(m_size) +
                          " bytes cannot be cut into " + std::to_string(count) +
                          " parts, one for each host; make it larger");
    }
    if (uint64_t{steps} * count > MAX_FLOWS)
    {
        throw FabricError("all-reduce: " + std::to_string(count) + " hosts make " +
                          std::to_string(uint64_t{steps} * count) + " flows; at most " +
                          std::to_string(MAX_FLOWS) + " are made");
    }
    std::vector<FabricFlow> flows;
    flows.reserve(size_t{steps} * count);
    m_triggers.clear();
    std::vector<RankExchange> exchanges;
    for (uint32_t step = 0; step < steps; step++)
    {
        for (uint32_t i = 0; i < count; i++)
        {
            exchanges.clear();
            collective.addStep(step, i, count, m_size, exchanges);
            const RankExchange& sent = exchanges.front();
            flows.push_back(MakeFlow(hosts[i], hosts[sent.peer], sent.bytes, 0));
            if (step > 0)
            {
                flows.back().startPs = FabricFlow::ON_TRIGGER;
            }
            if (step + 1 < steps)
            {
                // its arrival starts what its receiver sends next
                FlowTrigger trigger;
                trigger.id = static_cast<uint32_t>(m_triggers.size() + 1);
                trigger.whenReceived.push_back(step * count + i);
                trigger.starts.push_back((step + 1) * count + sent.peer);
                m_triggers.push_back(std::move(trigger));
            }
        }
    }
    return flows;
}

TypeId
RingAllReduceWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RingAllReduceWorkload")
                            .SetParent<AllReduceWorkload>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RingAllReduceWorkload>();
    return tid;
}

RingAllReduceWorkload::RingAllReduceWorkload()
    : AllReduceWorkload("ring")
{
}

TypeId
HalvingDoublingWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HalvingDoublingWorkload")
                            .SetParent<AllReduceWorkload>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HalvingDoublingWorkload>();
    return tid;
}

HalvingDoublingWorkload::HalvingDoublingWorkload()
    : AllReduceWorkload("halving-doubling")
{
}

void
HalvingDoublingWorkload::CheckCount(uint32_t count) const
{
    if ((count & (count - 1)) != 0)
    {
        throw FabricError("all-reduce by halving and doubling needs a power of two of hosts, not " +
                          std::to_string(count) + "; use allreduce-ring");
    }
}

} // namespace ns3
