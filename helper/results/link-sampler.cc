// SPDX-License-Identifier: GPL-2.0-only
#include "link-sampler.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

LinkSampler::LinkSampler(Ptr<Fabric> fabric, const std::string& path)
    : m_file(path),
      m_ports(GetFabricPorts(*fabric)),
      m_sent(m_ports.size()),
      m_now(m_ports.size()),
      m_thinner(m_ports.size())
{
    m_file.Text() += "time_ns,node,port,tx_bytes,utilisation";
    m_file.EndLine();
}

void
LinkSampler::WriteRow(int64_t timePs, std::size_t index, uint64_t bytes, int64_t spanPs)
{
    const FabricNetDevice* port = m_ports[index];
    std::string& text = m_file.Text();
    AppendNanoseconds(text, timePs);
    char rest[80];
    std::snprintf(rest,
                  sizeof(rest),
                  ",%u,%u,%llu,%.4f",
                  port->GetActor()->GetAddress(),
                  static_cast<unsigned>(port->GetPort()),
                  static_cast<unsigned long long>(bytes),
                  static_cast<double>(bytes) * 8e12 /
                      (static_cast<double>(port->GetRateBps()) * static_cast<double>(spanPs)));
    text += rest;
    m_file.EndLine();
}

uint64_t
LinkSampler::GetSentBytes(const FabricNetDevice& port, int64_t nowPs)
{
    const uint64_t begun = port.GetCounters().txBytes;
    const int64_t restPs = port.GetLastEndPs() - nowPs;
    if (restPs <= 0)
    {
        return begun;
    }
    const double rest =
        static_cast<double>(restPs) * static_cast<double>(port.GetWireRateBps()) / 8e12 -
        port.GetGapBytes();
    return begun - std::min(begun, static_cast<uint64_t>(std::max(0.0, rest)));
}

void
LinkSampler::Sample(int64_t nowPs)
{
    const int64_t beforePs = m_spanPs;
    m_spanPs = std::max<int64_t>(1, nowPs - m_thinner.GetPreviousPs());
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        // a link-level frame on the wire is not in the counter: do not go back because of it
        const uint64_t sent = std::max(m_sent[i], GetSentBytes(*m_ports[i], nowPs));
        m_now[i] = sent - m_sent[i];
        m_sent[i] = sent;
        if (m_thinner.IsPreviousDue(i, m_now[i]))
        {
            WriteRow(m_thinner.GetPreviousPs(), i, m_thinner.GetPrevious(i), beforePs);
        }
    }
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        if (m_thinner.Update(i, m_now[i]))
        {
            WriteRow(nowPs, i, m_now[i], m_spanPs);
        }
    }
    m_thinner.EndSample(nowPs);
}

void
LinkSampler::Finish()
{
    for (std::size_t i = 0; i < m_now.size(); ++i)
    {
        if (m_thinner.IsLastDue(i))
        {
            WriteRow(m_thinner.GetPreviousPs(), i, m_thinner.GetPrevious(i), m_spanPs);
        }
    }
    m_file.Commit();
}

} // namespace ns3
