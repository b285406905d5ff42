// SPDX-License-Identifier: GPL-2.0-only
#include "dctcp-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DctcpCongestionControl);
DCFABRIC_OBJECT_CLONABLE(DctcpCongestionControl);

TypeId
DctcpCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DctcpCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DctcpCongestionControl>()
            .AddAttribute("G",
                          "Gain g of alpha.",
                          DoubleValue(1.0 / 16),
                          MakeDoubleAccessor(&DctcpCongestionControl::m_g),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "alpha before the first estimate (RFC 8257: 1, so that the first mark "
                          "halves the window).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&DctcpCongestionControl::m_initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialWindow",
                          "Window to begin with, in payload bytes; 0: the BDP, which is line rate.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DctcpCongestionControl::m_initialWindow),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("SlowStartThreshold",
                          "Window in payload bytes up to which slow start leads at the beginning; "
                          "0: the BDP.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DctcpCongestionControl::m_slowStartAttribute),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("IncreasePackets",
                          "Additive increase in full packets per window of data.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DctcpCongestionControl::m_increasePackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Additive increase as a rate per base RTT, which times the base RTT is "
                          "that of the window; 0: IncreasePackets.",
                          DataRateValue(DataRate("0bps")),
                          MakeDataRateAccessor(&DctcpCongestionControl::m_increaseRate),
                          MakeRateChecker(0))
            .AddAttribute("IncreaseOnMarks",
                          "ACKs with marks, too, let the window grow.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DctcpCongestionControl::m_increaseOnMarks),
                          MakeBooleanChecker())
            .AddAttribute("MinWindow",
                          "Least window in full packets.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DctcpCongestionControl::m_minPackets),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

CongestionControlNeeds
DctcpCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    needs.features = {{"ns3::WrebFeature", nullptr}};
    return needs;
}

std::vector<PolicyDefault>
DctcpCongestionControl::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = CongestionControl::ListDefaults(network);
    defaults.push_back({"ns3::WredMarkingProfile", "Kmin", "300000"});
    defaults.push_back({"ns3::WredMarkingProfile", "Kmax", "300000"});
    return defaults;
}

void
DctcpCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    if (path.bdpBytes == 0 && (m_initialWindow == 0 || m_slowStartAttribute == 0))
    {
        throw FabricError(
            FabricTerm::Class(GetInstanceTypeId()),
            ": the path has no line rate or no base RTT, so that there is no BDP to begin with",
            {FabricRemedy::Do("set InitialWindow and SlowStartThreshold")});
    }
    m_minWindow = uint64_t{m_minPackets} * path.payloadBytes;
    m_increaseBytes = uint64_t{m_increasePackets} * path.payloadBytes;
    if (m_increaseRate.GetBitRate() > 0)
    {
        const double bytes = static_cast<double>(m_increaseRate.GetBitRate()) *
                             static_cast<double>(path.baseRttPs) / 8e12;
        m_increaseBytes = std::max<uint64_t>(1, static_cast<uint64_t>(bytes + 0.5));
    }
    m_alpha = m_initialAlpha;
    m_threshold = m_slowStartAttribute == 0 ? path.bdpBytes : m_slowStartAttribute;
    m_covered = 0;
    m_marked = 0;
    m_windowEnd = 0;
    m_cutEnd = 0;
    m_cumulative = 0;
    m_sent = 0;
    m_credit = 0;
    m_told = 0;
    m_least = UNLIMITED;
    m_hasCut = false;
    SetInitial(std::max(m_minWindow, m_initialWindow == 0 ? path.bdpBytes : m_initialWindow),
               static_cast<double>(path.lineRateBps));
}

void
DctcpCongestionControl::OnAck(const AckInfo& ack)
{
    m_cumulative = ack.cumulativeBytes;
    m_sent = ack.sentBytes;
    m_covered += ack.coveredPackets;
    m_marked += ack.markedPackets;
    if (m_cumulative > m_windowEnd && m_covered > 0)
    {
        const double fraction = static_cast<double>(m_marked) / static_cast<double>(m_covered);
        m_alpha += m_g * (fraction - m_alpha);
        m_covered = 0;
        m_marked = 0;
        m_windowEnd = m_sent;
    }
    const uint64_t told = std::min<uint64_t>(m_told, ack.markedPackets);
    m_told -= told;
    if (ack.markedPackets > told)
    {
        Cut(ack.nowPs, 1 - m_alpha / 2, CongestionCause::SIGNAL);
    }
    if (ack.markedPackets == 0 || m_increaseOnMarks)
    {
        Increase(ack);
    }
}

void
DctcpCongestionControl::Increase(const AckInfo& ack)
{
    const uint64_t window = GetDueWindow();
    const uint64_t payload = GetPath().payloadBytes;
    // a window that had room for another packet before this ACK held nobody back
    if (ack.inFlightBytes + ack.ackedPayload + payload <= window)
    {
        return;
    }
    if (window < m_threshold)
    {
        ProposeWindow(ack.nowPs,
                      std::min(window + ack.ackedPayload, m_threshold),
                      CongestionCause::RECOVERY);
        return;
    }
    m_credit += ack.ackedPayload;
    if (m_credit >= window)
    {
        m_credit -= window;
        ProposeWindow(ack.nowPs, window + m_increaseBytes, CongestionCause::RECOVERY);
    }
}

void
DctcpCongestionControl::OnBts(const BtsNotice& notice)
{
    m_sent = std::max(
        m_sent,
        notice.sentBytes); // ahead of what the last ACK told, of which there may be none yet
    if (notice.dropped)
    {
        OnLoss(notice.nowPs, notice.lostBytes);
    }
    if (notice.repeated)
    {
        m_told -= m_told > 0 ? 1 : 0; // of a packet that was dropped later no echo will come
    }
    else if (!notice.dropped)
    {
        ++m_told;
        CutByOne(notice.nowPs);
    }
}

void
DctcpCongestionControl::CutByOne(int64_t nowPs)
{
    if (!m_hasCut || m_cumulative > m_cutEnd)
    {
        m_hasCut = true;
        m_cutEnd = m_sent;
        m_toldFrom = GetDueWindow();
        m_least = static_cast<uint64_t>(static_cast<double>(m_toldFrom) * (1 - m_alpha / 2));
    }
    const uint64_t window = GetDueWindow();
    const uint64_t half = GetPath().payloadBytes / 2;
    const uint64_t lower = std::max(window - std::min(half, window), m_least);
    if (lower < window)
    {
        ProposeWindow(nowPs, lower, CongestionCause::SIGNAL);
        m_threshold = GetDueWindow();
    }
}

void
DctcpCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect effect)
{
    if (effect == ModifierEffect::FORGIVEN)
    {
        m_hasCut = false;
    }
    else if (effect == ModifierEffect::LOWERED)
    {
        // as after a cut of its own: no slow start back, none because of the same window of data
        m_threshold = GetWindow();
        m_credit = 0;
        m_hasCut = true;
        m_cutEnd = m_sent;
        m_least = UNLIMITED;
    }
}

void
DctcpCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    Cut(nowPs, 0.5, CongestionCause::LOSS);
}

void
DctcpCongestionControl::OnTimeout(int64_t nowPs)
{
    const uint64_t half = GetDueWindow() / 2;
    ProposeWindow(nowPs, m_minWindow, CongestionCause::TIMEOUT);
    m_threshold = std::max(half, 2 * m_minWindow);
    m_hasCut = true;
    m_cutEnd = m_sent;
    m_least = UNLIMITED;
}

void
DctcpCongestionControl::Cut(int64_t nowPs, double factor, CongestionCause cause)
{
    uint64_t from = GetDueWindow();
    if (!m_hasCut || m_cumulative > m_cutEnd)
    {
        m_hasCut = true;
        m_cutEnd = m_sent;
    }
    else if (m_least == UNLIMITED)
    {
        // of the window of data that has been answered for
        LeaveAtDue(nowPs, cause);
        return;
    }
    else
    {
        from = m_toldFrom; // notifications have begun with it
    }
    m_least = UNLIMITED;
    const auto cut = static_cast<uint64_t>(static_cast<double>(from) * factor);
    ProposeWindow(nowPs, std::min(cut, GetDueWindow()), cause);
    m_threshold = GetDueWindow();
}

void
DctcpCongestionControl::ProposeWindow(int64_t nowPs, uint64_t window, CongestionCause cause)
{
    const uint64_t before = GetDueWindow();
    Propose(nowPs,
            std::max(window, m_minWindow),
            static_cast<double>(GetPath().lineRateBps),
            cause);
    if (GetDueWindow() < before)
    {
        m_credit = 0;
    }
}

} // namespace ns3
