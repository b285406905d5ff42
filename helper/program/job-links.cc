// SPDX-License-Identifier: GPL-2.0-only
#include "job-links.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

constexpr uint16_t JobLinks::NONE;

JobLinks::JobLinks(const FlowTable& table, const RankJob& job, const std::vector<uint32_t>& hosts)
    : m_table(table)
{
    const FabricGraph& graph = table.GetFabric()->GetGraph();
    constexpr uint16_t NOBODY = NONE - 1;
    m_groupOf.assign(graph.GetNNodes(), NOBODY);
    for (const RankJob::Part& part : job.GetParts())
    {
        for (uint32_t rank = part.first; rank < part.first + part.ranks; ++rank)
        {
            uint16_t& group = m_groupOf[hosts[rank]];
            if (group != NOBODY && group != part.group && RankWorld::GetSize() > 1)
            {
                throw FabricError("host " + std::to_string(hosts[rank]) +
                                  " is of two jobs, one of them " + part.name +
                                  ": processes (ranks) of a simulation tell jobs apart by hosts; "
                                  "place them on others, or " +
                                  RankWorld::GetRemedy());
            }
            group = group == NOBODY || group == part.group ? part.group : NONE;
        }
    }
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!table.GetFabric()->IsHere(node))
        {
            continue;
        }
        for (uint16_t port = 0; graph.IsHost(node) && port < graph.GetDegree(node); ++port)
        {
            const Ptr<FabricNetDevice> device = table.GetFabric()->GetActor(node)->GetPort(port);
            m_nics.push_back(std::make_unique<Nic>(Nic{this, node, port, device}));
            device->TraceConnectWithoutContext("Transmit",
                                               MakeCallback(&Nic::OnTransmit, m_nics.back().get()));
        }
        if (!graph.IsHost(node))
        {
            m_features.push_back(table.GetFabric()->GetSwitch(node)->GetFeature<JobLinkFeature>());
            m_features.back()->SetLinks(this, node);
        }
    }
}

JobLinks::~JobLinks()
{
    for (const std::unique_ptr<Nic>& nic : m_nics)
    {
        nic->device->TraceDisconnectWithoutContext("Transmit",
                                                   MakeCallback(&Nic::OnTransmit, nic.get()));
    }
    for (const Ptr<JobLinkFeature>& feature : m_features)
    {
        feature->SetLinks(nullptr, 0);
    }
}

void
JobLinks::Nic::OnTransmit(Ptr<const FabricPacketItem> item)
{
    if (item->type == FabricPacketType::DATA)
    {
        Port& there = links->m_ports[GetKey(node, port)];
        Use& use = there.uses[links->FindUse(there, node, port, links->GetGroup(*item))];
        ++use.packets;
        use.bytes += item->GetSize();
    }
}

uint16_t
JobLinks::GetGroup(const FabricPacketItem& item) const
{
    const uint32_t tag = item.data.tag;
    if (tag < m_table.GetNGiven())
    {
        return m_table.GetFlows()[tag].group; // all processes know these by the same number
    }
    const uint16_t group = m_groupOf[item.src];
    return group == NONE ? m_table.GetFlows()[m_table.Find(item.src, tag)].group : group;
}

std::size_t
JobLinks::FindUse(Port& port, uint32_t node, uint16_t number, uint16_t group) const
{
    for (std::size_t i = 0; i < port.uses.size(); ++i)
    {
        if (port.uses[i].group == group)
        {
            return i;
        }
    }
    Use use{};
    use.node = node;
    use.port = number;
    use.group = group;
    port.uses.push_back(use);
    port.sentPs.push_back(0);
    return port.uses.size() - 1;
}

void
JobLinks::OnAdmit(uint32_t node, uint16_t port, const FabricPacketItem& item)
{
    Port& there = m_ports[GetKey(node, port)];
    const std::size_t own = FindUse(there, node, port, GetGroup(item));
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    const int64_t restPs = // of a packet of another kind on the wire, which is counted already
        there.lastUse == own ? 0 : std::max<int64_t>(0, there.endPs - nowPs);
    m_waiting[&item] = {nowPs, there.allPs - there.sentPs[own] - restPs};
}

void
JobLinks::OnTransmit(uint32_t node, uint16_t port, const FabricPacketItem& item, int64_t wirePs)
{
    const auto waiting = m_waiting.find(&item);
    if (waiting == m_waiting.end())
    {
        return; // made here, or it came before
    }
    Port& there = m_ports[GetKey(node, port)];
    const std::size_t own = FindUse(there, node, port, GetGroup(item));
    Use& use = there.uses[own];
    ++use.packets;
    use.bytes += item.GetSize();
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    use.waitPs += nowPs - waiting->second.sincePs;
    use.behindPs += there.allPs - there.sentPs[own] - waiting->second.othersPs;
    there.sentPs[own] += wirePs;
    there.allPs += wirePs;
    there.endPs = nowPs + wirePs;
    there.lastUse = own;
    m_waiting.erase(waiting);
}

void
JobLinks::OnDrop(const FabricPacketItem& item)
{
    m_waiting.erase(&item);
}

std::vector<JobLinks::Use>
JobLinks::ListShared() const
{
    struct Shared
    {
        int64_t behindPs;      // of all kinds
        uint64_t key;          // of the port
        std::vector<Use> uses; // by kind
    };

    std::vector<Shared> ports;
    for (const auto& [key, port] : m_ports)
    {
        Shared shared{0, key, {}};
        for (const Use& use : port.uses)
        {
            if (use.packets > 0)
            {
                shared.behindPs += use.behindPs;
                shared.uses.push_back(use);
            }
        }
        if (shared.uses.size() > 1)
        {
            std::sort(shared.uses.begin(), shared.uses.end(), [](const Use& a, const Use& b) {
                return a.group < b.group;
            });
            ports.push_back(std::move(shared));
        }
    }
    std::sort(ports.begin(), ports.end(), [](const Shared& a, const Shared& b) {
        return a.behindPs != b.behindPs ? a.behindPs > b.behindPs : a.key < b.key;
    });
    std::vector<Use> all;
    for (const Shared& shared : ports)
    {
        all.insert(all.end(), shared.uses.begin(), shared.uses.end());
    }
    return all;
}

std::string
JobLinks::DescribeLink(uint32_t node, uint16_t port) const
{
    const FabricGraph& graph = m_table.GetFabric()->GetGraph();
    return graph.GetName(node) + " to " + graph.GetName(graph.GetPort(node, port).peer);
}

void
JobLinks::WriteCsv(const std::string& path, const std::vector<std::string>& labels) const
{
    ResultFile file(path);
    std::string& text = file.Text();
    text += "node,port,link,job,packets,tx_bytes,wait_ns,behind_others_ns";
    file.EndLine();
    for (const Use& use : ListShared())
    {
        text += std::to_string(use.node) + ',' + std::to_string(use.port) + ',' +
                DescribeLink(use.node, use.port) + ',' + labels.at(use.group) + ',' +
                std::to_string(use.packets) + ',' + std::to_string(use.bytes) + ',';
        if (m_table.GetFabric()->GetGraph().IsHost(use.node))
        {
            text += ','; // in a NIC packets do not wait, but are not sent
        }
        else
        {
            const auto packets = static_cast<int64_t>(use.packets);
            AppendNanoseconds(text, use.waitPs / packets);
            text += ',';
            AppendNanoseconds(text, use.behindPs / packets);
        }
        file.EndLine();
    }
    file.Commit();
}

std::string
JobLinks::Pack() const
{
    std::string bytes;
    for (const auto& [key, port] : m_ports)
    {
        for (const Use& use : port.uses)
        {
            WritePlain(bytes, use);
        }
    }
    return bytes;
}

void
JobLinks::Join(const std::string& bytes)
{
    for (std::size_t at = 0; at < bytes.size();)
    {
        const auto use = TakePlain<Use>(bytes, at);
        m_ports[GetKey(use.node, use.port)].uses.push_back(use); // each switch is of one process
    }
}

} // namespace ns3
