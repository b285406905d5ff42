// SPDX-License-Identifier: GPL-2.0-only
#include "credit-congestion-control.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/grant-packet.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CreditCongestionControl);

namespace
{

constexpr int64_t NEVER_ASKED = std::numeric_limits<int64_t>::max(); // time of a timer
constexpr int64_t MOST_GAP_RTTS = 256; // base RTTs that grants are taken to take
constexpr uint32_t MOST_DOUBLINGS = 6; // of the time between two demands without payload

} // namespace

TypeId
CreditCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CreditCongestionControl")
                            .SetParent<ReceiverDrivenControl>()
                            .SetGroupName("Dcfabric");
    return tid;
}

void
CreditCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    m_terms = MakeTerms();
    m_rttPs = std::max<int64_t>(path.baseRttPs, 1);
    m_askedPs = std::numeric_limits<int64_t>::min() / 2; // never
    m_watchPs = NEVER_ASKED;
    m_overheadBytes = path.packetBytes - path.payloadBytes + CreditUnits::DEMAND_BYTES;
    m_credit = static_cast<int64_t>(m_terms.firstBytes);
    m_first = m_terms.firstEnds;
    m_class = GrantFields::OWN_PRIORITY;
    Apply();
}

uint64_t
CreditCongestionControl::ToFrames(uint64_t payloadBytes) const
{
    const uint64_t packets =
        (payloadBytes + GetPath().payloadBytes - 1) / std::max(GetPath().payloadBytes, 1U);
    return payloadBytes + packets * m_overheadBytes;
}

uint64_t
CreditCongestionControl::GetBacklog() const
{
    return m_addedBytes - m_ackedBytes - GetAsker()->GetInFlightBytes();
}

void
CreditCongestionControl::UpdateDemand()
{
    const bool demands = GetBacklog() > 0;
    if (demands != m_demands)
    {
        m_demands = demands;
        GetAsker()->NoteDemand(demands);
    }
}

void
CreditCongestionControl::Apply()
{
    SetWindow(m_credit > 0 ? UNLIMITED : 0);
}

void
CreditCongestionControl::AddBacklog(int64_t nowPs, uint64_t payloadBytes)
{
    m_addedBytes += payloadBytes;
    if (m_terms.messageBytes > 0)
    {
        m_credit += static_cast<int64_t>(std::min(ToFrames(payloadBytes), m_terms.messageBytes));
        Apply();
    }
    UpdateDemand();
    WantMore(nowPs);
}

uint32_t
CreditCongestionControl::TellDemand(uint64_t windowBytes)
{
    UpdateDemand();
    const uint64_t backlog = GetBacklog();
    int64_t wanted = 0;
    if (backlog > 0)
    {
        const auto packet = static_cast<int64_t>(GetPath().payloadBytes + m_overheadBytes);
        uint64_t most = m_terms.mostBytes;
        if (windowBytes != UNLIMITED)
        {
            most = std::min(most, ToFrames(windowBytes) + static_cast<uint64_t>(packet));
        }
        if (most != UNLIMITED)
        {
            // a host that sends to many asks each for its part
            most = std::max(most / std::max(GetAsker()->GetNDemands(), 1U),
                            static_cast<uint64_t>(packet));
        }
        const uint64_t frames = std::min(ToFrames(std::min(backlog, uint64_t{1} << 40)), most);
        wanted = static_cast<int64_t>(frames) - m_credit;
        wanted = std::max(wanted, m_first ? packet : 0); // more than what will be void
    }
    const uint64_t units = CreditUnits::RoundUp(static_cast<uint64_t>(wanted));
    m_told = m_granted + std::min(units, CreditUnits::MOST);
    return CreditUnits::ToDemand(m_told);
}

void
CreditCongestionControl::EndFirst(int64_t nowPs)
{
    if (!m_first)
    {
        return;
    }
    m_first = false;
    if (m_credit > 0)
    {
        m_credit = 0;
        m_newsPs = nowPs;
        Apply();
        Watch(nowPs);
    }
}

void
CreditCongestionControl::OnAck(const AckInfo& ack)
{
    m_ackedBytes += ack.ackedPayload;
    if (m_demands)
    {
        UpdateDemand(); // what waited to be sent again may have arrived
    }
    EndFirst(ack.nowPs);
}

void
CreditCongestionControl::OnNotice(const FabricPacketItem& item, int64_t nowPs)
{
    if (item.type != FabricPacketType::GRANT)
    {
        return;
    }
    EndFirst(nowPs);
    const auto& grant = item.As<GrantFields>();
    const auto more = static_cast<int32_t>(grant.total - static_cast<uint32_t>(m_granted));
    if (more <= 0)
    {
        return; // late, or a copy
    }
    if (m_credit <= 0)
    {
        // bounded, as a demand that was lost makes it longer, which makes the next wait longer
        const int64_t gapPs = std::min(nowPs - m_newsPs, MOST_GAP_RTTS * m_rttPs);
        m_gapPs = std::max(gapPs, m_gapPs + (gapPs - m_gapPs) / 8);
    }
    m_granted += static_cast<uint32_t>(more);
    m_told = std::max(m_told, m_granted);
    m_credit += int64_t{more} * CreditUnits::BYTES;
    m_class = grant.priority;
    m_unanswered = 0;
    m_newsPs = nowPs;
    Apply();
    Watch(nowPs); // it may not be enough to make good what is owed
}

void
CreditCongestionControl::OnSend(int64_t nowPs, uint32_t frameBytes)
{
    const bool had = m_credit > 0; // else it has no payload, and is no news
    m_credit -= frameBytes;
    if (had && m_credit <= 0)
    {
        m_newsPs = nowPs;
        Apply();
        Watch(nowPs);
    }
}

void
CreditCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    UpdateDemand();
    WantMore(nowPs);
}

void
CreditCongestionControl::OnTrim(const TrimInfo& trim)
{
    // the receiver knows: it got the header
    EndFirst(trim.nowPs);
    UpdateDemand();
    Watch(trim.nowPs);
}

void
CreditCongestionControl::OnTimeout(int64_t nowPs)
{
    UpdateDemand();
    WantMore(nowPs);
}

int64_t
CreditCongestionControl::GetAskPs() const
{
    const int64_t patiencePs = std::max(m_rttPs, 4 * m_gapPs);
    const int64_t backedOffPs =
        std::min(patiencePs << std::min(m_unanswered, MOST_DOUBLINGS), m_rttPs << MOST_DOUBLINGS);
    return std::max(m_newsPs, m_askedPs) + std::max(patiencePs, backedOffPs);
}

void
CreditCongestionControl::Watch(int64_t nowPs)
{
    const int64_t askPs = std::max(GetAskPs(), nowPs + 1);
    if (m_credit <= 0 && askPs < m_watchPs)
    {
        m_watchPs = askPs; // what is set too early finds nothing, and is set anew
        GetHost()->SetTimer(ASK_TIMER, askPs);
    }
}

void
CreditCongestionControl::WantMore(int64_t nowPs)
{
    if (m_credit > 0)
    {
        return;
    }
    if (m_told <= m_granted && GetBacklog() > 0 && nowPs >= m_askedPs + m_rttPs)
    {
        // nothing is on its way that would tell
        m_askedPs = nowPs;
        ++m_asks;
        GetAsker()->Ask();
    }
    Watch(nowPs);
}

void
CreditCongestionControl::OnTimer(uint8_t /* timer */, int64_t nowPs)
{
    m_watchPs = NEVER_ASKED;
    if (m_credit > 0 || GetBacklog() == 0)
    {
        return;
    }
    if (nowPs >= GetAskPs())
    {
        m_askedPs = nowPs;
        ++m_unanswered;
        ++m_asks;
        GetAsker()->Ask();
    }
    Watch(nowPs);
}

void
CreditCongestionControl::DoDispose()
{
    if (m_demands && GetAsker())
    {
        GetAsker()->NoteDemand(false);
    }
    m_demands = false;
    ReceiverDrivenControl::DoDispose();
}

} // namespace ns3
