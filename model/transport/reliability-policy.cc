// SPDX-License-Identifier: GPL-2.0-only
#include "reliability-policy.h"

#include "send-window.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/prototype-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReliabilityPolicy);
NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);
DCFABRIC_OBJECT_CLONABLE(SelectiveRepeat);
NS_OBJECT_ENSURE_REGISTERED(GoBackN);

TypeId
ReliabilityPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReliabilityPolicy").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

bool
ReliabilityPolicy::Start(SendWindow& /* window */,
                         int64_t /* baseRttPs */,
                         bool /* isLossless */) const
{
    return false;
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
ReliabilityPolicy::GetProbeDelayPs(const SendWindow& /* window */,
                                   int64_t /* smoothedPs */,
                                   int64_t /* baseRttPs */) const
{
    return FabricTime::NEVER;
}

uint64_t
ReliabilityPolicy::OnProbeAnswer(SendWindow& window, int64_t sentPs, int64_t nowPs) const
{
    return OnAck(window, sentPs, nowPs);
}

SendLimits
ReliabilityPolicy::GetLimits(uint64_t /* bdpBytes */,
                             uint32_t /* payloadBytes */,
                             int64_t /* baseRttPs */,
                             bool /* isLossless */) const
{
    return {};
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
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ProbeRtts",
                          "Where flow control keeps links from dropping, a probe asks for what is "
                          "on its way so many base RTTs (of the pair of hosts, or T if that is "
                          "larger) after the last packet and answer, or after four SRTTs if that "
                          "is longer; 0: none does.",
                          DoubleValue(25),
                          MakeDoubleAccessor(&SelectiveRepeat::m_probeRtts),
                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

bool
SelectiveRepeat::AcceptsOutOfOrder() const
{
    return true;
}

bool
SelectiveRepeat::Start(SendWindow& /* window */, int64_t /* baseRttPs */, bool isLossless) const
{
    return isLossless && m_probeRtts > 0;
}

int64_t
SelectiveRepeat::GetProbeDelayPs(const SendWindow& /* window */,
                                 int64_t smoothedPs,
                                 int64_t baseRttPs) const
{
    // twice the SRTTs of RFC 8985, and not before the first RTT: pauses hold packets up
    constexpr double LONGEST_PS = 1e15;
    return smoothedPs < 0 ? FabricTime::NEVER
                          : static_cast<int64_t>(
                                std::min(LONGEST_PS,
                                         std::max(m_probeRtts * static_cast<double>(baseRttPs),
                                                  4.0 * static_cast<double>(smoothedPs))));
}

uint64_t
SelectiveRepeat::OnProbeAnswer(SendWindow& window, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return window.MarkAllLost();
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
