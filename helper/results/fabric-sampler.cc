// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-sampler.h"

#include "flow-recorder.h"

#include <algorithm>

namespace ns3
{

SampleThinner::SampleThinner(std::size_t count)
    : m_states(count)
{
}

EventRecorder::EventRecorder(const TraceStart& start)
    : m_fabric(start.recorder.GetFabric()),
      m_file(start.path, start.header)
{
}

std::string&
EventRecorder::BeginRow(int64_t nowPs, uint32_t node)
{
    std::string& text = m_file.BeginRow(nowPs, node);
    AppendNanoseconds(text, nowPs);
    return text;
}

void
EventRecorder::Sample(int64_t /* nowPs */)
{
    m_file.Flush(); // all before this time
}

void
EventRecorder::Finish(int64_t /* endPs */)
{
    m_file.Commit();
}

PortSampler::PortSampler(const TraceStart& start, std::size_t nValues)
    : m_ports(GetFabricPorts(*start.recorder.GetFabric())),
      m_file(start.path, start.header),
      m_nValues(nValues),
      m_now(m_ports.size() * nValues),
      m_thinner(m_now.size())
{
}

void
PortSampler::WriteRow(Part part, std::size_t index, uint64_t number, int64_t spanPs)
{
    const FabricNetDevice& port = *m_ports[index / m_nValues];
    const uint64_t node = port.GetActor()->GetAddress();
    const uint64_t place = (node << 32) | (uint64_t{port.GetPort()} << 8) | (index % m_nValues);
    std::string& text = m_file.BeginRow(static_cast<int64_t>(part), place);
    AppendNanoseconds(text, part == Part::PRESENT ? m_nowPs : m_thinner.GetPreviousPs());
    text += ',';
    text += std::to_string(node);
    text += ',';
    text += std::to_string(port.GetPort());
    text += ',';
    AppendValue(text, port, index % m_nValues, number, spanPs);
}

void
PortSampler::Sample(int64_t nowPs)
{
    const int64_t beforePs = m_spanPs;
    m_nowPs = nowPs;
    m_spanPs = std::max<int64_t>(1, nowPs - m_thinner.GetPreviousPs());
    // first the rows of the sample before, so that times ascend
    for (std::size_t i = 0; i < m_now.size(); ++i)
    {
        m_now[i] = Read(i / m_nValues, i % m_nValues, nowPs);
        if (m_thinner.IsPreviousDue(i, m_now[i]))
        {
            WriteRow(Part::PREVIOUS, i, m_thinner.GetPrevious(i), beforePs);
        }
    }
    for (std::size_t i = 0; i < m_now.size(); ++i)
    {
        if (m_thinner.Update(i, m_now[i]))
        {
            WriteRow(Part::PRESENT, i, m_now[i], m_spanPs);
        }
    }
    m_thinner.EndSample(nowPs);
    m_file.Flush();
}

void
PortSampler::Finish(int64_t /* endPs */)
{
    for (std::size_t i = 0; i < m_now.size(); ++i)
    {
        if (m_thinner.IsLastDue(i))
        {
            WriteRow(Part::PREVIOUS, i, m_thinner.GetPrevious(i), m_spanPs);
        }
    }
    m_file.Commit();
}

std::vector<FabricNetDevice*>
GetFabricPorts(const Fabric& fabric)
{
    std::vector<FabricNetDevice*> ports;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        const FabricActor* actor = fabric.GetActor(node);
        for (uint16_t port = 0; fabric.IsHere(node) && port < actor->GetNPorts(); ++port)
        {
            ports.push_back(actor->GetPort(port));
        }
    }
    return ports;
}

} // namespace ns3
