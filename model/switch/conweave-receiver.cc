// SPDX-License-Identifier: GPL-2.0-only
#include "conweave-receiver.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return time in ps from one to the other of two times in 32 bits of ns, at least 0
int64_t
GetSpanPs(uint32_t fromNs, uint32_t toNs)
{
    const auto ns = static_cast<int32_t>(toNs - fromNs);
    return int64_t{std::max(ns, 0)} * FabricTime::PS_PER_NS;
}

/// @return by how many epochs one is later than another, of 8 bits
int
GetLead(uint8_t epoch, uint8_t other)
{
    return static_cast<int8_t>(static_cast<uint8_t>(epoch - other));
}

} // namespace

bool
ConweaveReceiver::Begins(const ConweaveTag& tag, int64_t nowPs, const Times& times) const
{
    return m_lastPs < 0 || m_lastPs + times.expiryPs < nowPs || GetLead(tag.epoch, m_epoch) > 0;
}

bool
ConweaveReceiver::OnData(const ConweaveTag& tag, int64_t nowPs, const Times& times)
{
    const bool begins = Begins(tag, nowPs, times);
    m_lastPs = nowPs;
    if (begins)
    {
        m_epoch = tag.epoch;
        m_phase = false;
        m_formerPs = -1;
    }
    else if (tag.epoch != m_epoch)
    {
        return false; // of an epoch before
    }
    if (tag.flag == ConweaveTag::TAIL)
    {
        if (m_held.empty())
        {
            m_phase = true;
        }
        else
        {
            m_releasePs = nowPs + FabricTime::PS_PER_NS; // behind it
        }
        return false;
    }
    if (!tag.phase)
    {
        m_formerPs = nowPs;
        m_formerNs = tag.sentNs;
        if (!m_held.empty())
        {
            m_releasePs = nowPs + GetSpanPs(tag.sentNs, m_tailNs) + times.extraPs;
        }
        return false;
    }
    if (m_phase)
    {
        return false;
    }
    if (m_held.empty())
    {
        m_tailNs = tag.tailNs;
        m_releasePs = m_formerPs >= 0 ? m_formerPs + GetSpanPs(m_formerNs, m_tailNs) + times.extraPs
                                      : nowPs + times.waitPs + times.extraPs;
        m_releasePs = std::max(m_releasePs, nowPs + FabricTime::PS_PER_NS);
    }
    return true;
}

std::vector<Ptr<FabricPacketItem>>
ConweaveReceiver::Release()
{
    m_phase = true;
    m_releasePs = NEVER;
    return std::exchange(m_held, {});
}

} // namespace ns3
