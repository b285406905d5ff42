// SPDX-License-Identifier: GPL-2.0-only
#include "gate-modifier.h"

#include "congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GateModifier);

TypeId
GateModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::GateModifier")
            .SetParent<CongestionModifier>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Hold",
                          "A reduction that was withheld takes hold when the gate opens within "
                          "this time, and in any case within a round trip.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&GateModifier::m_hold),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

TypeId
GateModifier::AddSignal(TypeId tid, double gain, const std::string& help)
{
    return tid
        .AddAttribute("Signal",
                      "What is averaged; null: ns3::MarkOrDelaySignal where marks tell the "
                      "congestion control of every packet in a long queue, otherwise "
                      "ns3::QueueDelaySignal.",
                      PointerValue(),
                      MakePointerAccessor(&GateModifier::m_signalAttribute),
                      MakePointerChecker<CongestionSignal>())
        .AddAttribute("Gain",
                      help,
                      DoubleValue(gain),
                      MakeDoubleAccessor(&GateModifier::m_gain),
                      MakePositiveDoubleChecker(1))
        .AddAttribute("LeaveOutRerouted",
                      "Do not count packets of a path that the connection has left since.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&GateModifier::m_leaveOutRerouted),
                      MakeBooleanChecker())
        .AddAttribute("NoticePackets",
                      "Packets that met congestion for which a notification of a queue stands; 0: "
                      "it is not read.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&GateModifier::m_noticePackets),
                      MakeDoubleChecker<double>(0, 1e6));
}

void
GateModifier::Start(const PathInfo& path)
{
    CongestionModifier::Start(path);
    m_signal = m_signalAttribute ? m_signalAttribute : MakeDefaultSignal(path);
    m_holdPs = FabricTime::ToPs(m_hold);
    m_held = false;
}

void
GateModifier::Modify(CongestionProposal& proposal)
{
    const bool isRecovery =
        proposal.window >= proposal.oldWindow && proposal.rate >= proposal.oldRate;
    if (isRecovery)
    {
        return;
    }
    if (IsOpen() || !proposal.IsSignalledReduction())
    {
        if (m_held && proposal.late)
        {
            CountLate();
        }
        m_held = false; // it takes hold
        return;
    }
    if (proposal.IsNew())
    {
        m_heldPs = proposal.nowPs; // this one takes its place
    }
    m_held = true;
    // of what the algorithm wants: what modifiers make of that is for them to say again
    m_windowPart =
        proposal.askedWindow < proposal.oldWindow
            ? static_cast<double>(proposal.askedWindow) / static_cast<double>(proposal.oldWindow)
            : 1;
    m_ratePart = proposal.askedRate < proposal.oldRate ? proposal.askedRate / proposal.oldRate : 1;
    Withhold(proposal);
}

bool
GateModifier::Lower(int64_t nowPs, uint64_t& window, double& rate)
{
    if (!m_held || m_holdPs == 0 || nowPs - m_heldPs > m_holdPs)
    {
        m_held = false;
        return false;
    }
    if (m_windowPart < 1 && window != CongestionControl::UNLIMITED)
    {
        window = static_cast<uint64_t>(m_windowPart * static_cast<double>(window));
    }
    rate *= m_ratePart;
    return true;
}

} // namespace ns3
