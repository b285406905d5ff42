// SPDX-License-Identifier: GPL-2.0-only
#include "reduction-session.h"

#include "ns3/assert.h"
#include "ns3/collective-blocks.h"
#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_TRIES = 64; //!< time-outs in a row, when all have begun

/// Names, as in programs, by ReductionRequest::Kind.
constexpr const char* REDUCTION_NAMES[] =
    {"barrier", "allreduce", "reduce", "broadcast", "reducescatter", "allgather"};

} // namespace

ReductionSession::ReductionSession(const Ptr<Fabric>& fabric,
                                   const std::string& name,
                                   const std::vector<uint32_t>& hosts,
                                   uint32_t channels,
                                   uint8_t priority,
                                   uint32_t firstGroup)
    : m_fabric(fabric),
      m_name(name),
      m_came(hosts.size(), 0)
{
    std::map<uint32_t, std::vector<uint32_t>> places; // by node
    for (uint32_t place = 0; place < hosts.size(); ++place)
    {
        places[hosts[place]].push_back(place);
    }
    m_hostOf.resize(hosts.size());
    std::vector<uint32_t> nodes;
    for (const auto& [node, own] : places)
    {
        for (const uint32_t place : own)
        {
            m_hostOf[place] = static_cast<uint32_t>(m_hosts.size());
        }
        nodes.push_back(node);
        m_hosts.emplace_back();
        m_hosts.back().node = node;
        m_hosts.back().places = own;
    }
    if (nodes.size() == 1)
    {
        return; // all of it is in the memory of one host
    }
    CheckNetwork();
    const std::vector<uint32_t> roots = ReductionTree::ListRoots(fabric->GetGraph(), nodes);
    if (roots.empty())
    {
        throw FabricError(m_name +
                          " has no tree for algorithm=in-network: no switch reaches all "
                          "of its " +
                          std::to_string(nodes.size()) +
                          " hosts by way of switches; use another algorithm");
    }
    for (uint32_t channel = 0; channel < channels; ++channel)
    {
        MakeTree(roots[channel % roots.size()], channel, firstGroup + channel, priority);
    }
}

void
ReductionSession::CheckNetwork() const
{
    std::string clash;
    if (RankWorld::GetSize() > 1)
    {
        clash = "several processes simulate the network; use one";
    }
    else if (m_fabric->HasGates())
    {
        clash = "packets wait for credits of the queue in which they will be at the next switch, "
                "and those to a switch itself are in none; use another flow control";
    }
    else if (m_fabric->GetNic(m_hosts.front().node)->GetHostLink())
    {
        clash = "ns3::HostLink delays data only, and results would pass it by; leave out its "
                "attributes";
    }
    if (!clash.empty())
    {
        throw FabricError(m_name + " cannot do algorithm=in-network: " + clash +
                          ", or another algorithm");
    }
}

void
ReductionSession::MakeTree(uint32_t root, uint32_t channel, uint32_t group, uint8_t priority)
{
    const FabricGraph& graph = m_fabric->GetGraph();
    std::vector<uint32_t> nodes;
    for (const Host& host : m_hosts)
    {
        nodes.push_back(host.node);
    }
    Tree tree{ReductionTree(graph, nodes, root, channel), group, 0, {}};
    const Ptr<FabricNic> nic = m_fabric->GetNic(nodes.front());
    const auto feature = CreateObject<ReductionFeature>();
    const auto agent = CreateObject<HostReduction>();
    const ReductionTree::Timing timing =
        tree.plan.ComputeTiming(graph,
                                uint64_t{nic->wire->GetDataBytes(nic->payloadBytes, false)} +
                                    ReductionFields::BYTES + nic->wire->GetGapBytes(),
                                nic->payloadBytes,
                                feature->GetDelayPs(),
                                feature->GetRateBps());
    tree.window =
        agent->GetWindow() > 0 ? agent->GetWindow() : ReductionTree::ComputeWindow(timing);
    for (uint32_t i = 0; i < tree.plan.GetNodes().size(); ++i)
    {
        const ReductionTree::Node& node = tree.plan.GetNodes()[i];
        tree.indices.emplace(node.node, i);
        if (graph.IsHost(node.node))
        {
            TellHost(tree, node, priority, timing.rttPs);
        }
        else
        {
            TellSwitch(tree, node, priority);
        }
    }
    m_trees.push_back(std::move(tree));
}

void
ReductionSession::TellSwitch(const Tree& tree,
                             const ReductionTree::Node& node,
                             uint8_t priority) const
{
    const Ptr<FabricSwitch> sw = m_fabric->GetSwitch(node.node);
    Ptr<ReductionFeature> feature = sw->GetFeature<ReductionFeature>();
    if (!feature)
    {
        feature = CreateObject<ReductionFeature>();
        sw->AddFeature(feature);
    }
    const auto& nodes = tree.plan.GetNodes();
    ReductionFeature::Tree part;
    part.group = tree.group;
    part.window = tree.window;
    part.priority = priority;
    part.wire = m_fabric->GetNic(m_hosts.front().node)->wire;
    if (node.parent != ReductionTree::NONE)
    {
        part.parentPort = node.port;
        part.parentAddress = nodes[node.parent].node;
    }
    for (const uint32_t child : node.children)
    {
        part.children.push_back({nodes[child].parentPort, nodes[child].node, nodes[child].hosts});
    }
    const uint64_t payloadBytes = m_fabric->GetNic(m_hosts.front().node)->payloadBytes;
    const uint64_t wanted = 2 * uint64_t{tree.window} * payloadBytes;
    const uint64_t used = feature->GetUsedBytes();
    const uint64_t memory = feature->GetMemory();
    if (memory > 0 && used + wanted > memory)
    {
        const uint64_t fits = (memory - std::min(used, memory)) / (2 * payloadBytes);
        throw FabricError(
            m_name + " has no room for algorithm=in-network in switch " +
            std::to_string(node.node) + " (" + m_fabric->GetGraph().GetName(node.node) +
            "): a tree keeps 2 x " + std::to_string(tree.window) + " packets of " +
            FormatFabricCount(payloadBytes, "byte") + ", other trees have " + std::to_string(used) +
            ", and ns3::ReductionFeature::Memory is " + std::to_string(memory) + "; " +
            (fits > 0 ? "ns3::HostReduction::Window=" + std::to_string(fits) + " fits, or give it "
                      : "give it ") +
            std::to_string(used + wanted));
    }
    feature->AddTree(part, wanted);
}

void
ReductionSession::TellHost(const Tree& tree,
                           const ReductionTree::Node& node,
                           uint8_t priority,
                           int64_t rttPs)
{
    const auto found =
        std::lower_bound(m_hosts.begin(),
                         m_hosts.end(),
                         node.node,
                         [](const Host& host, uint32_t number) { return host.node < number; });
    Host& host = *found;
    const auto index = static_cast<uint32_t>(found - m_hosts.begin());
    const Ptr<FabricNic> nic = m_fabric->GetNic(node.node);
    if (!nic->GetProtocol())
    {
        const auto made = CreateObject<HostReduction>();
        made->Attach(*nic);
        nic->SetProtocol(made);
    }
    auto* agent = dynamic_cast<HostReduction*>(nic->GetProtocol());
    if (!agent)
    {
        throw FabricError("host " + std::to_string(node.node) + " has another protocol, " +
                          nic->GetProtocol()->GetInstanceTypeId().GetName() +
                          ", and cannot do algorithm=in-network beside it");
    }
    ReductionLane::Settings settings;
    settings.group = tree.group;
    settings.port = node.port;
    settings.parent = tree.plan.GetNodes()[node.parent].node;
    settings.priority = priority;
    settings.window = tree.window;
    settings.ranks = static_cast<uint32_t>(host.places.size());
    settings.totalRanks = static_cast<uint32_t>(m_hostOf.size());
    settings.payloadBytes = nic->payloadBytes;
    settings.rttPs = rttPs;
    ReductionLane& lane = agent->AddLane(settings);
    const auto number = static_cast<uint32_t>(m_trees.size());
    lane.SetCallbacks([this, index, number](uint64_t behind) { OnLaneDone(index, number, behind); },
                      [this, index](uint32_t tries) { return IsHopeless(index, tries); });
    host.lanes.push_back(&lane);
    host.ends.emplace_back();
}

void
ReductionSession::SetCallbacks(Done done, std::function<bool()> canMove)
{
    m_done = std::move(done);
    m_canMove = std::move(canMove);
}

uint64_t
ReductionSession::Come(uint32_t place, const ReductionRequest& request)
{
    const uint64_t index = m_came[place]++;
    if (index == m_first + m_collectives.size())
    {
        Collective collective;
        collective.request = request;
        collective.begun.resize(m_hostOf.size(), false);
        m_collectives.push_back(std::move(collective));
    }
    NS_ASSERT_MSG(At(index).request == request, "ranks come to different collectives");
    return index;
}

void
ReductionSession::Begin(uint32_t place, uint64_t index)
{
    Collective& collective = At(index);
    collective.begun[place] = true;
    ++collective.nBegun;
    if (!m_trees.empty())
    {
        SendReady(m_hostOf[place]);
        return;
    }
    Host& host = m_hosts.front();
    while (host.next < m_first + m_collectives.size() && At(host.next).nBegun == m_hostOf.size())
    {
        Complete(0, host.next++);
    }
}

void
ReductionSession::SendReady(uint32_t host)
{
    Host& own = m_hosts[host];
    const auto isReady = [&] {
        return own.next < m_first + m_collectives.size() &&
               std::all_of(own.places.begin(), own.places.end(), [&](uint32_t place) {
                   return At(own.next).begun[place];
               });
    };
    while (isReady())
    {
        Send(host, own.next++);
    }
}

std::vector<ReductionLane::Segment>
ReductionSession::ListSegments(const ReductionRequest& request, uint32_t node, uint32_t tree) const
{
    using Kind = ReductionRequest::Kind;
    using Fields = ReductionFields;
    std::vector<ReductionLane::Segment> segments;
    const auto add = [&](Fields::Operation operation, uint32_t root, uint64_t bytes) {
        const bool hasPayload = operation != Fields::BROADCAST || root == node;
        if (bytes > 0)
        {
            segments.push_back({operation, root, hasPayload, bytes});
        }
    };
    const uint64_t part =
        GetBlockBytes(request.bytes, tree, 1, static_cast<uint32_t>(m_trees.size()));
    const auto places = static_cast<uint32_t>(m_hostOf.size());
    const uint32_t root = m_hosts[m_hostOf[request.root]].node;
    switch (request.kind)
    {
    case Kind::BARRIER:
        break;
    case Kind::ALL_REDUCE:
        add(Fields::ALL_REDUCE, 0, part);
        break;
    case Kind::REDUCE:
        add(Fields::REDUCE, root, part);
        break;
    case Kind::BROADCAST:
        add(Fields::BROADCAST, root, part);
        break;
    case Kind::REDUCE_SCATTER:
    case Kind::ALL_GATHER:
        for (uint32_t place = 0; place < places; ++place)
        {
            add(request.kind == Kind::ALL_GATHER ? Fields::BROADCAST : Fields::REDUCE,
                m_hosts[m_hostOf[place]].node,
                GetBlockBytes(part, place, 1, places));
        }
        break;
    }
    if (tree == 0 && (request.bytes == 0 || request.kind == Kind::BARRIER))
    {
        segments.push_back({Fields::ALL_REDUCE, 0, true, 0}); // all wait for all
    }
    return segments;
}

void
ReductionSession::Send(uint32_t host, uint64_t index)
{
    Host& own = m_hosts[host];
    own.open.push_back({index, 0});
    std::vector<uint32_t> used; // lanes
    for (uint32_t tree = 0; tree < m_trees.size(); ++tree)
    {
        uint64_t end = 0;
        for (const auto& segment : ListSegments(At(index).request, own.node, tree))
        {
            end = own.lanes[tree]->Append(segment);
        }
        if (end > 0)
        {
            own.ends[tree].emplace_back(index, end);
            ++own.open.back().lanes;
            used.push_back(tree);
        }
    }
    auto& agent = static_cast<HostReduction&>(*m_fabric->GetNic(own.node)->GetProtocol());
    for (const uint32_t tree : used)
    {
        agent.Activate(*own.lanes[tree]);
    }
}

void
ReductionSession::OnLaneDone(uint32_t host, uint32_t tree, uint64_t number)
{
    Host& own = m_hosts[host];
    auto& ends = own.ends[tree];
    while (!ends.empty() && ends.front().second <= number)
    {
        const uint64_t index = ends.front().first;
        ends.pop_front();
        const auto open = std::find_if(own.open.begin(), own.open.end(), [index](const Open& one) {
            return one.index == index;
        });
        if (--open->lanes == 0)
        {
            own.open.erase(open);
            Complete(host, index);
        }
    }
}

void
ReductionSession::Complete(uint32_t host, uint64_t index)
{
    if (++At(index).nDone == m_hosts.size())
    {
        // it may be done before one that came earlier, in another tree
        while (!m_collectives.empty() && m_collectives.front().nDone == m_hosts.size())
        {
            m_collectives.pop_front();
            ++m_first;
        }
    }
    for (const uint32_t place : m_hosts[host].places)
    {
        m_done(place, index);
    }
}

bool
ReductionSession::IsHopeless(uint32_t host, uint32_t tries) const
{
    const Host& own = m_hosts[host];
    const bool allBegun = own.open.empty() || At(own.open.front().index).nBegun == m_hostOf.size();
    return allBegun ? tries > MAX_TRIES : !m_canMove();
}

bool
ReductionSession::IsMoving() const
{
    if (m_collectives.empty() || m_collectives.front().nBegun < m_hostOf.size())
    {
        return false;
    }
    return std::any_of(m_hosts.begin(), m_hosts.end(), [](const Host& host) {
        return std::any_of(host.lanes.begin(), host.lanes.end(), [](const ReductionLane* lane) {
            return lane->GetBase() < lane->GetEnd() && !lane->HasGivenUp();
        });
    });
}

std::string
ReductionSession::DescribeMissing(const Tree& tree, uint64_t number) const
{
    const FabricGraph& graph = m_fabric->GetGraph();
    const auto name = [&graph](uint32_t node) {
        return (graph.IsHost(node) ? "host " : "switch ") + std::to_string(node);
    };
    constexpr std::size_t MAX_NODES = 4;
    std::string text;
    std::size_t count = 0;
    for (const ReductionTree::Node& node : tree.plan.GetNodes())
    {
        if (node.parent == ReductionTree::NONE)
        {
            continue;
        }
        const uint32_t parent = tree.plan.GetNodes()[node.parent].node;
        if (!m_fabric->GetPort(node.node, node.port)->IsLinkUp())
        {
            text += "; the link between " + name(node.node) + " and " + name(parent) +
                    " of its tree is down";
        }
        const auto missing =
            m_fabric->GetSwitch(parent)->GetFeature<ReductionFeature>()->ListMissing(tree.group,
                                                                                     number);
        const bool isMissing =
            std::find(missing.begin(), missing.end(), node.node) != missing.end();
        if (isMissing && graph.IsHost(node.node) && ++count <= MAX_NODES)
        {
            text += "; " + name(node.node) + " has not contributed to it at " + name(parent);
        }
    }
    return text + (count > MAX_NODES ? "; and " + std::to_string(count - MAX_NODES) + " more" : "");
}

std::string
ReductionSession::DescribeWait(uint32_t place, uint64_t index) const
{
    const Host& host = m_hosts[m_hostOf[place]];
    const Collective& collective = At(index);
    std::string text = "in-network ";
    text += REDUCTION_NAMES[static_cast<std::size_t>(collective.request.kind)];
    if (collective.nBegun < m_hostOf.size())
    {
        constexpr uint32_t MAX_PLACES = 4;
        uint32_t missing = 0;
        text += " that has not begun at rank";
        for (uint32_t other = 0; other < m_hostOf.size(); ++other)
        {
            if (!collective.begun[other] && ++missing <= MAX_PLACES)
            {
                text += (missing == 1 ? " " : ", ") + std::to_string(other);
            }
        }
        text +=
            missing > MAX_PLACES ? " and " + std::to_string(missing - MAX_PLACES) + " more" : "";
        return text + " of " + m_name;
    }
    for (uint32_t tree = 0; tree < m_trees.size(); ++tree)
    {
        const ReductionLane& lane = *host.lanes[tree];
        if (!host.ends[tree].empty())
        {
            text += ": no result of packet " + std::to_string(lane.GetBase()) + " of " +
                    std::to_string(lane.GetEnd()) + " of tree " +
                    std::to_string(m_trees[tree].group) + " with root " +
                    std::to_string(m_trees[tree].plan.GetNodes().front().node) +
                    DescribeMissing(m_trees[tree], lane.GetBase());
            break;
        }
    }
    return text;
}

} // namespace ns3
