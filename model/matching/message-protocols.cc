// SPDX-License-Identifier: GPL-2.0-only
#include "message-protocols.h"

#include "table-matcher.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-time.h"
#include "ns3/object-factory.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RequestToWait);
NS_OBJECT_ENSURE_REGISTERED(DeferrableSend);
NS_OBJECT_ENSURE_REGISTERED(ReceiverNotReady);
NS_OBJECT_ENSURE_REGISTERED(Rendezvous);

namespace
{

/// @return what matches the messages of a NIC by a table
std::unique_ptr<MessageMatcher>
MakeTableMatcher(FabricNic& nic, const ObjectFactory& table, const MessageProtocol& protocol)
{
    const ObjectFactory chosen = table.IsTypeIdSet() ? table : ObjectFactory("ns3::HashMatchTable");
    return std::make_unique<TableMatcher>(nic,
                                          chosen.Create<MatchTable>(),
                                          Ptr<const MessageProtocol>(&protocol));
}

} // namespace

TypeId
RequestToWait::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RequestToWait")
                            .SetParent<MessageProtocol>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RequestToWait>();
    return tid;
}

std::unique_ptr<MessageMatcher>
RequestToWait::MakeMatcher(FabricNic& nic, const ObjectFactory& table) const
{
    return MakeTableMatcher(nic, table, *this);
}

FabricPacketType
RequestToWait::GetRefusal() const
{
    return FabricPacketType::RTW;
}

bool
RequestToWait::KeepsCanary() const
{
    return true;
}

TypeId
DeferrableSend::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DeferrableSend")
                            .SetParent<RequestToWait>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<DeferrableSend>();
    return tid;
}

uint64_t
DeferrableSend::GetRestartOffset(uint64_t placedBytes) const
{
    return placedBytes;
}

TypeId
ReceiverNotReady::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReceiverNotReady")
            .SetParent<MessageProtocol>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ReceiverNotReady>()
            .AddAttribute("RetryDelay",
                          "Time from an RNR to the next attempt; doubles each time.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&ReceiverNotReady::m_delay),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("MaxRetryDelay",
                          "Longest of these times.",
                          TimeValue(MicroSeconds(640)),
                          MakeTimeAccessor(&ReceiverNotReady::m_maxDelay),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()));
    return tid;
}

std::unique_ptr<MessageMatcher>
ReceiverNotReady::MakeMatcher(FabricNic& nic, const ObjectFactory& table) const
{
    return MakeTableMatcher(nic, table, *this);
}

FabricPacketType
ReceiverNotReady::GetRefusal() const
{
    return FabricPacketType::RNR;
}

bool
ReceiverNotReady::KeepsCanary() const
{
    return false;
}

int64_t
ReceiverNotReady::GetRetryDelayPs(uint32_t refusals) const
{
    const int64_t longestPs = FabricTime::ToPs(m_maxDelay);
    int64_t delayPs = std::min(FabricTime::ToPs(m_delay), longestPs);
    for (uint32_t i = 1; i < refusals && delayPs < longestPs; ++i)
    {
        delayPs = delayPs > longestPs / 2 ? longestPs : 2 * delayPs;
    }
    return delayPs;
}

TypeId
Rendezvous::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Rendezvous")
            .SetParent<RequestToWait>()
            .SetGroupName("Dcfabric")
            .AddConstructor<Rendezvous>()
            .AddAttribute("EagerWindow",
                          "Send the congestion control's present window before the receiver asks, "
                          "instead of a BDP.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Rendezvous::m_sendWindow),
                          MakeBooleanChecker());
    return tid;
}

uint64_t
Rendezvous::GetEagerBytes(uint64_t bytes, uint64_t bdpBytes, uint64_t windowBytes) const
{
    const uint64_t eager = m_sendWindow ? windowBytes : bdpBytes;
    return std::clamp<uint64_t>(eager, 1, bytes);
}

} // namespace ns3
