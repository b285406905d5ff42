// SPDX-License-Identifier: GPL-2.0-only
#include "switch-buffer.h"

#include "ns3/fabric-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwitchBuffer);

TypeId
SwitchBuffer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SwitchBuffer").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
SwitchBuffer::RefuseClass(uint8_t priority)
{
    throw FabricError("a packet of class " + std::to_string(priority) +
                      " reached a switch whose buffer has no room set apart for that class; name "
                      "all classes in use with FabricHelper::SetClasses() and AddClass()");
}

int64_t
SwitchBuffer::AssignStreams(int64_t /* stream */)
{
    return 0;
}

bool
SwitchBuffer::HoldsPackets() const
{
    return false;
}

bool
SwitchBuffer::TakeArrival(Ptr<FabricPacketItem>& /* item */, uint16_t /* egress */)
{
    return false;
}

void
SwitchBuffer::Attach(FabricSwitch* /* owner */)
{
}

void
SwitchBuffer::Hold(Ptr<FabricPacketItem> /* item */, uint16_t /* egress */)
{
}

void
SwitchBuffer::CancelAdmission(uint32_t /* bytes */)
{
}

std::vector<Ptr<FabricPacketItem>>
SwitchBuffer::TakeWaiting(uint16_t /* egress */, uint8_t /* classes */)
{
    return {};
}

void
SwitchBuffer::OnDeparture(uint16_t /* egress */, uint8_t /* priority */, uint32_t /* bytes */)
{
}

void
SwitchBuffer::SetFilter(OutputFilter* /* filter */)
{
    throw FabricError(
        FabricTerm::Class(GetInstanceTypeId()),
        " has no queues at its inputs in which a switch feature could hold packets back",
        {FabricRemedy::Use(FabricTerm::Class("ns3::VoqBuffer"))});
}

void
SwitchBuffer::HandleTimer(uint32_t /* id */)
{
}

void
SwitchBuffer::OnGateOpen(uint16_t /* egress */)
{
}

uint64_t
SwitchBuffer::GetNHeldPackets() const
{
    return 0;
}

void
SwitchBuffer::VisitHeld(uint16_t /* egress */,
                        const std::function<void(const FabricPacketItem&)>& /* visit */) const
{
}

uint64_t
SwitchBuffer::GetWaitingBytes(uint16_t /* egress */) const
{
    return 0;
}

uint64_t
SwitchBuffer::GetInputBytes(uint16_t /* ingress */,
                            uint16_t /* egress */,
                            uint8_t /* priority */) const
{
    return 0;
}

uint64_t
SwitchBuffer::GetMaxQueueBytes(uint16_t /* egress */, uint8_t /* priority */) const
{
    return 0;
}

uint64_t
SwitchBuffer::GetMaxPortBytes(uint16_t /* egress */) const
{
    return 0;
}

double
SwitchBuffer::GetMeanWaitingBytes(uint16_t /* egress */, int64_t /* nowPs */) const
{
    return 0;
}

uint64_t
SwitchBuffer::GetWaitingBytes(uint16_t /* egress */, uint8_t /* priority */) const
{
    return 0;
}

void
SwitchBuffer::NameHotLines(const HotLines& /* lines */,
                           uint16_t /* ingress */,
                           uint8_t /* priority */) const
{
}

} // namespace ns3
