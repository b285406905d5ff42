// SPDX-License-Identifier: GPL-2.0-only
#include "pdc-schedule.h"

#include "sending-pdc.h"

#include <algorithm>

namespace ns3
{

void
PdcSchedule::Insert(SendingPdc& pdc, int64_t nowPs)
{
    if (pdc.GetState() != PdcState::BLOCKED && pdc.GetState() != PdcState::PACED)
    {
        return;
    }
    m_classes |= 1U << pdc.GetPriority();
    const int64_t eligiblePs = pdc.GetEligiblePs();
    if (eligiblePs <= nowPs)
    {
        pdc.queuedPs = FabricTime::NEVER;
        m_ready.push_back(&pdc);
        pdc.SetState(PdcState::READY);
    }
    else if (pdc.GetState() == PdcState::BLOCKED || eligiblePs < pdc.queuedPs)
    {
        // a later time than the queued one is found out when that has come
        pdc.queuedPs = eligiblePs;
        m_paced.push({eligiblePs, pdc.GetNumber(), &pdc});
        ++pdc.heapEntries;
        pdc.SetState(PdcState::PACED);
    }
}

void
PdcSchedule::DropVoid()
{
    while (!m_paced.empty() && m_paced.top().timePs != m_paced.top().pdc->queuedPs)
    {
        --m_paced.top().pdc->heapEntries;
        m_paced.pop();
    }
}

void
PdcSchedule::Promote(int64_t nowPs)
{
    for (DropVoid(); !m_paced.empty() && m_paced.top().timePs <= nowPs; DropVoid())
    {
        SendingPdc& pdc = *m_paced.top().pdc;
        m_paced.pop();
        --pdc.heapEntries;
        pdc.queuedPs = FabricTime::NEVER;
        pdc.Withdraw();
        Insert(pdc, nowPs);
    }
}

void
PdcSchedule::Unpause(uint8_t pausedClasses)
{
    if (pausedClasses == m_pausedClasses)
    {
        return;
    }
    m_pausedClasses = pausedClasses;
    for (SendingPdc* pdc : m_paused)
    {
        m_ready.push_back(pdc);
        pdc->SetState(PdcState::READY);
    }
    m_paused.clear();
}

SendingPdc*
PdcSchedule::Take(int64_t nowPs, uint8_t pausedClasses)
{
    Unpause(pausedClasses);
    Promote(nowPs);
    while (!m_ready.empty())
    {
        SendingPdc* pdc = m_ready.front();
        m_ready.pop_front();
        if ((pausedClasses >> pdc->GetPriority()) & 1)
        {
            m_paused.push_back(pdc);
            pdc->SetState(PdcState::PAUSED);
            continue;
        }
        pdc->Withdraw();
        if (!pdc->CanSend())
        {
            pdc->SetState(PdcState::BLOCKED);
            continue;
        }
        if (pdc->GetEligiblePs() > nowPs)
        {
            Insert(*pdc, nowPs); // its rate fell while it waited
            continue;
        }
        return pdc;
    }
    return nullptr;
}

int64_t
PdcSchedule::GetNextPs(uint8_t pausedClasses)
{
    Unpause(pausedClasses);
    if (!m_ready.empty())
    {
        return 0;
    }
    DropVoid();
    return m_paced.empty() ? FabricTime::NEVER : m_paced.top().timePs;
}

void
PdcSchedule::Erase(SendingPdc& pdc)
{
    if (pdc.GetState() == PdcState::READY)
    {
        m_ready.erase(std::find(m_ready.begin(), m_ready.end(), &pdc));
    }
    if (pdc.GetState() == PdcState::PAUSED)
    {
        m_paused.erase(std::find(m_paused.begin(), m_paused.end(), &pdc));
    }
    pdc.Withdraw();
    pdc.queuedPs = FabricTime::NEVER;
    if (pdc.heapEntries == 0)
    {
        return;
    }
    pdc.heapEntries = 0;
    std::vector<Paced> kept;
    for (; !m_paced.empty(); m_paced.pop())
    {
        if (m_paced.top().pdc != &pdc)
        {
            kept.push_back(m_paced.top());
        }
    }
    m_paced = std::priority_queue<Paced>(std::less<Paced>(), std::move(kept));
}

std::vector<SendingPdc*>
PdcSchedule::TakeAll()
{
    std::vector<SendingPdc*> all(m_ready.begin(), m_ready.end());
    all.insert(all.end(), m_paused.begin(), m_paused.end());
    for (DropVoid(); !m_paced.empty(); DropVoid())
    {
        SendingPdc* pdc = m_paced.top().pdc;
        all.push_back(pdc);
        m_paced.pop();
        --pdc->heapEntries;
        pdc->queuedPs = FabricTime::NEVER;
    }
    m_ready.clear();
    m_paused.clear();
    for (SendingPdc* pdc : all)
    {
        pdc->Withdraw();
    }
    return all;
}

} // namespace ns3
