// SPDX-License-Identifier: GPL-2.0-only
#include "queue-sampler.h"

#include "ns3/class-pause-interface.h"

namespace ns3
{

namespace
{

/**
 * @param port the port
 * @param priority class
 * @return bytes of a class that wait for a port, in its queue disc and in virtual input queues
 */
uint64_t
GetBytes(const FabricNetDevice& port, uint8_t priority)
{
    return port.GetClassBytes(priority) + port.GetWaitingBytes(priority);
}

/**
 * @param port the port
 * @return true if anything waits for a port
 */
bool
IsBusy(const FabricNetDevice& port)
{
    bool busy = port.GetQueueBytes() > 0;
    for (uint8_t priority = 0; !busy && priority < 8; ++priority)
    {
        busy = port.GetWaitingBytes(priority) > 0;
    }
    return busy;
}

} // namespace

QueueSampler::QueueSampler(Ptr<Fabric> fabric, const std::string& path)
    : m_file(path),
      m_ports(GetFabricPorts(*fabric)),
      m_busy(m_ports.size()),
      m_now(m_ports.size() * 8),
      m_thinner(m_ports.size() * 8)
{
    m_file.Text() += "time_ns,node,port,class,bytes";
    m_file.EndLine();
}

void
QueueSampler::WriteRow(int64_t timePs, std::size_t index, uint64_t bytes)
{
    const FabricNetDevice* port = m_ports[index / 8];
    std::string& text = m_file.Text();
    AppendNanoseconds(text, timePs);
    text += ',';
    text += std::to_string(port->GetActor()->GetAddress());
    text += ',';
    text += std::to_string(port->GetPort());
    text += ',';
    text += static_cast<char>('0' + index % 8);
    text += ',';
    text += std::to_string(bytes);
    m_file.EndLine();
}

void
QueueSampler::Sample(int64_t nowPs)
{
    // first the rows of the sample before, so that times ascend
    for (std::size_t p = 0; p < m_ports.size(); ++p)
    {
        const bool busy = IsBusy(*m_ports[p]);
        for (std::size_t i = 8 * p; (busy || m_busy[p]) && i < 8 * p + 8; ++i)
        {
            m_now[i] = GetBytes(*m_ports[p], static_cast<uint8_t>(i % 8));
            if (m_thinner.IsPreviousDue(i, m_now[i]))
            {
                WriteRow(m_thinner.GetPreviousPs(), i, m_thinner.GetPrevious(i));
            }
        }
    }
    for (std::size_t p = 0; p < m_ports.size(); ++p)
    {
        const bool busy = IsBusy(*m_ports[p]);
        for (std::size_t i = 8 * p; (busy || m_busy[p]) && i < 8 * p + 8; ++i)
        {
            if (m_thinner.Update(i, m_now[i]))
            {
                WriteRow(nowPs, i, m_now[i]);
            }
        }
        m_busy[p] = busy ? 1 : 0;
    }
    m_thinner.EndSample(nowPs);
}

void
QueueSampler::Finish()
{
    for (std::size_t i = 0; i < m_now.size(); ++i)
    {
        if (m_thinner.IsLastDue(i))
        {
            WriteRow(m_thinner.GetPreviousPs(), i, m_thinner.GetPrevious(i));
        }
    }
    m_file.Commit();
}

} // namespace ns3
