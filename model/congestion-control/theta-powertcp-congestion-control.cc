// SPDX-License-Identifier: GPL-2.0-only
#include "theta-powertcp-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ThetaPowerTcpCongestionControl);
DCFABRIC_OBJECT_CLONABLE(ThetaPowerTcpCongestionControl);

TypeId
ThetaPowerTcpCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ThetaPowerTcpCongestionControl")
            .SetParent<PowerWindowCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ThetaPowerTcpCongestionControl>()
            .AddAttribute("Gamma",
                          "Weight of the newest rate beside the reference, 0 to 1.",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&ThetaPowerTcpCongestionControl::SetGamma,
                                             &ThetaPowerTcpCongestionControl::GetGamma),
                          MakePositiveDoubleChecker(1))
            .AddAttribute("RttFactor",
                          "RTT that counts as that of a path without queues, in base RTTs.",
                          DoubleValue(1.05),
                          MakeDoubleAccessor(&ThetaPowerTcpCongestionControl::m_rttFactor),
                          MakeDoubleChecker<double>(1, 1000));
    return tid;
}

void
ThetaPowerTcpCongestionControl::DoStart()
{
    m_lastRttPs = 0;
    m_lastTimePs = 0;
    StartAt(GetPath().pairRttPs, 1);
}

void
ThetaPowerTcpCongestionControl::OnAck(const AckInfo& ack)
{
    const int64_t elapsedPs = ack.nowPs - m_lastTimePs;
    if (ack.rttPs <= 0 || (m_lastRttPs > 0 && elapsedPs <= 0))
    {
        return;
    }
    const int64_t lastPs = m_lastRttPs;
    m_lastRttPs = ack.rttPs;
    m_lastTimePs = ack.nowPs;
    if (lastPs == 0)
    {
        BeginRound(ack);
        return;
    }
    const auto rtt = static_cast<double>(ack.rttPs);
    const auto span = static_cast<double>(elapsedPs);
    const double current = std::max((rtt - static_cast<double>(lastPs)) / span + 1, 0.5);
    React(ack, current * rtt / (m_rttFactor * GetT()), span, 1);
}

} // namespace ns3
