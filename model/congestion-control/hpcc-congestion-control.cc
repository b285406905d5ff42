// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccCongestionControl);
DCFABRIC_OBJECT_CLONABLE(HpccCongestionControl);

TypeId
HpccCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HpccCongestionControl")
            .SetParent<IntWindowCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HpccCongestionControl>()
            .AddAttribute("InitialUtilization",
                          "U before the first measurement (the public HPCC simulator: 1).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&HpccCongestionControl::SetInitialUtilization,
                                             &HpccCongestionControl::GetInitialUtilization),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("PerLink",
                          "Keep U, Wc and stage for each link of the path and take "
                          "the least window; false: one of each for the path.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HpccCongestionControl::m_perLink),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
HpccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::HpccIntFeature", "INT on data packets, but the switches"}};
    needs.dataInt = true;
    needs.seesMoves = true;
    return needs;
}

void
HpccCongestionControl::DoStart()
{
    IntWindowCongestionControl::DoStart();
    if (m_perLink && GetPath().paths != 1)
    {
        throw FabricError(FabricTerm::Attribute("ns3::HpccCongestionControl", "PerLink") +
                          " needs all packets of a flow on one path");
    }
    if (m_perLink && IsFiltered())
    {
        throw FabricError(FabricTerm::Attribute("ns3::HpccCongestionControl", "PerLink") +
                          " keeps a U for each link, while modifiers filter only that of the most "
                          "loaded one");
    }
    m_links.fill({GetInitialUtilization(), GetMaxWindow(), 0});
    m_linksPath = 0;
}

void
HpccCongestionControl::OnModified(int64_t nowPs, ModifierEffect effect)
{
    IntWindowCongestionControl::OnModified(nowPs, effect);
    for (Link& link : m_links)
    {
        link.reference = GetReferenceWindow();
    }
}

void
HpccCongestionControl::ComputeWindow(const AckInfo& ack, bool update)
{
    if (!m_perLink)
    {
        IntWindowCongestionControl::ComputeWindow(ack, update);
        return;
    }
    const IntPathState& state = GetPathState();
    if (state.GetPathId() != m_linksPath)
    {
        // the packets were moved to another path: these are other links
        m_linksPath = state.GetPathId();
        m_links.fill({GetInitialUtilization(), GetReferenceWindow(), 0});
    }
    std::array<double, FabricPacketItem::MAX_HOPS> windows;
    double least = GetMaxWindow();
    for (uint8_t i = 0; i < state.GetNLinks(); ++i)
    {
        Link& link = m_links[i];
        link.utilization +=
            GetWeight(state.GetLinkSpanPs(i)) * (state.GetLinkUtilization(i) - link.utilization);
        const bool multiplicative = IsMultiplicative(link.utilization, link.incStage);
        windows[i] = Step(link.reference, link.utilization, multiplicative);
        least = std::min(least, windows[i]);
        if (update)
        {
            link.incStage = multiplicative ? 0 : link.incStage + 1;
        }
    }
    const uint64_t bytes = ProposeWindow(ack.nowPs, least);
    if (!update)
    {
        return;
    }
    SetReferenceWindow(GetHeldWindow(bytes, least));
    const double present = GetReferenceWindow();
    for (uint8_t i = 0; i < state.GetNLinks(); ++i)
    {
        // a modifier may have changed it
        m_links[i].reference =
            present < least ? std::min(windows[i], present) : std::max(windows[i], present);
    }
}

} // namespace ns3
