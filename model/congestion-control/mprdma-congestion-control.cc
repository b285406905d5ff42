// SPDX-License-Identifier: GPL-2.0-only
#include "mprdma-congestion-control.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MprdmaCongestionControl);
DCFABRIC_OBJECT_CLONABLE(MprdmaCongestionControl);

TypeId
MprdmaCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MprdmaCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<MprdmaCongestionControl>()
            .AddAttribute("InitialWindow",
                          "Window to begin with, in packets, at least 1; from one below the BDP "
                          "slow start leads there. 0: the BDP, which is line rate.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MprdmaCongestionControl::m_initialWindow),
                          MakeDoubleChecker<double>(0, 1e12));
    return tid;
}

CongestionControlNeeds
MprdmaCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    return needs;
}

void
MprdmaCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    if (path.bdpBytes == 0 && m_initialWindow == 0)
    {
        throw FabricError(
            FabricTerm::Class(GetInstanceTypeId()),
            ": the path has no line rate or no base RTT, so that there is no BDP to begin with",
            {FabricRemedy::Do("set InitialWindow")});
    }
    const double bdp = static_cast<double>(path.bdpBytes) / path.payloadBytes;
    m_packets = std::max(1.0, m_initialWindow > 0 ? m_initialWindow : bdp);
    m_slowStartEnd = m_packets < bdp ? bdp : 0;
    m_cumulative = 0;
    m_sent = 0;
    m_cutEnd = 0;
    m_hasCut = false;
    SetInitial(GetBytes(m_packets), static_cast<double>(path.lineRateBps));
}

uint64_t
MprdmaCongestionControl::GetBytes(double packets) const
{
    return static_cast<uint64_t>(std::floor(packets)) * GetPath().payloadBytes;
}

void
MprdmaCongestionControl::OnAck(const AckInfo& ack)
{
    m_cumulative = ack.cumulativeBytes;
    m_sent = ack.sentBytes;
    double packets = m_packets;
    // a window that had room for another packet before this ACK held nobody back
    const uint64_t payload = GetPath().payloadBytes;
    const bool held = ack.inFlightBytes + ack.ackedPayload + payload > GetDueWindow();
    const uint32_t marked = std::min(ack.markedPackets, ack.coveredPackets);
    const uint32_t good = held ? ack.coveredPackets - marked : 0;
    for (uint32_t i = 0; i < good; ++i)
    {
        packets = packets < m_slowStartEnd ? std::min(packets + 1, m_slowStartEnd)
                                           : packets + 1 / packets;
    }
    if (marked > 0)
    {
        m_slowStartEnd = 0;
        packets = std::max(1.0, packets - 0.5 * marked);
    }
    const bool lowers = packets < m_packets;
    ProposePackets(ack.nowPs,
                   packets,
                   lowers ? CongestionCause::SIGNAL : CongestionCause::RECOVERY);
}

void
MprdmaCongestionControl::OnBts(const BtsNotice& notice)
{
    m_sent = std::max(m_sent, notice.sentBytes);
    CongestionControl::OnBts(notice);
}

void
MprdmaCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    if (m_hasCut && m_cumulative <= m_cutEnd)
    {
        LeaveAtDue(nowPs, CongestionCause::LOSS);
        return;
    }
    m_hasCut = true;
    m_cutEnd = m_sent;
    m_slowStartEnd = 0;
    ProposePackets(nowPs, m_packets / 2, CongestionCause::LOSS);
}

void
MprdmaCongestionControl::OnTimeout(int64_t nowPs)
{
    m_hasCut = true;
    m_cutEnd = m_sent;
    m_slowStartEnd = m_packets / 2; // as a TCP does: half of the way is fast
    ProposePackets(nowPs, 1, CongestionCause::TIMEOUT);
}

void
MprdmaCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect /* effect */)
{
    const uint64_t window = GetWindow();
    if (window != GetBytes(m_packets))
    {
        m_packets = std::max(1.0, static_cast<double>(window) / GetPath().payloadBytes);
        m_slowStartEnd = 0;
    }
}

void
MprdmaCongestionControl::ProposePackets(int64_t nowPs, double packets, CongestionCause cause)
{
    m_packets = std::max(1.0, packets);
    const uint64_t window = GetBytes(m_packets);
    Propose(nowPs, window, static_cast<double>(GetPath().lineRateBps), cause);
    if (GetDueWindow() != window)
    {
        // a modifier had its say: go on from what took hold
        m_packets = std::max(1.0, static_cast<double>(GetDueWindow()) / GetPath().payloadBytes);
    }
}

} // namespace ns3
