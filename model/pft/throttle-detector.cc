// SPDX-License-Identifier: GPL-2.0-only
#include "throttle-detector.h"

#include "cycle-clock.h"

#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ThrottleDetector);
NS_OBJECT_ENSURE_REGISTERED(FixedThresholdDetector);
NS_OBJECT_ENSURE_REGISTERED(AverageThresholdDetector);

TypeId
ThrottleDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ThrottleDetector")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Enter",
                          "te: more used credits than this speak for congestion (units of credit). "
                          "The value is that of the best setting of [PFT].",
                          UintegerValue(0x250),
                          MakeUintegerAccessor(&ThrottleDetector::m_enter),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Leave",
                          "ts: fewer used credits than this speak against congestion, as above.",
                          UintegerValue(0x2a0),
                          MakeUintegerAccessor(&ThrottleDetector::m_leave),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

void
ThrottleDetector::Check(uint32_t peerUnits) const
{
    for (const auto& [name, value] :
         {std::pair<const char*, uint32_t>{"Enter", m_enter}, {"Leave", m_leave}})
    {
        if (value >= peerUnits)
        {
            throw FabricError(
                FabricTerm::Attribute("ns3::ThrottleDetector", name),
                " of " + std::to_string(value) +
                    " units is never passed, because the buffer of the peer has " +
                    std::to_string(peerUnits) + " units (" +
                    FabricTerm::Attribute("ns3::CreditFlowControl", "BufferBytes") + ")",
                {FabricRemedy::Do("lower the threshold"), FabricRemedy::Use("a larger buffer")});
        }
    }
}

TypeId
FixedThresholdDetector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FixedThresholdDetector")
                            .SetParent<ThrottleDetector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FixedThresholdDetector>();
    return tid;
}

void
FixedThresholdDetector::Check(uint32_t peerUnits) const
{
    ThrottleDetector::Check(peerUnits);
    if (m_enter < m_leave)
    {
        throw FabricError(FabricTerm::Class("ns3::FixedThresholdDetector"),
                          " enters congestion above Enter of " + std::to_string(m_enter) +
                              " and leaves it below Leave of " + std::to_string(m_leave) +
                              ", at once in between",
                          {FabricRemedy::Do("raise Enter, lower Leave"),
                           FabricRemedy::Use(FabricTerm::Class("ns3::AverageThresholdDetector"))});
    }
}

uint64_t
FixedThresholdDetector::GetCyclesToChange(uint32_t used) const
{
    return SpeaksForChange(used) ? 1 : CycleClock::NEVER;
}

void
FixedThresholdDetector::AdvanceCycles(uint64_t cycles, uint32_t used)
{
    if (cycles > 0 && SpeaksForChange(used))
    {
        Change(); // once: what is above te is not below ts
    }
    m_congestedCycles += m_congested ? cycles : 0;
}

TypeId
AverageThresholdDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AverageThresholdDetector")
            .SetParent<ThrottleDetector>()
            .SetGroupName("Dcfabric")
            .AddConstructor<AverageThresholdDetector>()
            .AddAttribute("EnterPeriod",
                          "Te: period in which cycles above Enter are counted, in cycles. [PFT] "
                          "gives no value for this one and the three below.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&AverageThresholdDetector::m_enterPeriod),
                          MakeUintegerChecker<uint64_t>(2, uint64_t{1} << 40))
            .AddAttribute("EnterCycles",
                          "Te': cycles above Enter after which the port is congested, fewer than "
                          "EnterPeriod.",
                          UintegerValue(512),
                          MakeUintegerAccessor(&AverageThresholdDetector::m_enterCycles),
                          MakeUintegerChecker<uint64_t>(1, uint64_t{1} << 40))
            .AddAttribute("LeavePeriod",
                          "Ts: period in which cycles below Leave are counted, in cycles.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&AverageThresholdDetector::m_leavePeriod),
                          MakeUintegerChecker<uint64_t>(2, uint64_t{1} << 40))
            .AddAttribute("LeaveCycles",
                          "Ts': cycles below Leave after which the port is normal again, fewer "
                          "than LeavePeriod.",
                          UintegerValue(512),
                          MakeUintegerAccessor(&AverageThresholdDetector::m_leaveCycles),
                          MakeUintegerChecker<uint64_t>(1, uint64_t{1} << 40));
    return tid;
}

void
AverageThresholdDetector::Check(uint32_t peerUnits) const
{
    ThrottleDetector::Check(peerUnits);

    const struct
    {
        const char* name;
        uint64_t cycles;
        uint64_t period;
    } counts[] = {{"Enter", m_enterCycles, m_enterPeriod}, {"Leave", m_leaveCycles, m_leavePeriod}};

    for (const auto& [name, cycles, period] : counts)
    {
        if (cycles >= period)
        {
            const std::string begin = "ns3::AverageThresholdDetector::" + std::string(name);
            throw FabricError(begin + "Cycles of " + std::to_string(cycles) +
                              " is not below the period that they are counted in, " + begin +
                              "Period of " + std::to_string(period) +
                              " cycles; use fewer, or a longer period");
        }
    }
}

void
AverageThresholdDetector::Count(uint64_t cycles, bool speaks)
{
    const uint64_t left = GetPeriod() - m_position;
    if (cycles < left)
    {
        m_position += cycles;
        m_count += speaks ? cycles : 0;
    }
    else
    {
        m_position = (cycles - left) % GetPeriod();
        m_count = speaks ? m_position : 0;
    }
    m_congestedCycles += m_congested ? cycles : 0;
}

uint64_t
AverageThresholdDetector::GetCyclesToChange(uint32_t used) const
{
    if (!SpeaksForChange(used))
    {
        return CycleClock::NEVER;
    }
    const uint64_t missing = GetEnough() - m_count;
    const uint64_t left = GetPeriod() - m_position;
    return missing <= left ? missing : left + GetEnough();
}

void
AverageThresholdDetector::AdvanceCycles(uint64_t cycles, uint32_t used)
{
    for (;;)
    {
        const uint64_t change = GetCyclesToChange(used);
        if (cycles < change)
        {
            Count(cycles, change != CycleClock::NEVER);
            return;
        }
        m_congestedCycles += m_congested ? change - 1 : 0;
        cycles -= change;
        Change();
        m_congestedCycles += m_congested ? 1 : 0;
        m_position = 0;
        m_count = 0;
        if (SpeaksForChange(used))
        {
            // to and fro: whole rounds come back to where they began
            const uint64_t rounds = cycles / (m_enterCycles + m_leaveCycles);
            m_entries += rounds;
            m_congestedCycles += rounds * m_leaveCycles;
            cycles -= rounds * (m_enterCycles + m_leaveCycles);
        }
    }
}

} // namespace ns3
