// SPDX-License-Identifier: GPL-2.0-only
#include "link-walk.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Call a function for each port of a set.
template <typename Function>
void
ForEachPort(const uint64_t* ports, std::size_t words, Function function)
{
    for (std::size_t word = 0; word < words; ++word)
    {
        for (uint64_t rest = ports[word]; rest != 0; rest &= rest - 1)
        {
            function(static_cast<uint32_t>(word * 64) +
                     static_cast<uint32_t>(__builtin_ctzll(rest)));
        }
    }
}

} // namespace

LinkWalk::LinkWalk(const Fabric& fabric, const RoutingBuilder& routing)
    : RouteWalk(fabric, routing),
      m_words((m_maxDegree + 63) / 64),
      m_rows(m_firstInput.back() * m_words, 0),
      m_inputs(m_graph.GetNNodes() * m_words, 0),
      m_outputs(m_inputs.size(), 0),
      m_isMet(m_graph.GetNNodes(), false),
      m_lastPorts(m_graph.GetNNodes(), nullptr)
{
    if (!DoTreesFollowTiers())
    {
        WalkAll();
    }
}

void
LinkWalk::FindOutputs(uint32_t node, uint32_t address, uint32_t tree)
{
    const PortGroup group = FindPorts(node, address, tree);
    if (group.nPorts > 1 && m_lastPorts[node] == group.ports)
    {
        return; // tables keep equal groups once
    }
    m_lastPorts[node] = group.nPorts > 1 ? group.ports : nullptr;
    uint64_t* const outputs = Outputs(node);
    std::fill_n(outputs, m_words, 0);
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t port = group.ports[i];
        if (IsToSwitch(node, port))
        {
            outputs[port / 64] |= uint64_t{1} << (port % 64);
        }
    }
}

void
LinkWalk::DoWalk(uint32_t destinationClass, uint32_t address, uint32_t tree)
{
    const auto meet = [this](uint32_t node) {
        if (!m_isMet[node])
        {
            m_isMet[node] = true;
            std::fill_n(Inputs(node), m_words, 0);
            m_met.push_back(node);
        }
    };
    m_met.clear();
    for (const uint32_t source : ListSources(destinationClass))
    {
        meet(source);
    }
    for (std::size_t i = 0; i < m_met.size(); ++i)
    {
        const uint32_t node = m_met[i];
        FindOutputs(node, address, tree);
        const FabricGraph::Port* ports = m_graph.GetPorts(node);
        ForEachPort(Outputs(node), m_words, [&](uint32_t port) {
            const uint32_t peer = ports[port].peer;
            const uint32_t far = GetFarInput(node, port) - m_firstInput[peer];
            meet(peer);
            Inputs(peer)[far / 64] |= uint64_t{1} << (far % 64);
        });
    }
    for (const uint32_t node : m_met)
    {
        m_isMet[node] = false;
        ForEachPort(Inputs(node), m_words, [&](uint32_t port) {
            uint64_t* row = m_rows.data() + (m_firstInput[node] + port) * m_words;
            for (std::size_t word = 0; word < m_words; ++word)
            {
                row[word] |= Outputs(node)[word];
            }
        });
    }
    if (m_queues)
    {
        NoteQueues();
    }
}

void
LinkWalk::NoteQueues()
{
    for (const uint32_t node : m_met)
    {
        ForEachPort(Outputs(node), m_words, [&](uint32_t output) {
            const uint32_t peer = m_graph.GetPort(node, output).peer;
            const uint32_t far = GetFarInput(node, output);
            ForEachPort(Inputs(node), m_words, [&](uint32_t input) {
                auto& successors = (*m_queues)[(m_firstInput[node] + input) * m_maxDegree + output];
                ForEachPort(Outputs(peer), m_words, [&](uint32_t next) {
                    const uint32_t queue = far * m_maxDegree + next;
                    if (std::find(successors.begin(), successors.end(), queue) == successors.end())
                    {
                        successors.push_back(queue);
                    }
                });
            });
        });
    }
}

SuccessorLists
LinkWalk::ListChannels() const
{
    SuccessorLists successors(m_firstInput.back());
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        for (uint32_t input = m_firstInput[node]; input < m_firstInput[node + 1]; ++input)
        {
            ForEachPort(m_rows.data() + input * m_words, m_words, [&](uint32_t port) {
                successors[input].push_back(GetFarInput(node, port));
            });
        }
    }
    return successors;
}

SuccessorLists
LinkWalk::ListQueues()
{
    SuccessorLists queues(std::size_t{m_firstInput.back()} * m_maxDegree);
    m_queues = &queues;
    WalkAll();
    m_queues = nullptr;
    return queues;
}

RouteWalk::Channel
LinkWalk::GetChannel(uint32_t number) const
{
    Channel channel = GetSender(number);
    channel.priority = static_cast<uint8_t>(__builtin_ctz(m_lossless)); // as in all others
    return channel;
}

} // namespace ns3
