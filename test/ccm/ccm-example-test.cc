// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-ccm.h"

#include "ns3/fabric-topology.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The example of section 7 of [CCM], step by step, on its four-layer fat-tree.
 *
 * Four computing racks (n = 2 is that of the receiver), two switching racks (m = 2); a path is
 * heavy from 6000 bytes on. Packets come from the test; hosts take no part.
 */

namespace ns3::tests::ccm_example_test
{

constexpr uint32_t NONE = FabricPacketItem::NO_AR_POINT; //!< short name

/**
 * @ingroup dcfabric-tests
 * @brief The network of the example, whose nodes go by their names in the draft.
 */
class Example
{
  public:
    Example()
        : net(MakeGraph(), MakePolicies())
    {
        const FabricGraph& graph = net.fabric->GetGraph();
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            m_numbers[graph.GetNode(node).name] = node;
        }
        flow = {Of("H-1-1"), Of("H-2-1"), 0, 17};
        // an entropy whose packets go the way that the draft draws
        while (!GoesBy({"L1-1-1", "L2-1-1", "L3-1-1", "L4-1-1"}))
        {
            ++flow.entropy;
        }
    }

    /**
     * @param name its name
     * @return number of a node
     */
    uint32_t Of(const std::string& name) const
    {
        return m_numbers.at(name);
    }

    /**
     * @param name of the switch
     * @return what a switch made of the latest packet
     */
    CcmFeature::TagReport At(const std::string& name) const
    {
        for (const auto& packet : net.tagged)
        {
            if (packet.by == Of(name))
            {
                return packet.tag;
            }
        }
        return {0, 0, false, 12345, FabricPacketItem::NO_PORT, 12345};
    }

    /**
     * @param name of the switch
     * @return name of the node to which a switch sent the latest packet
     */
    std::string After(const std::string& name) const
    {
        const uint16_t port = At(name).port;
        const FabricGraph& graph = net.fabric->GetGraph();
        return port == FabricPacketItem::NO_PORT
                   ? "nowhere"
                   : graph.GetNode(graph.GetPort(Of(name), port).peer).name;
    }

    /**
     * @brief The source sends a packet; it arrives before anything else happens.
     * @param cc CC indicator
     */
    void Send(bool cc = false)
    {
        net.tagged.clear();
        net.Arrive(Of("L1-1-1"), Of("H-1-1"), flow.Make(cc));
    }

    /**
     * @brief Make an output heavy.
     * @param from switch
     * @param to neighbor
     * @param dst where it leads
     */
    void Block(const std::string& from, const std::string& to, const std::string& dst) const
    {
        net.Block(Of(from), Of(to), Of(dst), 6000);
    }

    CcmNetwork net;  //!< the network
    TaggedFlow flow; //!< F1

  private:
    /// @return the plan
    static FabricGraph MakeGraph()
    {
        return MakeFabricTopology("clos4:racks=4,l1=2,l2=2,hosts=2,switching-racks=2,l3=2,l4=2")
            ->BuildGraph();
    }

    /// @return policies
    static FabricHelper MakePolicies()
    {
        return CcmNetwork::MakeHelper("LightBytes",
                                      UintegerValue(3000),
                                      "HeavyBytes",
                                      UintegerValue(6000),
                                      "IncastBytes",
                                      UintegerValue(6000));
    }

    /**
     * @param names of these
     * @return true if the flow goes by some switches
     */
    bool GoesBy(const std::vector<std::string>& names) const
    {
        const auto path = net.fabric->TracePath(flow.src, flow.dst, flow.entropy);
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            if (path.at(i + 1).node != Of(names[i]))
            {
                return false;
            }
        }
        return true;
    }

    std::map<std::string, uint32_t> m_numbers; //!< by name
};

/**
 * @ingroup dcfabric-tests
 * @brief All steps in order.
 */
class CcmExampleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Example example;
        auto& told = example.net.told;
        // 3: of the paths up from L3-1-1 only that to L4-1-1 is light
        example.Block("L3-1-1", "L4-1-2", "H-2-1");
        // 4: from L4-1-1 one path leads to rack 2, by L3-1-2
        example.Block("L4-1-1", "L3-1-2", "H-2-1");
        example.Send();
        CallIn(MicroSeconds(20), [&] {
            // 0 and 1
            NS_TEST_EXPECT_MSG_EQ(example.At("L1-1-1").nLight, 2, "several");
            NS_TEST_EXPECT_MSG_EQ(example.At("L1-1-1").arPoint, example.Of("L1-1-1"), "itself");
            NS_TEST_EXPECT_MSG_EQ(example.After("L1-1-1"), "L2-1-1", "P1");
            // 2
            NS_TEST_EXPECT_MSG_EQ(example.At("L2-1-1").nLight, 2, "several");
            NS_TEST_EXPECT_MSG_EQ(example.At("L2-1-1").arPoint, example.Of("L2-1-1"), "itself");
            NS_TEST_EXPECT_MSG_EQ(example.After("L2-1-1"), "L3-1-1", "P1");
            // 3
            NS_TEST_EXPECT_MSG_EQ(example.At("L3-1-1").nLight, 1, "one");
            NS_TEST_EXPECT_MSG_EQ(example.At("L3-1-1").arPoint, example.Of("L2-1-1"), "stays");
            NS_TEST_EXPECT_MSG_EQ(example.After("L3-1-1"), "L4-1-1", "P1");
            // 4
            NS_TEST_EXPECT_MSG_EQ(example.At("L4-1-1").nLight, 0, "none");
            NS_TEST_EXPECT_MSG_EQ(example.At("L4-1-1").arPoint, example.Of("L2-1-1"), "stays");
            NS_TEST_EXPECT_MSG_EQ(example.After("L4-1-1"), "L3-1-2", "P1 goes on");
            NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "type 3");
            NS_TEST_EXPECT_MSG_EQ(told[0].by, example.Of("L4-1-1"), "L4-1-1");
            NS_TEST_EXPECT_MSG_EQ(+told[0].kind, 3, "type 3");
            NS_TEST_EXPECT_MSG_EQ(told[0].to, example.Of("L2-1-1"), "to L2-1-1");
            NS_TEST_EXPECT_MSG_EQ(told[0].src, example.flow.src, "F1");
            NS_TEST_EXPECT_MSG_EQ(told[0].dst, example.flow.dst, "F1");
            NS_TEST_EXPECT_MSG_EQ(told[0].pdc, 17, "F1");
            NS_TEST_EXPECT_MSG_EQ(
                example.net.fabric->GetSwitch(example.Of("L2-1-1"))->GetNConsumed(),
                1,
                "it has arrived");
            example.Send();
        });
        CallIn(MicroSeconds(40), [&] {
            // 5
            NS_TEST_EXPECT_MSG_EQ(example.After("L1-1-1"), "L2-1-1", "as before");
            NS_TEST_EXPECT_MSG_EQ(example.After("L2-1-1"), "L3-2-1", "moved to L3-m-1");
            NS_TEST_EXPECT_MSG_EQ(example.net.Count(example.Of("L2-1-1"), "ccm_moves_upstream"),
                                  1,
                                  "once");
            // the port that was reported does not count: the point is L1-1-1 again
            NS_TEST_EXPECT_MSG_EQ(example.At("L2-1-1").nLight, 1, "one is left");
            NS_TEST_EXPECT_MSG_EQ(example.At("L2-1-1").arPoint, example.Of("L1-1-1"), "stays");
            NS_TEST_EXPECT_MSG_EQ(example.At("L3-2-1").arPoint, example.Of("L3-2-1"), "idle rack");
            NS_TEST_EXPECT_MSG_EQ(example.After("L1-2-1"), "H-2-1", "and arrives");
            NS_TEST_EXPECT_MSG_EQ(told.size(), 1, "nothing new");
            // 6: incast: packets of F1 and of another flow wait for H-2-1
            const uint32_t last = example.Of("L1-2-1");
            example.net.fabric->GetSwitch(last)
                ->GetPort(example.net.PortTo(last, example.flow.dst))
                ->SetPausedClasses(1U << 3);
            TaggedFlow other = example.flow;
            other.src = example.Of("H-2-2");
            for (int i = 0; i < 4; ++i)
            {
                example.net.Arrive(last, other.src, other.Make());
            }
            example.Send();
            example.Send();
        });
        CallIn(MicroSeconds(60), [&] {
            const uint32_t last = example.Of("L1-2-1");
            NS_TEST_ASSERT_MSG_EQ(told.size(), 2, "6000 B with the second packet of F1");
            NS_TEST_EXPECT_MSG_EQ(told[1].by, last, "L1-n-1");
            NS_TEST_EXPECT_MSG_EQ(+told[1].kind, 1, "type 1");
            NS_TEST_EXPECT_MSG_EQ(told[1].to, example.Of("H-1-1"), "to H-1-1");
            NS_TEST_EXPECT_MSG_EQ(told[1].pdc, 17, "F1");
            // 7: the source sets the indicator; even a heavy path is not left
            example.Block("L2-1-1", "L3-2-1", "H-2-1");
            example.Send(true);
        });
        CallIn(MicroSeconds(80), [&] {
            NS_TEST_EXPECT_MSG_EQ(example.After("L2-1-1"), "L3-2-1", "not moved");
            for (const auto& packet : example.net.tagged)
            {
                NS_TEST_EXPECT_MSG_EQ(packet.tag.arPoint, NONE, "nobody names itself");
            }
            NS_TEST_EXPECT_MSG_EQ(example.net.tagged.size(), 7, "L1, L2, L3, L4, L3, L2, L1");
            // 8: it ends
            const uint32_t last = example.Of("L1-2-1");
            example.net.Unblock(last, example.flow.dst);
        });
        CallIn(MicroSeconds(140), [&] {
            NS_TEST_ASSERT_MSG_EQ(told.size(), 3, "type 2");
            NS_TEST_EXPECT_MSG_EQ(+told[2].kind, 2, "type 2");
            NS_TEST_EXPECT_MSG_EQ(told[2].by, example.Of("L1-2-1"), "by who claimed it");
            NS_TEST_EXPECT_MSG_EQ(told[2].to, example.Of("H-1-1"), "to H-1-1");
            example.Send();
        });
        CallIn(MicroSeconds(160), [&] {
            // 120 us after its move, with its port heavy and the other one reported: none is light
            NS_TEST_EXPECT_MSG_EQ(example.At("L2-1-1").nLight, 0, "movable again, but none");
            NS_TEST_ASSERT_MSG_EQ(told.size(), 4, "so it asks upstream");
            NS_TEST_EXPECT_MSG_EQ(+told[3].kind, 3, "type 3");
            NS_TEST_EXPECT_MSG_EQ(told[3].by, example.Of("L2-1-1"), "L2-1-1");
            NS_TEST_EXPECT_MSG_EQ(told[3].to, example.Of("L1-1-1"), "to L1-1-1");
            example.Send();
        });
        CallIn(MicroSeconds(180), [&] {
            NS_TEST_EXPECT_MSG_EQ(example.After("L1-1-1"), "L2-1-2", "which moves it");
            NS_TEST_EXPECT_MSG_EQ(example.At("L1-1-1").arPoint, NONE, "and has nothing left");
        });
        Simulator::Run();
        std::map<DropReason, uint64_t> drops = example.net.fabric->GetDrops();
        drops.erase(DropReason::UNKNOWN_PDC); // at hosts, which take no part
        NS_TEST_EXPECT_MSG_EQ(drops.empty(), true, "nothing is lost");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Points are asked in turn, from the nearest to the first, then the source: L4-1-1's only
 * path, then those of the other switching rack, are heavy.
 */
class CcmAskedInTurnTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Example example;
        // whichever way up: no layer-4 switch has a light way to rack 2
        for (const std::string rack : {"1", "2"})
        {
            for (const std::string number : {"1", "2"})
            {
                const std::string top = "L4-" + rack + "-" + number;
                example.Block(top, "L3-" + rack + "-2", "H-2-1");
            }
        }
        for (int us = 0; us < 3000; us += 10)
        {
            CallIn(MicroSeconds(us), [&example] { example.Send(); });
        }
        std::vector<std::string> asked;
        CallIn(MicroSeconds(1200), [&] {
            for (const auto& message : example.net.told)
            {
                const auto& node = example.net.fabric->GetGraph().GetNode(message.to);
                if (message.src == example.flow.src)
                {
                    asked.push_back(std::to_string(message.kind) + " " + node.name);
                }
            }
        });
        Simulator::Run();
        // four paths up in all: three points with two each lie on each way
        NS_TEST_ASSERT_MSG_GT(asked.size(), 3, "points, then the source");
        std::size_t first1 = 0;
        while (first1 < asked.size() && asked[first1][0] != '1')
        {
            NS_TEST_EXPECT_MSG_EQ(asked[first1][0], '3', "a point upstream");
            ++first1;
        }
        NS_TEST_ASSERT_MSG_LT(first1, asked.size(), "the source is told at last");
        NS_TEST_EXPECT_MSG_EQ(asked[first1], "1 H-1-1", "the source");
        NS_TEST_EXPECT_MSG_EQ(asked[0], "3 L3-1-1", "at first the nearest point");
        // every switch on the way with a choice offered all it had: 7 others of the 8 ways
        uint64_t moves = 0;
        for (const std::string name : {"L1-1-1", "L2-1-1", "L2-1-2", "L3-1-1", "L3-2-1"})
        {
            moves += example.net.Count(example.Of(name), "ccm_moves");
        }
        NS_TEST_EXPECT_MSG_EQ((moves >= 3), true, "moves " << moves);
        NS_TEST_EXPECT_MSG_LT(moves, 60, "and does not swing: 3 ms, 5 switches, 100 us each");
    }
};

/// The example of section 7.
const SuiteCases g_cases("dcfabric-switch", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CcmExampleTestCase("coordination: the four-layer example, by its steps"));
    suite.AddTestCase(new CcmAskedInTurnTestCase("coordination: no path anywhere: asked in turn"));
});

} // namespace ns3::tests::ccm_example_test
