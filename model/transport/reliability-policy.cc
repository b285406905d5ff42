// SPDX-License-Identifier: GPL-2.0-only
#include "reliability-policy.h"

#include "send-window.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-time.h"
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

void
ReliabilityPolicy::Start(SendWindow& /* window */, int64_t /* baseRttPs */) const
{
}

uint64_t
ReliabilityPolicy::OnTimer(SendWindow& /* window */, int64_t /* nowPs */) const
{
    return 0;
}

int64_t
ReliabilityPolicy::GetTimerPs(SendWindow& /* window */) const
{
    return FabricTime::NEVER;
}

int64_t
ReliabilityPolicy::GetProbeDelayPs(SendWindow& /* window */, int64_t /* smoothedPs */) const
{
    return FabricTime::NEVER;
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
                          "A copy of a packet is lost when one sent so many packets later, for the "
                          "first time or again, has arrived.",
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
SelectiveRepeat::OnAck(SendWindow& window, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return window.DetectLoss(m_reorderThreshold);
}

uint64_t
SelectiveRepeat::OnNack(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0; // receivers of this policy send none
}

uint64_t
SelectiveRepeat::OnDropNotice(SendWindow& window, uint64_t seq, int64_t /* nowPs */) const
{
    return window.Lose(seq) ? 1 : 0;
}

void
SelectiveRepeat::OnTimeout(SendWindow& window, int64_t /* nowPs */) const
{
    window.MarkAllLost();
}

TypeId
GoBackN::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::GoBackN")
            .SetParent<ReliabilityPolicy>()
            .SetGroupName("Dcfabric")
            .AddConstructor<GoBackN>()
            .AddAttribute("NackInterval",
                          "Least time between two NACKs of a receiver for the same "
                          "packet; 0: the base RTT of the pair of hosts.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&GoBackN::m_nackInterval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

bool
GoBackN::AcceptsOutOfOrder() const
{
    return false;
}

uint64_t
GoBackN::OnAck(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0;
}

uint64_t
GoBackN::OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const
{
    if (window.HasRewoundSince(sentPs))
    {
        return 0; // the packet is on its way again
    }
    const uint64_t again = window.GetNext() - window.GetUnacked();
    window.Rewind(nowPs);
    return again;
}

uint64_t
GoBackN::OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const
{
    return window.RewindTo(seq, nowPs);
}

void
GoBackN::OnTimeout(SendWindow& window, int64_t nowPs) const
{
    window.Rewind(nowPs);
}

int64_t
GoBackN::GetNackIntervalPs(int64_t pairRttPs) const
{
    return m_nackInterval.IsZero() ? pairRttPs : FabricTime::ToPs(m_nackInterval);
}

} // namespace ns3
