// SPDX-License-Identifier: GPL-2.0-only
#include "pause-recorder.h"

namespace ns3
{

PauseRecorder::PauseRecorder(Ptr<Fabric> fabric, const std::string& path)
    : m_file(path, "time_ns,node,port,class,event"),
      m_fabric(fabric)
{
    for (FabricNetDevice* port : GetFabricPorts(*fabric))
    {
        m_ports.emplace_back(port);
        port->TraceConnectWithoutContext("Pause", MakeCallback(&PauseRecorder::OnPause, this));
    }
}

PauseRecorder::~PauseRecorder()
{
    for (const auto& port : m_ports)
    {
        port->TraceDisconnectWithoutContext("Pause", MakeCallback(&PauseRecorder::OnPause, this));
    }
}

void
PauseRecorder::OnPause(Ptr<const FabricNetDevice> device, uint8_t priority, bool pause)
{
    std::string& text = m_file.BeginRow(device->GetNowPs(), device->GetActor()->GetAddress());
    AppendNanoseconds(text, device->GetNowPs());
    text += ',';
    text += std::to_string(device->GetActor()->GetAddress());
    text += ',';
    text += std::to_string(device->GetPort());
    text += ',';
    text += std::to_string(priority);
    text += pause ? ",pause" : ",resume";
}

void
PauseRecorder::Sample(int64_t /* nowPs */)
{
    m_file.Flush(); // all before this time
}

void
PauseRecorder::Finish(int64_t /* endPs */)
{
    m_file.Commit();
}

} // namespace ns3
