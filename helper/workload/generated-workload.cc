// SPDX-License-Identifier: GPL-2.0-only
#include "generated-workload.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GeneratedWorkload);
NS_OBJECT_ENSURE_REGISTERED(SizedWorkload);

TypeId
GeneratedWorkload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GeneratedWorkload")
                            .SetParent<FabricWorkload>()
                            .SetGroupName("Dcfabric")
                            .AddAttribute("Start",
                                          "When the workload begins.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&GeneratedWorkload::m_start),
                                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
                            .AddAttribute("Priority",
                                          "Priority of every flow (IEEE 802.1Qbb).",
                                          UintegerValue(3),
                                          MakeUintegerAccessor(&GeneratedWorkload::m_priority),
                                          MakeUintegerChecker<uint8_t>(0, 7));
    return tid;
}

int64_t
GeneratedWorkload::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return 1;
}

const std::vector<uint32_t>&
GeneratedWorkload::NeedHosts(const FabricGraph& graph, const char* name) const
{
    if (graph.GetNHosts() < 2)
    {
        throw FabricError(std::string(name) +
                          ": traffic needs at least 2 hosts, the topology has " +
                          std::to_string(graph.GetNHosts()));
    }
    return graph.GetHosts();
}

Ptr<UniformRandomVariable>
GeneratedWorkload::MakeStream(uint32_t offset) const
{
    auto random = CreateObject<UniformRandomVariable>();
    if (m_stream >= 0)
    {
        random->SetStream(m_stream + offset);
    }
    return random;
}

void
GeneratedWorkload::Shuffle(std::vector<uint32_t>& items, Ptr<UniformRandomVariable> random)
{
    for (size_t i = items.size(); i > 1; i--)
    {
        std::swap(items[i - 1], items[random->GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
}

FabricFlow
GeneratedWorkload::MakeFlow(uint32_t src, uint32_t dst, uint64_t sizeBytes, int64_t offsetPs) const
{
    FabricFlow flow;
    flow.src = src;
    flow.dst = dst;
    flow.sizeBytes = sizeBytes;
    flow.startPs = m_start.GetPicoSeconds() + offsetPs;
    flow.priority = m_priority;
    return flow;
}

TypeId
SizedWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SizedWorkload").SetParent<GeneratedWorkload>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
SizedWorkload::AddSize(TypeId tid, uint64_t bytes, const char* help)
{
    return tid.AddAttribute("Size",
                            help,
                            UintegerValue(bytes),
                            MakeUintegerAccessor(&SizedWorkload::m_size),
                            MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES));
}

const std::vector<uint32_t>&
SizedWorkload::NeedHosts(const FabricGraph& graph, const char* name) const
{
    if (m_size == 0 || m_size > static_cast<uint64_t>(INT64_MAX))
    {
        throw FabricError(std::string(name) + ": a flow size of " + std::to_string(m_size) +
                          " bytes is outside 1 to 2^63 - 1");
    }
    return GeneratedWorkload::NeedHosts(graph, name);
}

} // namespace ns3
