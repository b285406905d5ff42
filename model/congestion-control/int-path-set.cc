// SPDX-License-Identifier: GPL-2.0-only
#include "int-path-set.h"

#include "ns3/fabric-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

void
IntPathSet::Start(const PathInfo& path, TypeId owner)
{
    if (path.paths > PathInfo::MAX_PATH_SET)
    {
        throw FabricError(FabricTerm::Class(owner) +
                          " keeps what it knows of each path and takes at most " +
                          std::to_string(PathInfo::MAX_PATH_SET) + " paths");
    }
    m_format = path.intFormat ? path.intFormat : CreateObject<IntFormat>();
    m_first.Reset();
    m_more.clear();
    m_present = &m_first;
}

IntPathState&
IntPathSet::Find(uint16_t entropy, uint32_t paths)
{
    m_present = &Search(entropy, paths);
    return *m_present;
}

IntPathState&
IntPathSet::Search(uint16_t entropy, uint32_t paths)
{
    if (paths == 1 || m_first.IsEmpty() || m_first.GetEntropy() == entropy)
    {
        return m_first;
    }
    const auto known = std::find_if(m_more.begin(), m_more.end(), [entropy](const auto& path) {
        return path.GetEntropy() == entropy;
    });
    if (known != m_more.end())
    {
        return *known;
    }
    if (m_more.size() + 1 < paths)
    {
        m_more.emplace_back();
        return m_more.back();
    }
    // the set has changed: forget the path that was not used for longest
    const auto oldest =
        std::min_element(m_more.begin(), m_more.end(), [](const auto& a, const auto& b) {
            return a.GetLastPs() < b.GetLastPs();
        });
    IntPathState& path = m_first.GetLastPs() < oldest->GetLastPs() ? m_first : *oldest;
    path.Reset();
    return path;
}

} // namespace ns3
