// SPDX-License-Identifier: GPL-2.0-only
#include "flow-numbers.h"
#include "trace-series.h"

#include "ns3/fabric-message.h"
#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief rates.csv: what the congestion control of each sending flow allows, and what the flow got.
 *
 * A row for each sending PDC that is not idle, the flow being that of the message it sends, and
 * then for each other flow whose payload has arrived since the sample before, in the order of
 * flows. Window 0 means that there is none.
 *
 * The throughput is the payload that arrived at the receiver and was new, over the time since the
 * sample before; what arrives after the last sample has rows at the end of the run, and counts to
 * the last interval if that is the time of the last sample. So its sum over time is the size of a
 * flow. The limit is the lower of the rate, which counts frames, and window over base RTT. A flow
 * that is complete has rate and window of the time at which its sender had the last ACK; one behind
 * which its PDC sends another, those of the PDC; one that was given up with its PDC, 0.
 */
class RateSampler : public FabricSampler
{
  public:
    /// @param start what it is made of
    explicit RateSampler(const TraceStart& start);
    ~RateSampler() override;
    void Sample(int64_t nowPs) override;
    void Finish(int64_t endPs) override;

  private:
    /// What a flow may send.
    struct Limit
    {
        uint64_t rateBps{0};     //!< pacing rate
        uint64_t windowBytes{0}; //!< 0: none
        uint64_t limitBps{0};    //!< of both
    };

    /// What has arrived of a flow since the last sample.
    struct Arrival
    {
        uint64_t flow;  //!< see GetKey()
        uint64_t bytes; //!< payload
        uint32_t pdc;   //!< number of its PDC at the sender
    };

    /// Parts of a sample, in the order of the file.
    enum class Part : int64_t
    {
        SENDING, //!< flows of busy PDCs, by host
        OTHERS,  //!< by flow
    };

    /**
     * @param src its sender
     * @param tag its number there
     * @return what tells a flow from those of other processes
     */
    static uint64_t GetKey(uint32_t src, uint32_t tag)
    {
        return (uint64_t{src} << 32) | tag;
    }

    /// @return what a PDC may send
    static Limit GetLimit(const SendingPdc& pdc);
    /// @return what a flow may send that is none of a busy PDC
    Limit FindLimit(const Arrival& arrival) const;
    /// New payload has arrived.
    void OnPayload(Ptr<const FabricPacketItem> item);
    /// A flow is complete at its sender.
    void OnCompleted(const FabricMessageEvent& event);
    /// Begin a sample, or the end of the run, with what all processes know.
    void Begin(int64_t nowPs);
    /**
     * @brief Write a row.
     * @param tag of the flow
     * @param bytes that have arrived
     */
    void WriteRow(Part part, uint64_t place, uint32_t tag, const Limit& limit, uint64_t bytes);
    /// Hand what has arrived to the processes of the senders.
    void JoinArrivals();
    /// Write the rows of flows in m_arrivals and forget these.
    void WriteArrivals();

    TraceFile m_file;                             //!< file
    Ptr<Fabric> m_fabric;                         //!< network
    FlowNumbers m_numbers;                        //!< of flows
    std::map<uint64_t, Arrival> m_arrivals;       //!< since the last sample, by flow
    std::unordered_map<uint64_t, Limit> m_limits; //!< of flows that ended since then
    int64_t m_previousPs{0};                      //!< time of the last sample
    int64_t m_nowPs{0};                           //!< time of this one
    int64_t m_spanPs{1};                          //!< between the two
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeRates()
{
    TraceSeries series{"rates",
                       "",
                       {{"flow", ResultColumn::Type::KEY},
                        {"rate_bps", ResultColumn::Type::REAL},
                        {"window_bytes", ResultColumn::Type::REAL},
                        {"throughput_bps", ResultColumn::Type::REAL, true},
                        {"limit_bps", ResultColumn::Type::REAL, true}},
                       &TraceSeries::Make<RateSampler>};
    series.figure.title =
        "throughput (payload received), limit (lower of rate and window / base RTT)";
    series.figure.nothing = "no rates of it";
    series.figure.of = {"flow"};
    series.figure.order = TraceFigure::Order::SUM;
    series.figure.by = "throughput_bps";
    series.figure.most = 8;
    series.figure.panels = {{"rate",
                             "Gb/s",
                             1e-9,
                             {{"throughput_bps", "throughput", TraceFigure::Style::MEAN},
                              {"limit_bps", "limit", TraceFigure::Style::LIMIT, "rate_bps"}}},
                            {"window", "kB", 1e-3, {{"window_bytes"}}, 0, false, true}};
    return series;
}

const TraceSeries& g_rates = TraceSeriesTable::Add(DescribeRates());

} // namespace

RateSampler::RateSampler(const TraceStart& start)
    : m_file(start.path, start.header),
      m_fabric(start.recorder.GetFabric()),
      m_numbers(start.recorder)
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
    const uint64_t number = m_numbers.Get(tag);
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
    m_numbers.Update();
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
