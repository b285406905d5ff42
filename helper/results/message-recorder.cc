// SPDX-License-Identifier: GPL-2.0-only
#include "message-recorder.h"

namespace ns3
{

const char*
GetMessageStateName(MessageState state)
{
    switch (state)
    {
    case MessageState::SENDING:
        return "sending";
    case MessageState::WAITING:
        return "waiting";
    case MessageState::COMPLETE:
        return "complete";
    case MessageState::NONEXISTENT:
        return "nonexistent";
    case MessageState::POSTED:
        return "posted";
    case MessageState::ABANDONED:
        return "abandoned";
    }
    return "";
}

MessageRecorder::MessageRecorder(Ptr<Fabric> fabric, const std::string& path)
    : m_file(path, "time_ns,node,role,peer,msn,epoch,from,to"),
      m_fabric(fabric)
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        if (!m_fabric->IsHere(host))
        {
            continue;
        }
        m_fabric->GetNic(host)->TraceConnect("MessageState",
                                             std::to_string(host),
                                             MakeCallback(&MessageRecorder::OnState, this));
    }
}

MessageRecorder::~MessageRecorder()
{
    for (const uint32_t host : m_fabric->GetHosts())
    {
        m_fabric->GetNic(host)->TraceDisconnect("MessageState",
                                                std::to_string(host),
                                                MakeCallback(&MessageRecorder::OnState, this));
    }
}

void
MessageRecorder::OnState(std::string node, const MessageStateEvent& event)
{
    std::string& text = m_file.BeginRow(event.nowPs, std::stoul(node));
    AppendNanoseconds(text, event.nowPs);
    text += ',' + node + (event.sender ? ",sender," : ",receiver,");
    text += std::to_string(event.peer) + ',' + std::to_string(event.msn) + ',';
    text += std::to_string(event.epoch) + ',';
    text += GetMessageStateName(event.from);
    text += ',';
    text += GetMessageStateName(event.to);
}

void
MessageRecorder::Sample(int64_t /* nowPs */)
{
    m_file.Flush(); // all before this time
}

void
MessageRecorder::Finish(int64_t /* endPs */)
{
    m_file.Commit();
}

} // namespace ns3
