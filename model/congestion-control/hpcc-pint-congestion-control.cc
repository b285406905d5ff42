// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-pint-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/pint-code.h"

#include <cstdint>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccPintCongestionControl);
DCFABRIC_OBJECT_CLONABLE(HpccPintCongestionControl);

namespace
{

/// @return a number from 0 to 1, exclusive, that looks random
double
DrawByNumber(uint32_t psn, uint32_t pdc)
{
    uint64_t bits = (uint64_t{pdc} << 32 | psn) + 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

} // namespace

TypeId
HpccPintCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HpccPintCongestionControl")
            .SetParent<IntWindowCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HpccPintCongestionControl>()
            .AddAttribute("FeedbackShare",
                          "Share of the ACKs that are looked at, above 0 (PINT_PROB of the public "
                          "simulators).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&HpccPintCongestionControl::m_share),
                          MakePositiveDoubleChecker(1));
    return tid;
}

CongestionControlNeeds
HpccPintCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::PintFeature", "one number of INT in data packets, but the switches"}};
    needs.dataInt = true;
    needs.seesMoves = true;
    return needs;
}

void
HpccPintCongestionControl::OnAck(const AckInfo& ack)
{
    if (!ack.item || (ack.item->flags & FabricPacketItem::FLAG_INT) == 0)
    {
        return; // an answer to a packet without INT
    }
    const auto& answer = ack.item->ack;
    if (m_share >= 1 || DrawByNumber(answer.triggerPsn, answer.targetPdc) < m_share)
    {
        TakeUtilization(ack, PintCode::Decode(static_cast<uint8_t>(ack.item->pathId)));
    }
}

} // namespace ns3
