// SPDX-License-Identifier: GPL-2.0-only
#include "hot-spot-workload.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

namespace
{

/// Indices of the labels. @{
constexpr uint16_t BACKGROUND = 0;
constexpr uint16_t HOT = 1;
/** @} */

/// Who gets the background. @{
constexpr const char* OTHERS = "others";
constexpr const char* ALL = "all";
/** @} */

} // namespace

NS_OBJECT_ENSURE_REGISTERED(HotSpotWorkload);

TypeId
HotSpotWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HotSpotWorkload")
            .SetParent<PoissonWorkload>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HotSpotWorkload>()
            .AddAttribute("Traffic",
                          "Share of the flows that go to hot hosts.",
                          DoubleValue(0.85),
                          MakeDoubleAccessor(&HotSpotWorkload::m_traffic),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("HotHosts",
                          "Fraction of the hosts that are hot spots.",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&HotSpotWorkload::m_hotHosts),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Cold",
                          "Who gets the flows that are not hot: others (hosts that "
                          "are not hot) or all.",
                          StringValue(OTHERS),
                          MakeStringAccessor(&HotSpotWorkload::SetCold, &HotSpotWorkload::GetCold),
                          MakeStringChecker());
    return tid;
}

std::vector<FabricFlow>
HotSpotWorkload::Generate(const FabricGraph& graph)
{
    m_hot = NeedHosts(graph, "hot-spot");
    if (!(m_traffic >= 0 && m_traffic <= 1 && m_hotHosts > 0 && m_hotHosts < 1))
    {
        throw FabricError("hot-spot: the share of traffic, " + std::to_string(m_traffic) +
                          ", must be from 0 to 1 and that of hosts, " + std::to_string(m_hotHosts) +
                          ", between 0 and 1");
    }
    if (GetGroupCount() != 1)
    {
        throw FabricError("hot-spot: all hosts send to the hot ones, but " +
                          FabricTerm::Attribute("ns3::PoissonWorkload", "Groups") + " of " +
                          std::to_string(GetGroupCount()) +
                          " keeps traffic within groups; leave it at 1");
    }
    const auto wanted =
        static_cast<size_t>(std::lround(m_hotHosts * static_cast<double>(m_hot.size())));
    const size_t count = std::min(std::max<size_t>(wanted, 1), m_hot.size() - 1);
    Shuffle(m_hot, MakeStream(MAX_STREAMS));
    const auto border = m_hot.begin() + static_cast<std::ptrdiff_t>(count);
    m_cold.assign(border, m_hot.end());
    m_hot.resize(count);
    std::sort(m_hot.begin(), m_hot.end());
    std::sort(m_cold.begin(), m_cold.end());
    return PoissonWorkload::Generate(graph);
}

PoissonWorkload::Receiver
HotSpotWorkload::DrawReceiver(const std::vector<uint32_t>& hosts,
                              uint32_t index,
                              Ptr<UniformRandomVariable> random)
{
    const uint32_t self = hosts[index];
    const std::vector<uint32_t>& cold = m_everywhere ? hosts : m_cold;
    bool hot = random->GetValue(0, 1) < m_traffic;
    const std::vector<uint32_t>& wanted = hot ? m_hot : cold;
    if (wanted.size() == 1 && wanted.front() == self)
    {
        hot = !hot;
    }
    return {DrawFrom(hot ? m_hot : cold, self, random), hot ? HOT : BACKGROUND};
}

uint32_t
HotSpotWorkload::DrawFrom(const std::vector<uint32_t>& group,
                          uint32_t self,
                          Ptr<UniformRandomVariable> random)
{
    // Uniform over the group without the sender, if it belongs to it: step over it.
    const auto place = std::lower_bound(group.begin(), group.end(), self);
    const bool member = place != group.end() && *place == self;
    const auto last = static_cast<uint32_t>(group.size() - (member ? 2 : 1));
    uint32_t peer = random->GetInteger(0, last);
    if (member && peer >= static_cast<uint32_t>(place - group.begin()))
    {
        peer++;
    }
    return group[peer];
}

void
HotSpotWorkload::SetCold(std::string receivers)
{
    if (receivers != OTHERS && receivers != ALL)
    {
        RefuseFabricName(receivers, {OTHERS, ALL}, "receivers of the background");
    }
    m_everywhere = receivers == ALL;
}

std::string
HotSpotWorkload::GetCold() const
{
    return m_everywhere ? ALL : OTHERS;
}

} // namespace ns3
