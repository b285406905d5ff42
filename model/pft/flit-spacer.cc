// SPDX-License-Identifier: GPL-2.0-only
#include "flit-spacer.h"

#include "cycle-clock.h"

#include "ns3/integer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlitSpacer);
NS_OBJECT_ENSURE_REGISTERED(FixedIntervalSpacer);
NS_OBJECT_ENSURE_REGISTERED(RandomIntervalSpacer);

TypeId
FlitSpacer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlitSpacer")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddAttribute("M",
                          "m of f(c) = ((c << m) >> n) + k, with c the used credits. The values of "
                          "all three are those of the best setting of [PFT].",
                          UintegerValue(18),
                          MakeUintegerAccessor(&FlitSpacer::m_m),
                          MakeUintegerChecker<uint32_t>(0, 31))
            .AddAttribute("N",
                          "n of f(c).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FlitSpacer::m_n),
                          MakeUintegerChecker<uint32_t>(0, 63))
            .AddAttribute("K",
                          "k of f(c).",
                          IntegerValue(0),
                          MakeIntegerAccessor(&FlitSpacer::m_k),
                          MakeIntegerChecker<int64_t>(-(int64_t{1} << 40), int64_t{1} << 40));
    return tid;
}

void
FlitSpacer::SetFlitCycles(uint64_t cycles)
{
    m_flitCycles = cycles;
    DropPlan();
}

int64_t
FlitSpacer::AssignStreams(int64_t /* stream */)
{
    return 0;
}

void
FlitSpacer::Begin(uint64_t flits)
{
    m_toGo = flits;
    m_sinceGo = 0;
    m_wanted = false;
    DropPlan();
}

void
FlitSpacer::Want()
{
    if (!m_wanted)
    {
        m_wanted = true;
        DropPlan();
    }
}

void
FlitSpacer::NoteGone(uint64_t flits, uint64_t cycles, uint64_t last)
{
    m_toGo -= flits;
    m_sinceGo = flits > 0 ? cycles - last : std::min(m_sinceGo + cycles, LONGEST);
}

void
FlitSpacer::PassEvenly(uint64_t cycles, uint64_t interval)
{
    const uint64_t first = m_sinceGo + 1 >= interval ? 1 : interval - m_sinceGo;
    const uint64_t flits =
        cycles < first ? 0 : std::min(GetNDue(), 1 + (cycles - first) / interval);
    NoteGone(flits, cycles, first + (flits - 1) * interval);
}

void
FlitSpacer::PassFreely(uint64_t cycles)
{
    DropPlan();
    PassEvenly(std::min(cycles, LONGEST), m_flitCycles);
}

void
FlitSpacer::DropPlan()
{
}

TypeId
FixedIntervalSpacer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FixedIntervalSpacer")
                            .SetParent<FlitSpacer>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FixedIntervalSpacer>();
    return tid;
}

uint64_t
FixedIntervalSpacer::GetInterval(uint32_t used) const
{
    return static_cast<uint64_t>(std::max<int64_t>(1, GetF(used)));
}

void
FixedIntervalSpacer::PassSpaced(uint64_t cycles, uint32_t used)
{
    PassEvenly(std::min(cycles, LONGEST), GetInterval(used));
}

uint64_t
FixedIntervalSpacer::GetCyclesToOpen(uint32_t used)
{
    if (m_toGo == 0)
    {
        return 0;
    }
    const uint64_t interval = GetInterval(used);
    const uint64_t first = m_sinceGo + 1 >= interval ? 1 : interval - m_sinceGo;
    return interval > LONGEST / m_toGo ? LONGEST : first + (m_toGo - 1) * interval;
}

TypeId
RandomIntervalSpacer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RandomIntervalSpacer")
                            .SetParent<FlitSpacer>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RandomIntervalSpacer>()
                            .AddAttribute("RandomBits",
                                          "Bits of the random number that f(c) is compared with.",
                                          UintegerValue(32),
                                          MakeUintegerAccessor(&RandomIntervalSpacer::m_bits),
                                          MakeUintegerChecker<uint32_t>(1, 48));
    return tid;
}

RandomIntervalSpacer::RandomIntervalSpacer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
RandomIntervalSpacer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

double
RandomIntervalSpacer::GetShare(uint32_t used) const
{
    const double blocked = std::ldexp(static_cast<double>(GetF(used)), -static_cast<int>(m_bits));
    return 1 - std::clamp(blocked, 0.0, 1.0);
}

uint64_t
RandomIntervalSpacer::DrawFailures(double chance)
{
    const double failures = std::log(m_random->GetValue(0, 1)) / std::log1p(-chance);
    // no time is that long
    return failures < static_cast<double>(LONGEST / 4) ? static_cast<uint64_t>(failures)
                                                       : LONGEST / 4;
}

void
RandomIntervalSpacer::DropPlan()
{
    m_plannedShare = -1;
}

void
RandomIntervalSpacer::Plan(double share)
{
    m_plannedShare = share;
    m_rows.clear();
    m_lastCycle = CycleClock::NEVER;
    uint64_t left = GetNDue();
    // while a flit is on the wire nothing is drawn
    uint64_t at = m_sinceGo + 1 >= m_flitCycles ? 1 : m_flitCycles - m_sinceGo;
    if (share >= 1)
    {
        m_rows.push_back({at, left});
        m_lastCycle = at + (left - 1) * m_flitCycles;
    }
    if (share >= 1 || share <= 0)
    {
        return;
    }
    for (at += DrawFailures(share); at < LONGEST; at += m_flitCycles + DrawFailures(share))
    {
        const uint64_t flits = std::min(left, 1 + DrawFailures(1 - share));
        m_rows.push_back({at, flits});
        at += (flits - 1) * m_flitCycles;
        left -= flits;
        if (left == 0)
        {
            m_lastCycle = at;
            return;
        }
        ++at; // the cycle that ended the row
    }
}

void
RandomIntervalSpacer::PassSpaced(uint64_t cycles, uint32_t used)
{
    if (cycles == 0)
    {
        return;
    }
    uint64_t gone = 0;
    uint64_t last = 0;
    if (GetNDue() > 0)
    {
        if (m_plannedShare != GetShare(used))
        {
            Plan(GetShare(used));
        }
        for (const Row& row : m_rows)
        {
            if (row.first > cycles)
            {
                break;
            }
            const uint64_t flits = std::min(row.flits, 1 + (cycles - row.first) / m_flitCycles);
            gone += flits;
            last = row.first + (flits - 1) * m_flitCycles;
        }
    }
    NoteGone(gone, cycles, last);
    DropPlan();
}

uint64_t
RandomIntervalSpacer::GetCyclesToOpen(uint32_t used)
{
    if (m_toGo == 0)
    {
        return 0;
    }
    if (m_plannedShare != GetShare(used))
    {
        Plan(GetShare(used));
    }
    return m_lastCycle;
}

} // namespace ns3
