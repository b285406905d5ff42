// SPDX-License-Identifier: GPL-2.0-only
#include "dumbbell-topology.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

TypeId
DumbbellTopology::GetTypeId()
{
    static TypeId tid = Counts<DumbbellTopology>::Add(
        TypeId("ns3::DumbbellTopology")
            .SetParent<TieredTopology>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DumbbellTopology>(),
        {{"Switches", "Number of switches in the chain.", 3, &DumbbellTopology::m_switches},
         {"Senders", "Number of senders, and of receivers.", 2, &DumbbellTopology::m_senders}});
    return tid;
}

FabricGraph
DumbbellTopology::BuildGraph() const
{
    for (auto count : {m_switches, m_senders})
    {
        if (count < 1 || count > MAX_COUNT)
        {
            throw FabricError("dumbbell: switches and senders must be from 1 to " +
                              std::to_string(MAX_COUNT) + ", not " + std::to_string(count));
        }
    }
    const uint32_t first = 2 * m_senders;
    const uint32_t last = first + m_switches - 1;
    const std::vector<Tier> tiers = GetTiers({1.0 / m_senders});

    FabricGraph graph;
    graph.Reserve(last + 1, 2 * m_senders + m_switches);
    for (uint32_t i = 0; i < 2 * m_senders; i++)
    {
        graph.AddHost(0,
                      i < m_senders ? "sender-" + std::to_string(i)
                                    : "receiver-" + std::to_string(i - m_senders));
    }
    for (uint32_t i = 0; i < m_switches; i++)
    {
        graph.AddSwitch(1, 0, "switch-" + std::to_string(i));
    }
    for (uint32_t i = 0; i < 2 * m_senders; i++)
    {
        graph.AddLink(i, i < m_senders ? first : last, tiers[0].rateBps, tiers[0].delayPs);
    }
    for (uint32_t i = first; i < last; i++)
    {
        graph.AddLink(i, i + 1, tiers[1].rateBps, tiers[1].delayPs);
    }
    graph.Validate();
    return graph;
}

} // namespace ns3
