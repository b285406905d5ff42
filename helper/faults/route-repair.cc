// SPDX-License-Identifier: GPL-2.0-only
#include "route-repair.h"

#include "ns3/deadlock-proof.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-warning.h"

#include <algorithm>
#include <string>

namespace ns3
{

RouteRepair::RouteRepair(Ptr<Fabric> fabric, const LinkOutages& outages, int64_t convergencePs)
    : m_fabric(fabric),
      m_outages(outages),
      m_times(outages.ListTimes()),
      m_convergencePs(convergencePs)
{
}

void
RouteRepair::Schedule(Ptr<Fabric> fabric, const LinkOutages& outages, int64_t convergencePs)
{
    const Ptr<RouteRepair> repair = Create<RouteRepair>(fabric, outages, convergencePs);
    const FabricGraph& graph = fabric->GetGraph();
    std::vector<uint32_t> nodes;
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!graph.IsHost(node) || graph.GetDegree(node) > 1)
        {
            nodes.push_back(node);
        }
    }
    repair->m_left.assign(repair->m_times.size(), static_cast<uint32_t>(nodes.size()));
    for (const uint32_t node : nodes)
    {
        Await(repair, node, 0);
    }
}

void
RouteRepair::Await(Ptr<RouteRepair> repair, uint32_t node, uint32_t epoch)
{
    if (epoch < repair->m_times.size())
    {
        repair->m_fabric->GetActor(node)->CallAt(repair->m_times[epoch] + repair->m_convergencePs,
                                                 MakeBoundCallback(&Update, repair, node, epoch));
    }
}

void
RouteRepair::Update(Ptr<RouteRepair> repair, uint32_t node, uint32_t epoch)
{
    ForwardingTable table = repair->GetRoutes(epoch).BuildTable(node);
    if (repair->m_fabric->GetGraph().IsHost(node))
    {
        repair->m_fabric->GetNic(node)->UpdateForwardingTable(std::move(table));
    }
    else
    {
        repair->m_fabric->GetSwitch(node)->UpdateForwardingTable(std::move(table));
    }
    repair->m_latest = std::max(repair->m_latest, epoch);
    if (--repair->m_left[epoch] == 0 && repair->m_latest == epoch)
    {
        repair->Prove(epoch); // all tables are those of this change
    }
    Await(repair, node, epoch + 1);
}

void
RouteRepair::Prove(uint32_t epoch)
{
    const std::vector<bool> down = m_outages.GetDown(m_times[epoch]);
    const bool any = std::find(down.begin(), down.end(), true) != down.end();
    if (!any || !m_proven.insert(down).second)
    {
        return;
    }
    const DeadlockProof* proof = DeadlockProof::Get();
    const std::string cycle = proof ? proof->FindCycle(*m_fabric, GetRoutes(epoch)) : "";
    if (!cycle.empty())
    {
        WarnFabric(
            "after what failed at " +
            FormatFabricDecimal(static_cast<uint64_t>(m_times[epoch]), FabricTime::PS_PER_US) +
            "us, routes lead around it, and packets can wait for one another in a circle: " +
            cycle +
            "; use another routing, tables that stay as they are (no convergence time), or no "
            "flow control");
    }
}

const RoutingBuilder&
RouteRepair::GetRoutes(uint32_t epoch)
{
    if (m_epoch != epoch)
    {
        m_epoch = epoch;
        m_routes = m_fabric->GetRouting().BuildWithout(m_outages.GetDown(m_times[epoch]));
    }
    return *m_routes;
}

} // namespace ns3
