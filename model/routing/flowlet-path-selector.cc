// SPDX-License-Identifier: GPL-2.0-only
#include "flowlet-path-selector.h"

#include "forwarding-table.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

LogComponent FlowletPathSelector::g_log("FlowletPathSelector", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(FlowletPathSelector);

TypeId
FlowletPathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowletPathSelector")
            .SetParent<StatePathSelector>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FlowletPathSelector>()
            .AddAttribute("Timeout",
                          "Pause after which a flow may change its port; more than the difference "
                          "between the delays of the paths.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&FlowletPathSelector::m_timeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

uint16_t
FlowletPathSelector::Select(const PortGroup& group, const FabricPacketItem& item)
{
    const int64_t nowPs = m_loads->GetPresentPs();
    const uint64_t key = (uint64_t{item.src} << 32) | item.flowHash;
    const auto [entry, isNew] = m_flows.try_emplace(key, Flowlet{nowPs, 0});
    Flowlet& flowlet = entry->second;
    const bool over = nowPs - flowlet.lastPs > FabricTime::ToPs(m_timeout);
    flowlet.lastPs = nowPs;
    if (isNew || over)
    {
        const uint16_t before = flowlet.port;
        flowlet.port = group.ports[Draw(group.nPorts)];
        if (!isNew && flowlet.port != before)
        {
            NS_LOG_LOGIC(nowPs << " ps: moves " << item << " from port " << before << " to "
                               << flowlet.port);
            ++m_moves;
        }
    }
    const uint16_t port = flowlet.port;
    if (m_flows.size() >= m_removeAt)
    {
        RemoveOld(nowPs);
    }
    return port;
}

uint16_t
FlowletPathSelector::SelectAgain(const PortGroup& rest, const FabricPacketItem& item)
{
    const uint64_t key = (uint64_t{item.src} << 32) | item.flowHash;
    Flowlet& flowlet = m_flows[key];
    flowlet = {m_loads->GetPresentPs(), rest.ports[Draw(rest.nPorts)]};
    ++m_moves;
    return flowlet.port;
}

void
FlowletPathSelector::RemoveOld(int64_t nowPs)
{
    const int64_t timeoutPs = FabricTime::ToPs(m_timeout);
    for (auto flow = m_flows.begin(); flow != m_flows.end();)
    {
        flow = nowPs - flow->second.lastPs > timeoutPs ? m_flows.erase(flow) : std::next(flow);
    }
    m_removeAt = std::max<std::size_t>(1024, 2 * m_flows.size());
}

} // namespace ns3
