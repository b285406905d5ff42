// SPDX-License-Identifier: GPL-2.0-only
#include "ratio-cut-modifier.h"

#include "congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RatioCutModifier);
DCFABRIC_OBJECT_CLONABLE(RatioCutModifier);

TypeId
RatioCutModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RatioCutModifier")
            .SetParent<CongestionModifier>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RatioCutModifier>()
            .AddAttribute("Ratio",
                          "By how much cuts are scaled; null: window over Wmax, or rate over line "
                          "rate where there is no window.",
                          PointerValue(),
                          MakePointerAccessor(&RatioCutModifier::m_ratio),
                          MakePointerChecker<CutRatio>())
            .AddAttribute("Least",
                          "Cuts are scaled by no less than this signal, such as "
                          "ns3::QueueDelaySignal; null: by the ratio, however long a queue is.",
                          PointerValue(),
                          MakePointerAccessor(&RatioCutModifier::m_least),
                          MakePointerChecker<CongestionSignal>())
            .AddAttribute("MaxWindow",
                          "Wmax in bytes; 0: the BDP.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RatioCutModifier::m_maxWindowAttribute),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES));
    return tid;
}

void
RatioCutModifier::Start(const PathInfo& path)
{
    CongestionModifier::Start(path);
    m_maxWindow = m_maxWindowAttribute > 0 ? m_maxWindowAttribute : path.bdpBytes;
    if (m_maxWindow == 0 || path.lineRateBps == 0)
    {
        throw FabricError(FabricTerm::Class("ns3::RatioCutModifier"),
                          ": the path has no line rate or no base RTT, so that there is no BDP",
                          {FabricRemedy::Do("set MaxWindow")});
    }
}

void
RatioCutModifier::OnAck(const AckInfo& ack)
{
    if (m_least && ack.coveredPackets > 0)
    {
        m_signal = m_least->Get(ack, GetPath());
    }
}

void
RatioCutModifier::Modify(CongestionProposal& proposal)
{
    if (!proposal.IsSignalledReduction())
    {
        return;
    }
    const bool hasWindow = proposal.oldWindow != CongestionControl::UNLIMITED;
    const double ratio = m_ratio     ? m_ratio->Get(proposal, GetPath(), m_maxWindow)
                         : hasWindow ? WindowCutRatio::Of(proposal, m_maxWindow)
                                     : RateCutRatio::Of(proposal, GetPath());
    const double s = std::clamp(std::max(ratio, m_signal), 0.0, 1.0);
    const uint64_t wholeWindow = proposal.window;
    const double wholeRate = proposal.rate;
    if (hasWindow && proposal.window < proposal.oldWindow)
    {
        const auto cut = static_cast<double>(proposal.oldWindow - proposal.window);
        proposal.window = proposal.oldWindow - static_cast<uint64_t>(s * cut);
    }
    if (proposal.rate < proposal.oldRate)
    {
        proposal.rate = proposal.oldRate - s * (proposal.oldRate - proposal.rate);
    }
    if (proposal.window != wholeWindow || proposal.rate != wholeRate)
    {
        CountAct();
    }
}

} // namespace ns3
