// SPDX-License-Identifier: GPL-2.0-only
#include "packet-trimmer.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketTrimmer);

TypeId
PacketTrimmer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PacketTrimmer")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PacketTrimmer>()
            .AddAttribute("Size",
                          "Most bytes that are left of the frame of a packet.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&PacketTrimmer::m_size),
                          MakeUintegerChecker<uint32_t>(64, 65535))
            .AddAttribute("Classes",
                          "Bit mask of the classes whose packets are trimmed where there is no "
                          "room for them: only data, and only once. FabricHelper takes those in "
                          "which hosts send data, unless this is set.",
                          UintegerValue(0x08),
                          MakeUintegerAccessor(&PacketTrimmer::m_classes),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("TrimmedClass",
                          "Class of trimmed packets, which nothing else uses; above that of data "
                          "they go first, unless the Scheduler of the queue disc says otherwise.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&PacketTrimmer::m_trimmedClass),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("Limit",
                          "Most bytes of trimmed packets in a queue disc; a further packet is "
                          "dropped. 0: twice MaxSize of the queue disc, in bytes or packets as "
                          "that is. Without a limit headers could take the whole wire.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PacketTrimmer::m_limit),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("Newest",
                          "Probability with which the newest packet that waits is trimmed, whose "
                          "place the arriving one takes; otherwise that is trimmed itself. 0.5 "
                          "keeps senders in step from losing all or nothing.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PacketTrimmer::m_newest),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LastHop",
                          "The port leads to the receiver, which tells the sender so: all paths "
                          "share it. FabricHelper sets this.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PacketTrimmer::m_lastHop),
                          MakeBooleanChecker());
    return tid;
}

uint32_t
PacketTrimmer::Trim(TrimmableItem& item) const
{
    const uint32_t before = item.GetSize();
    item.Trim(m_size, static_cast<uint8_t>(m_trimmedClass << 3), m_lastHop);
    return before - item.GetSize();
}

std::vector<PolicyDefault>
PacketTrimmer::ListDefaults(const PolicyNetwork& network) const
{
    constexpr double MOST = UINT32_MAX - 1.0;
    const double bdp =
        static_cast<double>(network.rateBps) * static_cast<double>(network.baseRttPs) / 8e12;
    return {{"ns3::CongestionAwareQueueDisc",
             "MaxSize",
             std::to_string(static_cast<uint32_t>(std::clamp(bdp, 1.0, MOST))) + "B"}};
}

} // namespace ns3
