// SPDX-License-Identifier: GPL-2.0-only
// The life of PDCs: what FabricNic creates, looks up, evicts and removes.
#include "fabric-nic.h"

#include "ns3/fabric-net-device.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param dst destination
 * @param priority class
 * @return key of a sending PDC that messages share
 */
uint64_t
MakeSenderKey(uint32_t dst, uint8_t priority)
{
    return (uint64_t{dst} << 8) | priority;
}

} // namespace

void
FabricNic::SetPdcPolicy(const PdcPolicy& policy)
{
    m_policy = MakeInstalled(policy); // PDCs that there are keep what they share
}

void
FabricNic::SetPdcPolicy(const PdcPolicy& policy, uint32_t dst, uint8_t priority)
{
    m_policies[MakeSenderKey(dst, priority)] = MakeInstalled(policy);
}

FabricNic::InstalledPolicy
FabricNic::MakeInstalled(const PdcPolicy& policy)
{
    return {policy, nullptr, policy.loadBalancer.Create<LoadBalancer>()->GetMaxPaths()};
}

uint32_t
FabricNic::GetMaxPaths(uint32_t dst, uint8_t priority) const
{
    return FindPolicy(dst, priority).maxPaths;
}

FabricNic::InstalledPolicy&
FabricNic::FindPolicy(uint32_t dst, uint8_t priority)
{
    return const_cast<InstalledPolicy&>(std::as_const(*this).FindPolicy(dst, priority));
}

const FabricNic::InstalledPolicy&
FabricNic::FindPolicy(uint32_t dst, uint8_t priority) const
{
    if (!m_policies.empty())
    {
        for (const uint64_t key : {MakeSenderKey(dst, priority),
                                   MakeSenderKey(dst, ANY_CLASS),
                                   MakeSenderKey(ANY_DESTINATION, priority),
                                   MakeSenderKey(ANY_DESTINATION, ANY_CLASS)})
        {
            const auto own = m_policies.find(key);
            if (own != m_policies.end())
            {
                return own->second;
            }
        }
    }
    return m_policy;
}

Ptr<UniformRandomVariable>
FabricNic::GetPacketRandom()
{
    if (!m_packetRandom)
    {
        m_packetRandom = CreateObject<UniformRandomVariable>();
        if (m_stream >= 0)
        {
            m_packetRandom->SetStream(m_stream + 1);
        }
    }
    return m_packetRandom;
}

int64_t
FabricNic::GetPairRttPs(uint32_t dst) const
{
    return m_pairRtt   ? m_pairRtt(dst)
           : m_baseRtt ? m_baseRtt(dst)
                       : FabricTime::ToPs(m_baseRttAttribute);
}

PathInfo
FabricNic::DescribePath(uint32_t dst, uint16_t port) const
{
    PathInfo path;
    path.lineRateBps = m_ports[port]->GetRateBps();
    path.baseRttPs = m_baseRtt ? m_baseRtt(dst) : FabricTime::ToPs(m_baseRttAttribute);
    path.pairRttPs = GetPairRttPs(dst);
    path.bdpBytes = static_cast<uint64_t>(static_cast<double>(path.lineRateBps) *
                                          static_cast<double>(path.baseRttPs) / 8e12);
    path.payloadBytes = m_payloadBytes;
    path.packetBytes = m_wire->GetDataBytes(m_payloadBytes, false);
    path.intFormat = m_intFormat;
    path.marksTell = !m_marksAreDraws;
    path.switches = m_switches ? m_switches(dst) : 0;
    return path;
}

SendingPdc&
FabricNic::CreatePdc(uint32_t dst, uint8_t priority)
{
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
        if (m_stream >= 0)
        {
            m_random->SetStream(m_stream);
        }
    }
    const auto entropy = static_cast<uint16_t>(m_random->GetInteger(0, UINT16_MAX));
    const auto number = static_cast<uint32_t>(m_senders.size());
    m_senders.push_back(std::make_unique<SendingPdc>(*this, number, dst, priority));
    ++m_nSenders;
    m_counters.maxSendingPdcs = std::max<uint64_t>(m_counters.maxSendingPdcs, m_nSenders);
    if (m_matcher)
    {
        m_sendersTo[dst].insert(number);
    }
    SendingPdc& pdc = *m_senders.back();
    pdc.port = ChoosePort(dst, entropy);

    InstalledPolicy& installed = FindPolicy(dst, priority);
    const PdcPolicy& policy = installed.policy;
    Ptr<CongestionControl> cc = policy.congestionControl.Create<CongestionControl>();
    for (const auto& factory : policy.modifiers)
    {
        cc->AddModifier(factory.Create<CongestionModifier>());
    }
    PathInfo path = DescribePath(dst, pdc.port);
    Ptr<LoadBalancer> lb = policy.loadBalancer.Create<LoadBalancer>();
    path.paths = lb->GetMaxPaths();
    path.gapsTell = path.paths == 1 || !m_isLossless;
    if (lb->NeedsRandomVariable())
    {
        lb->SetRandomVariable(GetPacketRandom());
    }
    if (!installed.shared)
    {
        installed.shared = lb->MakeShared(m_acksPerRtt);
    }
    if (installed.shared)
    {
        lb->Join(installed.shared, MakeSenderKey(dst, priority));
    }
    const auto held = m_heldTargets.find(dst);
    if (held != m_heldTargets.end())
    {
        pdc.SetHeld(held->second);
    }
    NS_LOG_LOGIC(pdc << ": is made, port " << pdc.port << ", entropy " << entropy);
    pdc.Start(cc, lb, path, entropy);
    return pdc;
}

SendingPdc*
FabricNic::FindPdcFor(uint32_t dst, uint8_t priority)
{
    const uint64_t key = MakeSenderKey(dst, priority);
    if (!m_pdcPerMessage)
    {
        const auto known = m_senderTo.find(key);
        if (known != m_senderTo.end())
        {
            SendingPdc* pdc = m_senders[known->second].get();
            m_idleSenders.erase({pdc->idleSincePs, pdc->GetNumber()});
            pdc->idleSincePs = FabricTime::NEVER;
            return pdc;
        }
    }
    if (m_maxSenders > 0 && m_nSenders >= m_maxSenders)
    {
        if (m_idleSenders.empty())
        {
            return nullptr;
        }
        ++m_counters.pdcsEvicted;
        RemoveSender(m_idleSenders.begin()->second); // the least recently used
    }
    SendingPdc& pdc = CreatePdc(dst, priority);
    if (!m_pdcPerMessage)
    {
        m_senderTo.emplace(key, pdc.GetNumber());
    }
    return &pdc;
}

void
FabricNic::HandOver(const DeferredMessage& message)
{
    SendingPdc* pdc = FindPdcFor(message.dst, message.priority);
    if (!pdc)
    {
        m_deferred.push_back(message);
        return;
    }
    if (message.matched)
    {
        OutgoingMessage numbered = message.message;
        uint32_t& next = numbered.write ? m_nextWriteMsn[message.dst] : m_nextMsn[message.dst];
        numbered.msn = m_matcher->GetProtocol().GetInitialMsn() + next++;
        if (numbered.handle != 0)
        {
            m_operations[numbered.handle] = {
                pdc->GetNumber(),
                OutgoingMessages::MakeKey(numbered.msn, numbered.write)};
        }
        pdc->AddMatched(numbered);
    }
    else
    {
        pdc->AddMessage(message.message.bytes, message.message.tag, message.message.startPs);
    }
    Activate(*pdc);
}

void
FabricNic::RemoveSender(uint32_t number)
{
    SendingPdc& pdc = *m_senders[number];
    NS_LOG_LOGIC(pdc << ": is removed");
    m_retiredReductions += pdc.GetCongestionControl()->GetReductions();
    m_retiredAckedBytes += pdc.GetAckedBytes();
    AddModifierCounts(*pdc.GetCongestionControl(), m_retiredModifierCounts);
    m_schedules[pdc.port].Erase(pdc);
    m_idleSenders.erase({pdc.idleSincePs, number});
    const auto others = m_sendersTo.find(pdc.GetDestination());
    if (others != m_sendersTo.end())
    {
        others->second.erase(number);
        if (others->second.empty())
        {
            m_sendersTo.erase(others);
        }
    }
    if (!m_pdcPerMessage)
    {
        m_senderTo.erase(MakeSenderKey(pdc.GetDestination(), pdc.GetPriority()));
    }
    m_senders[number].reset();
    --m_nSenders;
}

void
FabricNic::RetireIfIdle(uint32_t number)
{
    SendingPdc* pdc = m_senders[number].get();
    if (!pdc || !pdc->IsIdle())
    {
        return;
    }
    if (m_pdcPerMessage)
    {
        RemoveSender(number);
    }
    else if (m_maxSenders > 0 || m_pdcIdlePs > 0)
    {
        const int64_t nowPs = GetNowPs();
        m_idleSenders.erase({pdc->idleSincePs, number});
        pdc->idleSincePs = nowPs;
        m_idleSenders.insert({nowPs, number});
        if (m_pdcIdlePs > 0)
        {
            SetMessageTimer({nowPs + m_pdcIdlePs, MessageTimers::Kind::IDLE_SENDER, number, 0});
        }
    }
    while (!m_deferred.empty() &&
           (m_nSenders < m_maxSenders || !m_idleSenders.empty() ||
            (!m_pdcPerMessage && m_senderTo.count(MakeSenderKey(m_deferred.front().dst,
                                                                m_deferred.front().priority)) > 0)))
    {
        const DeferredMessage message = m_deferred.front();
        m_deferred.pop_front();
        HandOver(message);
    }
}

void
FabricNic::RemoveIdleSender(uint32_t number, int64_t nowPs)
{
    const SendingPdc* pdc = m_senders[number].get();
    if (pdc && pdc->idleSincePs == nowPs - m_pdcIdlePs)
    {
        RemoveSender(number);
    }
}

std::vector<const SendingPdc*>
FabricNic::GetSendingPdcs() const
{
    std::vector<const SendingPdc*> active;
    for (const auto& pdc : m_senders)
    {
        if (pdc && !pdc->IsIdle())
        {
            active.push_back(pdc.get());
        }
    }
    return active;
}

uint64_t
FabricNic::GetNReductions() const
{
    uint64_t sum = m_retiredReductions;
    for (const auto& pdc : m_senders)
    {
        sum += pdc ? pdc->GetCongestionControl()->GetReductions() : 0;
    }
    return sum;
}

uint64_t
FabricNic::GetAckedBytes() const
{
    uint64_t sum = m_retiredAckedBytes;
    for (const auto& pdc : m_senders)
    {
        sum += pdc ? pdc->GetAckedBytes() : 0;
    }
    return sum;
}

int64_t
FabricNic::GetLongestWaitPs() const
{
    constexpr int64_t MOST = FabricTime::NEVER / 3;
    int64_t timeoutPs = m_ackTimeout.fixedPs;
    for (const auto& pdc : m_senders)
    {
        timeoutPs = std::max(timeoutPs, pdc ? pdc->GetTimeoutPs() : 0);
    }
    const int64_t longest = std::min(timeoutPs, MOST >> SendingPdc::MAX_BACKOFF)
                            << SendingPdc::MAX_BACKOFF;
    return m_matcher ? std::clamp(m_matcher->GetProtocol().GetRtsDelayPs(UINT32_MAX), longest, MOST)
                     : longest;
}

void
FabricNic::AddModifierCounts(const CongestionControl& cc,
                             std::map<std::string, ModifierCounts>& sum)
{
    for (const auto& modifier : cc.GetModifiers())
    {
        ModifierCounts& counts = sum[modifier->GetInstanceTypeId().GetName()];
        counts.acts += modifier->GetNActs();
        counts.withheld += modifier->GetNWithheld();
    }
}

std::map<std::string, FabricNic::ModifierCounts>
FabricNic::GetModifierCounts() const
{
    std::map<std::string, ModifierCounts> sum = m_retiredModifierCounts;
    for (const auto& pdc : m_senders)
    {
        if (pdc)
        {
            AddModifierCounts(*pdc->GetCongestionControl(), sum);
        }
    }
    return sum;
}

} // namespace ns3
