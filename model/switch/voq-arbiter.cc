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

void
VoqArbiter::OnServed(uint16_t /* output */, uint16_t /* input */)
{
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
RoundRobinVoqArbiter::Select(uint16_t output, const std::vector<VoqCandidate>& candidates) const
{
    const auto chosen =
        std::min_element(candidates.begin(),
                         candidates.end(),
                         [&](const VoqCandidate& a, const VoqCandidate& b) {
                             return GetTurn(output, a.input) < GetTurn(output, b.input);
                         });
    return chosen - candidates.begin();
}

uint64_t
RoundRobinVoqArbiter::GetTurn(uint16_t output, uint16_t input) const
{
    return output < m_served.size() && input < m_served[output].size() ? m_served[output][input]
                                                                       : 0;
}

void
RoundRobinVoqArbiter::OnServed(uint16_t output, uint16_t input)
{
    if (output >= m_served.size())
    {
        m_served.resize(output + 1U);
    }
    if (input >= m_served[output].size())
    {
        m_served[output].resize(input + 1U, 0);
    }
    m_served[output][input] = ++m_turns;
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
LongestQueueVoqArbiter::Select(uint16_t /* output */,
                               const std::vector<VoqCandidate>& candidates) const
{
    const auto longest = std::max_element(
        candidates.begin(),
        candidates.end(),
        [](const VoqCandidate& a, const VoqCandidate& b) { return a.bytes < b.bytes; });
    return longest - candidates.begin();
}

} // namespace ns3
