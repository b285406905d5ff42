// SPDX-License-Identifier: GPL-2.0-only
#include "drill-path-selector.h"

#include "forwarding-table.h"

#include "ns3/boolean.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DrillPathSelector);

TypeId
DrillPathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DrillPathSelector")
            .SetParent<StatePathSelector>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DrillPathSelector>()
            .AddAttribute("Samples",
                          "Ports that are drawn for each packet, d in the paper.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DrillPathSelector::m_samples),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("Memory",
                          "The port that was best for a destination is a candidate the next time, "
                          "too (m = 1 in the paper).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DrillPathSelector::m_remembers),
                          MakeBooleanChecker())
            .AddAttribute("HashSeed",
                          "Changes the ports of packets other than data.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DrillPathSelector::m_seed),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
DrillPathSelector::Attach(uint32_t address, uint8_t /* tier */)
{
    m_salt = Mix(address, m_seed);
}

uint16_t
DrillPathSelector::Select(const PortGroup& group, const FabricPacketItem& item)
{
    if (item.type != FabricPacketType::DATA)
    {
        return Hash(group, item);
    }
    return Choose(group, item.dst, false);
}

uint16_t
DrillPathSelector::SelectAgain(const PortGroup& rest, const FabricPacketItem& item)
{
    if (item.type != FabricPacketType::DATA)
    {
        return Hash(rest, item);
    }
    return Choose(rest, item.dst, true);
}

void
DrillPathSelector::OnTableChange()
{
    m_best.clear();
}

uint16_t
DrillPathSelector::Choose(const PortGroup& group, uint32_t destination, bool canLack)
{
    m_candidates.clear();
    if (m_remembers)
    {
        const auto best = m_best.find(destination);
        const uint16_t* end = group.ports + group.nPorts;
        if (best != m_best.end() && (!canLack || std::find(group.ports, end, best->second) != end))
        {
            m_candidates.push_back(best->second);
        }
    }
    DrawSamples(group);
    const uint16_t port = FindBest(m_candidates);
    if (m_remembers)
    {
        m_best[destination] = port;
    }
    return port;
}

void
DrillPathSelector::DrawSamples(const PortGroup& group)
{
    if (m_samples >= group.nPorts)
    {
        m_candidates.insert(m_candidates.end(), group.ports, group.ports + group.nPorts);
        return;
    }
    m_drawn.clear();
    for (uint32_t i = 0; i < m_samples; ++i)
    {
        // the place among those that are left, and so past each that is drawn and not behind it
        uint32_t place = Draw(group.nPorts - i);
        auto next = m_drawn.begin();
        for (; next != m_drawn.end() && *next <= place; ++next)
        {
            ++place;
        }
        m_drawn.insert(next, place);
        m_candidates.push_back(group.ports[place]);
    }
}

uint16_t
DrillPathSelector::FindBest(const std::vector<uint16_t>& candidates) const
{
    uint16_t best = candidates.front();
    int64_t leastPs = m_loads->GetWaitingPs(best);
    for (std::size_t i = 1; i < candidates.size(); ++i)
    {
        const int64_t waitPs = m_loads->GetWaitingPs(candidates[i]);
        if (waitPs < leastPs)
        {
            leastPs = waitPs;
            best = candidates[i];
        }
    }
    return best;
}

uint16_t
DrillPathSelector::Hash(const PortGroup& group, const FabricPacketItem& item) const
{
    return group.ports[Scale(Mix(item.flowHash ^ (item.src * 0x9e3779b1U), m_salt), group.nPorts)];
}

} // namespace ns3
