// SPDX-License-Identifier: GPL-2.0-only
#include "incast-workload.h"

#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IncastWorkload);

TypeId
IncastWorkload::GetTypeId()
{
    static TypeId tid =
        AddSize(TypeId("ns3::IncastWorkload")
                    .SetParent<SizedWorkload>()
                    .SetGroupName("Dcfabric")
                    .AddConstructor<IncastWorkload>()
                    .AddAttribute("FanIn",
                                  "Number of senders.",
                                  UintegerValue(16),
                                  MakeUintegerAccessor(&IncastWorkload::m_fanIn),
                                  MakeUintegerChecker<uint32_t>(1, FabricGraph::MAX_NODES))

                    .AddAttribute("Dst",
                                  "Host number of the receiver.",
                                  UintegerValue(0),
                                  MakeUintegerAccessor(&IncastWorkload::m_dst),
                                  MakeUintegerChecker<uint32_t>(0, FabricGraph::MAX_NODES)),
                1000000,
                "Payload of each sender's flow, bytes.");
    return tid;
}

std::vector<FabricFlow>
IncastWorkload::Generate(const FabricGraph& graph)
{
    std::vector<uint32_t> senders = NeedHosts(graph, "incast");
    if (!graph.IsHost(m_dst))
    {
        throw FabricError("incast: receiver " + std::to_string(m_dst) +
                          " is not a host; host numbers are " + std::to_string(senders.front()) +
                          " to " + std::to_string(senders.back()));
    }
    if (m_fanIn < 1 || m_fanIn >= senders.size())
    {
        throw FabricError("incast: a fan-in of " + std::to_string(m_fanIn) + " is outside 1 to " +
                          std::to_string(senders.size() - 1) +
                          ", the number of hosts beside the receiver");
    }
    senders.erase(std::find(senders.begin(), senders.end(), m_dst));
    Shuffle(senders, MakeStream(0));
    senders.resize(m_fanIn);
    std::sort(senders.begin(), senders.end());
    std::vector<FabricFlow> flows;
    flows.reserve(m_fanIn);
    for (auto sender : senders)
    {
        flows.push_back(MakeFlow(sender, m_dst, m_size, 0));
    }
    return flows;
}

} // namespace ns3
