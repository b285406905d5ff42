// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-network.h"
#include "../fabric-test-plan.h"
#include "../fabric-test-suite.h"

#include "ns3/channel-classes.h"
#include "ns3/dragonfly-minimal-routing.h"
#include "ns3/fabric-helper.h"
#include "ns3/group-channels.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Ways and virtual channels of direct networks.
 */

namespace ns3::tests::direct_routing_test
{

/// Ports of a group.
using Ports = std::vector<uint16_t>;

/**
 * @return three groups: switches 3 and 4; 5; 6 and 7. Hosts 0, 1 and 2 are at 3, 5 and 6. From 3 to
 * 6 there are two links between groups over 5, or one over 4 and 7:
 *
 *     0 - 3 ===== 5 - 1
 *         |       ||
 *         4 ==.   ||
 *             ||  ||
 *             7 - 6 - 2
 */
FabricGraph
PlanOfThreeGroups()
{
    FabricGraph graph;
    for (const uint32_t pod : {0, 1, 2})
    {
        graph.AddHost(pod);
    }
    for (const uint32_t pod : {0, 0, 1, 2, 2})
    {
        graph.AddSwitch(1, pod);
    }
    for (const auto& [a, b] : std::vector<std::pair<uint32_t, uint32_t>>{{0, 3},
                                                                         {1, 5},
                                                                         {2, 6},
                                                                         {3, 4},
                                                                         {3, 5},
                                                                         {5, 6},
                                                                         {4, 7},
                                                                         {6, 7}})
    {
        graph.AddLink(a, b, 100 * GBPS, US);
    }
    graph.SetNGroups(3);
    return graph;
}

/**
 * @param routing routes
 * @param node of the switch
 * @param address destination
 * @return the ports from a switch to an address
 */
Ports
PortsTo(const RoutingBuilder& routing, uint32_t node, uint32_t address)
{
    const ForwardingTable table = routing.BuildTable(node);
    const PortGroup group = table.Lookup(address);
    return {group.ports, group.ports + group.nPorts};
}

/**
 * @ingroup dcfabric-tests
 * @brief Tables of minimal routing.
 */
class MinimalTableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricGraph graph = PlanOfThreeGroups();
        const RoutingBuilder shortest(graph);
        NS_TEST_EXPECT_MSG_EQ((PortsTo(shortest, 3, 2) == Ports{2}), true, "over the third group");
        NS_TEST_EXPECT_MSG_EQ(shortest.GetSwitches(0, 2), 3, "switches 3, 5, 6");

        const auto algorithm = CreateObject<DragonflyMinimalRouting>();
        algorithm->Attach(graph);
        const RoutingBuilder minimal(graph, PeekPointer(algorithm));
        NS_TEST_EXPECT_MSG_EQ((PortsTo(minimal, 3, 2) == Ports{1}), true, "local first");
        NS_TEST_EXPECT_MSG_EQ((PortsTo(minimal, 4, 2) == Ports{1}), true, "then global");
        NS_TEST_EXPECT_MSG_EQ((PortsTo(minimal, 7, 2) == Ports{1}), true, "then local");
        NS_TEST_EXPECT_MSG_EQ((PortsTo(minimal, 6, 0) == Ports{2}), true, "and back");
        NS_TEST_EXPECT_MSG_EQ((PortsTo(minimal, 3, 1) == Ports{2}), true, "to the neighbor");
        NS_TEST_EXPECT_MSG_EQ((PortsTo(minimal, 4, 1) == Ports{0}), true, "over its own group");
        NS_TEST_EXPECT_MSG_EQ(minimal.GetSwitches(0, 2), 4, "switches 3, 4, 7, 6");
        NS_TEST_EXPECT_MSG_EQ(minimal.GetMaxSwitches(), 4, "at most");
        NS_TEST_EXPECT_MSG_EQ(minimal.LeadsTo(3, 2, minimal.GetClasses()->classOf[2]),
                              false,
                              "a shorter way that is not permitted");

        // hosts of another group without a link between both
        FabricGraph cut;
        cut.AddHost(0);
        cut.AddHost(2);
        for (const uint32_t pod : {0, 1, 2})
        {
            cut.AddSwitch(1, pod);
        }
        for (const auto& [a, b] :
             std::vector<std::pair<uint32_t, uint32_t>>{{0, 2}, {1, 4}, {2, 3}, {3, 4}})
        {
            cut.AddLink(a, b, 100 * GBPS, US);
        }
        cut.SetNGroups(3);
        algorithm->Attach(cut);
        DCFABRIC_EXPECT_REFUSAL(RoutingBuilder(cut, PeekPointer(algorithm)),
                                "permits no way from switch");
        DCFABRIC_EXPECT_REFUSAL(algorithm->Attach(PlanOfLinks(2, 2, {{0, 2}, {1, 3}, {2, 3}})),
                                "needs groups");

        // A host of two groups: 3 could be on its way to either. Two switches of one group are
        // alike.
        FabricGraph two = PlanOfThreeGroups();
        two.AddLink(1, 6, 100 * GBPS, US);
        algorithm->Attach(two);
        DCFABRIC_EXPECT_REFUSAL(RoutingBuilder(two, PeekPointer(algorithm)),
                                "host 1 has links to switches");
        FabricGraph one = PlanOfThreeGroups();
        one.AddLink(2, 7, 100 * GBPS, US);
        algorithm->Attach(one);
        const RoutingBuilder alike(one, PeekPointer(algorithm));
        NS_TEST_EXPECT_MSG_EQ(alike.GetSwitches(0, 2), 3, "switches 3, 4, 7");
        NS_TEST_EXPECT_MSG_EQ((PortsTo(alike, 5, 2) == Ports{2}), true, "to the other one");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which classes are channels.
 */
class ChannelClassesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Classes of channels.
    using Families = std::vector<std::vector<uint8_t>>;

    void DoRun() override
    {
        ChannelNeeds needs;
        needs.routing = "ns3::X";
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{3}, {6}}), true, "one");
        needs.nChannels = 2;
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{3, 2}, {6, 7}}),
                              true,
                              "data below, control above");
        needs.nChannels = 4;
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{3, 2, 1, 0}, {6, 7, 5, 4}}),
                              true,
                              "all");
        needs.takenClasses = 1;
        DCFABRIC_EXPECT_REFUSAL(AssignChannelClasses(needs), "ns3::X needs 4 virtual channels");
        needs.nChannels = 3;
        needs.takenClasses = 0b101;
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{3, 1, 4}, {6, 7, 5}}),
                              true,
                              "around what is taken");
        needs.nChannels = 2;
        needs.otherClasses = 1;
        needs.takenClasses = 0b100;
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{0, 1}, {3, 4}, {6, 7}}),
                              true,
                              "a further class of senders has channels, too");
        needs.otherClasses = 0;
        needs.nChannels = 3;
        needs.takenClasses = 0;
        needs.controlClass = 3;
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{3, 2, 1}}),
                              true,
                              "one class for all");
        needs.controlClass = 6;
        needs.data = "3,5,0";
        NS_TEST_EXPECT_MSG_EQ((AssignChannelClasses(needs) == Families{{3, 5, 0}, {6, 7, 4}}),
                              true,
                              "listed");
        for (const auto& [list, why] : std::map<std::string, std::string>{
                 {"3,5", "needs 3 classes"},
                 {"5,3,0", "the first of them that of the hosts, 3"},
                 {"3,8,0", "is no list of classes"},
                 {"3,,0", "is no list of classes"},
                 {"3,6,0", "class 6 as a virtual channel, but it is used otherwise"},
                 {"3,0,0", "class 0 as a virtual channel, but it is used otherwise"}})
        {
            needs.data = list;
            DCFABRIC_EXPECT_REFUSAL(AssignChannelClasses(needs), why);
        }

        const auto channels = CreateObject<GroupChannels>();
        using Port = GroupChannels::Port;
        channels->Configure({Port::HOST, Port::GLOBAL, Port::LOCAL, Port::LOCAL}, 1);
        channels->SetHostPorts({true, false, false, false});
        channels->SetClasses({{3, 2}, {6, 7}});
        const auto next = [&](uint8_t priority, uint16_t ingress, uint16_t egress) {
            return +channels->GetNextClass(priority, ingress, egress, 0, false);
        };
        NS_TEST_EXPECT_MSG_EQ(next(3, 0, 1), 3, "from a host");
        NS_TEST_EXPECT_MSG_EQ(next(3, 2, 1), 3, "from its own group");
        NS_TEST_EXPECT_MSG_EQ(next(3, 1, 2), 2, "from another group");
        NS_TEST_EXPECT_MSG_EQ(next(6, 1, 2), 7, "control packets, too");
        NS_TEST_EXPECT_MSG_EQ(next(6, 2, 3), 7, "down and up again");
        NS_TEST_EXPECT_MSG_EQ(next(7, 2, 3), 7, "behind a link between groups");
        NS_TEST_EXPECT_MSG_EQ(next(2, 1, 2), 2, "no more than there are");
        NS_TEST_EXPECT_MSG_EQ(next(2, 2, 0), 3, "to a host");
        NS_TEST_EXPECT_MSG_EQ(next(5, 1, 2), 5, "a class without channels");

        // a packet keeps the low bits of its DSCP and its mark
        const Ptr<FabricActor> actor = MakeActor(0);
        for (int p = 0; p < 3; ++p)
        {
            AddPort(actor, 100 * GBPS);
        }
        const Ptr<FabricPacketItem> item = MakeData(1000);
        item->ds = 0b01110111;
        channels->OnAdmit(*actor->GetPort(1), *actor->GetPort(2), *item);
        NS_TEST_EXPECT_MSG_EQ(+item->ds, 0b01010111, "class 2, the rest as it was");
        channels->OnAdmit(*actor->GetPort(2), *actor->GetPort(0), *item);
        NS_TEST_EXPECT_MSG_EQ(+item->ds, 0b01110111, "class 3 again");
        DCFABRIC_EXPECT_REFUSAL(channels->SetClasses({{3, 2}, {2}}), "one channel only");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets change their class on the way, and every room that they had is given back.
 */
class ChannelRunTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Classes of data and of other packets by node and port of departure.
    using Seen = std::map<std::pair<uint32_t, uint32_t>, std::pair<std::set<int>, std::set<int>>>;

    /**
     * @brief Write a class down.
     * @param seen where
     * @param at node and port
     * @param item the packet
     */
    static void Note(Seen* seen, std::pair<uint32_t, uint32_t> at, Ptr<const FabricPacketItem> item)
    {
        if (!item->IsLinkFrame())
        {
            auto& [data, control] = (*seen)[at];
            (item->IsControl() ? control : data).insert(item->GetPriority());
        }
    }

    /**
     * @brief Run.
     * @param helper the network
     * @param plain no channels are to be expected
     * @param what it is
     */
    void Run(FabricHelper& helper, bool plain, const std::string& what)
    {
        helper.SetRouting("ns3::DragonflyMinimalRouting");
        const Ptr<Fabric> fabric = helper.Install(PlanOfThreeGroups());
        Seen seen;
        for (uint32_t node = 0; node < 8; ++node)
        {
            for (uint16_t p = 0; p < fabric->GetActor(node)->GetNPorts(); ++p)
            {
                fabric->GetPort(node, p)->TraceConnectWithoutContext(
                    "Transmit",
                    MakeBoundCallback(&Note, &seen, std::pair<uint32_t, uint32_t>{node, p}));
            }
        }
        uint32_t completed = 0;
        for (const uint32_t src : {0, 1, 2})
        {
            fabric->GetNic(src)->GetMessages().SetCompletedCallback(
                [&](const FabricMessageEvent&) { ++completed; });
        }
        fabric->GetNic(0)->GetMessages().Send(2, 300000, 0);
        fabric->GetNic(1)->GetMessages().Send(2, 300000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(completed, 2, what << ": messages");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, what << ": no drops");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, what);
        const auto expect = [&](uint32_t node, uint32_t port, int data, int control) {
            const auto& [dataSeen, controlSeen] = seen[{node, port}];
            NS_TEST_EXPECT_MSG_EQ((dataSeen == std::set<int>{data}),
                                  true,
                                  what << ": data of switch " << node << " port " << port);
            NS_TEST_EXPECT_MSG_EQ((controlSeen == std::set<int>{control}),
                                  true,
                                  what << ": ACKs back into switch " << node << " port " << port);
        };
        // each link forth, and the same back: only where both go
        const auto both = [&](uint32_t node, uint32_t port, int data, int control) {
            const FabricNetDevice* peer = fabric->GetPort(node, port)->GetLink().GetPeer();
            auto& there = seen[{node, port}];
            const auto& back = seen[{peer->GetActor()->GetAddress(), peer->GetPort()}];
            there.second = back.second;
            expect(node, port, data, control);
        };
        both(0, 0, 3, 6);
        both(3, 1, 3, plain ? 6 : 7); // 3 - 4: ACKs have come over a global link
        both(4, 1, 3, 6);             // 4 = 7
        both(7, 1, plain ? 3 : 2, 6); // 7 - 6: data has
        both(6, 0, 3, 6);             // to the host in its own class
        for (const uint32_t node : {3, 4, 5, 6, 7})
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(node)->GetBuffer()->GetUsedBytes(),
                                  0,
                                  what << ": room of switch " << node);
        }
        Simulator::Destroy();
    }

    void DoRun() override
    {
        FabricHelper pfc;
        Run(pfc, false, "PFC");
        FabricHelper credits;
        credits.SetFlowControl("ns3::CreditFlowControl");
        Run(credits, false, "credits");
        FabricHelper voqs;
        voqs.SetFlowControl("ns3::VoqCreditFlowControl");
        voqs.SetBuffer("ns3::VoqBuffer");
        Run(voqs, false, "credits of virtual queues");
        FabricHelper voqPfc;
        voqPfc.SetBuffer("ns3::VoqBuffer");
        Run(voqPfc, false, "virtual queues under PFC");
        FabricHelper lossy;
        lossy.SetFlowControl("none");
        Run(lossy, true, "no flow control");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A link that carries packets in transit and those that begin at its switch.
 */
class SharedLinkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 0 - 4 ==== 5 - 6 - 2, 3 and 1 - 5: from 5 to 6 what comes from 0 is in channel 1 and what
        // comes from 1 in channel 0. 1 MB of each takes at least 80 us; both together 160 us and
        // more, whichever is first. In strict order one would have the link for itself at first and
        // end at half of the time of the other.
        FabricGraph graph;
        for (const uint32_t pod : {0, 1, 1, 1})
        {
            graph.AddHost(pod);
        }
        for (const uint32_t pod : {0, 1, 1})
        {
            graph.AddSwitch(1, pod);
        }
        for (const auto& [a, b] : std::vector<std::pair<uint32_t, uint32_t>>{{0, 4},
                                                                             {1, 5},
                                                                             {2, 6},
                                                                             {3, 6},
                                                                             {4, 5},
                                                                             {5, 6}})
        {
            graph.AddLink(a, b, 100 * GBPS, US);
        }
        graph.SetNGroups(2);
        for (const std::string flowControl : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            FabricHelper helper;
            helper.SetRouting("ns3::DragonflyMinimalRouting");
            helper.SetFlowControl(flowControl);
            const Ptr<Fabric> fabric = helper.Install(graph);
            std::map<uint32_t, int64_t> endPs;
            for (const uint32_t dst : {2, 3})
            {
                fabric->GetNic(dst)->GetMessages().SetDeliveredCallback(
                    [&](const FabricMessageEvent& event) { endPs[event.dst] = event.nowPs; });
            }
            fabric->GetNic(0)->GetMessages().Send(2, 1000000, 0);
            fabric->GetNic(1)->GetMessages().Send(3, 1000000, 1);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(std::min(endPs[2], endPs[3]), 150 * US, flowControl);
            NS_TEST_EXPECT_MSG_LT(std::max(endPs[2], endPs[3]), 190 * US, flowControl);
            Simulator::Destroy();
        }
    }
};

/// Direct networks.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new MinimalTableTestCase("dragonfly: at most one link between groups, although longer"));
    suite.AddTestCase(new ChannelClassesTestCase("virtual channels: which classes they are"));
    suite.AddTestCase(
        new ChannelRunTestCase("virtual channels: classes on each link, all room given back"));
    suite.AddTestCase(new SharedLinkTestCase("virtual channels: none starves another"));
});

} // namespace ns3::tests::direct_routing_test
