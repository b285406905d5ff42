// SPDX-License-Identifier: GPL-2.0-only
#include "rack-repeat.h"

#include "reordering-window.h"
#include "send-window.h"

#include "ns3/double.h"
#include "ns3/fabric-time.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RackRepeat);

TypeId
RackRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RackRepeat")
            .SetParent<ReliabilityPolicy>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RackRepeat>()
            .AddAttribute("LeastWindow",
                          "Least re-ordering window in base RTTs (of the pair of hosts, or T if "
                          "that is larger): a packet may be so much later than those sent after "
                          "it, or twice as much as others were.",
                          DoubleValue(8),
                          MakeDoubleAccessor(&RackRepeat::m_leastWindow),
                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

bool
RackRepeat::AcceptsOutOfOrder() const
{
    return true;
}

bool
RackRepeat::Start(SendWindow& window, int64_t baseRttPs, bool isLossless) const
{
    // at least 1 ps, and short enough to be doubled and added
    constexpr double LONGEST_PS = 1e15;
    const auto leastPs = static_cast<int64_t>(
        std::max(1.0, std::min(m_leastWindow * static_cast<double>(baseRttPs), LONGEST_PS)));
    window.KeepTimes(ReorderingWindow(leastPs, isLossless ? 2 : 1));
    return true;
}

uint64_t
RackRepeat::OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const
{
    window.GetReordering().OnArrival(sentPs, nowPs);
    return OnTimer(window, nowPs);
}

uint64_t
RackRepeat::OnTimer(SendWindow& window, int64_t nowPs) const
{
    return window.DetectOverdue(window.GetReordering().GetLostUntilPs(nowPs));
}

int64_t
RackRepeat::GetTimerPs(SendWindow& window) const
{
    const int64_t sentPs = window.GetOldestPs();
    const ReorderingWindow& reordering = window.GetReordering();
    return sentPs < reordering.GetNewestPs() ? reordering.GetDuePs(sentPs) : FabricTime::NEVER;
}

int64_t
RackRepeat::GetProbeDelayPs(const SendWindow& window, int64_t smoothedPs, int64_t baseRttPs) const
{
    return std::max(2 * (smoothedPs < 0 ? baseRttPs : smoothedPs), window.GetReordering().GetPs());
}

uint64_t
RackRepeat::OnNack(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0; // receivers of this policy send none
}

uint64_t
RackRepeat::OnDropNotice(SendWindow& window, uint64_t seq, int64_t /* nowPs */) const
{
    return window.Lose(seq) ? 1 : 0;
}

void
RackRepeat::OnTimeout(SendWindow& window, int64_t /* nowPs */) const
{
    window.MarkAllLost();
}

} // namespace ns3
