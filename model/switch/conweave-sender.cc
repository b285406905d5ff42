// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-sender.h"

#include "ns3/fabric-time.h"

namespace ns3
{

ConweaveTag
ConweaveSender::OnData(int64_t nowPs,
                       const Times& times,
                       uint32_t good,
                       bool isUsable,
                       uint32_t& path)
{
    const bool isExpired = m_lastPs < 0 || m_lastPs + times.expiryPs < nowPs || !isUsable;
    const bool begins = isExpired || m_stable;
    m_stable = false;
    m_lastPs = nowPs;
    ConweaveTag tag;
    if (begins)
    {
        m_timerPs = nowPs + times.replyPs;
        ++m_epoch;
        m_phase = false;
        m_tailNs = 0;
        tag.flag = ConweaveTag::INIT;
    }
    else if (m_timerPs < nowPs)
    {
        m_timerPs = NEVER;
        m_tailNs = static_cast<uint32_t>(nowPs / FabricTime::PS_PER_NS);
        tag.flag = ConweaveTag::TAIL;
    }
    const bool isTail = tag.flag == ConweaveTag::TAIL;
    if (isExpired && good != EdgePath::NONE)
    {
        m_path = good;
    }
    path = m_path;
    tag.epoch = m_epoch;
    tag.phase = m_phase;
    tag.sentNs = static_cast<uint32_t>(nowPs / FabricTime::PS_PER_NS);
    tag.tailNs = m_tailNs;
    if (isTail)
    {
        m_phase = true;
        m_path = good != EdgePath::NONE ? good : m_path;
    }
    return tag;
}

bool
ConweaveSender::OnReply(bool isTail, uint8_t epoch, int64_t nowPs)
{
    if (epoch != m_epoch || isTail != m_phase || m_stable || (!isTail && m_timerPs < nowPs))
    {
        return false;
    }
    m_timerPs = NEVER;
    m_stable = true;
    return true;
}

} // namespace ns3
