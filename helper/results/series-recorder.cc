// SPDX-License-Identifier: GPL-2.0-only
#include "series-recorder.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3
{

SeriesRecorder::SeriesRecorder(Ptr<Fabric> fabric, Time interval)
    : m_fabric(fabric),
      m_intervalPs(FabricTime::ToPs(interval))
{
    if (m_intervalPs < 1)
    {
        throw FabricError("interval of a series: at least 1 ps is needed, got " +
                          std::to_string(m_intervalPs) + " ps");
    }
}

uint32_t
SeriesRecorder::Add(std::function<double()> read)
{
    if (m_started)
    {
        throw FabricError("series have to be named before SeriesRecorder::Start()");
    }
    m_series.push_back({std::move(read), {}});
    return static_cast<uint32_t>(m_series.size() - 1);
}

uint32_t
SeriesRecorder::WatchQueue(uint32_t node, uint32_t port)
{
    const uint32_t nodes = m_fabric->GetGraph().GetNNodes();
    if (node >= nodes)
    {
        throw FabricError("no node " + std::to_string(node) + ": the network has " +
                          std::to_string(nodes));
    }
    const uint32_t ports = m_fabric->GetActor(node)->GetNPorts();
    if (port >= ports)
    {
        throw FabricError("node " + std::to_string(node) + " has no port " + std::to_string(port) +
                          ": it has " + std::to_string(ports));
    }
    const FabricNetDevice* device = m_fabric->GetPort(node, port);
    return Add([device] {
        uint64_t bytes = device->GetQueue().GetBytes();
        for (uint8_t priority = 0; priority < 8; ++priority)
        {
            bytes += device->GetQueue().GetWaitingBytes(priority);
        }
        return static_cast<double>(bytes);
    });
}

uint32_t
SeriesRecorder::WatchRate(uint32_t host)
{
    const FabricNic* nic = PeekPointer(m_fabric->GetNic(host));
    return Add([nic] {
        double bps = 0;
        for (const SendingPdc* pdc : nic->GetSendingPdcs().GetBusy())
        {
            bps += pdc->GetCongestionControl()->GetRate();
        }
        return bps;
    });
}

void
SeriesRecorder::Start()
{
    if (m_started)
    {
        throw FabricError("SeriesRecorder::Start() was called twice");
    }
    m_started = true;
    m_tasks.Add(FabricTime::ToPs(Simulator::Now()),
                [this](int64_t nowPs) { return Sample(nowPs); });
    m_tasks.Start();
}

int64_t
SeriesRecorder::Sample(int64_t nowPs)
{
    m_times.push_back(static_cast<double>(nowPs) / 1e12);
    for (auto& series : m_series)
    {
        series.values.push_back(series.read());
    }
    return nowPs + m_intervalPs;
}

const std::vector<double>&
SeriesRecorder::GetValues(uint32_t series) const
{
    if (series >= m_series.size())
    {
        throw FabricError("no series " + std::to_string(series) + ": there are " +
                          std::to_string(m_series.size()));
    }
    return m_series[series].values;
}

} // namespace ns3
