// SPDX-License-Identifier: GPL-2.0-only
#include "rate-sampler.h"

#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

RateSampler::RateSampler(Ptr<Fabric> fabric, const std::string& path, const FlowRecorder* recorder)
    : m_file(path, "time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps"),
      m_fabric(fabric),
      m_numbers(recorder ? std::make_unique<FlowNumbers>(*recorder) : nullptr)
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        const Ptr<FabricNic> nic = m_fabric->GetNic(host);
        nic->TraceConnectWithoutContext("Payload", MakeCallback(&RateSampler::OnPayload, this));
        nic->TraceConnectWithoutContext("Completed", MakeCallback(&RateSampler::OnCompleted, this));
    }
}

RateSampler::~RateSampler()
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        const Ptr<FabricNic> nic = m_fabric->GetNic(host);
        nic->TraceDisconnectWithoutContext("Payload", MakeCallback(&RateSampler::OnPayload, this));
        nic->TraceDisconnectWithoutContext("Completed",
                                           MakeCallback(&RateSampler::OnCompleted, this));
    }
}

void
RateSampler::OnPayload(Ptr<const FabricPacketItem> item)
{
    const uint64_t flow = GetKey(item->src, item->data.tag);
    const auto arrival = m_arrivals.try_emplace(flow, Arrival{flow, 0, 0}).first;
    arrival->second.bytes += item->data.payloadBytes;
    arrival->second.pdc = item->data.sourcePdc;
}

void
RateSampler::OnCompleted(const FabricMessageEvent& event)
{
    const SendingPdc* pdc = m_fabric->GetNic(event.src)->GetSendingPdcs().Get(event.pdc);
    m_limits[GetKey(event.src, event.tag)] = GetLimit(*pdc);
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

RateSampler::Limit
RateSampler::FindLimit(const Arrival& arrival) const
{
    const auto ended = m_limits.find(arrival.flow);
    if (ended != m_limits.end())
    {
        return ended->second;
    }
    const auto src = static_cast<uint32_t>(arrival.flow >> 32);
    const SendingPdc* pdc = m_fabric->GetNic(src)->GetSendingPdcs().Get(arrival.pdc);
    return pdc ? GetLimit(*pdc) : Limit();
}

void
RateSampler::WriteRow(Part part, uint64_t place, uint32_t tag, const Limit& limit, uint64_t bytes)
{
    const uint64_t number = m_numbers ? m_numbers->Get(tag) : tag;
    std::string& text =
        m_file.BeginRow(static_cast<int64_t>(part), part == Part::OTHERS ? number : place);
    AppendNanoseconds(text, m_nowPs);
    for (const uint64_t value :
         {number,
          limit.rateBps,
          limit.windowBytes,
          static_cast<uint64_t>(static_cast<double>(bytes) * 8e12 / static_cast<double>(m_spanPs) +
                                0.5),
          limit.limitBps})
    {
        text += ',';
        text += std::to_string(value);
    }
}

void
RateSampler::JoinArrivals()
{
    if (RankWorld::GetSize() == 1)
    {
        return;
    }
    std::vector<Arrival> own;
    for (const auto& [flow, arrival] : std::exchange(m_arrivals, {}))
    {
        own.push_back(arrival);
    }
    std::string bytes;
    WritePlainAll(bytes, own);
    for (const std::string& part : RankWorld::GatherAll(bytes))
    {
        std::size_t at = 0;
        for (const Arrival& arrival : TakePlainAll<Arrival>(part, at))
        {
            if (m_fabric->IsHere(static_cast<uint32_t>(arrival.flow >> 32)))
            {
                m_arrivals.emplace(arrival.flow, arrival);
            }
        }
    }
}

void
RateSampler::WriteArrivals()
{
    for (const auto& [flow, arrival] : m_arrivals)
    {
        WriteRow(Part::OTHERS, 0, static_cast<uint32_t>(flow), FindLimit(arrival), arrival.bytes);
    }
    m_arrivals.clear();
    m_limits.clear();
    m_file.Flush();
}

void
RateSampler::Begin(int64_t nowPs)
{
    m_nowPs = nowPs;
    if (nowPs > m_previousPs) // else the run ends with the last sample
    {
        m_spanPs = nowPs - m_previousPs;
    }
    JoinArrivals();
    if (m_numbers)
    {
        m_numbers->Update();
    }
}

void
RateSampler::Sample(int64_t nowPs)
{
    Begin(nowPs);
    for (const uint32_t host : m_fabric->GetHosts())
    {
        for (const SendingPdc* pdc : m_fabric->GetNic(host)->GetSendingPdcs().GetBusy())
        {
            const uint32_t tag = pdc->GetRanges().GetTag();
            const auto arrival = m_arrivals.find(GetKey(host, tag));
            const bool arrived = arrival != m_arrivals.end();
            WriteRow(Part::SENDING, host, tag, GetLimit(*pdc), arrived ? arrival->second.bytes : 0);
            if (arrived)
            {
                m_arrivals.erase(arrival);
            }
        }
    }
    WriteArrivals();
    m_previousPs = nowPs;
}

void
RateSampler::Finish(int64_t endPs)
{
    Begin(endPs);
    WriteArrivals();
    m_file.Commit();
}

} // namespace ns3
