// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-reduction.h"

#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"

#include <iostream>
#include <list>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packets of in-network reduction that are lost, in each direction, first and last, once and
 * twice; and many at random.
 *
 * A lane aborts if a result has not the contribution of each rank once, so that a run that ends has
 * no sum that is wrong.
 */

namespace ns3::tests::reduction_loss_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Losses at one place, and what is sent again because of them.
 */
class LossTestCase : public ReductionTestCase
{
    using ReductionTestCase::ReductionTestCase;

    /// Lose packets that arrive at a port.
    struct Loss
    {
        uint32_t node;             //!< where
        uint32_t port;             //!< of the node
        std::list<uint32_t> turns; //!< which, counted from 0
    };

    /// Run 100 packets with losses.
    ReductionRun Lose(const FabricGraph& graph, uint32_t n, const std::list<Loss>& losses)
    {
        return RunAll(graph,
                      Program(n, "allreduce 100kB algorithm=in-network"),
                      [&losses](Fabric& fabric) {
                          for (const Loss& loss : losses)
                          {
                              const auto list = CreateObject<ReceiveListErrorModel>();
                              list->SetList(loss.turns);
                              fabric.GetPort(loss.node, loss.port)
                                  ->SetAttribute("ReceiveErrorModel", PointerValue(list));
                          }
                      });
    }

    /// Expect counts.
    void Expect(const ReductionRun& run,
                const std::string& what,
                uint64_t sentAgain,
                uint64_t repeats,
                uint64_t answers,
                uint64_t sumsSentAgain,
                uint64_t timeouts)
    {
        NS_TEST_EXPECT_MSG_EQ(run.totals.sentAgain, sentAgain, what << ": sent again");
        NS_TEST_EXPECT_MSG_EQ(run.totals.repeats, repeats, what << ": came twice");
        NS_TEST_EXPECT_MSG_EQ(run.totals.answers, answers, what << ": answered");
        NS_TEST_EXPECT_MSG_EQ(run.totals.sumsSentAgain, sumsSentAgain, what << ": sums again");
        NS_TEST_EXPECT_MSG_EQ(run.totals.timeouts, timeouts, what << ": time-outs");
    }

    void DoRun() override
    {
        // hosts 0 to 3 at switch 4, whose port i leads to host i
        const FabricGraph star = MakeStar(4);
        const int64_t wholePs = GetPs(Lose(star, 4, {}).rows.front());
        // Up, in the midst: all hosts see the result of the next one, and send it again at the same
        // time. That of host 0 had come, that of host 1 completes the sum, 2 and 3 are answered.
        ReductionRun run = Lose(star, 4, {{4, 1, {5}}});
        Expect(run, "up", 4, 3, 2, 0, 0);
        // it costs a round trip at most, in which the window is used up
        NS_TEST_EXPECT_MSG_LT(GetPs(run.rows.front()), wholePs + 2300000, "found at once");
        // Down: one host misses it, and is given it.
        Expect(Lose(star, 4, {{2, 0, {5}}}), "down", 1, 1, 1, 0, 0);
        // The first, and the last, behind which nothing follows: a time-out of each who waits.
        Expect(Lose(star, 4, {{4, 1, {0}}}), "first up", 4, 3, 2, 0, 0);
        Expect(Lose(star, 4, {{2, 0, {0}}}), "first down", 1, 1, 1, 0, 0);
        Expect(Lose(star, 4, {{4, 1, {99}}}), "last up", 4, 3, 2, 0, 4);
        Expect(Lose(star, 4, {{2, 0, {99}}}), "last down", 1, 1, 1, 0, 1);
        // The last, and the answer to its second copy: two time-outs.
        Expect(Lose(star, 4, {{2, 0, {99, 100}}}), "last twice down", 2, 2, 2, 0, 2);
        // The last of two hosts, up: the sum waits for both, and only host 3 asks too late.
        Expect(Lose(star, 4, {{4, 1, {99}}, {4, 2, {99}}}), "last of two", 4, 2, 1, 0, 4);
        // Three in a row are all found by the result of the fourth.
        Expect(Lose(star, 4, {{4, 1, {5, 6, 7}}}), "three up", 12, 9, 6, 0, 0);
        // The last 26, a whole window, of one host: each sends the first after a time-out, and the
        // other 25 when none has followed that for two round trips.
        Expect(Lose(star, 4, {{4, 1, {74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86,
                                      87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99}}}),
               "the last window",
               4 * 26,
               3 * 26,
               2 * 26,
               0,
               4);
        // Up at one host, and down at another.
        Expect(Lose(star, 4, {{4, 1, {5}}, {2, 0, {50}}}), "both ways", 5, 4, 3, 0, 0);

        // hosts 0 and 1 at leaf 4, 2 and 3 at leaf 5; port 2 of each leads to spine 6
        const FabricGraph leaves = MakeTwoLeaves(2, 1);
        // From leaf 4 to the spine: all hosts send again, each leaf its sum once; that of leaf 4
        // completes it, and leaf 5 is answered.
        Expect(Lose(leaves, 4, {{6, 0, {5}}}), "sum up", 4, 5, 1, 2, 0);
        // From the spine to leaf 4: its two hosts send again, it asks once, and the spine answers.
        Expect(Lose(leaves, 4, {{4, 2, {5}}}), "result down", 2, 3, 1, 1, 0);
        // From leaf 4 to host 0: as on one switch.
        Expect(Lose(leaves, 4, {{0, 0, {5}}}), "to a host", 1, 1, 1, 0, 0);
        // From host 0: its copy completes the sum of leaf 4, which that of host 1 has go up once
        // more; leaf 5 asks once for both of its hosts. The spine answers both.
        Expect(Lose(leaves, 4, {{4, 0, {5}}}), "of a host", 4, 5, 2, 2, 0);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random losses: everything ends, and every sum is right.
 */
class RandomLossTestCase : public ReductionTestCase
{
  public:
    /// @param seed of the first run @param count of runs
    RandomLossTestCase(uint32_t seed, uint32_t count)
        : ReductionTestCase("random losses, seeds " + std::to_string(seed) + " to " +
                            std::to_string(seed + count - 1)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        std::cout << "dcfabric-reduction: seed " << m_seed << std::endl;
        const char* kinds[] = {"allreduce 60kB",
                               "allgather 30kB",
                               "reducescatter 30kB",
                               "reduce 30kB",
                               "broadcast 30kB",
                               "barrier",
                               "allreduce 1kB",
                               "allreduce 20kB channels=2"};
        for (uint32_t seed = m_seed; seed < m_seed + m_count; ++seed)
        {
            RngSeedManager::SetRun(seed);
            const double loss = seed % 3 == 0 ? 0.1 : 0.01;
            FabricGraph graph = seed % 2 == 0 ? MakeStar(4) : MakeTwoLeaves(2, 2);
            graph.SetDefaultErrorRate(loss);
            const ReductionRun run =
                RunAll(graph,
                       Program(4,
                               std::string("repeat 3 {\n") + kinds[seed % 8] +
                                   " algorithm=in-network\n}\nallreduce 5kB algorithm=in-network"));
            NS_TEST_EXPECT_MSG_EQ(run.rows.size(), 4, "seed " << seed);
        }
        RngSeedManager::SetRun(1);
    }

    uint32_t m_seed;  //!< of the first run
    uint32_t m_count; //!< of runs
};

const SuiteCases g_cases("dcfabric-reduction", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LossTestCase("packets that are lost"));
    suite.AddTestCase(new RandomLossTestCase(41000, 48));
});

} // namespace ns3::tests::reduction_loss_test
