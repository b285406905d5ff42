// SPDX-License-Identifier: GPL-2.0-only
#include "late-receives.h"

#include "rank-world.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3
{

LateReceives::LateReceives(Ptr<Fabric> fabric)
    : m_fabric(fabric)
{
}

void
LateReceives::OnPosted(uint32_t host, int64_t startPs)
{
    // While this message was on its way others were, too: those that have become known since it
    // began, and those that will be, which count this one then.
    std::deque<int64_t>& postedPs = m_postedPs[host];
    while (!postedPs.empty() && postedPs.front() <= startPs)
    {
        postedPs.pop_front();
    }
    postedPs.push_back(FabricTime::ToPs(Simulator::Now()));
    CheckRoom(host, postedPs.size());
}

void
LateReceives::CheckRoom(uint32_t host, std::size_t late) const
{
    const MessageMatcher::TableState table =
        m_fabric->GetNic(host)->GetMessages().GetMatcher()->GetTableState();
    if (table.maxEntries + late >= table.capacity)
    {
        throw FabricError(
            "the match table of host " + std::to_string(host) + " (" +
            std::to_string(table.capacity) + " entries) is " +
            (late > 0 ? "all but full" : "full") +
            ", and what waits for room there depends on the number of processes (there are " +
            RankWorld::CountInWords() + "); raise " +
            FabricTerm::Attribute(table.type, "Capacity") + ", or " + RankWorld::GetRemedy());
    }
}

} // namespace ns3
