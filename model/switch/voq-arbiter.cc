// SPDX-License-Identifier: GPL-2.0-only
#include "voq-arbiter.h"

#include "ns3/uinteger.h"

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

void
VoqTurns::MakeRoom(uint16_t output, uint16_t input)
{
    if (output >= m_outputs.size())
    {
        m_outputs.resize(output + 1U);
    }
    Output& served = m_outputs[output];
    if (input >= served.last.size())
    {
        served.last.resize(input + 1U, 0);
    }
}

std::size_t
VoqTurns::FindLongestAgo(uint16_t output, const std::vector<VoqCandidate>& candidates) const
{
    const auto chosen =
        std::min_element(candidates.begin(),
                         candidates.end(),
                         [&](const VoqCandidate& a, const VoqCandidate& b) {
                             return GetLast(output, a.input) < GetLast(output, b.input);
                         });
    return chosen - candidates.begin();
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
    return m_turns.FindLongestAgo(output, candidates);
}

void
RoundRobinVoqArbiter::OnServed(uint16_t output, uint16_t input)
{
    m_turns.Count(output, input);
}

TypeId
LongestQueueVoqArbiter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LongestQueueVoqArbiter")
            .SetParent<VoqArbiter>()
            .SetGroupName("Dcfabric")
            .AddConstructor<LongestQueueVoqArbiter>()
            .AddAttribute("MaxTurns",
                          "Packets that an output takes from other inputs before one whose "
                          "packets wait goes first.",
                          UintegerValue(32),
                          MakeUintegerAccessor(&LongestQueueVoqArbiter::m_maxTurns),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::size_t
LongestQueueVoqArbiter::Select(uint16_t output, const std::vector<VoqCandidate>& candidates) const
{
    const std::size_t first = m_turns.FindLongestAgo(output, candidates);
    if (m_turns.GetNow(output) - m_turns.GetLast(output, candidates[first].input) >= m_maxTurns)
    {
        return first;
    }
    const auto longest = std::max_element(
        candidates.begin(),
        candidates.end(),
        [](const VoqCandidate& a, const VoqCandidate& b) { return a.bytes < b.bytes; });
    return longest - candidates.begin();
}

void
LongestQueueVoqArbiter::OnServed(uint16_t output, uint16_t input)
{
    m_turns.Count(output, input);
}

} // namespace ns3
