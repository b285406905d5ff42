// SPDX-License-Identifier: GPL-2.0-only
#include "uet-wire-format.h"

#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/// @return bytes of INT as RoCEv2 carries it
uint32_t
GetRoceIntBytes(uint8_t hops, bool exact)
{
    return RoceV2WireFormat::INT_HEADER_BYTES +
           hops * (exact ? RoceV2WireFormat::EXACT_INT_RECORD_BYTES
                         : RoceV2WireFormat::INT_RECORD_BYTES);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(UetWireFormat);
NS_OBJECT_ENSURE_REGISTERED(UetHtsimWireFormat);

TypeId
UetWireFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UetWireFormat")
                            .SetParent<WireFormat>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<UetWireFormat>()
                            .AddAttribute("GapBytes",
                                          "Preamble and inter-frame gap in bytes.",
                                          UintegerValue(20),
                                          MakeUintegerAccessor(&UetWireFormat::m_gapBytes),
                                          MakeUintegerChecker<uint32_t>(0, 1000));
    return tid;
}

UetWireFormat::UetWireFormat()
    : WireFormat(20)
{
}

uint32_t
UetWireFormat::GetDataIntBytes(uint8_t hops, bool exact) const
{
    return GetRoceIntBytes(hops, exact);
}

uint32_t
UetWireFormat::GetAckIntBytes(uint8_t hops, bool exact) const
{
    return GetRoceIntBytes(hops, exact);
}

TypeId
UetHtsimWireFormat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::UetHtsimWireFormat")
            .SetParent<WireFormat>()
            .SetGroupName("Dcfabric")
            .AddConstructor<UetHtsimWireFormat>()
            .AddAttribute("GapBytes",
                          "Preamble and inter-frame gap in bytes; that simulator has none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&UetHtsimWireFormat::m_gapBytes),
                          MakeUintegerChecker<uint32_t>(0, 1000));
    return tid;
}

UetHtsimWireFormat::UetHtsimWireFormat()
    : WireFormat(0)
{
}

uint32_t
UetHtsimWireFormat::GetDataIntBytes(uint8_t hops, bool exact) const
{
    return GetRoceIntBytes(hops, exact);
}

uint32_t
UetHtsimWireFormat::GetAckIntBytes(uint8_t hops, bool exact) const
{
    return GetRoceIntBytes(hops, exact);
}

} // namespace ns3
