// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-signal.h"

#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionSignal);
NS_OBJECT_ENSURE_REGISTERED(MarkSignal);
NS_OBJECT_ENSURE_REGISTERED(RttExcessSignal);

TypeId
CongestionSignal::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionSignal").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
SignalAverage::Enter(const AckInfo& ack,
                     const PathInfo& path,
                     const CongestionSignal& signal,
                     double gain)
{
    const double stays = std::pow(1 - gain, ack.coveredPackets);
    m_average = stays * m_average + (1 - stays) * signal.Get(ack, path);
}

TypeId
MarkSignal::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MarkSignal")
                            .SetParent<CongestionSignal>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<MarkSignal>();
    return tid;
}

double
MarkSignal::Get(const AckInfo& ack, const PathInfo& /* path */) const
{
    return static_cast<double>(ack.markedPackets) / ack.coveredPackets;
}

TypeId
RttExcessSignal::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RttExcessSignal")
            .SetParent<CongestionSignal>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RttExcessSignal>()
            .AddAttribute(
                "FullExcess",
                "Excess over the base RTT of the pair of hosts, in such RTTs, that counts "
                "as 1.",
                DoubleValue(1),
                MakeDoubleAccessor(&RttExcessSignal::m_fullExcess),
                MakeDoubleChecker<double>(1e-6, 1e6));
    return tid;
}

double
RttExcessSignal::Get(const AckInfo& ack, const PathInfo& path) const
{
    const double excess = static_cast<double>(ack.rttPs - path.pairRttPs) /
                          (m_fullExcess * static_cast<double>(path.pairRttPs));
    return std::min(std::max(excess, 0.0), 1.0);
}

} // namespace ns3
