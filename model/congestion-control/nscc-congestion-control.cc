// SPDX-License-Identifier: GPL-2.0-only
#include "nscc-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NsccCongestionControl);
DCFABRIC_OBJECT_CLONABLE(NsccCongestionControl);

namespace
{

/// What the constants are meant for: 100 Gb/s and 12 us.
constexpr double REFERENCE_RTT_PS = 12e6;
constexpr double REFERENCE_BYTES = 150000; //!< their product

} // namespace

TypeId
NsccCongestionControl::GetTypeId()
{
    using Cc = NsccCongestionControl;
    constexpr double MOST = 1e6; // of factors, far beyond what makes sense
    static TypeId tid =
        TypeId("ns3::NsccCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<NsccCongestionControl>()
            .AddAttribute("TargetRtts",
                          "Target of the queueing delay in base RTTs (T) where queues drop.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Cc::m_targetRtts),
                          MakePositiveDoubleChecker(MOST))
            .AddAttribute("TrimTargetRtts",
                          "Target of the queueing delay in base RTTs (T) where queues trim.",
                          DoubleValue(0.75),
                          MakeDoubleAccessor(&Cc::m_trimTargetRtts),
                          MakePositiveDoubleChecker(MOST))
            .AddAttribute("MaxWindow",
                          "Largest window, with which a connection begins, in BDPs.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&Cc::m_largestBdps),
                          MakePositiveDoubleChecker(MOST))
            .AddAttribute("Alpha",
                          "Proportional increase below the target: times a x MTU for a window "
                          "whose delay is 12 us below.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&Cc::m_alphaFactor),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("FairIncrease",
                          "Increase for a window above the target without marks, in a x MTU.",
                          DoubleValue(5),
                          MakeDoubleAccessor(&Cc::m_fairPackets),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("Eta",
                          "Increase in each base RTT whatever the delay, in a x MTU.",
                          DoubleValue(0.15),
                          MakeDoubleAccessor(&Cc::m_etaPackets),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("FastIncrease",
                          "Increase for each byte acknowledged after a window without delay, in "
                          "a x bytes.",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&Cc::m_fastFactor),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("FastDelay",
                          "Delays below are none; zero: there is no fast increase.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&Cc::m_fastDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Gamma",
                          "Multiplicative decrease for an infinite average delay.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Cc::m_gamma),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MaxDecrease",
                          "Largest part of the window that one decrease takes away.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Cc::m_maxDecrease),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DelayGain",
                          "Gain of the average delay.",
                          DoubleValue(0.0125),
                          MakeDoubleAccessor(&Cc::m_delayGain),
                          MakePositiveDoubleChecker(1))
            .AddAttribute("FulfillPackets",
                          "The window grows by what was earned after more bytes than so many full "
                          "packets have.",
                          DoubleValue(8),
                          MakeDoubleAccessor(&Cc::m_fulfillPackets),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("AdaptGate",
                          "Quick adapt acts if less arrives than the largest window over this; 0: "
                          "it never does.",
                          DoubleValue(8),
                          MakeDoubleAccessor(&Cc::m_adaptGate),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("AdaptTargets",
                          "Where queues drop quick adapt acts on delays above so many targets; 0: "
                          "on none.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&Cc::m_adaptTargets),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("TrimAdaptTargets",
                          "Likewise where queues trim, which quick adapt acts on anyway.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Cc::m_trimAdaptTargets),
                          MakeDoubleChecker<double>(0, MOST))
            .AddAttribute("LossShare",
                          "Part of the bytes that are found lost without a NACK which leaves the "
                          "window; 0: none, as in uet-htsim.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Cc::m_lossShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("SparesLastHop",
                          "Packets that the port to the receiver has trimmed cost no window, as "
                          "receivers control that port themselves.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Cc::m_sparesLastHop),
                          MakeBooleanChecker());
    return tid;
}

CongestionControlNeeds
NsccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    return needs;
}

std::vector<PolicyDefault>
NsccCongestionControl::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = CongestionControl::ListDefaults(network);
    // marks from 0.2 to 0.8 BDP, for a link of 100 Gb/s, as which the profile takes them
    const double bdp = static_cast<double>(network.baseRttPs) * 100e9 / 8e12;
    const auto bytes = [bdp](double part) {
        return std::to_string(static_cast<uint64_t>(part * bdp + 0.5));
    };
    defaults.push_back({"ns3::WredMarkingProfile", "Kmin", bytes(0.2)});
    defaults.push_back({"ns3::WredMarkingProfile", "Kmax", bytes(0.8)});
    defaults.push_back({"ns3::WredMarkingProfile", "Pmax", "1"});
    defaults.push_back({"ns3::FabricNic", "AckBytes", "16384"});
    defaults.push_back({"ns3::FabricNic", "AckMarked", "true"});
    return defaults;
}

double
NsccCongestionControl::GetTargetPs(const PathInfo& path) const
{
    return (path.trims ? m_trimTargetRtts : m_targetRtts) * static_cast<double>(path.baseRttPs);
}

FabricText
NsccCongestionControl::FindMisfit(const PathInfo& path) const
{
    if (path.lineRateBps == 0)
    {
        return {};
    }
    const double packetsPs =
        path.packetBytes * 8e12 / static_cast<double>(path.lineRateBps) * path.switches;
    const double targetPs = GetTargetPs(path);
    if (targetPs >= packetsPs)
    {
        return {};
    }
    return FabricTerm::Attribute(GetInstanceTypeId(),
                                 path.trims ? "TrimTargetRtts" : "TargetRtts") +
           " asks for a queueing delay of " + ToMicroSeconds(targetPs) +
           ", less than the time of one packet at each switch on the way, " +
           ToMicroSeconds(packetsPs) + ": windows shrink without congestion; raise it";
}

void
NsccCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    if (path.bdpBytes == 0)
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()) +
                          ": the path has no line rate or no base RTT, from which windows follow");
    }
    const auto bdp = static_cast<double>(path.bdpBytes);
    Parameters& p = m_parameters;
    p.networkRttPs = static_cast<double>(path.baseRttPs);
    p.mtu = path.payloadBytes;
    p.scale = bdp / REFERENCE_BYTES;
    p.targetPs = GetTargetPs(path);
    p.alpha = m_alphaFactor * p.scale * p.mtu / REFERENCE_RTT_PS;
    p.fairIncrease = m_fairPackets * p.scale * p.mtu;
    p.eta = m_etaPackets * p.scale * p.mtu;
    p.fastIncrease = m_fastFactor * p.scale;
    const double targets = path.trims ? m_trimAdaptTargets : m_adaptTargets;
    p.adaptPs = targets > 0 ? targets * p.targetPs : std::numeric_limits<double>::infinity();
    p.largestWindow = std::max(m_largestBdps * bdp, p.mtu);
    p.mostAchieved = m_adaptGate > 0 ? p.largestWindow / m_adaptGate : 0;
    p.fulfillBytes = m_fulfillPackets * p.mtu;
    m_fastPs = static_cast<double>(FabricTime::ToPs(m_fastDelay));
    m_cwnd = p.largestWindow;
    m_baseRttPs = p.networkRttPs;
    m_averagePs = 0;
    m_earned = 0;
    m_received = 0;
    m_fastCount = 0;
    m_achieved = 0;
    m_ignored = 0;
    m_toIgnore = 0;
    m_periodEndPs = LONG_AGO;
    m_lastCutPs = LONG_AGO;
    m_lastAdjustPs = 0;
    m_isFast = false;
    m_trimmed = false;
    SetInitial(Round(m_cwnd), static_cast<double>(path.lineRateBps));
}

void
NsccCongestionControl::LowerBaseRtt(int64_t rttPs)
{
    const auto leastPs = static_cast<double>(std::max(rttPs, GetPath().pairRttPs));
    if (rttPs > 0 && leastPs < m_baseRttPs)
    {
        m_baseRttPs = leastPs;
        m_parameters.largestWindow = std::max(
            m_largestBdps * static_cast<double>(GetPath().lineRateBps) * m_baseRttPs / 8e12,
            m_parameters.mtu);
        m_parameters.mostAchieved = m_adaptGate > 0 ? m_parameters.largestWindow / m_adaptGate : 0;
    }
}

void
NsccCongestionControl::Average(double delayPs)
{
    m_averagePs += m_delayGain * (delayPs - m_averagePs);
}

void
NsccCongestionControl::OnAck(const AckInfo& ack)
{
    LowerBaseRtt(ack.rttPs);
    const double delayPs = std::max(static_cast<double>(ack.rttPs) - m_baseRttPs, 0.0);
    const bool marked = ack.triggerMarked;
    const bool isLong = delayPs >= m_parameters.targetPs;
    Average(!marked && delayPs > m_parameters.targetPs ? m_baseRttPs / 4 : delayPs);
    const auto bytes = static_cast<double>(ack.ackedPayload);
    m_achieved += bytes;
    m_received += bytes;
    m_ignored += bytes;
    if (ack.windowPenalty > 0)
    {
        m_cwnd -= bytes * ack.windowPenalty / 128;
        Clip();
    }
    if (!QuickAdapt(ack.nowPs, delayPs, marked, ack.inFlightBytes))
    {
        if (!marked)
        {
            Increase(bytes, delayPs);
        }
        else if (isLong)
        {
            Decrease(ack.nowPs);
        }
        Clip();
        Fulfill(ack.nowPs);
    }
    Clip();
    ProposeWindow(ack.nowPs, CongestionCause::SIGNAL);
}

bool
NsccCongestionControl::QuickAdapt(int64_t nowPs, double delayPs, bool marked, uint64_t inFlight)
{
    bool done = false;
    if (m_ignored < m_toIgnore && marked)
    {
        done = true;
    }
    else if (nowPs > m_periodEndPs)
    {
        const bool isWanted = m_trimmed || delayPs > m_parameters.adaptPs;
        if (m_periodEndPs != LONG_AGO && isWanted && m_achieved < m_parameters.mostAchieved)
        {
            m_cwnd = std::max(m_achieved, m_parameters.mtu);
            m_toIgnore = static_cast<double>(inFlight);
            m_ignored = 0;
            m_trimmed = false;
            done = true;
        }
        m_achieved = 0;
        m_periodEndPs = nowPs + static_cast<int64_t>(m_baseRttPs + m_parameters.targetPs);
    }
    if (done)
    {
        m_earned = 0;
        m_received = 0;
    }
    return done;
}

void
NsccCongestionControl::Increase(double bytes, double delayPs)
{
    if (delayPs >= m_parameters.targetPs)
    {
        m_earned += m_parameters.fairIncrease * bytes;
    }
    else if (IsFast(bytes, delayPs))
    {
        m_cwnd += m_parameters.fastIncrease * bytes;
    }
    else
    {
        m_earned += m_parameters.alpha * bytes * (m_parameters.targetPs - delayPs);
    }
}

bool
NsccCongestionControl::IsFast(double bytes, double delayPs)
{
    if (delayPs >= m_fastPs)
    {
        m_fastCount = 0;
        m_isFast = false;
    }
    else
    {
        m_fastCount += bytes;
        m_isFast = m_isFast || m_fastCount > m_cwnd;
    }
    return m_isFast;
}

void
NsccCongestionControl::Decrease(int64_t nowPs)
{
    m_isFast = false;
    m_fastCount = 0;
    const double excess = m_averagePs - m_parameters.targetPs;
    if (excess > 0 && static_cast<double>(nowPs - m_lastCutPs) > m_baseRttPs)
    {
        m_cwnd *= std::max(1 - m_gamma * excess / m_averagePs, 1 - m_maxDecrease);
        m_lastCutPs = nowPs;
    }
}

void
NsccCongestionControl::Fulfill(int64_t nowPs)
{
    const auto elapsedPs = static_cast<double>(nowPs - m_lastAdjustPs);
    const bool isTime = elapsedPs > m_parameters.networkRttPs;
    if (m_received <= m_parameters.fulfillBytes && !isTime)
    {
        return;
    }
    m_cwnd += m_earned / m_cwnd;
    if (elapsedPs >= m_parameters.networkRttPs)
    {
        m_cwnd += m_parameters.eta;
        m_lastAdjustPs = nowPs;
    }
    m_earned = 0;
    m_received = 0;
}

void
NsccCongestionControl::OnTrim(const TrimInfo& trim)
{
    if (trim.lostBytes == 0)
    {
        return; // answered otherwise
    }
    LowerBaseRtt(trim.rttPs);
    const auto bytes = static_cast<double>(trim.lostBytes);
    m_ignored += bytes;
    Average(m_parameters.networkRttPs); // about what a queue that trims takes to drain
    m_trimmed = true;
    if (!QuickAdapt(trim.nowPs, 0, true, trim.inFlightBytes) && !(trim.lastHop && m_sparesLastHop))
    {
        Subtract(trim.nowPs, bytes, CongestionCause::LOSS);
        return;
    }
    Clip();
    ProposeWindow(trim.nowPs, CongestionCause::LOSS);
}

void
NsccCongestionControl::OnLoss(int64_t nowPs, uint64_t lostBytes)
{
    Subtract(nowPs, m_lossShare * static_cast<double>(lostBytes), CongestionCause::LOSS);
}

void
NsccCongestionControl::OnTimeout(int64_t nowPs)
{
    Subtract(nowPs, m_parameters.mtu, CongestionCause::TIMEOUT);
}

void
NsccCongestionControl::Subtract(int64_t nowPs, double bytes, CongestionCause cause)
{
    m_cwnd -= bytes;
    Clip();
    ProposeWindow(nowPs, cause);
}

void
NsccCongestionControl::Clip()
{
    m_cwnd = std::max(std::min(m_cwnd, m_parameters.largestWindow), m_parameters.mtu);
}

uint64_t
NsccCongestionControl::Round(double bytes) const
{
    const uint64_t mtu = GetPath().payloadBytes;
    return static_cast<uint64_t>(bytes) / mtu * mtu;
}

void
NsccCongestionControl::ProposeWindow(int64_t nowPs, CongestionCause cause)
{
    const uint64_t window = Round(m_cwnd);
    const uint64_t before = GetDueWindow();
    if (window == before)
    {
        return;
    }
    Propose(nowPs,
            window,
            static_cast<double>(GetPath().lineRateBps),
            window < before ? cause : CongestionCause::RECOVERY);
    if (GetDueWindow() != window)
    {
        m_cwnd = static_cast<double>(GetDueWindow()); // a modifier had its say
        Clip();
    }
}

void
NsccCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect effect)
{
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_lastCutPs = LONG_AGO;
    }
    if (GetWindow() != Round(m_cwnd))
    {
        m_cwnd = static_cast<double>(GetWindow());
        Clip();
    }
}

} // namespace ns3
