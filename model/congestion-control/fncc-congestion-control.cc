// SPDX-License-Identifier: GPL-2.0-only
#include "fncc-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FnccCongestionControl);
DCFABRIC_OBJECT_CLONABLE(FnccCongestionControl);

TypeId
FnccCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FnccCongestionControl")
            .SetParent<IntWindowCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FnccCongestionControl>()
            .AddAttribute("InitialUtilization",
                          "U before the first measurement, as in the public HPCC simulator; the "
                          "paper does not say.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FnccCongestionControl::SetInitialUtilization,
                                             &FnccCongestionControl::GetInitialUtilization),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("LastHopSpeedup",
                          "Set the reference window to the fair share when the last hop is "
                          "congested.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FnccCongestionControl::m_speedup),
                          MakeBooleanChecker())
            .AddAttribute("Alpha",
                          "Utilization of the last hop above which it counts as congested.",
                          DoubleValue(1.05),
                          MakeDoubleAccessor(&FnccCongestionControl::m_alpha),
                          MakePositiveDoubleChecker(1000))
            .AddAttribute("Beta",
                          "Part of the last hop's rate that is shared out, to drain its queue.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&FnccCongestionControl::m_beta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("LhcsSkipsWindowStep",
                          "After the speed-up take the fair share as the window, without the "
                          "multiplicative step.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FnccCongestionControl::m_skipStep),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
FnccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::FnccIntFeature", "INT on ACKs, but the switches"}};
    needs.ackInt = true;
    needs.symmetricPaths = true;
    return needs;
}

bool
FnccCongestionControl::AdjustReference(const AckInfo& ack)
{
    const IntPathState& path = GetPathState();
    const uint8_t lastHop = path.GetLastHop(*ack.item);
    if (!m_speedup || ack.activeFlows == 0 || path.GetMostLoaded() != lastHop ||
        path.GetLinkUtilization(lastHop) <= m_alpha)
    {
        return false;
    }
    const double bdp = static_cast<double>(path.GetLinkRate(lastHop)) *
                       static_cast<double>(GetPath().baseRttPs) / 8e12;
    SetReferenceWindow(bdp * m_beta / ack.activeFlows);
    ++m_lhcsCount;
    return m_skipStep;
}

} // namespace ns3
