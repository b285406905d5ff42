// SPDX-License-Identifier: GPL-2.0-only
#include "client-workload.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ClientWorkload);

TypeId
ClientWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ClientWorkload")
            .SetParent<FabricWorkload>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ClientWorkload>()
            .AddAttribute("Ranks",
                          "Number of ranks; 0: as many as the hosts have room for.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ClientWorkload::m_ranks),
                          MakeUintegerChecker<uint32_t>(0, 1 << 24))
            .AddAttribute("PerHost",
                          "Ranks of each host: of n, host 0 has ranks 0 to n - 1.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ClientWorkload::m_perHost),
                          MakeUintegerChecker<uint32_t>(1, 1 << 16))
            .AddAttribute("Priority",
                          "Class of all messages.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&ClientWorkload::m_priority),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("QueuePairs",
                          "Messages of one rank to another that are sent at the same time: of n "
                          "queue pairs each sends one after the other. 0: each message has a queue "
                          "pair of its own, and all share the links.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&ClientWorkload::m_queuePairs),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("LocalDelay",
                          "Time that a message between ranks of one host takes.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&ClientWorkload::m_localDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

std::vector<FabricFlow>
ClientWorkload::Generate(const FabricGraph& graph)
{
    const uint64_t room = uint64_t{graph.GetNHosts()} * m_perHost;
    const uint64_t ranks = m_ranks == 0 ? room : m_ranks;
    if (ranks > room)
    {
        throw FabricError(
            FormatFabricCount(ranks, "rank") + ", of which " + std::to_string(m_perHost) +
            " on each host, do not fit on " + FormatFabricCount(graph.GetNHosts(), "host") +
            "; put more ranks on each, or choose a larger " + FabricTerm::Option("topology"));
    }
    m_settings.hosts.clear();
    m_settings.hosts.reserve(ranks);
    for (uint64_t rank = 0; rank < ranks; ++rank)
    {
        m_settings.hosts.push_back(graph.GetHosts()[rank / m_perHost]);
    }
    m_settings.priority = m_priority;
    m_settings.queuePairs = m_queuePairs;
    m_settings.localDelayPs = FabricTime::ToPs(m_localDelay);
    return {};
}

} // namespace ns3
