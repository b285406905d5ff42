// SPDX-License-Identifier: GPL-2.0-only
#include "link-sampler.h"

#include <algorithm>
#include <cstdio>

namespace ns3
{

LinkSampler::LinkSampler(Ptr<Fabric> fabric, const std::string& path)
    : PortSampler(fabric, path, "tx_bytes,utilisation", 1),
      m_sent(m_ports.size())
{
}

void
LinkSampler::AppendValue(std::string& text,
                         const FabricNetDevice& port,
                         std::size_t /* value */,
                         uint64_t number,
                         int64_t spanPs) const
{
    char rest[64];
    std::snprintf(rest,
                  sizeof(rest),
                  "%llu,%.4f",
                  static_cast<unsigned long long>(number),
                  static_cast<double>(number) * 8e12 /
                      (static_cast<double>(port.GetRateBps()) * static_cast<double>(spanPs)));
    text += rest;
}

uint64_t
LinkSampler::GetSentBytes(const FabricNetDevice& port, int64_t nowPs)
{
    const uint64_t begun = port.GetCounters().txBytes;
    const int64_t restPs = port.GetLink().GetLastEndPs() - nowPs;
    if (restPs <= 0)
    {
        return begun;
    }
    const double rest =
        static_cast<double>(restPs) * static_cast<double>(port.GetLink().GetWireRateBps()) / 8e12 -
        port.GetGapBytes();
    return begun - std::min(begun, static_cast<uint64_t>(std::max(0.0, rest)));
}

uint64_t
LinkSampler::Read(std::size_t port, std::size_t /* value */, int64_t nowPs)
{
    // a link-level frame on the wire is not in the counter: do not go back because of it
    const uint64_t before = m_sent[port];
    m_sent[port] = std::max(before, GetSentBytes(*m_ports[port], nowPs));
    return m_sent[port] - before;
}

} // namespace ns3
