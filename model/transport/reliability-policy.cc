// SPDX-License-Identifier: GPL-2.0-only
#include "reliability-policy.h"

#include "send-window.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReliabilityPolicy);
NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);
NS_OBJECT_ENSURE_REGISTERED(GoBackN);

TypeId
ReliabilityPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReliabilityPolicy").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
SelectiveRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SelectiveRepeat")
            .SetParent<ReliabilityPolicy>()
            .SetGroupName("Dcfabric")
            .AddConstructor<SelectiveRepeat>()
            .AddAttribute("ReorderThreshold",
                          "A packet is lost when one sent so many packets later has arrived.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&SelectiveRepeat::m_reorderThreshold),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
SelectiveRepeat::AcceptsOutOfOrder() const
{
    return true;
}

uint64_t
SelectiveRepeat::OnAck(SendWindow& window) const
{
    return window.DetectLoss(m_reorderThreshold);
}

uint64_t
SelectiveRepeat::OnNack(SendWindow& /* window */) const
{
    return 0; // receivers of this policy send none
}

uint64_t
SelectiveRepeat::OnDropNotice(SendWindow& window, uint64_t seq) const
{
    return window.Lose(seq) ? 1 : 0;
}

void
SelectiveRepeat::OnTimeout(SendWindow& window) const
{
    window.MarkAllLost();
}

TypeId
GoBackN::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GoBackN")
                            .SetParent<ReliabilityPolicy>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<GoBackN>();
    return tid;
}

bool
GoBackN::AcceptsOutOfOrder() const
{
    return false;
}

uint64_t
GoBackN::OnAck(SendWindow& /* window */) const
{
    return 0;
}

uint64_t
GoBackN::OnNack(SendWindow& window) const
{
    if (window.TakeRewound())
    {
        return 0; // the drop was told before, and the packet is on its way again
    }
    const uint64_t again = window.GetNext() - window.GetUnacked();
    window.Rewind();
    return again;
}

uint64_t
GoBackN::OnDropNotice(SendWindow& window, uint64_t seq) const
{
    return window.RewindTo(seq);
}

void
GoBackN::OnTimeout(SendWindow& window) const
{
    window.Rewind();
}

} // namespace ns3
