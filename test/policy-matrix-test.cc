// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-errors.h"
#include "fabric-test-matrix-run.h"
#include "fabric-test-random.h"
#include "fabric-test-suite.h"

#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Every legal triple of congestion control, load balancing and flow control runs to
 * completion, and each policy has acted by its own counters.
 */

namespace ns3::tests::matrix::policy_matrix_test
{
namespace policy_matrix_test
{

/**
 * @ingroup dcfabric-tests
 * @brief All triples with one congestion control.
 */
class TripleTestCase : public TestCase
{
  public:
    /**
     * @param cc the congestion control
     * @param run random run
     */
    TripleTestCase(const Cc& cc, uint64_t run)
        : TestCase(std::string(cc.name) + " with every load balancing and flow control, run " +
                   std::to_string(run)),
          m_cc(cc),
          m_run(run)
    {
    }

  private:
    void DoRun() override
    {
        const RandomRun random(m_run);
        uint32_t legal = 0;
        for (const Lb& lb : LBS)
        {
            for (const Flow& flow : FLOWS)
            {
                for (const char buffer : std::string(flow.buffers))
                {
                    Combination c;
                    c.cc = &m_cc;
                    c.lb = &lb;
                    c.flow = &flow;
                    c.voq = buffer == 'v';
                    c.goBackN = m_run % 2 == 0; // every other run, where it is legal
                    c.Complete();
                    if (FindClashes(c).empty())
                    {
                        Check(c);
                        ++legal;
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(legal, 6, m_cc.name << " goes with something");
    }

    /**
     * @brief Run a triple.
     * @param c it
     */
    void Check(const Combination& c)
    {
        const std::string refusal = RefusalOf([&]() {
            const MatrixRun run(c);
            CheckTransport(run, c);
            CheckCc(run, c);
            CheckLb(run, c);
            CheckFlow(run, c);
        });
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(refusal, "(accepted)", c.GetName());
    }

    /**
     * @brief Expect two things to be true, or both false.
     * @param one,other they
     * @param what is tested
     */
    void Same(bool one, bool other, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(one, other, what);
    }

    /**
     * @brief All messages arrive once, and no packet is missing.
     * @param run the run
     * @param c what ran
     */
    void CheckTransport(const MatrixRun& run, const Combination& c)
    {
        for (uint32_t tag = 0; tag < std::size(TRAFFIC); ++tag)
        {
            const auto delivered = TestNetwork::Find(run.GetDelivered(), tag);
            NS_TEST_EXPECT_MSG_EQ(delivered.tag, tag, "arrived once, " << c.GetName());
            NS_TEST_EXPECT_MSG_EQ(delivered.bytes, TRAFFIC[tag].packets * 1000, c.GetName());
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(run.GetCompleted(), tag).tag,
                                  tag,
                                  "acknowledged once, " << c.GetName());
        }
        NS_TEST_EXPECT_MSG_EQ(run.GetDelivered().size(), std::size(TRAFFIC), c.GetName());
        const Fabric::Conservation packets = run.GetConservation();
        NS_TEST_EXPECT_MSG_EQ(packets.Holds(), true, "conservation, " << c.GetName());
        NS_TEST_EXPECT_MSG_EQ(packets.inFlight, 0, "nothing is left, " << c.GetName());
        NS_TEST_EXPECT_MSG_EQ(packets.dropped, run.drops, "each drop counted, " << c.GetName());
    }

    /**
     * @brief The congestion control acted on what it acts on.
     * @param run the run
     * @param c what ran
     */
    void CheckCc(const MatrixRun& run, const Combination& c)
    {
        const std::string name = c.cc->name;
        if (name == "none")
        {
            NS_TEST_EXPECT_MSG_EQ(run.reductions, 0, c.GetName());
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(run.reductions, 0, "took hold, " << c.GetName());
        }
        const uint64_t cnps = run.Sum(&FabricNic::Counters::cnpsReceived);
        const uint64_t rates = run.Sum(&FabricNic::Counters::noticesArrived);
        const uint64_t bts = run.Sum(&FabricNic::Counters::btsReceived);
        Same(cnps > 0, name == "dcqcn" || name == "dcqcn-plus", "CNPs, " + c.GetName());
        Same(rates > 0, name == "rocc", "fair rates, " + c.GetName());
        Same(run.rateMessages > 0, name == "rocc", c.GetName());
        Same(bts > 0, name == "bts", "notifications, " + c.GetName());
        Same(run.notifications > 0, name == "bts", c.GetName());
        const bool watched = c.cc->feature ? name == "hpcc" || name == "fncc"
                                           : name == "dctcp" || name == "timely" || name == "swift";
        Same(run.moving > 0, watched, "measured something, " + c.GetName());
        Same(run.GetNHops() > 0,
             name == "external-int" || name == "external-ack-int",
             "INT, " + c.GetName());
    }

    /**
     * @brief Packets took the paths that they ought to.
     * @param run the run
     * @param c what ran
     */
    void CheckLb(const MatrixRun& run, const Combination& c)
    {
        const std::string name = c.lb->name;
        std::set<uint32_t> used;
        bool apart = false;
        bool several = false;
        for (const auto& [ends, connection] : run.connections)
        {
            const std::string what = std::to_string(ends.first) + " to " +
                                     std::to_string(ends.second) + ", " + c.GetName();
            const auto entropies = static_cast<uint32_t>(connection.entropies.size());
            used.insert(connection.dataSpines.begin(), connection.dataSpines.end());
            apart = apart || connection.dataSpines != connection.ackSpines;
            several =
                several || connection.dataSpines.size() > 1 || connection.ackSpines.size() > 1;
            if (name == "path-set")
            {
                NS_TEST_EXPECT_MSG_EQ(entropies, c.lb->hostPaths, "entropies, " << what);
            }
            else if (name == "spray-rr")
            {
                NS_TEST_EXPECT_MSG_EQ(entropies, connection.packets, "each its own, " << what);
            }
            else if (name == "spray-random")
            {
                // 200 of 65536 at random: 0.3 pairs expected
                NS_TEST_EXPECT_MSG_GT(entropies + 5, connection.packets, "random, " << what);
            }
            else if (name == "reps")
            {
                NS_TEST_EXPECT_MSG_GT(entropies, N_SPINES, "entropies, " << what);
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(entropies, 1, "entropies, " << what);
            }
            if (name == "reps")
            {
                // a BDP of some 15 fresh ones, and again those
                NS_TEST_EXPECT_MSG_GT(connection.dataSpines.size(), 1, "spines, " << what);
            }
            else if (c.lb->hostPaths > FEW_PATHS || name == "adaptive")
            {
                // at least 60 packets: one spine is missed with 4 x (3/4)^60 = 1.3e-7
                NS_TEST_EXPECT_MSG_EQ(connection.dataSpines.size(), N_SPINES, "spines, " << what);
            }
            else if (c.lb->hostPaths == 1 && !c.lb->moves)
            {
                NS_TEST_EXPECT_MSG_EQ(connection.dataSpines.size(), 1, "one path, " << what);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(run.connections.size(), 6, "between leaves, " << c.GetName());
        NS_TEST_EXPECT_MSG_GT(used.size(), 1, "spines, " << c.GetName());
        Same(several, c.lb->hostPaths > 1 || c.lb->moves, "several paths, " + c.GetName());
        if (c.lb->symmetric)
        {
            NS_TEST_EXPECT_MSG_EQ(apart, false, "ACKs on the way of data, " << c.GetName());
        }
        else if (name == "ecmp")
        {
            // six connections, four spines: all together with 4^-6 = 0.0002
            NS_TEST_EXPECT_MSG_EQ(apart, true, "ACKs choose apart, " << c.GetName());
        }
        Same(run.taken > 0, name == "reps", "recycled, " + c.GetName());
        Same(run.moves > 0, name == "flowlet", "flowlets, " + c.GetName());
        Same(run.decided > 0, name == "adaptive", "loads, " + c.GetName());
    }

    /**
     * @brief Flow control stopped somebody, or packets were lost.
     * @param run the run
     * @param c what ran
     */
    void CheckFlow(const MatrixRun& run, const Combination& c)
    {
        const std::string name = c.flow->name;
        const uint64_t again = run.Sum(&FabricNic::Counters::retransmitted);
        Same(run.pauses > 0, name == "pfc", "pauses, " + c.GetName());
        Same(run.stalls > 0,
             name == "credit" || name == "voq-credit",
             "waits for credits, " + c.GetName());
        Same(run.drops > run.disordered, !c.flow->lossless, "drops, " + c.GetName());
        if (!c.goBackN || !c.lb->moves)
        {
            // flowlets may overtake one another, which go-back-N takes for losses
            Same(again > 0, !c.flow->lossless, "sent again, " + c.GetName());
        }
    }

    const Cc& m_cc; //!< the congestion control
    uint64_t m_run; //!< random run
};

/// Triples.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Cc& cc : CCS)
    {
        suite.AddTestCase(new TripleTestCase(cc, 1));
        for (uint64_t run = 2; run <= 5; ++run)
        {
            suite.AddTestCase(new TripleTestCase(cc, run), DurationOf<TestCase>::EXTENSIVE);
        }
    }
});

} // namespace policy_matrix_test
} // namespace ns3::tests::matrix::policy_matrix_test
