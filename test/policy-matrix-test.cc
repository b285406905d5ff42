// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-errors.h"
#include "fabric-test-matrix-run.h"
#include "fabric-test-random.h"
#include "fabric-test-suite.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>

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
     * @param share one in so many triples
     */
    TripleTestCase(const Cc& cc, uint64_t run, std::size_t share)
        : TestCase(std::string(cc.name) + " with every load balancing and flow control, run " +
                   std::to_string(run) + ", one in " + std::to_string(share)),
          m_cc(cc),
          m_run(run),
          m_share(share)
    {
    }

  private:
    void DoRun() override
    {
        const RandomRun random(m_run);
        Sample sample(m_share, &m_cc - CCS);
        uint32_t legal = 0;
        for (const Lb& lb : LBS)
        {
            for (const Flow& flow : FLOWS)
            {
                for (const Buffer& buffer : BUFFERS)
                {
                    Combination c;
                    c.cc = &m_cc;
                    c.lb = &lb;
                    c.flow = &flow;
                    c.buffer = &buffer;
                    c.goBackN = m_run % 2 == 0; // every other run, where it is legal
                    c.Complete();
                    if (FindClashes(c).empty() && sample.Take())
                    {
                        Check(c);
                        ++legal;
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(legal, 2, m_cc.name << " goes with something");
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
        if (c.cc->Is(NO_CONTROL))
        {
            NS_TEST_EXPECT_MSG_EQ(run.reductions, 0, c.GetName());
        }
        else if (!c.cc->Is(CREDIT) && !(c.cc->Is(DATA_INT) && c.lb->hostPaths == ENTROPY_SET))
        {
            NS_TEST_EXPECT_MSG_GT(run.reductions, 0, "took hold, " << c.GetName());
        }
        const auto count = [&run](uint64_t FabricNic::Counters::*counter) {
            return run.Sum(counter) > 0;
        };
        Same(count(&FabricNic::Counters::cnpsReceived), c.cc->Is(CNP), "CNPs, " + c.GetName());
        Same(count(&FabricNic::Counters::noticesArrived),
             name == "rocc" || c.cc->Is(CREDIT),
             "fair rates or grants, " + c.GetName());
        Same(count(&FabricNic::Counters::btsReceived),
             c.cc->Is(BTS),
             "notifications, " + c.GetName());
        Same(count(&FabricNic::Counters::grantsSent), c.cc->Is(CREDIT), "grants, " + c.GetName());
        Same(run.rateMessages > 0, name == "rocc", c.GetName());
        Same(run.notifications > 0, name == "bts", c.GetName());
        Same(run.Count("fecn_marks") > 0, name == "ib", c.GetName());
        Same(run.moving > 0, c.cc->Is(HAS_STATE), "measured something, " + c.GetName());
        Same(run.GetNHops() > 0, c.cc->Is(EXTERNAL) && c.cc->feature, "INT, " + c.GetName());
    }

    /**
     * @brief Packets took the paths that they ought to.
     * @param run the run
     * @param c what ran
     */
    void CheckLb(const MatrixRun& run, const Combination& c)
    {
        const std::string name = c.lb->name;
        const bool isRecycled = name == "reps" || name == "reps-ring" || name == "mixed";
        // a connection has four paths, of which any may share a spine
        const bool isFew = name == "falcon";
        std::set<uint32_t> used;
        bool apart = false;
        bool several = false;
        for (const auto& [ends, connection] : run.connections)
        {
            const std::string what = std::to_string(ends.first) + " to " +
                                     std::to_string(ends.second) + ", " + c.GetName();
            const auto entropies = static_cast<uint32_t>(connection.entropies.size());
            used.insert(connection.dataSpines.begin(), connection.dataSpines.end());
            // an ACK of several packets goes the way of one
            apart = apart || !std::includes(connection.dataSpines.begin(),
                                            connection.dataSpines.end(),
                                            connection.ackSpines.begin(),
                                            connection.ackSpines.end());
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
            else if (isFew)
            {
                NS_TEST_EXPECT_MSG_GT(entropies, 1, "entropies, " << what);
            }
            else if (c.lb->hostPaths > 1)
            {
                const uint32_t most = std::min(connection.packets, c.lb->hostPaths);
                NS_TEST_EXPECT_MSG_GT(entropies, N_SPINES, "entropies, " << what);
                NS_TEST_EXPECT_MSG_LT(entropies, most + 1, "entropies, " << what);
            }
            else if (!c.lb->hostMoves)
            {
                NS_TEST_EXPECT_MSG_EQ(entropies, 1, "entropies, " << what);
            }
            if (c.lb->hostPaths > 1 && isRecycled)
            {
                // a BDP of some 15 fresh ones, and again those
                NS_TEST_EXPECT_MSG_GT(connection.dataSpines.size(), 1, "spines, " << what);
            }
            else if ((c.lb->hostPaths >= ENTROPY_SET && !isFew) || name == "adaptive")
            {
                // at least 60 packets: one spine is missed with 4 x (3/4)^60 = 1.3e-7
                NS_TEST_EXPECT_MSG_EQ(connection.dataSpines.size(), N_SPINES, "spines, " << what);
            }
            else if (c.lb->hostPaths == 1 && !c.lb->moves && !c.lb->hostMoves)
            {
                NS_TEST_EXPECT_MSG_EQ(connection.dataSpines.size(), 1, "one path, " << what);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(run.connections.size(), 6, "between leaves, " << c.GetName());
        NS_TEST_EXPECT_MSG_GT(used.size(), 1, "spines, " << c.GetName());
        const bool seldom = c.lb->hostMoves || (c.lb->moves && !c.lb->overtakes);
        if (!seldom)
        {
            Same(several, c.lb->hostPaths > 1 || c.lb->moves, "several paths, " + c.GetName());
        }
        if (c.lb->symmetric)
        {
            NS_TEST_EXPECT_MSG_EQ(apart, false, "ACKs on the way of data, " << c.GetName());
        }
        else if (name == "ecmp")
        {
            // six connections, four spines: all together with 4^-6 = 0.0002
            NS_TEST_EXPECT_MSG_EQ(apart, true, "ACKs choose apart, " << c.GetName());
        }
        Same(run.taken > 0, name == "reps" || name == "mixed", "recycled, " + c.GetName());
        if (!c.cc->Is(BYTE_ACKS)) // whose windows leave few pauses
        {
            Same(run.moves > 0, name == "flowlet", "flowlets, " + c.GetName());
        }
        Same(run.decided > 0, name == "adaptive", "loads, " + c.GetName());
        Same(run.Count("conga_flowlets") > 0, name == "conga", "flowlets, " + c.GetName());
        Same(run.Count("conweave_epochs") > 0, name == "conweave", "epochs, " + c.GetName());
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
        if (name != "pfc" || std::string(c.buffer->name) != "reverie") // which lets bursts pass
        {
            Same(run.pauses > 0, name == "pfc", "pauses, " + c.GetName());
        }
        Same(run.stalls > 0,
             name == "credit" || name == "cbfc" || name == "voq-credit",
             "waits for credits, " + c.GetName());
        Same(run.drops > run.disordered, !c.flow->lossless, "drops, " + c.GetName());
        if (!c.goBackN || !c.lb->moves)
        {
            // flowlets may overtake one another, which go-back-N takes for losses
            Same(again > 0, !c.flow->lossless, "sent again, " + c.GetName());
        }
    }

    const Cc& m_cc;      //!< the congestion control
    uint64_t m_run;      //!< random run
    std::size_t m_share; //!< one in so many
};

/// Triples.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Cc& cc : CCS)
    {
        suite.AddTestCase(new TripleTestCase(cc, 1, 7));
        for (uint64_t run = 1; run <= 5; ++run)
        {
            suite.AddTestCase(new TripleTestCase(cc, run, 1), DurationOf<TestCase>::TAKES_FOREVER);
        }
    }
});

} // namespace policy_matrix_test
} // namespace ns3::tests::matrix::policy_matrix_test
