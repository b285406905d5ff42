// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-paths.h"
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/drill-path-selector.h"
#include "ns3/fabric-helper.h"
#include "ns3/forwarding-table.h"
#include "ns3/port-loads.h"
#include "ns3/test.h"

#include <array>
#include <map>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief DRILL: two ports that are drawn and the best one before.
 */

namespace ns3::tests::drill_path_selector_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A switch with queues to be set, its ports at 100 Gb/s unless said otherwise.
 */
class FakeQueues : public PortLoads
{
  public:
    int64_t GetPresentPs() const override
    {
        return 0;
    }

    uint64_t GetWaitingBytes(uint16_t port) const override
    {
        return waiting.at(port);
    }

    int64_t GetWaitingPs(uint16_t port) const override
    {
        const auto own = psPerByte.find(port);
        return static_cast<int64_t>(waiting.at(port)) * (own == psPerByte.end() ? 80 : own->second);
    }

    std::map<uint16_t, uint64_t> waiting;  //!< by port
    std::map<uint16_t, int64_t> psPerByte; //!< by port, where it is not 80
};

const std::array<uint16_t, 4> PORTS{0, 1, 2, 3};             //!< of the group
const std::array<uint16_t, 5> NEIGHBORS{0, 1, 2, 3, 4};      //!< one link each
const PortGroup GROUP{PORTS.data(), NEIGHBORS.data(), 4, 4}; //!< four ways

/**
 * @param dst receiver
 * @param entropy of the flow
 * @return a data packet to it
 */
Ptr<FabricPacketItem>
MakePacket(uint32_t dst, uint16_t entropy)
{
    return MakeData(1000, 0, 3, 1, dst, entropy);
}

/**
 * @ingroup dcfabric-tests
 * @brief The best of some candidates.
 */
class DrillBestTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FakeQueues queues;
        Ptr<DrillPathSelector> selector = CreateObject<DrillPathSelector>();
        selector->SetPortLoads(&queues);
        const auto best = [&selector](const std::vector<uint16_t>& candidates) {
            return selector->FindBest(candidates);
        };
        // memory p1 first, then the samples in their order
        queues.waiting = {{0, 3000}, {1, 1000}, {2, 2000}, {3, 0}};
        NS_TEST_EXPECT_MSG_EQ(best({1, 0, 2}), 1, "1000 before 3000 and 2000");
        NS_TEST_EXPECT_MSG_EQ(best({1, 3, 0}), 3, "0 before 1000");
        queues.waiting[3] = 1500;
        queues.waiting[1] = 1500;
        NS_TEST_EXPECT_MSG_EQ(best({3, 1, 2}), 3, "a tie keeps what is remembered");
        NS_TEST_EXPECT_MSG_EQ(best({1, 3}), 1, "and without memory the first sample");
        NS_TEST_EXPECT_MSG_EQ(best({2}), 2, "one alone");
        // at 40 Gb/s 1,000 B take 200 ns, at 100 Gb/s 2,000 B 160 ns
        queues.waiting = {{0, 1000}, {1, 2000}, {2, 0}, {3, 0}};
        queues.psPerByte = {{0, 200}};
        NS_TEST_EXPECT_MSG_EQ(best({0, 1}), 1, "more bytes, less time");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is drawn and what is remembered.
 */
class DrillMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FakeQueues queues;
        queues.waiting = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
        Ptr<DrillPathSelector> selector = CreateObject<DrillPathSelector>();
        selector->Attach(7, 1);
        selector->AssignStreams(3);
        selector->SetPortLoads(&queues);
        const auto item = MakePacket(2, 77);
        // all alike: the first one that is remembered stays
        const uint16_t first = selector->Select(GROUP, *item);
        for (int i = 0; i < 100; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(selector->Select(GROUP, *item), first, "a tie, packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(selector->GetNRemembered(), 1, "one destination");
        selector->Select(GROUP, *MakePacket(3, 77));
        NS_TEST_EXPECT_MSG_EQ(selector->GetNRemembered(), 2, "another destination");
        selector->OnTableChange();
        NS_TEST_EXPECT_MSG_EQ(selector->GetNRemembered(), 0, "another table");

        // One port is free: two samples of four miss it with probability 1/2, and once it has been
        // found it stays. 40 packets miss it with probability 2^-40.
        queues.waiting = {{0, 9}, {1, 9}, {2, 0}, {3, 9}};
        uint16_t last = 0;
        for (int i = 0; i < 40; ++i)
        {
            last = selector->Select(GROUP, *item);
        }
        NS_TEST_EXPECT_MSG_EQ(last, 2, "found and remembered");

        // Without memory half of 4,000 packets find it: standard deviation sqrt(4000 / 4) = 32.
        selector->SetAttribute("Memory", BooleanValue(false));
        std::map<uint16_t, int> count;
        for (int i = 0; i < 4000; ++i)
        {
            ++count[selector->Select(GROUP, *item)];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(count[2], 2000, 158, "one of the two samples");
        // the others are alike, 667 each, of which the first sample counts: deviation 24
        for (const uint16_t port : {0, 1, 3})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(count[port], 667, 118, "port " << port);
        }
        // as many samples as ports, or more: always the best, and no draw
        for (const uint32_t samples : {4U, 9U})
        {
            selector->SetAttribute("Samples", UintegerValue(samples));
            NS_TEST_EXPECT_MSG_EQ(selector->Select(GROUP, *item), 2, samples << " samples");
        }
        // three samples of four, each at most once: one port is missed in a quarter
        selector->SetAttribute("Samples", UintegerValue(3));
        int found = 0;
        for (int i = 0; i < 4000; ++i)
        {
            found += selector->Select(GROUP, *item) == 2 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(found, 3000, 137, "three of four");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Other packets, and ports that are down.
 */
class DrillRestTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FakeQueues queues;
        queues.waiting = {{0, 0}, {1, 5}, {2, 5}, {3, 5}};
        Ptr<DrillPathSelector> selector = CreateObject<DrillPathSelector>();
        selector->Attach(7, 1);
        selector->AssignStreams(3);
        selector->SetPortLoads(&queues);
        // an ACK keeps its port, whatever waits there
        std::set<uint16_t> used;
        for (uint16_t entropy = 0; entropy < 64; ++entropy)
        {
            Ptr<FabricPacketItem> ack = FabricPacketItem::Create(FabricPacketType::ACK);
            ack->src = 2;
            ack->dst = 1;
            ack->entropy = entropy;
            ack->UpdateFlowHash();
            const uint16_t port = selector->Select(GROUP, *ack);
            NS_TEST_EXPECT_MSG_EQ(selector->Select(GROUP, *ack), port, "by its hash");
            used.insert(port);
        }
        NS_TEST_EXPECT_MSG_EQ(used.size(), 4, "all ports");
        NS_TEST_EXPECT_MSG_EQ(selector->GetNRemembered(), 0, "nothing of them is remembered");
        // port 0 is best and known to be down: the others share the packets
        const std::array<uint16_t, 3> up{1, 2, 3};
        const std::array<uint16_t, 4> neighbors{0, 1, 2, 3};
        const PortGroup rest{up.data(), neighbors.data(), 3, 3};
        const auto item = MakePacket(2, 77);
        used.clear();
        for (int i = 0; i < 40; ++i)
        {
            selector->Select(GROUP, *item);
            used.insert(selector->SelectAgain(rest, *item));
        }
        NS_TEST_EXPECT_MSG_EQ(used.count(0), 0, "never the one that is down");
        NS_TEST_EXPECT_MSG_EQ(selector->KeepsOrder(), false, "packets overtake");
        NS_TEST_EXPECT_MSG_EQ(selector->GetMaxPaths(), UINT32_MAX, "any number of ways");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two ways of different rates.
 */
class DrillUnevenTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // hosts 0, 1 at switch 4, hosts 2, 3 at switch 5; ways through 6 (100 Gb/s) and 7 (50 Gb/s)
        const FabricGraph graph = PlanOfLinks(
            4,
            4,
            {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {4, 7, 50 * GBPS}, {5, 6}, {5, 7, 50 * GBPS}});
        FabricHelper helper;
        helper.SetPathSelector("ns3::DrillPathSelector");
        Ptr<Fabric> fabric = helper.Install(graph);
        // 1,000 of 1,082 B are payload: 150 Gb/s of the wire are 138.6 of it
        const double gbps = MeasureTwoFlows(fabric);
        NS_TEST_EXPECT_MSG_EQ_TOL(gbps, 138.6, 138.6 * 0.05, "both ways, by their rates");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        Simulator::Destroy();

        FabricHelper inOrder;
        inOrder.SetPathSelector("ns3::DrillPathSelector");
        inOrder.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(inOrder.Install(graph),
                                "ns3::GoBackN accepts packets only in order, but "
                                "ns3::DrillPathSelector spreads a flow over several");
        Simulator::Destroy();
    }
};

/// DRILL.
const SuiteCases g_cases("dcfabric-drill", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DrillBestTestCase("the least queue wins, a tie keeps the earlier candidate"));
    suite.AddTestCase(new DrillMemoryTestCase("samples are drawn without replacement, the best "
                                              "port stays a candidate until the table changes"));
    suite.AddTestCase(
        new DrillRestTestCase("other packets are hashed; a port that is down is left out"));
    suite.AddTestCase(
        new DrillUnevenTestCase("ways of different rates are used by their rates; refused"));
});

} // namespace ns3::tests::drill_path_selector_test
