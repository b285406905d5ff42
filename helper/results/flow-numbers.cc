// SPDX-License-Identifier: GPL-2.0-only
#include "flow-numbers.h"

#include "ns3/plain-bytes.h"
#include "ns3/rank-world.h"

#include <algorithm>
#include <string>

namespace ns3
{

FlowNumbers::FlowNumbers(const FlowRecorder& recorder)
    : m_recorder(recorder),
      m_nGiven(static_cast<uint32_t>(recorder.GetFlows().size())),
      m_next(m_nGiven)
{
}

void
FlowNumbers::Update()
{
    if (RankWorld::GetSize() == 1 || !m_recorder.GetStarter().GetSource())
    {
        return; // all flows are known here in their order
    }
    const std::vector<FabricFlow>& flows = m_recorder.GetFlows();
    const std::size_t known = m_nGiven + m_numbers.size();
    std::vector<FlowOrder> own;
    for (std::size_t i = known; i < flows.size(); ++i)
    {
        if (m_recorder.GetFabric()->IsHere(flows[i].src))
        {
            own.push_back(m_recorder.GetTable().GetOrder(static_cast<uint32_t>(i)));
        }
    }
    std::string bytes;
    WritePlainAll(bytes, own);
    std::vector<FlowOrder> all;
    for (const std::string& orders : RankWorld::GatherAll(bytes))
    {
        std::size_t at = 0;
        const std::vector<FlowOrder> part = TakePlainAll<FlowOrder>(orders, at);
        all.insert(all.end(), part.begin(), part.end());
    }
    std::sort(all.begin(), all.end()); // what was made earlier has its numbers
    m_numbers.resize(flows.size() - m_nGiven);
    for (std::size_t i = known; i < flows.size(); ++i)
    {
        if (m_recorder.GetFabric()->IsHere(flows[i].src))
        {
            const FlowOrder order = m_recorder.GetTable().GetOrder(static_cast<uint32_t>(i));
            const auto place = std::lower_bound(all.begin(), all.end(), order) - all.begin();
            m_numbers[i - m_nGiven] = m_next + static_cast<uint32_t>(place);
        }
    }
    m_next += static_cast<uint32_t>(all.size());
}

uint32_t
FlowNumbers::Get(uint32_t index) const
{
    return index < m_nGiven || m_numbers.empty() ? index : m_numbers.at(index - m_nGiven);
}

} // namespace ns3
