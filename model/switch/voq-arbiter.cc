// SPDX-License-Identifier: GPL-2.0-only
#include "voq-arbiter.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(VoqArbiter);
NS_OBJECT_ENSURE_REGISTERED(RoundRobinVoqArbiter);
NS_OBJECT_ENSURE_REGISTERED(LongestQueueVoqArbiter);

TypeId
VoqArbiter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::VoqArbiter").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
RoundRobinVoqArbiter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoundRobinVoqArbiter")
                            .SetParent<VoqArbiter>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RoundRobinVoqArbiter>();
    return tid;
}

std::size_t
RoundRobinVoqArbiter::Select(uint16_t output, const std::vector<VoqCandidate>& candidates)
{
    if (output >= m_next.size())
    {
        m_next.resize(output + 1U, 0);
    }
    const auto behind =
        std::find_if(candidates.begin(), candidates.end(), [&](const VoqCandidate& candidate) {
            return candidate.input >= m_next[output];
        });
    const std::size_t chosen = behind == candidates.end() ? 0 : behind - candidates.begin();
    m_next[output] = static_cast<uint16_t>(candidates[chosen].input + 1);
    return chosen;
}

TypeId
LongestQueueVoqArbiter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LongestQueueVoqArbiter")
                            .SetParent<VoqArbiter>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<LongestQueueVoqArbiter>();
    return tid;
}

std::size_t
LongestQueueVoqArbiter::Select(uint16_t /* output */, const std::vector<VoqCandidate>& candidates)
{
    const auto longest = std::max_element(
        candidates.begin(),
        candidates.end(),
        [](const VoqCandidate& a, const VoqCandidate& b) { return a.bytes < b.bytes; });
    return longest - candidates.begin();
}

} // namespace ns3
