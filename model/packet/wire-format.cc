// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Sizes of true RoCEv2 and of the public HPCC simulator.
 */
#include "wire-format.h"

#include "back-to-sender-signals.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WireFormat);
NS_OBJECT_ENSURE_REGISTERED(RoceV2WireFormat);
NS_OBJECT_ENSURE_REGISTERED(HpccSimWireFormat);

TypeId
WireFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WireFormat").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

WireFormat::WireFormat(uint32_t gapBytes)
    : m_gapBytes(gapBytes)
{
}

uint32_t
WireFormat::GetMatchBytes(bool extra)
{
    return RoceV2WireFormat::MATCH_BYTES + (extra ? RoceV2WireFormat::MATCH_EXTRA_BYTES : 0);
}

uint32_t
WireFormat::GetTagBytes()
{
    return RoceV2WireFormat::TAG_BYTES;
}

uint32_t
WireFormat::GetDataIntBytes(uint8_t hops, bool exact) const
{
    return RoceV2WireFormat::INT_HEADER_BYTES +
           hops * (exact ? RoceV2WireFormat::EXACT_INT_RECORD_BYTES
                         : RoceV2WireFormat::INT_RECORD_BYTES);
}

uint32_t
WireFormat::GetAckIntBytes(uint8_t hops, bool exact) const
{
    return GetDataIntBytes(hops, exact);
}

uint32_t
WireFormat::GetRefusalBytes() const
{
    return GetAckBytes() + RoceV2WireFormat::REFUSAL_EXTENSION_BYTES;
}

uint32_t
WireFormat::GetRtsBytes() const
{
    return GetNoticeBytes(RoceV2WireFormat::RTS_EXTENSION_BYTES);
}

uint32_t
WireFormat::GetCnpBytes() const
{
    return GetNoticeBytes(RoceV2WireFormat::CNP_BYTES);
}

uint32_t
WireFormat::GetBtsBytes(uint8_t signals) const
{
    using Signals = BackToSenderSignals;
    const auto told = [signals](uint8_t some, uint32_t bytes) {
        return (signals & some) != 0 ? bytes : 0;
    };
    return GetNoticeBytes(RoceV2WireFormat::BTS_EXTENSION_BYTES +
                          told(Signals::QUEUE | Signals::FLOWS, 4) + told(Signals::GRADIENT, 4) +
                          told(Signals::RATE, 4) + told(Signals::SENT, 12) +
                          told(Signals::OCCUPANCY, 12));
}

TypeId
RoceV2WireFormat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceV2WireFormat")
            .SetParent<WireFormat>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RoceV2WireFormat>()
            .AddAttribute(
                "GapBytes",
                "Preamble (8) and inter-frame gap (12) that follow every frame, in bytes.",
                UintegerValue(20),
                MakeUintegerAccessor(&RoceV2WireFormat::m_gapBytes),
                MakeUintegerChecker<uint32_t>(0, 1000));
    return tid;
}

RoceV2WireFormat::RoceV2WireFormat()
    : WireFormat(20)
{
}

TypeId
HpccSimWireFormat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HpccSimWireFormat")
            .SetParent<WireFormat>()
            .SetGroupName("Dcfabric")
            .AddConstructor<HpccSimWireFormat>()
            .AddAttribute("GapBytes",
                          "Preamble and inter-frame gap in bytes; that simulator has none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HpccSimWireFormat::m_gapBytes),
                          MakeUintegerChecker<uint32_t>(0, 1000));
    return tid;
}

HpccSimWireFormat::HpccSimWireFormat()
    : WireFormat(0)
{
}

} // namespace ns3
