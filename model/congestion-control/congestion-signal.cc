// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-signal.h"

#include "ns3/double.h"
#include "ns3/fabric-packet-item.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionSignal);
NS_OBJECT_ENSURE_REGISTERED(MarkSignal);
NS_OBJECT_ENSURE_REGISTERED(RttExcessSignal);
NS_OBJECT_ENSURE_REGISTERED(MarkOrDelaySignal);
NS_OBJECT_ENSURE_REGISTERED(QueueDelaySignal);

namespace
{

/// @return a delay as a signal, 0 to 1; @p full times @p unitPs counts as 1
double
ToSignal(double delayPs, double full, int64_t unitPs)
{
    const double part = delayPs / (full * static_cast<double>(unitPs));
    return std::min(std::max(part, 0.0), 1.0);
}

/// @return by how much the RTT exceeds the base RTT, in ps
double
GetExcessPs(const AckInfo& ack, const PathInfo& path)
{
    return static_cast<double>(ack.rttPs - path.pairRttPs);
}

/// @return the part of the packets, of which an ACK covers at least one, that were marked
double
GetMarkedPart(const AckInfo& ack)
{
    return static_cast<double>(ack.markedPackets) / ack.coveredPackets;
}

} // namespace

TypeId
CongestionSignal::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionSignal").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

Ptr<CongestionSignal>
MakeDefaultSignal(const PathInfo& path)
{
    if (path.marksTell)
    {
        return CreateObject<MarkOrDelaySignal>();
    }
    return CreateObject<QueueDelaySignal>();
}

void
SignalAverage::EnterNotified(double packets, double gain)
{
    m_average = 1 - std::pow(1 - gain, packets) * (1 - m_average);
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
    return GetMarkedPart(ack);
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
    return ToSignal(GetExcessPs(ack, path), m_fullExcess, path.pairRttPs);
}

TypeId
MarkOrDelaySignal::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MarkOrDelaySignal")
            .SetParent<CongestionSignal>()
            .SetGroupName("Dcfabric")
            .AddConstructor<MarkOrDelaySignal>()
            .AddAttribute("FullDelay",
                          "Excess over the base RTT that counts as 1, in times of the delay from "
                          "which on switches mark; in base RTTs if none marks.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&MarkOrDelaySignal::m_fullDelay),
                          MakeDoubleChecker<double>(1e-6, 1e6));
    return tid;
}

double
MarkOrDelaySignal::Get(const AckInfo& ack, const PathInfo& path) const
{
    const int64_t unitPs = path.markPs > 0 ? path.markPs : path.pairRttPs;
    return std::max(GetMarkedPart(ack), ToSignal(GetExcessPs(ack, path), m_fullDelay, unitPs));
}

TypeId
QueueDelaySignal::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QueueDelaySignal")
                            .SetParent<CongestionSignal>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<QueueDelaySignal>()
                            .AddAttribute("FullDelay",
                                          "Delay in queues, in base RTTs, that counts as 1.",
                                          DoubleValue(0.25),
                                          MakeDoubleAccessor(&QueueDelaySignal::m_fullDelay),
                                          MakeDoubleChecker<double>(1e-6, 1e6));
    return tid;
}

double
QueueDelaySignal::Get(const AckInfo& ack, const PathInfo& path) const
{
    double delayPs = GetExcessPs(ack, path);
    if (ack.item && ack.item->intCount > 0 && path.intFormat)
    {
        delayPs = 0;
        const uint8_t records = std::min(ack.item->intCount, FabricPacketItem::MAX_HOPS);
        for (uint8_t i = 0; i < records; ++i)
        {
            const IntSample link = ack.item->exactInt
                                       ? (*ack.item->exactInt)[i]
                                       : path.intFormat->Unpack(ack.item->intRecords[i]);
            if (link.rateBps > 0)
            {
                delayPs = std::max(delayPs,
                                   static_cast<double>(link.queueBytes) * 8e12 /
                                       static_cast<double>(link.rateBps));
            }
        }
    }
    return ToSignal(delayPs, m_fullDelay, path.pairRttPs);
}

} // namespace ns3
