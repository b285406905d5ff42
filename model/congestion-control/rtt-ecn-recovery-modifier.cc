// SPDX-License-Identifier: GPL-2.0-only
#include "rtt-ecn-recovery-modifier.h"

#include "congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RttEcnRecoveryModifier);
DCFABRIC_OBJECT_CLONABLE(RttEcnRecoveryModifier);

TypeId
RttEcnRecoveryModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RttEcnRecoveryModifier")
            .SetParent<CongestionModifier>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RttEcnRecoveryModifier>()
            .AddAttribute("SlackPackets",
                          "The threshold is the base RTT of the pair of hosts and so many full "
                          "packets at the line rate for each switch on the way and for the sender.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RttEcnRecoveryModifier::m_slackPackets),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("Threshold",
                          "RTT from which on the path counts as congested; 0: as of SlackPackets.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&RttEcnRecoveryModifier::m_fixedThreshold),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Growth",
                          "By how much window and rate rise after an epoch; null: they double.",
                          PointerValue(),
                          MakePointerAccessor(&RttEcnRecoveryModifier::m_growthAttribute),
                          MakePointerChecker<RecoveryGrowth>())
            .AddAttribute("Period",
                          "Epoch of connections without a window; 0: T.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&RttEcnRecoveryModifier::m_periodAttribute),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

void
RttEcnRecoveryModifier::Start(const PathInfo& path)
{
    CongestionModifier::Start(path);
    if (path.bdpBytes == 0 || path.pairRttPs <= 0)
    {
        throw FabricError(FabricTerm::Class("ns3::RttEcnRecoveryModifier") +
                          ": the path has no line rate or no base RTT");
    }
    constexpr double LONGEST_PS = 1e18; // longer than any round trip
    const double packetPs = path.packetBytes * 8e12 / static_cast<double>(path.lineRateBps);
    const double slackPs = std::min(m_slackPackets * packetPs * (path.switches + 1), LONGEST_PS);
    m_thresholdPs = m_fixedThreshold.IsZero() ? path.pairRttPs + static_cast<int64_t>(slackPs)
                                              : FabricTime::ToPs(m_fixedThreshold);
    m_periodPs = m_periodAttribute.IsZero() ? path.baseRttPs : FabricTime::ToPs(m_periodAttribute);
    m_growth = m_growthAttribute;
    if (!m_growth)
    {
        m_growth = CreateObject<FactorGrowth>();
    }
    m_beganPs = 0;
    m_epochEnd = 0;
    m_acked = 0;
    m_sent = 0;
    m_windowOver = false;
}

void
RttEcnRecoveryModifier::BeginEpoch(int64_t nowPs)
{
    m_beganPs = nowPs;
    m_epochEnd = m_sent;
    m_acked = 0;
    m_windowOver = false;
}

void
RttEcnRecoveryModifier::OnAck(const AckInfo& ack)
{
    m_sent = ack.sentBytes;
    if (ack.markedPackets > 0 || ack.rttPs >= m_thresholdPs)
    {
        BeginEpoch(ack.nowPs);
        return;
    }
    m_acked += ack.coveredPackets;
    m_windowOver = ack.cumulativeBytes > m_epochEnd;
}

void
RttEcnRecoveryModifier::OnBts(const BtsNotice& notice)
{
    m_sent = std::max(m_sent, notice.sentBytes); // ahead of what the last ACK told
    BeginEpoch(notice.nowPs);
}

bool
RttEcnRecoveryModifier::Raise(int64_t nowPs, uint64_t& window, double& rate)
{
    const bool hasWindow = window != CongestionControl::UNLIMITED;
    const bool isOver = hasWindow ? m_windowOver : nowPs - m_beganPs >= m_periodPs;
    if (m_acked == 0 || !isOver)
    {
        return false;
    }
    BeginEpoch(nowPs);
    const PathInfo& path = GetPath();
    uint64_t wider = window;
    if (hasWindow)
    {
        const auto most = static_cast<double>(std::max(window, path.bdpBytes));
        const double raised = m_growth->Raise(static_cast<double>(window), path.payloadBytes);
        wider = static_cast<uint64_t>(std::min(raised, most));
    }
    const double packetBps = path.packetBytes * 8e12 / static_cast<double>(path.pairRttPs);
    const double faster =
        std::min(m_growth->Raise(rate, packetBps), static_cast<double>(path.lineRateBps));
    if (wider <= window && faster <= rate)
    {
        return false;
    }
    window = std::max(window, wider);
    rate = std::max(rate, faster);
    CountAct();
    return true;
}

} // namespace ns3
