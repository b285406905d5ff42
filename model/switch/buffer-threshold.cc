// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-threshold.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BufferThreshold);

TypeId
BufferThreshold::GetTypeId()
{
    static TypeId tid = TypeId("ns3::BufferThreshold").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
BufferThreshold::Configure(std::size_t /* nPorts */)
{
}

void
BufferThreshold::OnArrival(const Queue& /* queue */, uint32_t /* bytes */)
{
}

double
BufferThreshold::GetShare(const Queue& queue, uint32_t /* flags */, uint64_t freeBytes) const
{
    return queue.alpha * static_cast<double>(freeBytes);
}

bool
BufferThreshold::Admits(const Queue& queue,
                        uint32_t bytes,
                        uint32_t flags,
                        uint64_t freeBytes) const
{
    return static_cast<double>(queue.bytes + bytes) <=
           static_cast<double>(queue.reserve) + GetShare(queue, flags, freeBytes);
}

bool
BufferThreshold::Resumes(const Queue& queue, uint64_t offset, uint64_t freeBytes) const
{
    return static_cast<double>(queue.bytes + offset) <=
           static_cast<double>(queue.reserve) + GetShare(queue, 0, freeBytes);
}

void
BufferThreshold::OnChange(const Queue& /* queue */, uint32_t /* leftBytes */)
{
}

} // namespace ns3
