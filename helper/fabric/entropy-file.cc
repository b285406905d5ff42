// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-file.h"

#include "fabric.h"

#include "ns3/entropy-store.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/reps-load-balancer.h"
#include "ns3/string.h"

#include <cstdint>
#include <set>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EntropyFile);

namespace
{

constexpr uint32_t N_CLASSES = 8; //!< of packets

} // namespace

TypeId
EntropyFile::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EntropyFile")
                            .SetParent<Object>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<EntropyFile>()
                            .AddAttribute("From",
                                          "File of the entropies of an earlier run; empty: none.",
                                          StringValue(""),
                                          MakeStringAccessor(&EntropyFile::m_from),
                                          MakeStringChecker());
    return tid;
}

void
EntropyFile::Load(const Fabric& fabric) const
{
    if (!m_from.empty())
    {
        Read(fabric, m_from);
    }
}

uint32_t
EntropyFile::Write(const Fabric& fabric, const std::string& path)
{
    uint32_t connections = 0;
    std::string text = "# host destination class entropies\n";
    for (const uint32_t host : fabric.GetHosts())
    {
        if (!fabric.IsHere(host))
        {
            continue;
        }
        // a store may serve several policies
        std::set<Ptr<Object>> stores;
        PdcPolicies& policies = fabric.GetNic(host)->GetSendingPdcs().GetPolicies();
        for (const Ptr<Object>& shared : policies.ListShared())
        {
            const auto store = DynamicCast<EntropyStore>(shared);
            if (!store || !stores.insert(shared).second)
            {
                continue;
            }
            for (const auto& [connection, entropies] : store->ListRecurrent())
            {
                text += std::to_string(host) + ' ' + std::to_string(connection >> 8) + ' ' +
                        std::to_string(connection & 0xff);
                for (const uint16_t entropy : entropies)
                {
                    text += ' ' + std::to_string(entropy);
                }
                text += '\n';
                ++connections;
            }
        }
    }
    WriteFabricTextFile(path, text);
    return connections;
}

void
EntropyFile::Read(const Fabric& fabric, const std::string& path)
{
    FabricTextReader reader(path, '#');
    while (reader.Next())
    {
        constexpr std::size_t FIRST_ENTROPY = 3;
        const std::size_t fields = reader.GetFields().size();
        if (fields < FIRST_ENTROPY)
        {
            reader.Refuse("expected host, destination, class and entropies");
        }
        const auto last = static_cast<uint64_t>(fabric.GetGraph().GetNNodes() - 1);
        const auto host = static_cast<uint32_t>(reader.GetUint(0, "host", 0, last));
        const auto dst = static_cast<uint32_t>(reader.GetUint(1, "destination", 0, last));
        const auto priority = static_cast<uint8_t>(reader.GetUint(2, "class", 0, N_CLASSES - 1));
        if (!fabric.GetGraph().IsHost(host) || !fabric.GetGraph().IsHost(dst))
        {
            reader.Refuse("node " + std::to_string(fabric.GetGraph().IsHost(host) ? dst : host) +
                          " is a switch; expected hosts");
        }
        if (!fabric.IsHere(host))
        {
            continue;
        }
        const Ptr<FabricNic> nic = fabric.GetNic(host);
        PdcPolicies& policies = nic->GetSendingPdcs().GetPolicies();
        PdcPolicies::Installed& installed = policies.Find(dst, priority);
        const auto reps =
            DynamicCast<RepsLoadBalancer>(installed.policy.loadBalancer.Create<LoadBalancer>());
        if (!reps || !reps->IsRecurrent())
        {
            reader.Refuse("connections from host " + std::to_string(host) + " to host " +
                          std::to_string(dst) +
                          " keep no entropies; use ns3::RepsLoadBalancer with Recurrent");
        }
        const auto store =
            DynamicCast<EntropyStore>(policies.Share(installed, *reps, nic->acksPerRtt));
        const uint32_t fifo = store->OpenRecurrent(PdcPolicies::MakeKey(dst, priority));
        for (std::size_t i = FIRST_ENTROPY; i < fields; ++i)
        {
            store->Save(fifo,
                        static_cast<uint16_t>(reader.GetUint(i, "entropy", 0, UINT16_MAX)),
                        0);
        }
    }
}

} // namespace ns3
