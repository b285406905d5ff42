// SPDX-License-Identifier: GPL-2.0-only
#include "majority-gate-modifier.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MajorityGateModifier);
DCFABRIC_OBJECT_CLONABLE(MajorityGateModifier);

TypeId
MajorityGateModifier::GetTypeId()
{
    static TypeId tid =
        AddSignal(TypeId("ns3::MajorityGateModifier")
                      .SetParent<GateModifier>()
                      .SetGroupName("Dcfabric")
                      .AddConstructor<MajorityGateModifier>(),
                  1.0 / 2,
                  "Weight of a packet in the average of its path.")
            .AddAttribute("PathThreshold",
                          "Average from which on a path is congested.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&MajorityGateModifier::m_pathThreshold),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Majority",
                          "Congested paths from which on reductions take hold; 0: more than a "
                          "third of the paths, at least two.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MajorityGateModifier::m_majorityAttribute),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
MajorityGateModifier::Start(const PathInfo& path)
{
    GateModifier::Start(path);
    if (path.paths < 2 || path.paths > PathInfo::MAX_PATH_SET)
    {
        throw FabricError(FabricTerm::Class("ns3::MajorityGateModifier") +
                          " counts congested paths and needs a load balancer with 2 to " +
                          std::to_string(PathInfo::MAX_PATH_SET) + " of them");
    }
    m_majority =
        m_majorityAttribute > 0 ? m_majorityAttribute : std::max<uint32_t>(2, path.paths / 3 + 1);
    if (m_majority > path.paths)
    {
        throw FabricError(FabricTerm::Attribute("ns3::MajorityGateModifier", "Majority") + " of " +
                          std::to_string(m_majority) + " can never be reached, there are " +
                          std::to_string(path.paths) + " paths");
    }
    m_paths.clear();
    m_congested = 0;
    m_roundTripPs = path.pairRttPs;
    m_taken = path.paths; // as far as is known
    m_open = false;
}

MajorityGateModifier::Path&
MajorityGateModifier::Find(uint16_t entropy)
{
    const auto known = std::find_if(m_paths.begin(), m_paths.end(), [entropy](const Path& path) {
        return path.entropy == entropy;
    });
    if (known != m_paths.end())
    {
        return *known;
    }
    m_paths.push_back({entropy, {}, 0});
    return m_paths.back();
}

void
MajorityGateModifier::OnAck(const AckInfo& ack)
{
    if (ack.coveredPackets == 0 || !Counts(ack))
    {
        return;
    }
    Path& path = Find(ack.item->entropy);
    path.updatedPs = ack.nowPs;
    Enter(path.average, ack, GetGain());
    m_roundTripPs = std::max(GetPath().pairRttPs, ack.rttPs);
    const uint64_t payload = std::max<uint32_t>(GetPath().payloadBytes, 1);
    const uint64_t packets = ack.coveredPackets + (ack.inFlightBytes + payload - 1) / payload;
    m_taken = static_cast<uint32_t>(std::min<uint64_t>(packets, GetPath().paths));
    Count(ack.nowPs);
}

void
MajorityGateModifier::OnBts(const BtsNotice& notice)
{
    if (notice.repeated || !Counts(notice)) // it is known of this packet
    {
        return;
    }
    Path& path = Find(notice.item->entropy);
    path.updatedPs = notice.nowPs;
    EnterNotified(path.average, GetGain());
    Count(notice.nowPs);
}

void
MajorityGateModifier::Count(int64_t nowPs)
{
    uint32_t recent = 0;
    m_congested = 0;
    for (const Path& path : m_paths)
    {
        const bool counts = nowPs - path.updatedPs <= m_roundTripPs;
        recent += counts;
        m_congested += counts && IsCongested(path);
    }
    const uint32_t inUse = std::max(recent, m_taken);
    const uint32_t most = m_majorityAttribute > 0 ? inUse : inUse / 2 + 1;
    m_open = m_congested >= std::min(m_majority, most);
}

} // namespace ns3
