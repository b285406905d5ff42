// SPDX-License-Identifier: GPL-2.0-only
#include "external-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ExternalCongestionControl);
DCFABRIC_OBJECT_CLONABLE(ExternalCongestionControl);

namespace
{

/// What connections of this process ask.
struct DeciderState
{
    ExternalCongestionControl::Decider decide; //!< the function
    uint32_t connections{0};                   //!< started so far
};

/// @return the state; never destroyed, because an interpreter that the function belongs to may be
/// gone when the process ends
DeciderState&
GetState()
{
    static auto* state = new DeciderState;
    return *state;
}

} // namespace

TypeId
ExternalCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ExternalCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ExternalCongestionControl>()
            .AddAttribute("DataInt",
                          "INT on data packets is needed (HpccIntFeature on every switch).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ExternalCongestionControl::m_dataInt),
                          MakeBooleanChecker())
            .AddAttribute(
                "AckInt",
                "INT on ACKs, whose way is that of the data, is needed (FnccIntFeature on "
                "every switch).",
                BooleanValue(false),
                MakeBooleanAccessor(&ExternalCongestionControl::m_ackInt),
                MakeBooleanChecker())
            .AddAttribute("Ecn",
                          "ECN marks are needed.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ExternalCongestionControl::m_ecn),
                          MakeBooleanChecker())
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a receiver; negative: no CNPs.",
                          TimeValue(Time(-1)),
                          MakeTimeAccessor(&ExternalCongestionControl::m_cnpInterval),
                          MakeTimeChecker(NanoSeconds(-1), AttributeRange::GetMaxTime()));
    return tid;
}

void
ExternalCongestionControl::SetDecider(Decider decider)
{
    GetState() = {std::move(decider), 0};
}

bool
ExternalCongestionControl::HasDecider()
{
    return GetState().decide != nullptr;
}

CongestionControlNeeds
ExternalCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    if (m_dataInt)
    {
        needs.features.push_back({"ns3::HpccIntFeature", "INT on data packets, but the switches"});
    }
    if (m_ackInt)
    {
        needs.features.push_back({"ns3::FnccIntFeature", "INT on ACKs, but the switches"});
    }
    needs.dataInt = m_dataInt;
    needs.ackInt = m_ackInt;
    needs.seesMoves = !m_ackInt;
    needs.symmetricPaths = m_ackInt;
    needs.ecn = m_ecn;
    needs.cnpIntervalPs = m_cnpInterval.IsStrictlyNegative() ? -1 : FabricTime::ToPs(m_cnpInterval);
    return needs;
}

void
ExternalCongestionControl::DoStart()
{
    if (!HasDecider())
    {
        throw FabricError(
            FabricTerm::Class("ns3::ExternalCongestionControl"),
            ": there is no function that decides",
            {FabricRemedy::Do("set one with SetDecider()"),
             FabricRemedy::Do(
                 "run a Scenario of the Python package with a congestion control of your own")});
    }
    m_connection = GetState().connections++;
    m_format = GetPath().intFormat ? GetPath().intFormat : CreateObject<IntFormat>();
    m_last.clear();
    m_running.clear();
    ExternalCongestionCall call = MakeCall(ExternalCongestionCall::START, 0);
    Ask(call);
    SetInitial(call.window, call.rate);
    SetTimers(call);
}

void
ExternalCongestionControl::OnAck(const AckInfo& ack)
{
    ExternalCongestionCall call = MakeCall(ExternalCongestionCall::ACK, ack.nowPs);
    call.ack = &ack;
    if (ack.item)
    {
        ReadHops(*ack.item, ack.nowPs, call.hops);
    }
    React(std::move(call), CongestionCause::SIGNAL);
}

void
ExternalCongestionControl::OnCnp(int64_t nowPs)
{
    React(MakeCall(ExternalCongestionCall::CNP, nowPs), CongestionCause::SIGNAL);
}

void
ExternalCongestionControl::OnLoss(int64_t nowPs, uint64_t lostBytes)
{
    ExternalCongestionCall call = MakeCall(ExternalCongestionCall::LOSS, nowPs);
    call.lostBytes = lostBytes;
    React(std::move(call), CongestionCause::LOSS);
}

void
ExternalCongestionControl::OnTimeout(int64_t nowPs)
{
    React(MakeCall(ExternalCongestionCall::TIMEOUT, nowPs), CongestionCause::TIMEOUT);
}

void
ExternalCongestionControl::OnTimer(uint8_t timer, int64_t nowPs)
{
    ExternalCongestionCall call = MakeCall(ExternalCongestionCall::TIMER, nowPs);
    call.timer = timer;
    React(std::move(call), CongestionCause::RECOVERY);
}

void
ExternalCongestionControl::OnModified(int64_t nowPs, ModifierEffect effect)
{
    ExternalCongestionCall call = MakeCall(ExternalCongestionCall::MODIFIED, nowPs);
    call.effect = static_cast<uint32_t>(effect);
    React(std::move(call), CongestionCause::SIGNAL);
}

ExternalCongestionCall
ExternalCongestionControl::MakeCall(ExternalCongestionCall::Kind kind, int64_t nowPs) const
{
    ExternalCongestionCall call;
    call.kind = kind;
    call.connection = m_connection;
    call.nowPs = nowPs;
    call.path = &GetPath();
    call.window = GetDueWindow();
    call.rate = GetDueRate();
    return call;
}

void
ExternalCongestionControl::Ask(ExternalCongestionCall& call) const
{
    GetState().decide(call);
    if (call.window == 0 || !(call.rate > 0) || !std::isfinite(call.rate))
    {
        throw FabricError(FabricTerm::Class("ns3::ExternalCongestionControl"),
                          ": the function that decides answered a window of " +
                              std::to_string(call.window) + " bytes and a rate of " +
                              std::to_string(call.rate) + " bit/s",
                          {FabricRemedy::Do("both must be above zero")});
    }
}

void
ExternalCongestionControl::React(ExternalCongestionCall call, CongestionCause cause)
{
    Ask(call);
    if (call.window != GetDueWindow() || call.rate != GetDueRate())
    {
        Propose(call.nowPs, call.window, call.rate, cause);
    }
    SetTimers(call);
}

void
ExternalCongestionControl::SetTimers(const ExternalCongestionCall& call)
{
    for (uint8_t timer = 0; timer < N_TIMERS; ++timer)
    {
        const int64_t atPs = call.timersPs[timer];
        if (atPs == ExternalCongestionCall::CANCEL)
        {
            GetHost()->CancelTimer(timer);
        }
        else if (atPs != ExternalCongestionCall::KEEP)
        {
            GetHost()->SetTimer(timer, std::max(atPs, call.nowPs));
        }
    }
}

void
ExternalCongestionControl::ReadHops(const FabricPacketItem& item,
                                    int64_t nowPs,
                                    std::vector<IntSample>& hops)
{
    const uint8_t count = std::min(item.intCount, FabricPacketItem::MAX_HOPS);
    std::vector<IntSample> now(count);
    uint64_t fastest = 1;
    for (uint8_t i = 0; i < count; ++i)
    {
        now[i] = item.exactInt ? (*item.exactInt)[i] : m_format->Unpack(item.intRecords[i]);
        fastest = std::max(fastest, now[i].rateBps);
    }
    if (item.flags & FabricPacketItem::FLAG_INT_REVERSED)
    {
        std::reverse(now.begin(), now.end());
    }
    if (m_last.size() != count || m_entropy != item.entropy || m_pathId != item.pathId ||
        m_port != item.ingressPort || nowPs - m_lastPs > m_halfWrapPs)
    {
        m_running = now; // another path, or nobody knows how often the fields have wrapped
    }
    else
    {
        for (uint8_t i = 0; i < count; ++i)
        {
            const int64_t ahead = m_format->TimeDelta(now[i], m_last[i]);
            const int64_t behind = m_format->TimeDelta(m_last[i], now[i]);
            const bool isOlder = behind > 0 && (ahead < 0 || behind < ahead); // was overtaken
            m_running[i].timePs += isOlder ? -behind : ahead;
            m_running[i].txBytes += isOlder ? -m_format->ByteDelta(m_last[i], now[i])
                                            : m_format->ByteDelta(now[i], m_last[i]);
            m_running[i].queueBytes = now[i].queueBytes;
            m_running[i].rateBps = now[i].rateBps;
        }
    }
    m_entropy = item.entropy;
    m_pathId = item.pathId;
    m_port = item.ingressPort;
    m_lastPs = nowPs;
    m_halfWrapPs = m_format->ShortestWrapPs(fastest) / 2; // as IntPathState
    m_last = std::move(now);
    hops = m_running;
}

} // namespace ns3
