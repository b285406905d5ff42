// SPDX-License-Identifier: GPL-2.0-only
#include "sleek-repeat.h"

#include "loss-episode.h"
#include "send-window.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SleekRepeat);

TypeId
SleekRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SleekRepeat")
            .SetParent<ReliabilityPolicy>()
            .SetGroupName("Dcfabric")
            .AddConstructor<SleekRepeat>()
            .AddAttribute("LeastCount",
                          "Packets behind a missing one that show it to be lost, at least.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&SleekRepeat::m_leastCount),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("WindowFactor",
                          "Windows of the congestion control, at most one BDP each, that do.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&SleekRepeat::m_windowFactor),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("TargetRtts",
                          "Queueing delay in base RTTs (of the pair of hosts, or T if that is "
                          "larger) up to which the answer to a probe shows packets to be lost; a "
                          "probe goes one base RTT later than that if nothing is left to send.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&SleekRepeat::m_targetRtts),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("ProbeRtts",
                          "Base RTTs without an answer after which a probe goes else.",
                          DoubleValue(3),
                          MakeDoubleAccessor(&SleekRepeat::m_idleRtts),
                          MakeDoubleChecker<double>(0, 1e6));
    return tid;
}

bool
SleekRepeat::AcceptsOutOfOrder() const
{
    return true;
}

bool
SleekRepeat::Start(SendWindow& window, int64_t baseRttPs, bool /* isLossless */) const
{
    window.KeepEpisode();
    window.GetEpisode()->baseRttPs = baseRttPs;
    return true; // it has probes
}

uint64_t
SleekRepeat::Recover(SendWindow& window)
{
    window.GetEpisode()->endSeq = window.GetEnd();
    return window.MarkAllLost();
}

uint64_t
SleekRepeat::OnAck(SendWindow& window, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    const LossEpisode& episode = *window.GetEpisode();
    const double count = std::max<double>(m_leastCount, m_windowFactor * episode.windowPackets);
    if (window.GetUnacked() < episode.endSeq || static_cast<double>(window.GetNSacked()) < count)
    {
        return 0;
    }
    return Recover(window);
}

uint64_t
SleekRepeat::OnProbeAnswer(SendWindow& window, int64_t sentPs, int64_t nowPs) const
{
    const LossEpisode& episode = *window.GetEpisode();
    const auto rttPs = static_cast<double>(nowPs - sentPs);
    const bool isShort = rttPs < (1 + m_targetRtts) * static_cast<double>(episode.baseRttPs);
    return isShort && window.GetNInFlight() > 0 ? Recover(window) : OnAck(window, sentPs, nowPs);
}

int64_t
SleekRepeat::GetProbeDelayPs(const SendWindow& window,
                             int64_t /* smoothedPs */,
                             int64_t baseRttPs) const
{
    constexpr double LONGEST_PS = 1e15;
    const double rtts = window.GetEpisode()->hasBacklog ? m_idleRtts : 1 + m_targetRtts;
    return static_cast<int64_t>(std::min(LONGEST_PS, rtts * static_cast<double>(baseRttPs)));
}

uint64_t
SleekRepeat::OnNack(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0; // receivers of this policy send none
}

uint64_t
SleekRepeat::OnDropNotice(SendWindow& window, uint64_t seq, int64_t /* nowPs */) const
{
    return window.Lose(seq) ? 1 : 0;
}

void
SleekRepeat::OnTimeout(SendWindow& window, int64_t /* nowPs */) const
{
    Recover(window);
}

} // namespace ns3
