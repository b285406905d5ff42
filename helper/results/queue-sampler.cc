// SPDX-License-Identifier: GPL-2.0-only
#include "queue-sampler.h"

namespace ns3
{

QueueSampler::QueueSampler(Ptr<Fabric> fabric, const std::string& path)
    : PortSampler(fabric, path, "class,bytes", 8)
{
}

uint64_t
QueueSampler::Read(std::size_t port, std::size_t value, int64_t /* nowPs */)
{
    const auto priority = static_cast<uint8_t>(value);
    return m_ports[port]->GetQueue().GetClassBytes(priority) +
           m_ports[port]->GetQueue().GetWaitingBytes(priority);
}

void
QueueSampler::AppendValue(std::string& text,
                          const FabricNetDevice& /* port */,
                          std::size_t value,
                          uint64_t number,
                          int64_t /* spanPs */) const
{
    text += static_cast<char>('0' + value);
    text += ',';
    text += std::to_string(number);
}

} // namespace ns3
