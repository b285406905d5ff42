// SPDX-License-Identifier: GPL-2.0-only
#include "voq-arbiter.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

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
    // twice as much each time: all ports come, one by one
    const uint32_t nOutputs =
        output < m_nOutputs ? m_nOutputs : std::max(2 * m_nOutputs, output + 1U);
    const uint32_t nInputs = input < m_nInputs ? m_nInputs : std::max(2 * m_nInputs, input + 1U);
    std::vector<uint64_t> turns(std::size_t{nOutputs} * (nInputs + 1), 0);
    for (uint32_t old = 0; old < m_nOutputs; ++old)
    {
        std::copy_n(m_turns.begin() + std::ptrdiff_t{old} * (m_nInputs + 1),
                    m_nInputs + 1,
                    turns.begin() + std::ptrdiff_t{old} * (nInputs + 1));
    }
    m_turns = std::move(turns);
    m_nOutputs = nOutputs;
    m_nInputs = nInputs;
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
