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
WireFormat::GetNackBytes() const
{
    return GetAckBytes(); // the syndrome in AETH is all that differs
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

uint32_t
RoceV2WireFormat::GetDataBytes(uint32_t payloadBytes, bool firstOfWrite) const
{
    return BASE_BYTES + payloadBytes + (firstOfWrite ? RETH_BYTES : 0);
}

uint32_t
RoceV2WireFormat::GetAckBytes() const
{
    return BASE_BYTES + AETH_BYTES + ACK_EXTENSION_BYTES;
}

uint32_t
RoceV2WireFormat::GetNoticeBytes(uint32_t extensionBytes) const
{
    return BASE_BYTES + extensionBytes;
}

uint32_t
RoceV2WireFormat::GetRateNoticeBytes() const
{
    return RATE_NOTICE_BYTES;
}

uint32_t
RoceV2WireFormat::GetDataIntBytes(uint8_t hops, bool exact) const
{
    return INT_HEADER_BYTES + hops * (exact ? EXACT_INT_RECORD_BYTES : INT_RECORD_BYTES);
}

uint32_t
RoceV2WireFormat::GetAckIntBytes(uint8_t hops, bool exact) const
{
    return GetDataIntBytes(hops, exact);
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

uint32_t
HpccSimWireFormat::GetDataBytes(uint32_t payloadBytes, bool) const
{
    return payloadBytes + 48; // it has no RETH
}

uint32_t
HpccSimWireFormat::GetAckBytes() const
{
    return 60;
}

uint32_t
HpccSimWireFormat::GetNoticeBytes(uint32_t) const
{
    return 60; // as its ACKs
}

uint32_t
HpccSimWireFormat::GetRateNoticeBytes() const
{
    return 60; // as its other control packets
}

uint32_t
HpccSimWireFormat::GetDataIntBytes(uint8_t, bool) const
{
    return 42;
}

uint32_t
HpccSimWireFormat::GetAckIntBytes(uint8_t, bool) const
{
    return 28; // 60 + 28 = 88
}

} // namespace ns3
