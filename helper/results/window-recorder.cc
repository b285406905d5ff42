// SPDX-License-Identifier: GPL-2.0-only
#include "flow-numbers.h"
#include "trace-series.h"

#include "ns3/pdc-traces.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief windows.csv: window, rate, round-trip time and state of each sending PDC, as the trace
 * sources of FabricNic tell them.
 *
 * A row for each time at which one of the four has changed, with all four after that time. The
 * flow is that of the message that the PDC sends. Window 0 means that there is none, RTT 0 that no
 * ACK has come.
 */
class WindowRecorder : public EventRecorder
{
  public:
    /// @param start what it is made of
    explicit WindowRecorder(const TraceStart& start);
    ~WindowRecorder() override;
    void Sample(int64_t nowPs) override;
    void Finish(int64_t endPs) override;

  private:
    /// A row.
    struct Row
    {
        int64_t nowPs;        //!< time
        uint32_t node;        //!< host
        uint32_t pdc;         //!< number at the host
        uint32_t tag;         //!< of the flow
        uint64_t windowBytes; //!< 0: none
        uint64_t rateBps;     //!< pacing rate
        int64_t rttPs;        //!< 0: none
        PdcState state;       //!< in the schedule
    };

    /// Connect all sinks, or disconnect them.
    void Watch(bool connect);
    /// Something of a PDC has changed.
    void Note(const SendingPdc& pdc);
    /// Sink of CongestionWindow.
    void OnWindow(const SendingPdc& pdc, uint64_t oldBytes, uint64_t newBytes);
    /// Sink of Rate.
    void OnRate(const SendingPdc& pdc, DataRate oldRate, DataRate newRate);
    /// Sink of RTT.
    void OnRtt(const SendingPdc& pdc, Time oldRtt, Time newRtt);
    /// Sink of State.
    void OnState(const SendingPdc& pdc, PdcState oldState, PdcState newState);
    /// Write the rows that are kept.
    void WriteRows();

    FlowNumbers m_numbers;   //!< of flows
    std::vector<Row> m_rows; //!< since the last sample: flows have numbers then
    std::unordered_map<uint64_t, std::size_t> m_last; //!< of these, the last one of each PDC
};

namespace
{

/// @return what there is to say of it
TraceSeries
DescribeWindows()
{
    TraceSeries series{"windows",
                       "every change of window, rate, RTT and state of senders",
                       {{"flow", ResultColumn::Type::WHOLE},
                        {"node", ResultColumn::Type::KEY},
                        {"pdc", ResultColumn::Type::KEY},
                        {"window_bytes", ResultColumn::Type::REAL},
                        {"rate_bps", ResultColumn::Type::REAL},
                        {"rtt_ns", ResultColumn::Type::REAL},
                        {"state", ResultColumn::Type::TEXT}},
                       &TraceSeries::Make<WindowRecorder>};
    series.rows = TraceSeries::Rows::CHANGES;
    series.figure.title = "what senders may have in flight, and what they measure";
    series.figure.of = {"flow"};
    series.figure.most = 8;
    series.figure.panels = {
        {"window", "kB", 1e-3, {{"window_bytes", "", TraceFigure::Style::STEPS}}},
        {"rate", "Gb/s", 1e-9, {{"rate_bps", "", TraceFigure::Style::STEPS}}, 0, true},
        {"round-trip time", "us", 1e-3, {{"rtt_ns", "", TraceFigure::Style::STEPS}}}};
    return series;
}

const TraceSeries& g_windows = TraceSeriesTable::Add(DescribeWindows());

/// @return the name of a state in the file
const char*
GetPdcStateName(PdcState state)
{
    switch (state)
    {
    case PdcState::BLOCKED:
        return "blocked";
    case PdcState::READY:
        return "ready";
    case PdcState::PACED:
        return "paced";
    case PdcState::PAUSED:
        return "paused";
    case PdcState::PARKED:
        return "parked";
    }
    return "";
}

} // namespace

WindowRecorder::WindowRecorder(const TraceStart& start)
    : EventRecorder(start),
      m_numbers(start.recorder)
{
    Watch(true);
}

WindowRecorder::~WindowRecorder()
{
    Watch(false);
}

void
WindowRecorder::Watch(bool connect)
{
    const std::pair<const char*, CallbackBase> sinks[] = {
        {"CongestionWindow", MakeCallback(&WindowRecorder::OnWindow, this)},
        {"Rate", MakeCallback(&WindowRecorder::OnRate, this)},
        {"RTT", MakeCallback(&WindowRecorder::OnRtt, this)},
        {"State", MakeCallback(&WindowRecorder::OnState, this)}};
    for (const uint32_t host : m_fabric->GetHosts())
    {
        const Ptr<FabricNic> nic = m_fabric->GetNic(host);
        for (const auto& [source, sink] : sinks)
        {
            connect ? nic->TraceConnectWithoutContext(source, sink)
                    : nic->TraceDisconnectWithoutContext(source, sink);
        }
    }
}

void
WindowRecorder::OnWindow(const SendingPdc& pdc, uint64_t /* oldBytes */, uint64_t /* newBytes */)
{
    Note(pdc);
}

void
WindowRecorder::OnRate(const SendingPdc& pdc, DataRate /* oldRate */, DataRate /* newRate */)
{
    Note(pdc);
}

void
WindowRecorder::OnRtt(const SendingPdc& pdc, Time /* oldRtt */, Time /* newRtt */)
{
    Note(pdc);
}

void
WindowRecorder::OnState(const SendingPdc& pdc, PdcState /* oldState */, PdcState /* newState */)
{
    Note(pdc);
}

void
WindowRecorder::Note(const SendingPdc& pdc)
{
    const CongestionControl& cc = *pdc.GetCongestionControl();
    const uint64_t window = cc.GetWindow();
    const Row row{pdc.GetNic().GetNowPs(),
                  pdc.GetNic().GetAddress(),
                  pdc.GetNumber(),
                  pdc.GetRanges().GetTag(),
                  window == CongestionControl::UNLIMITED ? 0 : window,
                  static_cast<uint64_t>(cc.GetRate() + 0.5),
                  pdc.GetRttPs(),
                  pdc.GetState()};
    const uint64_t key = (uint64_t{row.node} << 32) | row.pdc;
    const auto [last, isFirst] = m_last.try_emplace(key, m_rows.size());
    if (!isFirst && m_rows[last->second].nowPs == row.nowPs)
    {
        m_rows[last->second] = row; // whatever other hosts did meanwhile
        return;
    }
    last->second = m_rows.size();
    m_rows.push_back(row);
}

void
WindowRecorder::WriteRows()
{
    m_numbers.Update();
    for (const Row& row : m_rows)
    {
        std::string& text = BeginRow(row.nowPs, row.node);
        for (const uint64_t value : {uint64_t{m_numbers.Get(row.tag)},
                                     uint64_t{row.node},
                                     uint64_t{row.pdc},
                                     row.windowBytes,
                                     row.rateBps})
        {
            text += ',';
            text += std::to_string(value);
        }
        text += ',';
        AppendNanoseconds(text, row.rttPs);
        text += ',';
        text += GetPdcStateName(row.state);
    }
    m_rows.clear();
    m_last.clear();
}

void
WindowRecorder::Sample(int64_t nowPs)
{
    WriteRows();
    EventRecorder::Sample(nowPs);
}

void
WindowRecorder::Finish(int64_t endPs)
{
    WriteRows();
    EventRecorder::Finish(endPs);
}

} // namespace ns3
