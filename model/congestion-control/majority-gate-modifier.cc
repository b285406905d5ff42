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

TypeId
MajorityGateModifier::GetTypeId()
{
    static TypeId tid =
        AddSignal(TypeId("ns3::MajorityGateModifier")
                      .SetParent<GateModifier>()
                      .SetGroupName("Dcfabric")
                      .AddConstructor<MajorityGateModifier>(),
                  1.0 / 2)
            .AddAttribute("PathThreshold",
                          "Average from which on a path is congested.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&MajorityGateModifier::m_pathThreshold),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Majority",
                          "Congested paths from which on reductions take hold; 0: more than half "
                          "of the paths.",
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
        throw FabricError("ns3::MajorityGateModifier counts congested paths and needs a load "
                          "balancer with 2 to " +
                          std::to_string(PathInfo::MAX_PATH_SET) + " of them");
    }
    m_majority = m_majorityAttribute > 0 ? m_majorityAttribute : path.paths / 2 + 1;
    if (m_majority > path.paths)
    {
        throw FabricError("ns3::MajorityGateModifier::Majority of " + std::to_string(m_majority) +
                          " can never be reached, there are " + std::to_string(path.paths) +
                          " paths");
    }
    m_paths.clear();
    m_congested = 0;
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
    m_paths.push_back({entropy, {}});
    Count(false, IsCongested(m_paths.back())); // from the beginning, with a threshold of zero
    return m_paths.back();
}

void
MajorityGateModifier::OnAck(const AckInfo& ack)
{
    if (ack.coveredPackets == 0)
    {
        return;
    }
    Path& path = Find(ack.item->entropy);
    const bool before = IsCongested(path);
    Enter(path.average, ack);
    Count(before, IsCongested(path));
}

void
MajorityGateModifier::OnBts(const BtsNotice& notice)
{
    if (notice.repeated) // it is known of this packet
    {
        return;
    }
    Path& path = Find(notice.item->entropy);
    const bool before = IsCongested(path);
    EnterNotified(path.average);
    Count(before, IsCongested(path));
}

void
MajorityGateModifier::Count(bool before, bool after)
{
    m_congested += after && !before;
    m_congested -= before && !after;
}

} // namespace ns3
