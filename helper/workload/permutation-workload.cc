// SPDX-License-Identifier: GPL-2.0-only
#include "permutation-workload.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PermutationWorkload);

TypeId
PermutationWorkload::GetTypeId()
{
    static TypeId tid = AddSize(TypeId("ns3::PermutationWorkload")
                                    .SetParent<SizedWorkload>()
                                    .SetGroupName("Dcfabric")
                                    .AddConstructor<PermutationWorkload>(),
                                2000000);
    return tid;
}

std::vector<FabricFlow>
PermutationWorkload::Generate(const FabricGraph& graph)
{
    const std::vector<uint32_t>& hosts = NeedHosts(graph, "permutation");
    const Ptr<UniformRandomVariable> random = MakeStream(0);
    std::vector<uint32_t> partner = hosts;
    bool again = true;
    // A shuffle has no fixed point with probability of about 1/e, so this ends after 2.7 rounds on
    // average.
    while (again)
    {
        Shuffle(partner, random);
        again = false;
        for (size_t i = 0; i < hosts.size() && !again; i++)
        {
            again = partner[i] == hosts[i];
        }
    }
    std::vector<FabricFlow> flows;
    flows.reserve(hosts.size());
    for (size_t i = 0; i < hosts.size(); i++)
    {
        flows.push_back(MakeFlow(hosts[i], partner[i], m_size, 0));
    }
    return flows;
}

} // namespace ns3
