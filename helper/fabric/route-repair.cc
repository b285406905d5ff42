// SPDX-License-Identifier: GPL-2.0-only
#include "route-repair.h"

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
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        if (!graph.IsHost(node) || graph.GetDegree(node) > 1)
        {
            Await(repair, node, 0);
        }
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
    Await(repair, node, epoch + 1);
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
