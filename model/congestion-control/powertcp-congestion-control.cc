// SPDX-License-Identifier: GPL-2.0-only
#include "powertcp-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PowerTcpCongestionControl);
DCFABRIC_OBJECT_CLONABLE(PowerTcpCongestionControl);

TypeId
PowerTcpCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PowerTcpCongestionControl")
            .SetParent<PowerWindowCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PowerTcpCongestionControl>()
            .AddAttribute("Gamma",
                          "Weight of the newest rate beside the reference, 0 to 1.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&PowerTcpCongestionControl::SetGamma,
                                             &PowerTcpCongestionControl::GetGamma),
                          MakePositiveDoubleChecker(1))
            .AddAttribute("Eta",
                          "Power that is aimed at, in parts of that of a full link without a "
                          "queue; the paper has none, which is 1.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&PowerTcpCongestionControl::m_eta),
                          MakeDoubleChecker<double>(0.01, 1));
    return tid;
}

CongestionControlNeeds
PowerTcpCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::HpccIntFeature", "INT on data packets, but the switches"}};
    needs.dataInt = true;
    needs.seesMoves = true;
    return needs;
}

void
PowerTcpCongestionControl::DoStart()
{
    const PathInfo& path = GetPath();
    m_paths.Start(path, GetInstanceTypeId());
    m_started = false;
    StartAt(path.baseRttPs, m_eta);
}

void
PowerTcpCongestionControl::OnAck(const AckInfo& ack)
{
    if (!ack.item || ack.item->intCount == 0)
    {
        return; // a path without switches, or an answer to a packet without INT
    }
    const uint32_t paths = std::max(GetPath().paths, 1U);
    IntPathState& present = m_paths.Find(ack.item->entropy, paths);
    IntPathState::Measurement measured;
    const bool isMeasured =
        present.Enter(*ack.item, ack.nowPs, m_paths.GetFormat(), IntPower{1 / GetT()}, measured);
    if (!m_started)
    {
        m_started = true;
        BeginRound(ack);
    }
    if (!isMeasured)
    {
        return;
    }
    const double power =
        measured.spanPs > 0 ? FilterUtilization(measured.utilization) : measured.utilization;
    React(ack, power, static_cast<double>(measured.spanPs), 1.0 / paths);
}

} // namespace ns3
