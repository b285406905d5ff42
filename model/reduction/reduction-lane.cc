// SPDX-License-Identifier: GPL-2.0-only
#include "reduction-lane.h"

#include "ns3/abort.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_DOUBLINGS = 4; //!< of a time-out

} // namespace

ReductionLane::ReductionLane(const Settings& settings, int64_t timeoutPs)
    : m_settings(settings),
      m_timeoutPs(timeoutPs),
      m_packets(settings.window)
{
}

void
ReductionLane::SetCallbacks(std::function<void(uint64_t number)> onDone,
                            std::function<bool(uint32_t tries)> isHopeless)
{
    m_onDone = std::move(onDone);
    m_isHopeless = std::move(isHopeless);
}

uint64_t
ReductionLane::Append(const Segment& segment)
{
    const uint64_t first = m_end;
    m_end += CountPackets(segment.bytes, m_settings.payloadBytes);
    m_segments.push_back({segment, first, m_end});
    return m_end;
}

ReductionFields
ReductionLane::Describe(uint64_t number) const
{
    // packets under way are of the first segments
    const auto open = std::find_if(m_segments.begin(), m_segments.end(), [number](const Open& one) {
        return number < one.end;
    });
    ReductionFields fields{};
    fields.way = ReductionFields::UP;
    fields.operation = open->segment.operation;
    fields.group = m_settings.group;
    fields.root = open->segment.root;
    fields.ranks = m_settings.ranks;
    fields.number = number;
    const uint64_t offset = (number - open->first) * m_settings.payloadBytes;
    const uint64_t left = open->segment.hasPayload ? open->segment.bytes - offset : 0;
    fields.payloadBytes = static_cast<uint16_t>(std::min<uint64_t>(left, m_settings.payloadBytes));
    return fields;
}

ReductionFields
ReductionLane::Take(int64_t nowPs)
{
    uint64_t number = m_next;
    if (m_again.empty())
    {
        ++m_next;
        At(number) = Packet();
    }
    else
    {
        number = m_again.front();
        m_again.pop_front();
        At(number).once = false;
        At(number).waits = false;
        ++m_counts.sentAgain;
    }
    ++m_counts.sent;
    Packet& packet = At(number);
    packet.turn = ++m_turn;
    packet.sentPs = nowPs;
    m_copies.push_back({number, packet.turn});
    return Describe(number);
}

void
ReductionLane::OnResult(const ReductionFields& fields, int64_t nowPs)
{
    const uint64_t number = fields.number;
    if (number < m_base || number >= m_next || At(number).done)
    {
        ++m_counts.duplicates;
        return;
    }
    NS_ABORT_MSG_IF(fields.ranks != m_settings.totalRanks,
                    "tree " << m_settings.group << ": the result of packet " << number << " has "
                            << fields.ranks << " contributions, not " << m_settings.totalRanks);
    ++m_counts.results;
    m_tries = 0;
    m_resultPs = nowPs;
    m_gaveUp = false;
    Packet& packet = At(number);
    packet.done = true;
    if (packet.waits)
    {
        packet.waits = false;
        m_again.erase(std::find(m_again.begin(), m_again.end(), number));
    }
    while (m_base < m_next && At(m_base).done)
    {
        ++m_base;
    }
    if (packet.once)
    {
        m_suspect = packet.turn < m_suspect ? 0 : m_suspect; // it was late
        FindLost(packet.turn, nowPs);
    }
    else if (packet.timedOut)
    {
        m_suspect = packet.turn;
    }
    while (!m_segments.empty() && m_segments.front().end <= m_base)
    {
        const uint64_t end = m_segments.front().end;
        m_segments.pop_front();
        m_onDone(end);
    }
}

void
ReductionLane::FindLost(uint64_t turn, int64_t nowPs)
{
    while (!m_copies.empty())
    {
        const Copy& copy = m_copies.front();
        const bool isOpen = copy.number >= m_base && !At(copy.number).done;
        if (isOpen && At(copy.number).turn == copy.turn)
        {
            // other hosts may have sent the later one again before they did this one
            Packet& packet = At(copy.number);
            if (copy.turn > turn || nowPs - packet.sentPs < m_settings.rttPs / 2)
            {
                return;
            }
            packet.timedOut = false;
            SendAgain(copy.number);
        }
        m_copies.pop_front();
    }
}

void
ReductionLane::SendAgain(uint64_t number)
{
    Packet& packet = At(number);
    if (!packet.waits)
    {
        packet.waits = true;
        m_again.push_back(number);
    }
}

int64_t
ReductionLane::GetDuePs() const
{
    if (m_base == m_next || m_gaveUp || At(m_base).waits)
    {
        return FabricTime::NEVER;
    }
    const Packet& packet = At(m_base);
    if (packet.turn < m_suspect)
    {
        return m_resultPs + 2 * m_settings.rttPs;
    }
    return std::max(packet.sentPs, m_resultPs) + (m_timeoutPs << std::min(m_tries, MAX_DOUBLINGS));
}

void
ReductionLane::SendSuspected()
{
    for (uint64_t number = m_base; number < m_next; ++number)
    {
        Packet& packet = At(number);
        if (!packet.done && packet.turn < m_suspect)
        {
            packet.timedOut = true;
            SendAgain(number);
        }
    }
    m_suspect = 0;
}

void
ReductionLane::OnTime(int64_t nowPs)
{
    if (GetDuePs() > nowPs)
    {
        return;
    }
    if (At(m_base).turn < m_suspect)
    {
        SendSuspected();
        return;
    }
    ++m_tries;
    ++m_counts.timeouts;
    if (m_isHopeless(m_tries))
    {
        m_gaveUp = true;
        return;
    }
    At(m_base).timedOut = true;
    SendAgain(m_base);
}

} // namespace ns3
