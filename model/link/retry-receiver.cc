// SPDX-License-Identifier: GPL-2.0-only
#include "retry-receiver.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
RetryReceiver::Begin(uint32_t number)
{
    m_state = State::ACKS;
    m_expected = number;
    m_hasNews = false;
}

std::vector<Ptr<FabricPacketItem>>
RetryReceiver::End()
{
    m_state = State::OFF;
    m_hasNews = false;
    return GiveUp();
}

std::vector<Ptr<FabricPacketItem>>
RetryReceiver::GiveUp()
{
    std::vector<Ptr<FabricPacketItem>> kept(m_kept.begin(), m_kept.end());
    m_kept.clear();
    return kept;
}

bool
RetryReceiver::Take(uint32_t number, DropReason loss)
{
    if (m_state == State::OFF || loss == DropReason::WIRE_ERROR)
    {
        return false; // nothing has come
    }
    const bool isDamaged = loss != DropReason::NONE;
    const int32_t ahead = LinkNumber::Distance(number, m_expected);
    if (isDamaged || ahead > 0)
    {
        ++(isDamaged ? m_counters.damaged : m_counters.missing);
        if (m_state == State::ACKS)
        {
            m_state = State::SEND_NACK;
        }
        return false;
    }
    m_hasNews = true; // of a duplicate, too: what told of the first has not arrived
    if (ahead < 0)
    {
        ++m_counters.duplicates;
        return false;
    }
    ++m_counters.ok;
    m_state = State::ACKS;
    m_expected = LinkNumber::Add(m_expected, 1);
    return true;
}

Ptr<FabricPacketItem>
RetryReceiver::OnFrame(Ptr<FabricPacketItem> item, DropReason loss)
{
    if (Take(item->linkNumber, loss))
    {
        NS_ASSERT_MSG(m_kept.empty(), "what was sent before has arrived or is kept");
        return item;
    }
    m_kept.push_back(std::move(item));
    return nullptr;
}

Ptr<FabricPacketItem>
RetryReceiver::OnReplay(uint32_t number, DropReason loss)
{
    if (!Take(number, loss))
    {
        return nullptr;
    }
    NS_ASSERT_MSG(!m_kept.empty() && m_kept.front()->linkNumber == number,
                  "what is sent again was sent before");
    Ptr<FabricPacketItem> item = std::move(m_kept.front());
    m_kept.pop_front();
    return item;
}

uint64_t
RetryReceiver::GetNPackets() const
{
    return static_cast<uint64_t>(
        std::count_if(m_kept.begin(), m_kept.end(), [](const Ptr<FabricPacketItem>& item) {
            return !item->IsLinkFrame();
        }));
}

} // namespace ns3
