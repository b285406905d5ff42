// SPDX-License-Identifier: GPL-2.0-only
#include "message-protocol.h"

#include "ack-timeout.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MessageProtocol);

TypeId
MessageProtocol::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MessageProtocol")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddAttribute("StopTarget",
                          "A refusal stops all messages to that host that come after the refused "
                          "one until it sends an RTS, not only the refused message.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&MessageProtocol::m_stopTarget),
                          MakeBooleanChecker())
            .AddAttribute(
                "StopEarlier",
                "With StopTarget, a refusal stops for this long also the messages to that "
                "host that come before the refused one; not for ever, as its receive may "
                "wait for theirs.",
                TimeValue(Seconds(0)),
                MakeTimeAccessor(&MessageProtocol::m_stopEarlier),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("InitialMsn",
                          "Message sequence number of the first message between two hosts (32 "
                          "bits); the same at all hosts.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MessageProtocol::m_initialMsn),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RtsInterval",
                          "Time after which an RTS that brought no data is sent again.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&MessageProtocol::m_rtsInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "RtsBackOff",
                "Factor by which that time grows with each RTS without effect, four times "
                "at most; 1: it is always the same.",
                DoubleValue(2),
                MakeDoubleAccessor(&MessageProtocol::m_rtsBackOff),
                MakeDoubleChecker<double>(1, 1000));
    return tid;
}

uint64_t
MessageProtocol::GetEagerBytes(uint64_t bytes,
                               uint64_t /* bdpBytes */,
                               uint64_t /* windowBytes */) const
{
    return bytes;
}

uint64_t
MessageProtocol::GetRestartOffset(uint64_t /* placedBytes */) const
{
    return 0;
}

int64_t
MessageProtocol::GetRetryDelayPs(uint32_t /* refusals */) const
{
    return -1;
}

int64_t
MessageProtocol::GetRtsDelayPs(uint32_t sent) const
{
    constexpr uint32_t MOST_STEPS = AckTimeout::MAX_BACKOFF; // for the same reason
    constexpr int64_t LONGEST_PS = FabricTime::NEVER / 8;
    int64_t delayPs = FabricTime::ToPs(m_rtsInterval);
    for (uint32_t i = 1; i < sent && i <= MOST_STEPS; ++i)
    {
        const double longerPs = m_rtsBackOff * static_cast<double>(delayPs);
        delayPs = longerPs < static_cast<double>(LONGEST_PS) ? static_cast<int64_t>(longerPs)
                                                             : LONGEST_PS;
    }
    return delayPs;
}

} // namespace ns3
