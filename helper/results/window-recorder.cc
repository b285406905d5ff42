// SPDX-License-Identifier: GPL-2.0-only
#include "window-recorder.h"

#include <string>
#include <utility>

namespace ns3
{

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

WindowRecorder::WindowRecorder(Ptr<Fabric> fabric,
                               const std::string& path,
                               const FlowRecorder* recorder)
    : m_file(path, "time_ns,flow,node,pdc,window_bytes,rate_bps,rtt_ns,state"),
      m_fabric(fabric),
      m_numbers(recorder ? std::make_unique<FlowNumbers>(*recorder) : nullptr)
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
    if (m_numbers)
    {
        m_numbers->Update();
    }
    for (const Row& row : m_rows)
    {
        std::string& text = m_file.BeginRow(row.nowPs, row.node);
        AppendNanoseconds(text, row.nowPs);
        for (const uint64_t value : {uint64_t{m_numbers ? m_numbers->Get(row.tag) : row.tag},
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
WindowRecorder::Sample(int64_t /* nowPs */)
{
    WriteRows();
    m_file.Flush(); // all before this time
}

void
WindowRecorder::Finish(int64_t /* endPs */)
{
    WriteRows();
    m_file.Commit();
}

} // namespace ns3
