// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-random.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"
#include "../fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-totals.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Coordinated congestion management where other paths do not help, beside the same run
 * without it: DCQCN with marks from 400 kB on.
 */

namespace ns3::tests::ccm_no_harm_test
{

/// A message.
struct Transfer
{
    uint32_t src;   //!< sender
    uint32_t dst;   //!< receiver
    uint64_t bytes; //!< length
};

/// What came of a run.
struct Outcome
{
    double meanUs{0};    //!< of the times of all messages
    uint64_t drops{0};   //!< packets
    uint64_t pauses{0};  //!< PFC frames
    FabricTotals totals; //!< of the rest
};

/**
 * @ingroup dcfabric-tests
 * @brief Runs of messages that begin within 2 us.
 */
class CcmNoHarmTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /// How flows find their ways.
    enum class Ways
    {
        ADAPTIVE, //!< CCM leads them, beside ECMP
        SPRAYED,  //!< hosts spread their packets
        HASHED,   //!< ECMP alone
        UGAL      //!< the first switch chooses for each packet
    };

    /// A run.
    struct Plan
    {
        std::string topology;            //!< as dcfabric-sim names it
        std::vector<Transfer> transfers; //!< all there are
        Ways ways{Ways::ADAPTIVE};       //!< of packets
        bool lossless{true};             //!< with PFC
        uint32_t seed{1};                //!< of the run
    };

    /**
     * @param plan the run
     * @param ccm with coordination
     * @return what came of it
     */
    Outcome Run(const Plan& plan, bool ccm)
    {
        RandomRun random(plan.seed);
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
        helper.SetFlowControl(plan.lossless ? "ns3::PriorityFlowControl" : "none");
        helper.SetPathSelector("ns3::EcmpPathSelector");
        if (plan.ways == Ways::SPRAYED)
        {
            helper.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
        }
        if (plan.ways == Ways::UGAL)
        {
            helper.SetRouting("ns3::DragonflyUgalRouting");
        }
        if (ccm)
        {
            helper.AddSwitchFeature("ns3::CcmFeature",
                                    "Adaptive",
                                    BooleanValue(plan.ways == Ways::ADAPTIVE));
            helper.AddCoordination("ns3::CoordinationGateModifier");
        }
        TestNetwork network(MakeFabricTopology(plan.topology)->BuildGraph(), helper);
        std::mt19937 draw(plan.seed);
        std::vector<int64_t> starts;
        for (uint32_t i = 0; i < plan.transfers.size(); ++i)
        {
            const Transfer& transfer = plan.transfers[i];
            starts.push_back(draw() % (2 * US));
            network.MessagesOf(transfer.src).SendAt(starts.back(), transfer.dst, transfer.bytes, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), plan.transfers.size(), "all complete");
        Outcome outcome;
        for (const FabricMessageEvent& event : network.delivered)
        {
            outcome.meanUs += static_cast<double>(event.nowPs - starts[event.tag]) / US /
                              static_cast<double>(plan.transfers.size());
        }
        for (const auto& [reason, count] : network.fabric->GetDrops())
        {
            outcome.drops += count;
        }
        outcome.totals = FabricTotals::Collect(*network.fabric);
        outcome.pauses = outcome.totals.Get("pfc_pause_frames");
        return outcome;
    }

    /**
     * @param outcome of a run
     * @param name of it
     * @return a counter of all switches
     */
    static uint64_t Count(const Outcome& outcome, const std::string& name)
    {
        const auto& counters = outcome.totals.features;
        const auto found = std::find_if(counters.begin(), counters.end(), [&](const auto& one) {
            return one.first == name;
        });
        return found == counters.end() ? UINT64_MAX : found->second;
    }

    /**
     * @brief Both runs: with coordination losses and pauses are not more than 1.1 times as many.
     * @param plan the run
     * @param what it is
     * @return the run with coordination
     */
    Outcome Compare(const Plan& plan, const std::string& what)
    {
        const Outcome without = Run(plan, false);
        const Outcome with = Run(plan, true);
        std::cout << what << ": mean " << without.meanUs << " to " << with.meanUs << " us, drops "
                  << without.drops << " to " << with.drops << ", pauses " << without.pauses
                  << " to " << with.pauses << ", type 1 " << Count(with, "ccm_type1") << ", 2 "
                  << Count(with, "ccm_type2") << ", 3 " << Count(with, "ccm_type3") << ", moves "
                  << Count(with, "ccm_moves") << std::endl;
        m_withoutUs += without.meanUs;
        m_withUs += with.meanUs;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(with.drops, without.drops * 11 / 10, what << ": losses");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(with.pauses, without.pauses * 11 / 10, what << ": pauses");
        return with;
    }

    /**
     * @brief Mean times of all runs since the last call.
     * @param what they were
     * @param ratio that they do not reach
     */
    void CheckTimes(const std::string& what, double ratio = 1.1)
    {
        NS_TEST_EXPECT_MSG_LT(m_withUs, ratio * m_withoutUs, what << ": mean times");
        m_withUs = 0;
        m_withoutUs = 0;
    }

    /**
     * @param hosts how many
     * @param by how far
     * @param bytes of a message
     * @return each host sends to one further on
     */
    static std::vector<Transfer> Shift(uint32_t hosts, uint32_t by, uint64_t bytes)
    {
        std::vector<Transfer> transfers;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            transfers.push_back({host, (host + by) % hosts, bytes});
        }
        return transfers;
    }

  private:
    double m_withoutUs{0}; //!< mean times without coordination
    double m_withUs{0};    //!< and with it
};

/**
 * @ingroup dcfabric-tests
 * @brief Four leaves with eight hosts and two spines, shift by eight: 800 Gb/s of each leaf for
 * 200 Gb/s of uplinks, no incast. No path is light, and nothing moves flows, so that congestion
 * control has to act: type 1 for each of the 32 flows. When none was sent, messages of 4 MB lost
 * 14,885 packets (23,913 with ECMP), or caused 1,439 pauses (1,328): 24 of a leaf's 32 MB were
 * more than the uplinks took while they came. 1 MB shows the same messages of type 1 in less time.
 */
class CcmFullCoreTestCase : public CcmNoHarmTestCase
{
    using CcmNoHarmTestCase::CcmNoHarmTestCase;

    void DoRun() override
    {
        for (const Ways ways : {Ways::SPRAYED, Ways::HASHED})
        {
            for (const bool lossless : {false, true})
            {
                const Plan plan{"leaf-spine:leaves=4,spines=2,hosts=8",
                                Shift(32, 8, 1000000),
                                ways,
                                lossless};
                const std::string what = std::string(ways == Ways::SPRAYED ? "sprayed" : "ECMP") +
                                         (lossless ? ", PFC" : ", lossy");
                const Outcome ccm = Compare(plan, what);
                NS_TEST_EXPECT_MSG_GT(Count(ccm, "ccm_type1"), 31, what << ": each flow");
                NS_TEST_EXPECT_MSG_GT(Count(ccm, "ccm_type2"), 31, what << ": and released");
                NS_TEST_EXPECT_MSG_EQ(Count(ccm, "ccm_type3"), 0, what << ": nobody can move it");
                NS_TEST_EXPECT_MSG_EQ(ccm.drops + ccm.pauses, 0, what << ": no harm");
                CheckTimes(what);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Eight hosts send to one, all links have the same rate: where some of them share a link
 * between switches it is as heavy as the last one, and yet no flow is moved, and nobody is asked
 * to. (5, 20 and 20 moves before switches told an incast on its way.)
 */
class CcmIncastsTestCase : public CcmNoHarmTestCase
{
    using CcmNoHarmTestCase::CcmNoHarmTestCase;

    void DoRun() override
    {
        for (const std::string topology :
             {"leaf-spine:leaves=4,spines=4,hosts=8", "fat-tree:k=4", "clos4"})
        {
            const auto hosts =
                static_cast<uint32_t>(MakeFabricTopology(topology)->BuildGraph().GetHosts().size());
            for (uint32_t seed = 1; seed <= 3; ++seed)
            {
                std::vector<uint32_t> senders(hosts - 1);
                std::iota(senders.begin(), senders.end(), 1);
                std::shuffle(senders.begin(), senders.end(), std::mt19937(seed));
                Plan plan{topology, {}, Ways::ADAPTIVE, true, seed};
                for (uint32_t i = 0; i < 8; ++i)
                {
                    plan.transfers.push_back({senders[i], 0, 1000000});
                }
                const std::string what = topology + ", seed " + std::to_string(seed);
                const Outcome ccm = Compare(plan, what);
                NS_TEST_EXPECT_MSG_EQ(Count(ccm, "ccm_moves"), 0, what << ": no other path");
                NS_TEST_EXPECT_MSG_EQ(Count(ccm, "ccm_type3"), 0, what << ": nor asked for");
                NS_TEST_EXPECT_MSG_GT(Count(ccm, "ccm_type1"), 7, what << ": each flow");
            }
            CheckTimes(topology); // of one run: 0.9 to 1.2, by which flows DCQCN cuts first
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Dragonfly, minimal routing, each host sends to the next group: eight flows for the only
 * link between two groups. All are for congestion control, as without coordination, and by the
 * same marks: marks from the first heavy queue on (50 kB, where the profile begins at 400 kB) made
 * it 1.86 times as long.
 */
class CcmOneWayTestCase : public CcmNoHarmTestCase
{
    using CcmNoHarmTestCase::CcmNoHarmTestCase;

    void DoRun() override
    {
        if (!HasTopology("dragonfly"))
        {
            return;
        }
        const Plan plan{"dragonfly:hosts=2,routers=4,globals=2", Shift(72, 8, 500000)};
        const Outcome ccm = Compare(plan, "dragonfly");
        NS_TEST_EXPECT_MSG_GT(Count(ccm, "ccm_type1"), 71, "each flow");
        NS_TEST_EXPECT_MSG_EQ(Count(ccm, "ccm_moves"), 0, "one way");
        CheckTimes("dragonfly");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The same under UGAL: the first switch leads each packet straight or by way of a third
 * group, and has light ports as long as it does. Queues of 50 kB further on are then no reason to
 * slow down: there is a path, upstream ([CCM] section 6.3.4).
 *
 * By hand: a group's 8 hosts send 800 Gb/s to the next one. One link of 100 Gb/s leads straight,
 * for which 1 MB of each takes 640 us (CcmOneWayTestCase); over all links of 9 groups, of which
 * packets by way of a third take two, 7200 Gb/s meet 72 x 100: 2 x 80 us at best for most of them.
 * When each queue of 50 kB was a reason it took as long as without coordination, 483 us.
 */
class CcmUgalTestCase : public CcmNoHarmTestCase
{
    using CcmNoHarmTestCase::CcmNoHarmTestCase;

    void DoRun() override
    {
        if (!HasTopology("dragonfly"))
        {
            return;
        }
        const Plan plan{"dragonfly:hosts=2,routers=4,globals=2", Shift(72, 8, 1000000), Ways::UGAL};
        const Outcome ccm = Compare(plan, "dragonfly, UGAL");
        NS_TEST_EXPECT_MSG_EQ(Count(ccm, "ccm_type1"), 0, "there is a path");
        NS_TEST_EXPECT_MSG_EQ(Count(ccm, "ccm_moves"), 0, "as UGAL says");
        CheckTimes("nobody is cut", 0.67);
        // all to one: no path leads around
        std::vector<Transfer> incast;
        for (uint32_t host = 8; host < 24; ++host)
        {
            incast.push_back({host, 0, 250000});
        }
        const Plan toOne{"dragonfly:hosts=2,routers=4,globals=2", incast, Ways::UGAL};
        NS_TEST_EXPECT_MSG_GT(Count(Compare(toOne, "incast, UGAL"), "ccm_type1"),
                              15,
                              "all sources");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Three leaves with 32 hosts and eight spines, each host sends to the next leaf: 3,200 Gb/s
 * for 800 Gb/s of uplinks. A path takes one flow in 4 us; when it took all that came before it was
 * heavy (50 packets), 32 flows moved to one; with messages of 500 kB its queue had 9.7 MB in place
 * of 3.0, and the mean time was 1.83 times as long.
 */
class CcmHerdTestCase : public CcmNoHarmTestCase
{
    using CcmNoHarmTestCase::CcmNoHarmTestCase;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 2; ++seed)
        {
            const Plan plan{"leaf-spine:leaves=3,spines=8,hosts=32",
                            Shift(96, 32, 250000),
                            Ways::ADAPTIVE,
                            true,
                            seed};
            const std::string what = "herd, seed " + std::to_string(seed);
            const Outcome ccm = Compare(plan, what);
            // 8 paths at each of 3 leaves, and little more than the 10 us until all are claimed
            NS_TEST_EXPECT_MSG_LT(Count(ccm, "ccm_moves"), 96, what << ": not each flow");
            NS_TEST_EXPECT_MSG_GT(Count(ccm, "ccm_type1"), 95, what << ": each flow");
        }
        CheckTimes("herd");
    }
};

/// Where other paths do not help.
const SuiteCases g_cases("dcfabric-control-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new CcmFullCoreTestCase("coordination: all paths full, nobody moves"),
                      DurationOf<TestCase>::EXTENSIVE);
    suite.AddTestCase(new CcmIncastsTestCase("coordination: incasts that share links"),
                      DurationOf<TestCase>::EXTENSIVE);
    suite.AddTestCase(new CcmHerdTestCase("coordination: many flows, few light paths"));
    suite.AddTestCase(new CcmOneWayTestCase("coordination: one way for eight flows"));
    suite.AddTestCase(new CcmUgalTestCase("coordination: UGAL has other ways"));
});

} // namespace ns3::tests::ccm_no_harm_test
