// SPDX-License-Identifier: GPL-2.0-only
#include "hermes-path.h"

namespace ns3
{

void
HermesPath::OnAnswer(int64_t nowPs,
                     int64_t delayPs,
                     uint32_t packets,
                     uint32_t marked,
                     const Limits& limits)
{
    const bool isKnown = IsKnown(nowPs, limits);
    m_delayPs = isKnown ? (m_delayPs + delayPs) / 2 : delayPs;
    m_answerPs = nowPs;
    m_silences = 0;
    m_waitingPs = NEVER;
    if (!isKnown)
    {
        m_share = 0;
        m_windowPs = NEVER;
    }
    if (packets == 0)
    {
        return;
    }
    if (m_windowPs == NEVER)
    {
        m_windowPs = nowPs;
        m_answered = 0;
        m_marked = 0;
    }
    m_answered += packets;
    m_marked += marked;
    if (nowPs - m_windowPs >= limits.windowPs && m_answered >= MIN_SAMPLES)
    {
        m_share = static_cast<double>(m_marked) / m_answered;
        m_windowPs = NEVER;
    }
}

void
HermesPath::OnSend(int64_t nowPs, bool isAgain, const Limits& limits)
{
    if (m_lossPs == NEVER)
    {
        m_lossPs = nowPs;
        m_sent = 0;
        m_again = 0;
    }
    ++m_sent;
    m_again += isAgain ? 1 : 0;
    if (nowPs - m_lossPs < limits.lossWindowPs || m_sent < MIN_PACKETS)
    {
        return;
    }
    m_lossPs = NEVER;
    if (m_again > limits.lossShare * m_sent && GetState(nowPs, limits) != State::CONGESTED)
    {
        m_failedPs = nowPs;
    }
}

void
HermesPath::OnSilence(int64_t nowPs, const Limits& limits)
{
    ++m_silences;
    if (m_silences >= limits.silences)
    {
        m_failedPs = nowPs;
        m_silences = 0;
    }
}

HermesPath::State
HermesPath::GetState(int64_t nowPs, const Limits& limits) const
{
    const bool hasFailed = m_failedPs != NEVER && nowPs - m_failedPs < limits.failedPs;
    const bool isSilent = m_waitingPs != NEVER && nowPs - m_waitingPs > limits.probePs;
    if (hasFailed || isSilent)
    {
        return State::FAILED;
    }
    if (!IsKnown(nowPs, limits))
    {
        return State::GRAY;
    }
    // without a threshold delays decide alone
    const bool marksCount = limits.markShare > 0;
    if (m_delayPs < limits.lowPs && (!marksCount || m_share < limits.markShare))
    {
        return State::GOOD;
    }
    return m_delayPs > limits.highPs && (!marksCount || m_share >= limits.markShare)
               ? State::CONGESTED
               : State::GRAY;
}

} // namespace ns3
