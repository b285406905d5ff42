// SPDX-License-Identifier: GPL-2.0-only
#include "queue-view.h"

#include "congestion-aware-queue-disc.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-time.h"
#include "ns3/hash.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/simulator.h"

#include <array>

#ifdef DCFABRIC_INTERNET
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-queue-disc-item.h"
#endif

namespace ns3
{

namespace
{

/// @return rate of the device of a queue disc in bit/s; 0: none is known
uint64_t
FindRate(const CongestionAwareQueueDisc& disc)
{
    const Ptr<NetDeviceQueueInterface> queues = disc.GetNetDeviceQueueInterface();
    const Ptr<NetDevice> device = queues ? queues->GetObject<NetDevice>() : nullptr;
    DataRateValue rate;
    return device && device->GetAttributeFailSafe("DataRate", rate) ? rate.Get().GetBitRate() : 0;
}

/// @return bytes of a class that have left to be sent
uint64_t
GetSentBytes(const CongestionAwareQueueDisc& disc, uint8_t priority)
{
    const CongestionAwareQueueDisc::ClassCounters& cls = disc.GetClassCounters(priority);
    return cls.enqueuedBytes - cls.bytes - cls.lostBytes;
}

} // namespace

DiscContext::DiscContext(const CongestionAwareQueueDisc& disc)
    : m_disc(disc),
      m_rateBps(FindRate(disc))
{
}

int64_t
DiscContext::GetNowPs() const
{
    return FabricTime::ToPs(Simulator::Now());
}

uint64_t
DiscContext::GetRateBps() const
{
    return m_rateBps;
}

uint64_t
DiscContext::GetPortSentBytes() const
{
    uint64_t sum = 0;
    for (uint8_t priority = 0; priority < 8; ++priority)
    {
        sum += GetSentBytes(m_disc, priority);
    }
    return sum;
}

uint64_t
DiscContext::GetWaitingBytes(uint8_t /* priority */) const
{
    return 0;
}

uint64_t
DiscContext::GetBufferBytes() const
{
    return GetGroupBytes(0xff);
}

uint64_t
DiscContext::GetGroupBytes(uint8_t classes) const
{
    uint64_t sum = 0;
    for (uint8_t priority = 0; priority < 8; ++priority)
    {
        sum += (classes >> priority) & 1 ? m_disc.GetClassBytes(priority) : 0;
    }
    return sum;
}

uint64_t
DiscContext::GetSource(const QueueDiscItem& item) const
{
#ifdef DCFABRIC_INTERNET
    if (const auto* ipv4 = dynamic_cast<const Ipv4QueueDiscItem*>(&item))
    {
        return ipv4->GetHeader().GetSource().Get();
    }
    if (const auto* ipv6 = dynamic_cast<const Ipv6QueueDiscItem*>(&item))
    {
        std::array<uint8_t, 16> address{};
        ipv6->GetHeader().GetSource().GetBytes(address.data());
        return Hash64(reinterpret_cast<const char*>(address.data()), address.size());
    }
#endif
    return item.Hash();
}

uint64_t
QueueView::GetQueueBytes() const
{
    return m_disc.GetClassBytes(m_priority) + m_context.GetWaitingBytes(m_priority);
}

uint64_t
QueueView::GetPortBytes() const
{
    uint64_t sum = 0;
    for (uint8_t priority = 0; priority < 8; ++priority)
    {
        sum += m_disc.GetClassBytes(priority) + m_context.GetWaitingBytes(priority);
    }
    return sum;
}

uint64_t
QueueView::GetQueueSentBytes() const
{
    return GetSentBytes(m_disc, m_priority);
}

const MarkingProfile*
QueueView::GetMarkingProfile() const
{
    return m_disc.PeekMarkingProfile();
}

} // namespace ns3
