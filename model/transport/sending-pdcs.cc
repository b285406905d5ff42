// SPDX-License-Identifier: GPL-2.0-only
#include "sending-pdcs.h"

#include "fabric-nic.h"
#include "queue-pair.h"

#include "ns3/fabric-net-device.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LogComponent SendingPdcs::g_log("SendingPdcs", __FILE__);

SendingPdcs::SendingPdcs(FabricNic& nic)
    : m_nic(nic)
{
}

SendingPdcs::~SendingPdcs() = default;

void
SendingPdcs::Clear()
{
    NS_LOG_FUNCTION(this);
    m_pdcs.clear();
    m_policies.Clear();
    m_random = nullptr;
    m_packetRandom = nullptr;
}

int64_t
SendingPdcs::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    if (m_random)
    {
        m_random->SetStream(stream);
    }
    if (m_packetRandom)
    {
        m_packetRandom->SetStream(stream + 1);
    }
    return 2;
}

Ptr<UniformRandomVariable>
SendingPdcs::Provide(Ptr<UniformRandomVariable>& random, int64_t offset) const
{
    if (!random)
    {
        random = CreateObject<UniformRandomVariable>();
        if (m_stream >= 0)
        {
            random->SetStream(m_stream + offset);
        }
    }
    return random;
}

SendingPdc&
SendingPdcs::Create(uint32_t dst, uint8_t priority, uint32_t queuePair)
{
    NS_LOG_FUNCTION(this << dst << +priority << queuePair);
    auto entropy = static_cast<uint16_t>(Provide(m_random, 0)->GetInteger(0, UINT16_MAX));
    if (QueuePair::IsChannel(queuePair))
    {
        entropy = m_nic.FitToChannel(dst, entropy, QueuePair::GetChannel(queuePair));
    }
    const auto number = static_cast<uint32_t>(m_pdcs.size());
    m_pdcs.push_back(std::make_unique<SendingPdc>(m_nic, number, dst, priority, queuePair));
    ++m_count;
    uint64_t& most = m_nic.Count().maxSendingPdcs;
    most = std::max<uint64_t>(most, m_count);
    if (m_nic.GetMessages().GetMatcher())
    {
        m_to[dst].insert(number);
    }
    SendingPdc& pdc = *m_pdcs.back();
    pdc.port = m_nic.ChoosePort(dst, entropy);

    PdcPolicies::Installed& installed = m_policies.Find(dst, priority);
    const PdcPolicy& policy = installed.policy;
    Ptr<CongestionControl> cc = policy.congestionControl.Create<CongestionControl>();
    for (const auto& factory : policy.modifiers)
    {
        cc->AddModifier(factory.Create<CongestionModifier>());
    }
    PathInfo path = m_nic.DescribePath(dst, pdc.port);
    Ptr<LoadBalancer> lb = policy.loadBalancer.Create<LoadBalancer>();
    path.paths = lb->GetMaxPaths();
    path.gapsTell =
        (path.paths == 1 && !lb->MovesFlows() && !m_nic.switchesMove) || !m_nic.isLossless;
    if (lb->NeedsRandomVariable())
    {
        lb->SetRandomVariable(Provide(m_packetRandom, 1));
    }
    if (const Ptr<Object> shared = m_policies.Share(installed, *lb, m_nic.acksPerRtt))
    {
        lb->Join(shared, PdcPolicies::MakeKey(dst, priority));
    }
    const auto held = m_held.find(dst);
    if (held != m_held.end())
    {
        pdc.GetRanges().SetHeld(held->second.msn, held->second.earlierPs > m_nic.GetNowPs());
    }
    NS_LOG_LOGIC(pdc << ": is made, port " << pdc.port << ", entropy " << entropy);
    pdc.Start(cc, lb, path, entropy);
    return pdc;
}

bool
SendingPdcs::DoShare(uint32_t queuePair) const
{
    return !m_nic.pdcPerMessage || queuePair > 0;
}

SendingPdcs::ShareKey
SendingPdcs::MakeShareKey(uint32_t dst, uint8_t priority, uint32_t queuePair) const
{
    return {dst, m_nic.pdcPerMessage ? queuePair : 0, priority};
}

SendingPdc*
SendingPdcs::FindFor(uint32_t dst, uint8_t priority, uint32_t queuePair)
{
    const ShareKey key = MakeShareKey(dst, priority, queuePair);
    const bool shared = DoShare(queuePair);
    if (shared)
    {
        const auto known = m_shared.find(key);
        if (known != m_shared.end())
        {
            SendingPdc* pdc = m_pdcs[known->second].get();
            m_idle.erase({pdc->idleSincePs, pdc->GetNumber()});
            pdc->idleSincePs = FabricTime::NEVER;
            return pdc;
        }
    }
    if (m_nic.maxSendingPdcs > 0 && m_count >= m_nic.maxSendingPdcs)
    {
        if (m_idle.empty())
        {
            return nullptr;
        }
        ++m_nic.Count().pdcsEvicted;
        Remove(m_idle.begin()->second); // the least recently used
    }
    SendingPdc& pdc = Create(dst, priority, queuePair);
    if (shared)
    {
        m_shared.emplace(key, pdc.GetNumber());
    }
    return &pdc;
}

bool
SendingPdcs::HasRoomFor(uint32_t dst, uint8_t priority, uint32_t queuePair) const
{
    return m_count < m_nic.maxSendingPdcs || !m_idle.empty() ||
           (DoShare(queuePair) && m_shared.count(MakeShareKey(dst, priority, queuePair)) > 0);
}

void
SendingPdcs::Remove(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    SendingPdc& pdc = *m_pdcs[number];
    NS_LOG_LOGIC(pdc << ": is removed");
    m_retired.Add(pdc);
    m_nic.Deactivate(pdc);
    m_idle.erase({pdc.idleSincePs, number});
    const auto others = m_to.find(pdc.GetDestination());
    if (others != m_to.end())
    {
        others->second.erase(number);
        if (others->second.empty())
        {
            m_to.erase(others);
        }
    }
    if (DoShare(pdc.GetQueuePair()))
    {
        m_shared.erase(MakeShareKey(pdc.GetDestination(), pdc.GetPriority(), pdc.GetQueuePair()));
    }
    if (m_nic.pdcClose && pdc.IsEstablished())
    {
        m_nic.GetCloses().Begin(pdc);
    }
    m_pdcs[number].reset();
    --m_count;
}

void
SendingPdcs::RetireIfIdle(uint32_t number)
{
    SendingPdc* pdc = m_pdcs[number].get();
    if (!pdc || !pdc->IsIdle())
    {
        return;
    }
    const int64_t idlePs = FabricTime::ToPs(m_nic.pdcIdleTime);
    if (m_nic.pdcPerMessage)
    {
        Remove(number);
    }
    else if (m_nic.maxSendingPdcs > 0 || idlePs > 0)
    {
        const int64_t nowPs = m_nic.GetNowPs();
        m_idle.erase({pdc->idleSincePs, number});
        pdc->idleSincePs = nowPs;
        m_idle.insert({nowPs, number});
        if (idlePs > 0)
        {
            m_nic.GetMessages().SetTimer(
                {nowPs + idlePs, MessageTimers::Kind::IDLE_SENDER, number, 0});
        }
    }
    m_nic.GetMessages().SendDeferred();
}

void
SendingPdcs::OnIdleTimer(uint32_t number, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << number << nowPs);
    const SendingPdc* pdc = m_pdcs[number].get();
    if (pdc && pdc->idleSincePs == nowPs - FabricTime::ToPs(m_nic.pdcIdleTime))
    {
        Remove(number);
    }
}

void
SendingPdcs::HoldTarget(uint32_t dst, uint32_t msn)
{
    NS_LOG_FUNCTION(this << dst << msn);
    const int64_t nowPs = m_nic.GetNowPs();
    const auto [held, added] = m_held.emplace(dst, Hold{msn, nowPs});
    Hold& hold = held->second;
    if (!added && static_cast<int32_t>(msn - hold.msn) >= 0)
    {
        return; // nothing changes
    }
    hold.msn = msn;
    const int64_t earlierPs = m_nic.GetMessages().GetMatcher()->GetProtocol().GetStopEarlierPs();
    if (added && earlierPs > 0)
    {
        hold.earlierPs = nowPs + earlierPs;
        m_nic.GetMessages().SetTimer({hold.earlierPs, MessageTimers::Kind::RESUME, dst, 0});
    }
    for (const uint32_t number : m_to[dst])
    {
        m_pdcs[number]->GetRanges().SetHeld(msn, hold.earlierPs > nowPs);
    }
}

void
SendingPdcs::ReleaseEarlier(uint32_t dst, int64_t nowPs)
{
    NS_LOG_FUNCTION(this << dst << nowPs);
    const auto held = m_held.find(dst);
    if (held == m_held.end() || held->second.earlierPs > nowPs)
    {
        return; // released, or held anew since
    }
    for (const uint32_t number : m_to[dst])
    {
        m_pdcs[number]->GetRanges().SetHeld(held->second.msn);
        m_nic.Activate(*m_pdcs[number]);
    }
}

void
SendingPdcs::ReleaseTarget(uint32_t dst)
{
    NS_LOG_FUNCTION(this << dst);
    if (m_held.erase(dst) == 0)
    {
        return;
    }
    for (const uint32_t number : m_to[dst])
    {
        m_pdcs[number]->GetRanges().SetHeld({});
        m_nic.Activate(*m_pdcs[number]);
    }
}

void
SendingPdcs::ReleaseTargetFrom(uint32_t dst, uint32_t msn)
{
    NS_LOG_FUNCTION(this << dst << msn);
    const auto held = m_held.find(dst);
    if (held != m_held.end() && held->second.msn == msn)
    {
        ReleaseTarget(dst);
    }
}

std::vector<const SendingPdc*>
SendingPdcs::GetBusy() const
{
    std::vector<const SendingPdc*> busy;
    for (const auto& pdc : m_pdcs)
    {
        if (pdc && !pdc->IsIdle())
        {
            busy.push_back(pdc.get());
        }
    }
    return busy;
}

void
SendingPdcs::Totals::Add(const SendingPdc& pdc)
{
    const Ptr<CongestionControl> cc = pdc.GetCongestionControl();
    reductions += cc->GetReductions();
    ackedBytes += pdc.GetAckedBytes();
    for (const auto& modifier : cc->GetModifiers())
    {
        ModifierCounts& counts = modifiers[modifier->GetInstanceTypeId().GetName()];
        counts.acts += modifier->GetNActs();
        counts.withheld += modifier->GetNWithheld();
        AddCounters(counters, modifier->GetCounters());
    }
}

SendingPdcs::Totals
SendingPdcs::GetTotals() const
{
    Totals totals = m_retired;
    for (const auto& pdc : m_pdcs)
    {
        if (pdc)
        {
            totals.Add(*pdc);
        }
    }
    return totals;
}

int64_t
SendingPdcs::GetLongestWaitPs() const
{
    constexpr int64_t MOST = FabricTime::NEVER / 3;
    int64_t timeoutPs = FabricTime::ToPs(m_nic.ackTimeout);
    for (const auto& pdc : m_pdcs)
    {
        timeoutPs = std::max(timeoutPs, pdc ? pdc->GetAckTimeout().GetPs() : 0);
    }
    const int64_t longest = std::min(timeoutPs, MOST >> AckTimeout::MAX_BACKOFF)
                            << AckTimeout::MAX_BACKOFF;
    const MessageMatcher* matcher = m_nic.GetMessages().GetMatcher();
    return matcher ? std::clamp(matcher->GetProtocol().GetRtsDelayPs(UINT32_MAX), longest, MOST)
                   : longest;
}

} // namespace ns3
