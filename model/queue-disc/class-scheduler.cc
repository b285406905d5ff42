// SPDX-License-Identifier: GPL-2.0-only
#include "class-scheduler.h"

#include "ns3/fabric-error.h"
#include "ns3/string.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ClassScheduler);
NS_OBJECT_ENSURE_REGISTERED(StrictPriorityScheduler);
NS_OBJECT_ENSURE_REGISTERED(DeficitRoundRobinScheduler);

namespace
{

/// @return the highest set bit of a mask that is not 0
uint8_t
HighestBit(uint8_t mask)
{
    return static_cast<uint8_t>(31 - __builtin_clz(mask));
}

} // namespace

TypeId
ClassScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ClassScheduler").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
ClassScheduler::OnEmpty(uint8_t /* priority */)
{
}

TypeId
StrictPriorityScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StrictPriorityScheduler")
                            .SetParent<ClassScheduler>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<StrictPriorityScheduler>();
    return tid;
}

uint8_t
StrictPriorityScheduler::Select(uint8_t eligible, const std::array<uint32_t, 8>& /* headBytes */)
{
    return HighestBit(eligible);
}

TypeId
DeficitRoundRobinScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DeficitRoundRobinScheduler")
            .SetParent<ClassScheduler>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DeficitRoundRobinScheduler>()
            .AddAttribute("Quanta",
                          "Bytes per round of the classes 0 to 7, separated by commas; 0 makes a "
                          "class strict.",
                          StringValue("1518,1518,1518,1518,1518,1518,0,0"),
                          MakeStringAccessor(&DeficitRoundRobinScheduler::SetQuanta,
                                             &DeficitRoundRobinScheduler::GetQuanta),
                          MakeStringChecker());
    return tid;
}

void
DeficitRoundRobinScheduler::SetQuanta(std::string quanta)
{
    std::istringstream in(quanta);
    std::array<uint32_t, 8> values{};
    uint8_t strict = 0;
    for (size_t c = 0; c < values.size(); ++c)
    {
        char comma = ',';
        int64_t value = -1;
        if ((c > 0 && (!(in >> comma) || comma != ',')) || !(in >> value) || value < 0 ||
            value > UINT32_MAX / 2)
        {
            throw FabricError(FabricTerm::Attribute("ns3::DeficitRoundRobinScheduler", "Quanta") +
                              ": \"" + quanta +
                              "\" must be eight numbers of bytes separated by commas");
        }
        values[c] = static_cast<uint32_t>(value);
        strict |= value == 0 ? 1U << c : 0;
    }
    if (in >> quanta)
    {
        throw FabricError(FabricTerm::Attribute("ns3::DeficitRoundRobinScheduler", "Quanta") +
                          ": more than eight numbers");
    }
    m_quanta = values;
    m_strict = strict;
    m_deficit = {};
    m_inTurn = false;
}

std::string
DeficitRoundRobinScheduler::GetQuanta() const
{
    std::string list;
    for (const auto quantum : m_quanta)
    {
        list += (list.empty() ? "" : ",") + std::to_string(quantum);
    }
    return list;
}

bool
DeficitRoundRobinScheduler::NeedsHeadBytes() const
{
    return true;
}

uint8_t
DeficitRoundRobinScheduler::Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes)
{
    if (eligible & m_strict)
    {
        return HighestBit(eligible & m_strict);
    }
    for (;;)
    {
        if ((eligible >> m_turn) & 1)
        {
            if (!m_inTurn)
            {
                m_deficit[m_turn] += m_quanta[m_turn];
                m_inTurn = true;
            }
            if (headBytes[m_turn] <= m_deficit[m_turn])
            {
                m_deficit[m_turn] -= headBytes[m_turn];
                return m_turn;
            }
        }
        if (m_inTurn && !((eligible >> m_turn) & 1))
        {
            // paused in its turn: what is left of it is lost, or it would add up to a burst
            m_deficit[m_turn] = 0;
        }
        m_turn = (m_turn + 1) % 8;
        m_inTurn = false;
    }
}

void
DeficitRoundRobinScheduler::OnEmpty(uint8_t priority)
{
    m_deficit[priority] = 0;
    if (priority == m_turn)
    {
        m_inTurn = false;
        m_turn = (m_turn + 1) % 8;
    }
}

} // namespace ns3
