// SPDX-License-Identifier: GPL-2.0-only
#include "coordination-gate-modifier.h"

#include "ccm-packet.h"

#include "ns3/attribute-range.h"
#include "ns3/boolean.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CoordinationGateModifier);
DCFABRIC_OBJECT_CLONABLE(CoordinationGateModifier);

TypeId
CoordinationGateModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CoordinationGateModifier")
            .SetParent<GateModifier>()
            .SetGroupName("Dcfabric")
            .AddConstructor<CoordinationGateModifier>()
            .AddAttribute("ClaimTimeout",
                          "A switch's claim that it does not renew ends after this time; above the "
                          "interval in which switches renew theirs.",
                          TimeValue(MicroSeconds(300)),
                          MakeTimeAccessor(&CoordinationGateModifier::m_claimTimeout),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute("MaxClaims",
                          "Most switches whose claims are kept; a further one takes the place of "
                          "the one that claimed least recently.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&CoordinationGateModifier::m_maxClaims),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SourceCanReroute",
                          "The host is an AR point: it moves a flow of its own when a switch asks.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CoordinationGateModifier::m_sourceCanReroute),
                          MakeBooleanChecker())
            .AddAttribute("MoveHold",
                          "Least time between two moves of a flow by its source.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&CoordinationGateModifier::m_moveHold),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

CongestionControlNeeds
CoordinationGateModifier::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.features = {{"ns3::CcmFeature",
                       "switches that say when to reduce, but these",
                       "ClaimTimeout",
                       FabricTime::ToPs(m_claimTimeout)}};
    return needs;
}

void
CoordinationGateModifier::Start(const PathInfo& path)
{
    GateModifier::Start(path);
    m_timeoutPs = FabricTime::ToPs(m_claimTimeout);
    m_holdPs = FabricTime::ToPs(m_moveHold);
    m_nextMovePs = 0;
    m_claims.clear();
}

void
CoordinationGateModifier::Modify(CongestionProposal& proposal)
{
    Expire(proposal.nowPs);
    GateModifier::Modify(proposal);
}

void
CoordinationGateModifier::OnAck(const AckInfo& ack)
{
    Expire(ack.nowPs);
}

void
CoordinationGateModifier::OnBts(const BtsNotice& notice)
{
    Expire(notice.nowPs);
}

NoticeEffect
CoordinationGateModifier::OnNotice(const FabricPacketItem& item, int64_t nowPs)
{
    Expire(nowPs);
    NoticeEffect effect;
    if (item.type != FabricPacketType::CCM)
    {
        return effect;
    }
    const uint8_t kind = item.As<CcmFields>().kind;
    const uint32_t claimant = item.src;
    if (kind == CcmKind::REQUIRED)
    {
        effect.gates = m_claims.empty();
        Enter(claimant, nowPs);
        return effect;
    }
    if (kind == CcmKind::RELEASED)
    {
        const auto claim =
            std::find_if(m_claims.begin(), m_claims.end(), [claimant](const Claim& other) {
                return other.address == claimant;
            });
        if (claim != m_claims.end())
        {
            m_claims.erase(claim);
            effect.gates = m_claims.empty();
            return effect;
        }
    }
    // no other path helps a flow that is to be slowed down ([CCM] section 5)
    effect.reroutes =
        kind == CcmKind::REROUTE && m_sourceCanReroute && !IsOpen() && nowPs >= m_nextMovePs;
    m_ignored += effect.reroutes ? 0 : 1;
    return effect;
}

void
CoordinationGateModifier::Enter(uint32_t address, int64_t nowPs)
{
    auto claim = std::find_if(m_claims.begin(), m_claims.end(), [address](const Claim& other) {
        return other.address == address;
    });
    if (claim == m_claims.end())
    {
        if (m_claims.size() < m_maxClaims)
        {
            m_claims.push_back({address, nowPs});
            return;
        }
        claim = std::min_element(m_claims.begin(),
                                 m_claims.end(),
                                 [](const auto& a, const auto& b) { return a.lastPs < b.lastPs; });
    }
    *claim = {address, nowPs};
}

void
CoordinationGateModifier::Expire(int64_t nowPs)
{
    if (m_claims.empty())
    {
        return;
    }
    const auto rest = std::remove_if(m_claims.begin(), m_claims.end(), [&](const Claim& claim) {
        return nowPs - claim.lastPs >= m_timeoutPs;
    });
    m_expired += static_cast<uint64_t>(m_claims.end() - rest);
    m_claims.erase(rest, m_claims.end());
}

void
CoordinationGateModifier::OnReroute(int64_t nowPs)
{
    ++m_moves;
    m_nextMovePs = nowPs + m_holdPs;
}

void
CoordinationGateModifier::Stamp(FabricPacketItem& item, int64_t nowPs)
{
    Expire(nowPs);
    item.flags |= FabricPacketItem::FLAG_TAG | (IsOpen() ? FabricPacketItem::FLAG_CC : 0);
    item.arPoint = m_sourceCanReroute ? item.src : FabricPacketItem::NO_AR_POINT;
}

CongestionModifier::Counters
CoordinationGateModifier::GetCounters() const
{
    // a move at the host is one more that a type 3 has caused
    return {{"ccm_moves", m_moves},
            {"ccm_moves_upstream", m_moves},
            {"ccm_claims_expired", m_expired},
            {"ccm_ignored", m_ignored}};
}

} // namespace ns3
