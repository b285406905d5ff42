// SPDX-License-Identifier: GPL-2.0-only
#include "channel-walk.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/// Add a number to a list, once.
void
AddOnce(std::vector<uint32_t>& list, uint32_t number)
{
    if (std::find(list.begin(), list.end(), number) == list.end())
    {
        list.push_back(number);
    }
}

} // namespace

ChannelWalk::ChannelWalk(const Fabric& fabric, const RoutingBuilder& routing)
    : RouteWalk(fabric, routing),
      m_successors(std::size_t{m_firstInput.back()} * 8),
      m_walkOf(m_successors.size(), 0),
      m_endsVia(m_successors.size(), false)
{
    for (uint32_t node = 0; node < m_graph.GetNNodes(); ++node)
    {
        m_rules.push_back(
            m_graph.IsHost(node) ? nullptr : fabric.GetSwitch(node)->GetFeature<VirtualChannels>());
        m_nodeOf.resize(m_firstInput[node + 1], node);
    }
    ChooseSendClasses();
    WalkAll();
}

void
ChannelWalk::ChooseSendClasses()
{
    // lists of classes have no class in common: those of one length behave alike
    std::map<std::size_t, uint8_t> byLength;
    uint8_t others = m_lossless; // in no list
    const auto found = std::find_if(m_rules.begin(), m_rules.end(), [](const auto& rule) {
        return rule != nullptr;
    });
    if (found != m_rules.end())
    {
        for (const std::vector<uint8_t>& classes : (*found)->GetClasses())
        {
            byLength.emplace(classes.size(), classes.front());
            for (const uint8_t priority : classes)
            {
                others &= static_cast<uint8_t>(~(1U << priority));
            }
        }
    }
    if (others != 0)
    {
        byLength.emplace(1, static_cast<uint8_t>(__builtin_ctz(others)));
    }
    for (const auto& [length, priority] : byLength)
    {
        m_sendClasses.push_back(priority);
    }
}

void
ChannelWalk::Meet(uint32_t channel)
{
    if (m_walkOf[channel] != m_walk)
    {
        m_walkOf[channel] = m_walk;
        m_met.push_back(channel);
    }
}

std::vector<ChannelWalk::Step>
ChannelWalk::ListSteps(uint32_t node,
                       uint16_t ingress,
                       uint8_t priority,
                       uint32_t address,
                       uint32_t tree) const
{
    std::vector<Step> steps;
    const PortGroup group = FindPorts(node, address, tree);
    const VirtualChannels* rule = PeekPointer(m_rules[node]);
    const bool changes = rule && ingress != FabricPacketItem::NO_PORT;
    for (uint16_t i = 0; i < group.nPorts; ++i)
    {
        const uint16_t port = group.ports[i];
        if (!IsToSwitch(node, port) ||
            (changes && !rule->Allows(rule->GetChannel(priority), ingress, port, address)))
        {
            continue;
        }
        const uint8_t next =
            changes ? rule->GetNextClass(priority, ingress, port, address, false) : priority;
        steps.push_back({port, GetFarInput(node, port) * 8 + next});
    }
    return steps;
}

void
ChannelWalk::Enter(uint32_t node, uint32_t address, uint32_t tree)
{
    for (const uint8_t priority : m_sendClasses)
    {
        for (uint16_t port = 0; port < m_graph.GetDegree(node); ++port)
        {
            if (!IsToSwitch(node, port) && !IsOfReports())
            {
                Meet((m_firstInput[node] + port) * 8 + priority);
                break; // hosts of a switch are alike
            }
        }
        // what a switch sends goes straight to a host, or to the switch that it reports to
        if (m_switchesSend && (m_graph.IsHost(address) || IsOfReports()))
        {
            for (const Step& step :
                 ListSteps(node, FabricPacketItem::NO_PORT, priority, address, tree))
            {
                Meet(step.next);
            }
        }
    }
}

void
ChannelWalk::EnterAgain(uint32_t node)
{
    const FabricGraph::Port* ports = m_graph.GetPorts(node);
    if (std::none_of(ports, ports + m_graph.GetDegree(node), [this](const auto& port) {
            return m_graph.IsHost(port.peer);
        }))
    {
        return; // packets of hosts do not enter here
    }
    for (uint16_t port = 0; port < m_graph.GetDegree(node); ++port)
    {
        const uint32_t peer = ports[port].peer;
        if (m_graph.IsHost(peer) || !m_fabric.GetVias()->MayChooseAgain(peer, node))
        {
            continue;
        }
        for (const uint8_t priority : m_sendClasses)
        {
            // from a host: in the first channel, whatever the destination
            Meet(GetFarInput(node, port) * 8 + priority);
        }
    }
}

void
ChannelWalk::Leave(uint32_t channel, uint32_t address, uint32_t tree)
{
    const uint32_t input = channel / 8;
    const uint32_t node = m_nodeOf[input];
    const auto ingress = static_cast<uint16_t>(input - m_firstInput[node]);
    for (const Step& step :
         ListSteps(node, ingress, static_cast<uint8_t>(channel % 8), address, tree))
    {
        AddOnce(m_successors[channel], step.next);
        Meet(step.next);
        if (!m_queues)
        {
            continue;
        }
        const uint32_t peer = m_nodeOf[step.next / 8];
        for (const Step& further :
             ListSteps(peer,
                       static_cast<uint16_t>(step.next / 8 - m_firstInput[peer]),
                       static_cast<uint8_t>(step.next % 8),
                       address,
                       tree))
        {
            AddOnce((*m_queues)[channel * m_maxDegree + step.port],
                    step.next * m_maxDegree + further.port);
        }
    }
}

void
ChannelWalk::DoWalk(uint32_t destinationClass, uint32_t address, uint32_t tree)
{
    ++m_walk;
    m_met.clear();
    const std::vector<uint32_t> sources = ListSources(destinationClass);
    for (const uint32_t source : sources)
    {
        Enter(source, address, tree);
    }
    const bool isVia = !m_graph.IsHost(address) && !IsOfReports();
    for (std::size_t i = 0; isVia && i < sources.size(); ++i)
    {
        EnterAgain(sources[i]);
    }
    if (!isVia && !IsOfReports()) // the rest of the way by way of any switch
    {
        std::for_each(m_behindVia.begin(), m_behindVia.end(), [this](uint32_t channel) {
            Meet(channel);
        });
    }
    for (std::size_t i = 0; i < m_met.size(); ++i)
    {
        const uint32_t channel = m_met[i];
        if (!isVia || !m_fabric.GetVias()->EndsAt(m_nodeOf[channel / 8], address))
        {
            Leave(channel, address, tree);
        }
        else if (!m_endsVia[channel])
        {
            m_endsVia[channel] = true;
            m_behindVia.push_back(channel);
        }
    }
}

SuccessorLists
ChannelWalk::ListChannels() const
{
    return m_successors;
}

SuccessorLists
ChannelWalk::ListQueues()
{
    SuccessorLists queues(m_successors.size() * m_maxDegree);
    m_queues = &queues;
    WalkAll();
    m_queues = nullptr;
    return queues;
}

RouteWalk::Channel
ChannelWalk::GetChannel(uint32_t number) const
{
    Channel channel = GetSender(number / 8);
    channel.priority = static_cast<uint8_t>(number % 8);
    return channel;
}

} // namespace ns3
