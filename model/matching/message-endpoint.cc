// SPDX-License-Identifier: GPL-2.0-only
#include "message-endpoint.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-nic.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MessageEndpoint);

TypeId
MessageEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MessageEndpoint")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<MessageEndpoint>()
            .AddAttribute("SendTimeout",
                          "Time after which a send or write that is not complete fails; 0: never.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MessageEndpoint::m_sendTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ReceiveTimeout",
                          "Time after which a receive that is not complete fails; 0: never.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MessageEndpoint::m_receiveTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

MessageEndpoint::MessageEndpoint() = default;

MessageEndpoint::~MessageEndpoint() = default;

void
MessageEndpoint::SetNic(Ptr<FabricNic> nic)
{
    if (!nic->GetMessages().GetMatcher())
    {
        throw FabricError("ns3::MessageEndpoint::SetNic: the messages of host " +
                          std::to_string(nic->GetAddress()) +
                          " are not matched: call FabricMessages::EnableMatching() first");
    }
    m_nic = nic;
    nic->GetMessages().SetSendCallback(
        [this](const FabricMessageEvent& event) { End(event, event.dst); });
    nic->GetMessages().SetReceiveCallback(
        [this](const FabricMessageEvent& event) { End(event, event.src); });
}

int64_t
MessageEndpoint::GetLimitPs(Time timeout) const
{
    return timeout.IsZero() ? FabricTime::NEVER : m_nic->GetNowPs() + FabricTime::ToPs(timeout);
}

uint64_t
MessageEndpoint::Keep(Callback callback)
{
    m_callbacks.emplace(m_nextHandle, std::move(callback));
    return m_nextHandle++;
}

uint64_t
MessageEndpoint::Begin(uint32_t dst, OutgoingMessage message, Callback callback)
{
    message.handle = m_nextHandle;
    message.limitPs = GetLimitPs(m_sendTimeout);
    m_nic->GetMessages().SendMatched(dst, message);
    return Keep(std::move(callback));
}

uint64_t
MessageEndpoint::Send(uint32_t dst,
                      const uint8_t* data,
                      uint64_t bytes,
                      Callback callback,
                      uint32_t tag)
{
    OutgoingMessage message;
    message.bytes = bytes;
    message.data = data;
    message.tag = tag;
    return Begin(dst, message, std::move(callback));
}

uint64_t
MessageEndpoint::PostRecv(uint32_t src, uint8_t* buffer, uint64_t bytes, Callback callback)
{
    const uint64_t handle = Keep(std::move(callback));
    m_nic->GetMessages().GetMatcher()->Post(
        {src, handle, buffer, bytes, GetLimitPs(m_receiveTimeout)});
    return handle;
}

uint64_t
MessageEndpoint::SendTagged(uint32_t dst,
                            const uint8_t* data,
                            uint64_t bytes,
                            uint64_t matchBits,
                            Callback callback,
                            uint32_t tag)
{
    OutgoingMessage message;
    message.bytes = bytes;
    message.data = data;
    message.tag = tag;
    message.tagged = true;
    message.matchBits = matchBits;
    return Begin(dst, message, std::move(callback));
}

uint64_t
MessageEndpoint::PostTagged(uint32_t src,
                            uint64_t matchBits,
                            uint64_t ignore,
                            uint8_t* buffer,
                            uint64_t bytes,
                            Callback callback)
{
    const uint64_t handle = Keep(std::move(callback));
    m_nic->GetMessages().GetMatcher()->PostTagged(
        {src, handle, buffer, bytes, GetLimitPs(m_receiveTimeout)},
        {matchBits, ignore});
    return handle;
}

uint64_t
MessageEndpoint::Expose(uint8_t* buffer, uint64_t bytes)
{
    return m_nic->GetMessages().GetMatcher()->Expose(buffer, bytes);
}

uint64_t
MessageEndpoint::Write(uint32_t dst,
                       const uint8_t* data,
                       uint64_t bytes,
                       uint64_t remoteAddress,
                       Callback callback)
{
    OutgoingMessage message;
    message.bytes = bytes;
    message.data = data;
    message.write = true;
    message.remoteAddress = remoteAddress;
    return Begin(dst, message, std::move(callback));
}

bool
MessageEndpoint::Cancel(uint64_t handle)
{
    return m_nic->GetMessages().Abandon(handle, MessageStatus::CANCELLED) ||
           m_nic->GetMessages().GetMatcher()->Withdraw(handle, MessageStatus::CANCELLED);
}

void
MessageEndpoint::End(const FabricMessageEvent& event, uint32_t peer)
{
    const auto found = m_callbacks.find(event.handle);
    if (found == m_callbacks.end())
    {
        return;
    }
    const Callback callback = std::move(found->second);
    m_callbacks.erase(found);
    if (callback)
    {
        callback({event.handle,
                  event.status,
                  peer,
                  event.bytes,
                  event.tag,
                  event.nowPs,
                  event.msn,
                  event.buffer,
                  event.committed,
                  event.matchBits});
    }
}

void
MessageEndpoint::DoDispose()
{
    if (m_nic)
    {
        m_nic->GetMessages().SetSendCallback(nullptr);
        m_nic->GetMessages().SetReceiveCallback(nullptr);
        m_nic = nullptr;
    }
    m_callbacks.clear();
    Object::DoDispose();
}

} // namespace ns3
