// SPDX-License-Identifier: GPL-2.0-only
#include "uet-wire-format.h"

#include "ns3/uinteger.h"

namespace ns3
{

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

} // namespace ns3
