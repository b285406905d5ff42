// SPDX-License-Identifier: GPL-2.0-only
#include "all-reduce-workload.h"

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

std::vector<FabricFlow>
AllReduceWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "all-reduce");
    const auto count = static_cast<uint32_t>(hosts.size());
    const uint32_t steps = GetNSteps(count);
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
    for (uint32_t step = 0; step < steps; step++)
    {
        for (uint32_t i = 0; i < count; i++)
        {
            const auto [first, end] = GetRange(step, i, count);
            const uint32_t peer = GetPeer(step, i, count);
            flows.push_back(MakeFlow(hosts[i], hosts[peer], end - first, 0));
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
                trigger.starts.push_back((step + 1) * count + peer);
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

uint32_t
RingAllReduceWorkload::GetNSteps(uint32_t count) const
{
    return 2 * (count - 1);
}

uint32_t
RingAllReduceWorkload::GetPeer(uint32_t /* step */, uint32_t host, uint32_t count) const
{
    return (host + 1) % count;
}

std::pair<uint64_t, uint64_t>
RingAllReduceWorkload::GetRange(uint32_t step, uint32_t host, uint32_t count) const
{
    // A host passes on the block that it has just received: the one with its own number first.
    const uint32_t block = (host + 2 * count - step) % count;
    return {GetBlock(block, count), GetBlock(block + 1, count)};
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

uint32_t
HalvingDoublingWorkload::GetNSteps(uint32_t count) const
{
    uint32_t levels = 0;
    while ((1U << levels) < count)
    {
        levels++;
    }
    if ((1U << levels) != count)
    {
        throw FabricError("all-reduce by halving and doubling needs a power of two of hosts, not " +
                          std::to_string(count) + "; use allreduce-ring");
    }
    return 2 * levels;
}

uint32_t
HalvingDoublingWorkload::GetPeer(uint32_t step, uint32_t host, uint32_t count) const
{
    const uint32_t steps = GetNSteps(count);
    const uint32_t mirror = step < steps / 2 ? step : steps - 1 - step;
    return host ^ (count >> (mirror + 1));
}

std::pair<uint64_t, uint64_t>
HalvingDoublingWorkload::GetRange(uint32_t step, uint32_t host, uint32_t count) const
{
    // In the first half a host gives away the part that its peer is to sum up; in the second half
    // it gives the part that it has. Both are the blocks whose numbers agree with the owner's in
    // the bits of the steps so far.
    const uint32_t steps = GetNSteps(count);
    const bool reduce = step < steps / 2;
    const uint32_t distance = count >> ((reduce ? step : steps - 1 - step) + 1);
    const uint32_t owner = reduce ? host ^ distance : host;
    const uint32_t first = owner & ~(distance - 1);
    return {GetBlock(first, count), GetBlock(first + distance, count)};
}

} // namespace ns3
