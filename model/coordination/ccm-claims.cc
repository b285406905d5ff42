// SPDX-License-Identifier: GPL-2.0-only
#include "ccm-claims.h"

#include <algorithm>

namespace ns3
{

bool
CcmClaims::Claim(const CcmFlow& flow, uint16_t reason, int64_t nowPs)
{
    const auto found = m_claims.find(flow.GetNumber());
    if (found != m_claims.end())
    {
        Entry& claim = found->second;
        claim.flow = flow;
        claim.reason = reason;
        claim.seenPs = nowPs;
        claim.overPs = FabricTime::NEVER;
        return false;
    }
    if (m_claims.size() >= m_limits.room)
    {
        return false;
    }
    Entry& claim = m_claims[flow.GetNumber()];
    claim.flow = flow;
    claim.reason = reason;
    claim.seenPs = nowPs;
    claim.toldPs = nowPs;
    return true;
}

const uint16_t*
CcmClaims::See(uint64_t flow, int64_t nowPs)
{
    if (m_claims.empty())
    {
        return nullptr;
    }
    const auto found = m_claims.find(flow);
    if (found == m_claims.end())
    {
        return nullptr;
    }
    found->second.seenPs = nowPs;
    return &found->second.reason;
}

bool
CcmClaims::SetOver(Entry& claim, bool over, int64_t nowPs)
{
    const bool isNew = over != (claim.overPs != FabricTime::NEVER);
    if (isNew)
    {
        claim.overPs = over ? nowPs : FabricTime::NEVER;
    }
    return isNew;
}

bool
CcmClaims::SetOver(uint64_t flow, bool over, int64_t nowPs)
{
    const auto found = m_claims.find(flow);
    return found != m_claims.end() && SetOver(found->second, over, nowPs);
}

void
CcmClaims::SetOutputOver(uint16_t output, bool over, int64_t nowPs)
{
    for (auto& [flow, claim] : m_claims)
    {
        if (claim.reason == output)
        {
            SetOver(claim, over, nowPs);
        }
    }
}

int64_t
CcmClaims::GetDuePs(const Entry& claim) const
{
    const int64_t nextPs = claim.overPs == FabricTime::NEVER ? claim.toldPs + m_limits.refreshPs
                                                             : claim.overPs + m_limits.releasePs;
    return std::min(nextPs, claim.seenPs + m_limits.timeoutPs);
}

std::vector<CcmClaims::Message>
CcmClaims::Review(int64_t nowPs)
{
    std::vector<Message> messages;
    for (auto next = m_claims.begin(); next != m_claims.end();)
    {
        const auto claim = next++;
        Entry& entry = claim->second;
        if (GetDuePs(entry) > nowPs)
        {
            continue;
        }
        const bool lasts =
            entry.overPs == FabricTime::NEVER && nowPs - entry.seenPs < m_limits.timeoutPs;
        messages.push_back({lasts ? CcmKind::REQUIRED : CcmKind::RELEASED, entry.flow});
        if (lasts)
        {
            entry.toldPs = nowPs;
            continue;
        }
        m_claims.erase(claim);
    }
    return messages;
}

int64_t
CcmClaims::GetNextPs() const
{
    int64_t nextPs = FabricTime::NEVER;
    for (const auto& [flow, claim] : m_claims)
    {
        nextPs = std::min(nextPs, GetDuePs(claim));
    }
    return nextPs;
}

} // namespace ns3
