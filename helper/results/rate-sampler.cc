// SPDX-License-Identifier: GPL-2.0-only
#include "rate-sampler.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

RateSampler::RateSampler(Ptr<Fabric> fabric, const std::string& path)
    : m_file(path),
      m_fabric(fabric)
{
    m_file.Text() += "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps";
    m_file.EndLine();
    for (const uint32_t host : m_fabric->GetHosts())
    {
        m_fabric->GetNic(host)->TraceConnectWithoutContext(
            "Payload",
            MakeCallback(&RateSampler::OnPayload, this));
    }
}

RateSampler::~RateSampler()
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        m_fabric->GetNic(host)->TraceDisconnectWithoutContext(
            "Payload",
            MakeCallback(&RateSampler::OnPayload, this));
    }
}

void
RateSampler::OnPayload(Ptr<const FabricPacketItem> item)
{
    const auto [arrival, first] = m_arrivals.try_emplace(item->data.tag, Arrival());
    arrival->second.bytes += item->data.payloadBytes;
    const SendingPdc* pdc =
        first ? m_fabric->GetNic(item->src)->GetSendingPdcs().Get(item->data.sourcePdc) : nullptr;
    if (pdc) // gone if its message was given up
    {
        arrival->second.limit = GetLimit(*pdc);
    }
}

RateSampler::Limit
RateSampler::GetLimit(const SendingPdc& pdc)
{
    const Ptr<CongestionControl> cc = pdc.GetCongestionControl();
    Limit limit;
    limit.rateBps = static_cast<uint64_t>(cc->GetRate() + 0.5);
    limit.limitBps = limit.rateBps;
    if (cc->GetWindow() != CongestionControl::UNLIMITED)
    {
        limit.windowBytes = cc->GetWindow();
        const double bps = static_cast<double>(limit.windowBytes) * 8e12 /
                           static_cast<double>(std::max<int64_t>(1, cc->GetPath().pairRttPs));
        if (bps < cc->GetRate())
        {
            limit.limitBps = static_cast<uint64_t>(bps + 0.5);
        }
    }
    return limit;
}

void
RateSampler::WriteRow(int64_t nowPs, uint32_t flow, const Limit& limit, uint64_t bytes)
{
    const auto spanPs = static_cast<double>(std::max<int64_t>(1, nowPs - m_previousPs));
    std::string& text = m_file.Text();
    AppendNanoseconds(text, nowPs);
    for (const uint64_t value :
         {uint64_t{flow},
          limit.rateBps,
          limit.windowBytes,
          static_cast<uint64_t>(static_cast<double>(bytes) * 8e12 / spanPs + 0.5),
          limit.limitBps})
    {
        text += ',';
        text += std::to_string(value);
    }
    m_file.EndLine();
}

void
RateSampler::WriteArrivals(int64_t nowPs)
{
    for (const auto& [flow, arrival] : m_arrivals)
    {
        WriteRow(nowPs, flow, arrival.limit, arrival.bytes);
    }
    m_arrivals.clear();
}

void
RateSampler::Sample(int64_t nowPs)
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        for (const SendingPdc* pdc : m_fabric->GetNic(host)->GetSendingPdcs().GetBusy())
        {
            const uint32_t flow = pdc->GetRanges().GetTag();
            const auto arrival = m_arrivals.find(flow);
            const bool arrived = arrival != m_arrivals.end();
            WriteRow(nowPs, flow, GetLimit(*pdc), arrived ? arrival->second.bytes : 0);
            if (arrived)
            {
                m_arrivals.erase(arrival);
            }
        }
    }
    WriteArrivals(nowPs);
    m_previousPs = nowPs;
}

void
RateSampler::Finish()
{
    WriteArrivals(FabricTime::ToPs(Simulator::Now()));
    m_file.Commit();
}

} // namespace ns3
