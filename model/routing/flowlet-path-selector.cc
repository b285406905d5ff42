// SPDX-License-Identifier: GPL-2.0-only
#include "flowlet-path-selector.h"

#include "forwarding-table.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/log.h"

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
    const uint64_t key = GetKey(item);
    FlowPortTable::Entry* flowlet = m_flows.Find(key);
    if (m_flows.Holds(flowlet, nowPs))
    {
        flowlet->lastPs = nowPs;
        return static_cast<uint16_t>(flowlet->port);
    }
    const uint16_t port = group.ports[Draw(group.nPorts)];
    if (flowlet && flowlet->port != port)
    {
        NS_LOG_LOGIC(nowPs << " ps: moves " << item << " from port " << flowlet->port << " to "
                           << port);
        ++m_moves;
    }
    m_flows.Set(key, port, nowPs);
    return port;
}

uint16_t
FlowletPathSelector::SelectAgain(const PortGroup& rest, const FabricPacketItem& item)
{
    const uint16_t port = rest.ports[Draw(rest.nPorts)];
    m_flows.Set(GetKey(item), port, m_loads->GetPresentPs());
    ++m_moves;
    return port;
}

void
FlowletPathSelector::OnTableChange()
{
    m_flows.Clear();
}

uint64_t
FlowletPathSelector::GetKey(const FabricPacketItem& item)
{
    return (uint64_t{item.src} << 32) | item.flowHash;
}

} // namespace ns3
