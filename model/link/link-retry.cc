// SPDX-License-Identifier: GPL-2.0-only
#include "link-retry.h"

#include "fabric-net-device.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

LogComponent LinkRetry::g_log("LinkRetry", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(LinkRetry);

TypeId
LinkRetry::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LinkRetry")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<LinkRetry>()
            .AddAttribute("MaxFrames",
                          "Frames that are kept until they are acknowledged; 0: as many of the "
                          "smallest ones as MaxBytes holds.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_maxFrames),
                          MakeUintegerChecker<uint32_t>(0, LinkNumber::MOST - 1))
            .AddAttribute("MaxBytes",
                          "Bytes of frames that are kept until they are acknowledged; 0: as many "
                          "as keep the link busy.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_maxBytes),
                          MakeUintegerChecker<uint64_t>(0, 1ULL << 31))
            .AddAttribute("ReplayTimeout",
                          "Time without progress after which all that is kept is sent again; 0: "
                          "two round trips of the link.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&LinkRetry::m_timeout),
                          MakeTimeChecker(Time(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ReplayCountMax",
                          "Replays without progress until what is kept is given up; 255: it never "
                          "is. The default of SAI is 1.",
                          UintegerValue(FOR_EVER),
                          MakeUintegerAccessor(&LinkRetry::m_replayCountMax),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("AckSpacing",
                          "Bytes of the wire from one acknowledgement to the next.",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&LinkRetry::m_ackSpacing),
                          MakeUintegerChecker<uint32_t>(400, 17296))
            .AddAttribute("FirstNumber",
                          "Number of the first frame, when the link has come up, too.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_firstNumber),
                          MakeUintegerChecker<uint32_t>(0, LinkNumber::MASK))
            .AddAttribute("BestEffort",
                          "While the ends agree on numbers, frames go without retry; false: they "
                          "wait.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LinkRetry::m_bestEffort),
                          MakeBooleanChecker());
    return tid;
}

LinkRetry::LinkRetry() = default;

void
LinkRetry::DoDispose()
{
    m_receiver.End();
    m_device = nullptr;
    Object::DoDispose();
}

void
LinkRetry::Attach(FabricNetDevice* device)
{
    m_device = device;
}

void
LinkRetry::SetMaxFrameBytes(uint32_t maxFrameBytes)
{
    m_maxFrameBytes = maxFrameBytes;
    CheckTimeout();
    ComputeLimits();
    m_buffer.Begin(m_firstNumber);
    m_receiver.Begin(m_firstNumber);
    m_state = State::ADVANCE;
}

int64_t
LinkRetry::ComputeRoundTripPs() const
{
    const PortLink& link = m_device->GetLink();
    const uint64_t frame = m_maxFrameBytes + m_device->GetGapBytes();
    return 2 * link.GetDelayPs() +
           link.TransmissionPs(2 * frame + m_ackSpacing + ORDERED_SET_BYTES);
}

uint64_t
LinkRetry::ToBytes(int64_t timePs) const
{
    return static_cast<uint64_t>(static_cast<__uint128_t>(timePs) * m_device->GetRateBps() /
                                 FabricTime::PS_PER_BYTE_AT_1_BPS) +
           1;
}

void
LinkRetry::CheckTimeout() const
{
    const int64_t roundTripPs = ComputeRoundTripPs();
    const int64_t timeoutPs = FabricTime::ToPs(m_timeout);
    if (timeoutPs > 0 && timeoutPs < roundTripPs)
    {
        throw FabricError(FabricTerm::Attribute("ns3::LinkRetry", "ReplayTimeout"),
                          ": " + std::to_string(timeoutPs) +
                              " ps are less than a frame and its acknowledgement take on the link "
                              "of node " +
                              std::to_string(m_device->GetActor()->GetAddress()) + " port " +
                              std::to_string(m_device->GetPort()) + ", " +
                              std::to_string(roundTripPs) + " ps",
                          {FabricRemedy::Use("a longer time"),
                           FabricRemedy::Use("0, which is two round trips of each link")});
    }
}

void
LinkRetry::ComputeLimits()
{
    const int64_t roundTripPs = ComputeRoundTripPs();
    m_spacingPs = m_device->GetLink().TransmissionPs(m_ackSpacing);
    // at a rate that has been lowered what is given may be too short
    m_timeoutPs =
        m_timeout.IsZero() ? 2 * roundTripPs : std::max(FabricTime::ToPs(m_timeout), roundTripPs);
    // with the frame with which the room is used up
    const uint64_t bytes = m_maxBytes > 0 ? m_maxBytes : ToBytes(roundTripPs) + m_maxFrameBytes;
    constexpr uint64_t SMALLEST = 64;
    const auto frames = static_cast<uint32_t>(
        m_maxFrames > 0 ? m_maxFrames
                        : std::min<uint64_t>(bytes / SMALLEST + 1, LinkNumber::MOST - 1));
    m_buffer.SetRoom(frames, bytes);
    m_maxKeptBytes = bytes + m_maxFrameBytes;
}

uint64_t
LinkRetry::GetLateBytes() const
{
    return m_maxKeptBytes + ToBytes(m_timeoutPs);
}

bool
LinkRetry::IsOpen() const
{
    return m_state == State::ADVANCE ? !m_buffer.IsFull() : m_state == State::INIT && m_bestEffort;
}

bool
LinkRetry::HasFrame() const
{
    return m_wantsInit || m_wantsEcho || m_receiver.GetState() == RetryReceiver::State::SEND_NACK ||
           (m_wantsAck && m_device->GetNowPs() >= m_nextAckPs) || m_buffer.HasReplay();
}

Ptr<FabricPacketItem>
LinkRetry::MakeItem(RetryWord word, uint32_t number)
{
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::LLR);
    item->size = ORDERED_SET_BYTES;
    item->flags = FabricPacketItem::FLAG_NUMBERED | FabricPacketItem::FLAG_ORDERED_SET;
    item->linkNumber = number;
    item->As<RetryFields>() = {word};
    return item;
}

Ptr<FabricPacketItem>
LinkRetry::TakeFrame()
{
    const int64_t nowPs = m_device->GetNowPs();
    if (m_wantsEcho)
    {
        m_wantsEcho = false;
        return MakeItem(RetryWord::INIT_ECHO, m_echoed);
    }
    if (m_wantsInit)
    {
        m_wantsInit = false;
        ++m_counters.inits;
        m_duePs = nowPs + m_timeoutPs;
        Arm(REPLAY_TIMER, m_duePs);
        return MakeItem(RetryWord::INIT, m_firstNumber);
    }
    const bool isNack = m_receiver.GetState() == RetryReceiver::State::SEND_NACK;
    if (isNack || (m_wantsAck && nowPs >= m_nextAckPs))
    {
        m_wantsAck = false;
        m_nextAckPs = nowPs + m_spacingPs;
        ++(isNack ? m_counters.nacks : m_counters.acks);
        if (isNack)
        {
            m_receiver.OnNackSent();
        }
        return MakeItem(isNack ? RetryWord::NACK : RetryWord::ACK, m_receiver.GetLast());
    }
    if (m_buffer.HasReplay())
    {
        const ReplayBuffer::Frame frame = m_buffer.TakeReplay();
        ++m_counters.replays;
        Ptr<FabricPacketItem> item = MakeItem(RetryWord::REPLAY, frame.number);
        item->size = frame.bytes;
        item->flags = FabricPacketItem::FLAG_NUMBERED;
        return item;
    }
    return nullptr;
}

void
LinkRetry::OnTransmit(FabricPacketItem& item)
{
    if (m_state != State::ADVANCE)
    {
        return; // best effort
    }
    if (m_buffer.GetNFrames() == 0)
    {
        m_duePs = m_device->GetNowPs() + m_timeoutPs;
        Arm(REPLAY_TIMER, m_duePs);
    }
    item.linkNumber = m_buffer.Append(item.size);
    item.flags |= FabricPacketItem::FLAG_NUMBERED;
}

Ptr<FabricPacketItem>
LinkRetry::OnArrival(Ptr<FabricPacketItem> item, DropReason loss)
{
    const bool isNumbered = (item->flags & FabricPacketItem::FLAG_NUMBERED) != 0;
    item->flags &= ~FabricPacketItem::FLAG_NUMBERED;
    const auto stateBefore = m_receiver.GetState();
    Ptr<FabricPacketItem> taken;
    if (item->type == FabricPacketType::LLR)
    {
        const RetryWord word = item->As<RetryFields>().word;
        if (word == RetryWord::REPLAY && loss != DropReason::LINK_DOWN)
        {
            taken = m_receiver.OnReplay(item->linkNumber, loss);
        }
        else if (word == RetryWord::INIT)
        {
            Lose(m_receiver.GiveUp()); // the far end has, whether this arrives or not
        }
        if (word != RetryWord::REPLAY && loss == DropReason::NONE)
        {
            OnWord(word, item->linkNumber);
        }
    }
    else if (isNumbered && loss != DropReason::LINK_DOWN)
    {
        taken = m_receiver.OnFrame(std::move(item), loss);
    }
    else if (loss != DropReason::NONE)
    {
        m_device->Lose(*item, loss);
    }
    else
    {
        return item;
    }
    if (m_receiver.TakeNews())
    {
        PlanAck();
    }
    if (m_receiver.GetState() != stateBefore &&
        m_receiver.GetState() == RetryReceiver::State::SEND_NACK)
    {
        m_device->RequestLinkFrame();
    }
    return taken;
}

void
LinkRetry::PlanAck()
{
    m_wantsAck = true;
    if (m_device->GetNowPs() >= m_nextAckPs)
    {
        m_device->RequestLinkFrame();
    }
    else
    {
        Arm(ACK_TIMER, m_nextAckPs);
    }
}

void
LinkRetry::OnWord(RetryWord word, uint32_t number)
{
    switch (word)
    {
    case RetryWord::INIT:
        m_receiver.Begin(number);
        m_wantsAck = false;
        m_wantsEcho = true;
        m_echoed = number;
        m_device->RequestLinkFrame();
        break;
    case RetryWord::INIT_ECHO:
        if (m_state == State::INIT)
        {
            m_state = State::ADVANCE;
            m_wantsInit = false;
            m_duePs = FabricTime::NEVER;
            m_device->RequestLinkFrame();
        }
        break;
    default:
        if (m_state == State::ADVANCE)
        {
            OnProgress(number);
            if (word == RetryWord::NACK)
            {
                Replay();
            }
        }
    }
}

void
LinkRetry::OnProgress(uint32_t number)
{
    const bool wasOpen = IsOpen();
    const std::size_t count = m_buffer.Acknowledge(number);
    if (count == 0)
    {
        return;
    }
    m_counters.ok += count;
    m_tries = 0;
    m_duePs = m_buffer.GetNFrames() > 0 ? m_device->GetNowPs() + m_timeoutPs : FabricTime::NEVER;
    if (!wasOpen)
    {
        m_device->RequestLinkFrame();
    }
}

void
LinkRetry::Replay()
{
    if (m_buffer.GetNFrames() == 0)
    {
        return;
    }
    if (m_replayCountMax != FOR_EVER && m_tries >= m_replayCountMax)
    {
        NS_LOG_INFO(*m_device << ": gives up " << m_buffer.GetNFrames() << " frames");
        Flush();
        m_state = State::INIT;
        m_wantsInit = true;
    }
    else
    {
        NS_LOG_INFO(*m_device << ": sends " << m_buffer.GetNFrames() << " frames again");
        ++m_tries;
        m_buffer.Replay();
        m_duePs = m_device->GetNowPs() + m_timeoutPs;
        Arm(REPLAY_TIMER, m_duePs);
    }
    m_device->RequestLinkFrame();
}

void
LinkRetry::Flush()
{
    m_counters.discards += m_buffer.GetNFrames();
    m_buffer.Begin(m_firstNumber);
    m_tries = 0;
    m_duePs = FabricTime::NEVER;
}

void
LinkRetry::Lose(const std::vector<Ptr<FabricPacketItem>>& items)
{
    for (const Ptr<FabricPacketItem>& item : items)
    {
        m_device->Lose(*item, DropReason::LINK_DOWN);
    }
}

void
LinkRetry::Arm(Timer timer, int64_t timePs)
{
    int64_t& armedPs = m_armedPs[timer];
    if (timePs < armedPs)
    {
        armedPs = timePs;
        m_device->GetActor()->Arm(timePs,
                                  CalendarKind::RETRY,
                                  static_cast<uint32_t>(timer) << 16 | m_device->GetPort());
    }
}

void
LinkRetry::HandleTimer(uint32_t which, int64_t nowPs)
{
    const auto timer = static_cast<Timer>(which);
    if (nowPs != m_armedPs[timer])
    {
        return; // replaced by an earlier entry
    }
    m_armedPs[timer] = FabricTime::NEVER;
    if (timer == ACK_TIMER)
    {
        if (m_wantsAck)
        {
            PlanAck();
        }
        return;
    }
    if (nowPs < m_duePs)
    {
        if (m_duePs != FabricTime::NEVER)
        {
            Arm(timer, m_duePs); // it has been put off
        }
        return;
    }
    if (m_state == State::INIT)
    {
        m_wantsInit = true;
        m_device->RequestLinkFrame();
        return;
    }
    ++m_counters.timeouts;
    Replay();
}

void
LinkRetry::OnLinkDown()
{
    if (m_maxFrameBytes == 0)
    {
        return; // of a network whose installation was refused
    }
    Flush();
    Lose(m_receiver.End());
    m_state = State::OFF;
    m_wantsInit = false;
    m_wantsEcho = false;
    m_wantsAck = false;
}

void
LinkRetry::OnLinkUp()
{
    if (m_maxFrameBytes == 0)
    {
        return;
    }
    m_state = State::INIT;
    m_wantsInit = true;
    m_device->RequestLinkFrame();
}

void
LinkRetry::OnRateChange()
{
    if (m_maxFrameBytes > 0)
    {
        ComputeLimits();
    }
}

} // namespace ns3
