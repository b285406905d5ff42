// SPDX-License-Identifier: GPL-2.0-only
#include "power-window-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PowerWindowCongestionControl);

TypeId
PowerWindowCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PowerWindowCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Flows",
                          "N: flows expected to share a host's link; the additive term is the line "
                          "rate over it.",
                          DoubleValue(500.0 / 3),
                          MakeDoubleAccessor(&PowerWindowCongestionControl::m_flows),
                          MakeDoubleChecker<double>(1, 1e9))
            .AddAttribute("MinRate",
                          "Least rate; times T it is the least window.",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&PowerWindowCongestionControl::m_minRate),
                          MakeRateChecker(1));
    return tid;
}

void
PowerWindowCongestionControl::StartAt(int64_t basePs, double target)
{
    const uint64_t line = GetPath().lineRateBps;
    if (line == 0 || basePs <= 0)
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()) +
                          ": needs a line rate and a base RTT above zero");
    }
    CheckMinRate(m_minRate);
    m_t = static_cast<double>(basePs);
    m_target = target;
    m_reference = static_cast<double>(line);
    m_increase = m_reference / m_flows;
    m_power = 1;
    m_lastUpdateSeq = 0;
    SetInitial(static_cast<uint64_t>(m_reference * m_t / 8e12 + 0.5), m_reference);
}

double
PowerWindowCongestionControl::Clamp(double rate) const
{
    return std::clamp(rate,
                      static_cast<double>(m_minRate.GetBitRate()),
                      static_cast<double>(GetPath().lineRateBps));
}

void
PowerWindowCongestionControl::React(const AckInfo& ack, double power, double spanPs, double share)
{
    m_power += share * std::min(spanPs / m_t, 1.0) * (power - m_power);
    const double rate = Clamp(m_gamma * (m_reference * m_target / m_power + m_increase) +
                              (1 - m_gamma) * m_reference);
    const auto window = std::max<uint64_t>(static_cast<uint64_t>(rate * m_t / 8e12 + 0.5), 1);
    Propose(ack.nowPs,
            window,
            rate,
            rate < GetDueRate() ? CongestionCause::SIGNAL : CongestionCause::RECOVERY);
    if (ack.cumulativeBytes > m_lastUpdateSeq)
    {
        m_lastUpdateSeq = ack.sentBytes;
        // a modifier may have changed it
        m_reference = Clamp(GetDueRate());
    }
}

void
PowerWindowCongestionControl::OnModified(int64_t /* nowPs */, ModifierEffect /* effect */)
{
    m_reference = Clamp(GetRate());
}

} // namespace ns3
