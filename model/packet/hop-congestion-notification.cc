// SPDX-License-Identifier: GPL-2.0-only
#include "hop-congestion-notification.h"

#include "frame-bytes.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint16_t ROCE_UDP_PORT = 4791; //!< of RoCEv2

/**
 * @tparam Wire FrameWriter or FrameReader
 * @tparam Notification HopCongestionNotification, constant for a writer
 * @param wire where
 * @param notification has the fields
 */
template <typename Wire, typename Notification>
void
DescribeHopNotification(Wire& wire, Notification& notification)
{
    auto count = static_cast<uint32_t>(notification.flows.size());
    wire.Constant(1, 1);
    wire.Field(notification.priority, 1, "class of a congestion notification", 7);
    wire.Field(notification.degree, 1, "congestion degree", HopCongestionNotification::MAX_DEGREE);
    wire.Field(count, 1, "number of congesting flows");
    wire.Field(notification.queue, 2);
    uint8_t known = notification.isKnown ? 1 : 0;
    wire.Field(known, 1, "whether congesting flows are known", 1);
    wire.Constant(0, 1);
    if constexpr (Wire::READS)
    {
        notification.flows.assign(count, {});
        notification.isKnown = known == 1;
    }
    for (auto& flow : notification.flows)
    {
        FrameBytes::HostAddress(wire, flow.src, "source of a congesting flow");
        FrameBytes::HostAddress(wire, flow.dst, "destination of a congesting flow");
        wire.Field(flow.entropy, 2);
        wire.Constant(ROCE_UDP_PORT, 2);
        wire.Constant(FrameBytes::UDP, 1);
        wire.Constant(0, 3);
    }
}

} // namespace

uint8_t
HopCongestionNotification::Quantize(double degree)
{
    // a degree that was quantized before is not to grow by the error of its division
    const double units = std::ceil(std::clamp(degree, 0.0, 1.0) * MAX_DEGREE - 1e-9);
    return degree > 0 ? static_cast<uint8_t>(std::max(units, 1.0)) : 0;
}

std::vector<uint8_t>
HopCongestionNotification::Serialize() const
{
    FrameWriter writer;
    DescribeHopNotification(writer, *this);
    return std::vector<uint8_t>(writer.GetBytes(), writer.GetBytes() + writer.GetPosition());
}

bool
HopCongestionNotification::Parse(const std::vector<uint8_t>& bytes,
                                 HopCongestionNotification& notification)
{
    FrameReader reader(bytes.data(), bytes.size());
    DescribeHopNotification(reader, notification);
    return reader.IsDone();
}

} // namespace ns3
