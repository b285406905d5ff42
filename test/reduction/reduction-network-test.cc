// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-engine.h"
#include "../fabric-test-errors.h"
#include "../fabric-test-plan.h"
#include "fabric-test-reduction.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief In-network reduction on whole networks, to the tick.
 *
 * A packet of p bytes has p + 62 + 24 + 20 bytes on the wire: with 1000 it takes 88.48 ns at 100
 * Gb/s, without payload 8.48 ns; each link 1 us more.
 */

namespace ns3::tests::reduction_network_test
{

constexpr int64_t FULL = 88480;   //!< ps of a full packet
constexpr int64_t EMPTY = 8480;   //!< ps of one without payload
constexpr int64_t WIRE = 1000000; //!< delay of a link

/**
 * @param ps the time
 * @return a time as ranks see it: the next tick of the simulator
 */
int64_t
Tick(int64_t ps)
{
    return FabricTime::ToPs(FabricTime::FromPs(ps));
}

/// Sets an attribute's default until it goes.
class Default
{
  public:
    /**
     * @param name of the attribute
     * @param value for the time being
     * @param usual afterwards
     */
    Default(const std::string& name, const AttributeValue& value, const AttributeValue& usual)
        : m_name(name),
          m_usual(usual.Copy())
    {
        Config::SetDefault(name, value);
    }

    ~Default()
    {
        Config::SetDefault(m_name, *m_usual);
    }

    Default(const Default&) = delete;
    Default& operator=(const Default&) = delete;

  private:
    std::string m_name;          //!< of the attribute
    Ptr<AttributeValue> m_usual; //!< default
};

/**
 * @ingroup dcfabric-tests
 * @brief How long each collective takes on one switch.
 */
class TimesTestCase : public ReductionTestCase
{
    using ReductionTestCase::ReductionTestCase;

    /// Expect a collective to take a time. @param n ranks
    ReductionRun Expect(const FabricGraph& graph, uint32_t n, const std::string& line, int64_t ps)
    {
        ReductionRun run = RunAll(graph, Program(n, line + " algorithm=in-network"));
        NS_TEST_EXPECT_MSG_EQ(run.rows.size(), 1, line);
        NS_TEST_EXPECT_MSG_EQ(GetPs(run.rows.front()), Tick(ps), line);
        NS_TEST_EXPECT_MSG_EQ(run.flows, 0, "no messages");
        NS_TEST_EXPECT_MSG_EQ(run.totals.sentAgain, 0, "nothing twice");
        return run;
    }

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        constexpr int64_t ONE = 2 * (WIRE + FULL); // 2176.96 ns
        // one packet up and one down, whatever the number of ranks
        for (const uint32_t n : {2U, 3U})
        {
            const ReductionRun run = Expect(star, n, "allreduce 1000", ONE);
            NS_TEST_EXPECT_MSG_EQ(run.totals.hostPackets, n, "one of each");
            NS_TEST_EXPECT_MSG_EQ(run.rows.front().sentBytes, n * 1000, "each sends S");
        }
        Expect(star, 3, "allreduce 999", 2 * (WIRE + FULL - 80));
        Expect(star, 3, "allreduce 1", 2 * (WIRE + EMPTY + 80));
        Expect(star, 3, "allreduce 0", 2 * (WIRE + EMPTY));
        Expect(star, 3, "barrier", 2 * (WIRE + EMPTY));
        // the second one, of 1 byte, ends 8.56 ns behind the first, at each hop
        Expect(star, 3, "allreduce 1001", ONE + EMPTY + 80);
        // 100 packets, one behind the other: the window of 26 never stops them
        const ReductionRun large = Expect(star, 3, "allreduce 100kB", ONE + 99 * FULL);
        NS_TEST_EXPECT_MSG_EQ(large.totals.window, 26, "by rates and delays");
        NS_TEST_EXPECT_MSG_EQ(large.totals.maxMemory, 52000, "two versions of it");
        NS_TEST_EXPECT_MSG_EQ(large.totals.sums, 100, "each once");
        // all of a group that is in one place, or of one rank
        Expect(star, 1, "allreduce 1000", 0);

        // Two trees of half the vector, over the same links: packets of both take turns.
        Expect(star, 3, "allreduce 100kB channels=2", ONE + 99 * FULL);
        // one byte has one tree's packet only
        Expect(star, 3, "allreduce 1 channels=2", 2 * (WIRE + EMPTY + 80));

        // The root sends data, the others what says that they are ready, and it gets no data back.
        Expect(star, 3, "broadcast 1000 root=1", ONE);
        // the root gets the sum, the others that it is complete: rows end with the last one
        Expect(star, 3, "reduce 1000 root=1", ONE);
        // Packets 0, 1 and 2 are of hosts 0, 1 and 2, each of which sends one full and two empty
        // ones: the last is at the switch 105.44 ns and a wire after the start, and each host gets
        // two full ones and an empty one without pause from 1088.48 ns on.
        Expect(star, 3, "allgather 3000", WIRE + FULL + 2 * FULL + EMPTY + WIRE);
        // Each sends three full ones; packet 2, which host 2 gets, is the last.
        Expect(star, 3, "reducescatter 3000", 3 * FULL + WIRE + FULL + WIRE);
        // blocks of 1, 2 and 2 bytes
        Expect(star, 3, "reducescatter 5", 3 * (EMPTY + 160) - 80 + WIRE + EMPTY + 160 + WIRE);

        // two levels: four links
        const FabricGraph leaves = MakeTwoLeaves(2, 2);
        Expect(leaves, 4, "allreduce 1000", 4 * (WIRE + FULL));
        Expect(leaves, 4, "allreduce 100kB", 4 * (WIRE + FULL) + 99 * FULL);
        Expect(leaves, 2, "allreduce 1000", ONE); // both at one leaf
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a window and a switch that takes time cost.
 */
class LimitsTestCase : public ReductionTestCase
{
    using ReductionTestCase::ReductionTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        const std::string ten = Program(3, "allreduce 10kB algorithm=in-network");
        {
            // one packet at a time: each waits for the result of the one before
            const Default window("ns3::HostReduction::Window", UintegerValue(1), UintegerValue(0));
            ReductionRun run = RunAll(star, ten);
            NS_TEST_EXPECT_MSG_EQ(GetPs(run.rows.front()),
                                  Tick(10 * 2 * (WIRE + FULL)),
                                  "ten times there and back");
            NS_TEST_EXPECT_MSG_EQ(run.totals.maxSlots, 1, "one at a time");
            // and so it is survived that any of them is lost
            FabricGraph lossy = MakeStar(3);
            lossy.SetDefaultErrorRate(0.1);
            run = RunAll(lossy, ten);
            NS_TEST_EXPECT_MSG_GT(run.totals.sentAgain, 0, "some were");
        }
        {
            const Default rate("ns3::ReductionFeature::ReduceRate",
                               DataRateValue(DataRate("100Gbps")),
                               DataRateValue(DataRate(0)));
            const Default delay("ns3::ReductionFeature::ReduceDelay",
                                TimeValue(NanoSeconds(50)),
                                TimeValue(NanoSeconds(0)));
            // three times 80 ns, and 50 ns once
            ReductionRun run = RunAll(star, Program(3, "allreduce 1000 algorithm=in-network"));
            NS_TEST_EXPECT_MSG_EQ(GetPs(run.rows.front()),
                                  Tick(2 * (WIRE + FULL) + 3 * 80000 + 50000),
                                  "with adding");
            // the adder, which takes 240 ns for each packet, is slower than the links
            run = RunAll(star, ten);
            NS_TEST_EXPECT_MSG_EQ(GetPs(run.rows.front()),
                                  Tick(2 * (WIRE + FULL) + 10 * 240000 + 50000),
                                  "one after the other");
            // what has no payload needs no adding
            run = RunAll(star, Program(3, "barrier algorithm=in-network"));
            NS_TEST_EXPECT_MSG_EQ(GetPs(run.rows.front()),
                                  Tick(2 * (WIRE + EMPTY) + 50000),
                                  "50 ns");
        }
        const EngineChoice engine(GetThrowingEngine());
        {
            const Default memory("ns3::ReductionFeature::Memory",
                                 UintegerValue(51999),
                                 UintegerValue(32000000));
            DCFABRIC_EXPECT_REFUSAL(Run(star, ten),
                                    "group all has no room for algorithm=in-network in switch 3 "
                                    "(switch-3): a tree keeps 2 x 26 packets of 1000 bytes");
            Simulator::Destroy();
            DCFABRIC_EXPECT_REFUSAL(Run(star, ten), "ns3::HostReduction::Window=25 fits");
            Simulator::Destroy();
        }
        {
            const Default memory("ns3::ReductionFeature::Memory",
                                 UintegerValue(52000),
                                 UintegerValue(32000000));
            RunAll(star, ten);
            DCFABRIC_EXPECT_REFUSAL(
                Run(star, Program(3, "allreduce 10kB channels=2 algorithm=in-network")),
                "other trees have 52000");
            Simulator::Destroy();
        }
        DCFABRIC_EXPECT_REFUSAL(
            Run(star,
                Program(3,
                        "if rank==2 {\nbarrier algorithm=in-network\n}\n"
                        "allreduce 10kB algorithm=in-network")),
            "barrier of rank 2: it is collective 1 of group all, where rank 0 has allreduce");
        Simulator::Destroy();
        DCFABRIC_EXPECT_REFUSAL(
            Run(star, Program(3, "allreduce 10kB algorithm=in-network chunks=2")),
            "allreduce has no chunks=: switches add one packet after the other");
        Simulator::Destroy();
        DCFABRIC_EXPECT_REFUSAL(
            Run(star, Program(3, "allreduce 10kB dims=3x1 algorithm=ring,in-network")),
            "switches do not add along a dimension");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Stragglers, several collectives and groups at a time, several ranks of a host.
 */
class OrderTestCase : public ReductionTestCase
{
    using ReductionTestCase::ReductionTestCase;

    void DoRun() override
    {
        constexpr int64_t ONE = 2 * (WIRE + FULL);
        const FabricGraph star = MakeStar(4);
        // rank 2 comes 5 ms later: 25 round trips are 54 us, and the others ask again meanwhile
        ReductionRun run = RunAll(star,
                                  Program(4,
                                          "if rank==2 {\ncompute 5ms\n}\n"
                                          "allreduce 2000 algorithm=in-network"));
        NS_TEST_EXPECT_MSG_EQ(GetPs(run.rows.front()), Tick(5000000000 + ONE + FULL), "with it");
        NS_TEST_EXPECT_MSG_GT(run.totals.sentAgain, 0, "they ask again");
        NS_TEST_EXPECT_MSG_EQ(run.totals.repeats, run.totals.sentAgain, "and are not added twice");

        // Ten of a group, started together, go one behind the other without pause.
        run = RunAll(star,
                     Program(4,
                             "repeat 10 {\niallreduce 1000 algorithm=in-network\n}\nwait\n"
                             "mark done"));
        NS_TEST_EXPECT_MSG_EQ(run.rows.size(), 10, "ten");
        NS_TEST_EXPECT_MSG_EQ(run.marks.front().second, Tick(ONE + 9 * FULL), "as one of 10 kB");
        NS_TEST_EXPECT_MSG_EQ(run.totals.trees, 1, "in one tree");

        // Two groups of all ranks share the links, packet by packet.
        run = RunAll(star,
                     "ranks 4\ngroup other all\nprogram all {\n"
                     "iallreduce 100kB algorithm=in-network as=a\n"
                     "iallreduce 100kB other algorithm=in-network as=b\nwait\nmark done\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.totals.trees, 2, "two");
        NS_TEST_EXPECT_MSG_EQ(run.marks.front().second, Tick(ONE + 199 * FULL), "half as fast");

        // Two ranks of a host: it adds their vectors, and sends once both are there.
        run = RunAll(MakeStar(2),
                     "ranks 4 per-host 2\nprogram all {\ncompute rank*1us\n"
                     "allreduce 1000 algorithm=in-network\nmark done\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.totals.hostPackets, 2, "one of each host");
        NS_TEST_EXPECT_MSG_EQ(run.marks.back().second, Tick(3000000 + ONE), "after the last rank");
        run = RunAll(star,
                     "ranks 3 per-host 4\nprogram all {\ncompute rank*1us\n"
                     "allreduce 1000 algorithm=in-network\nmark done\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.totals.hostPackets, 0, "all are on one host");
        NS_TEST_EXPECT_MSG_EQ(run.marks.back().second, 2000000, "its memory takes no time");

        // The first one begins last, and holds the second one up: they go in the order of programs.
        run = RunAll(star,
                     Program(4,
                             "icompute 10us as=c\niallreduce 1000 algorithm=in-network after=c "
                             "as=a\niallreduce 1000 algorithm=in-network as=b\nwait b\nmark b"));
        NS_TEST_EXPECT_MSG_EQ(run.marks.front().second,
                              Tick(10000000 + ONE + FULL),
                              "behind the first");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What never comes is reported.
 */
class StuckTestCase : public ReductionTestCase
{
    using ReductionTestCase::ReductionTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        // rank 1 never comes; nothing else can happen, so that the others give up soon
        ReductionRun run = Run(star,
                               "ranks 3\nprogram 0,2 {\nallreduce 40kB algorithm=in-network\n}\n"
                               "program 1 {\nrecv 0\nallreduce 40kB algorithm=in-network\n}\n");
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck, "rank 0 on host 0 since 0s"), true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(
            Contains(run.stuck, "in-network allreduce that has not begun at rank 1 of group all"),
            true,
            run.stuck);
        NS_TEST_EXPECT_MSG_LT(run.endPs, 1000000000, "within 1 ms");

        // host 2 is cut off: everything it sends is lost
        run = Run(star, Program(3, "allreduce 40kB algorithm=in-network"), [](Fabric& fabric) {
            fabric.GetPort(3, 2)->SetAttribute("ReceiveErrorModel", PointerValue(MakeLoss()));
        });
        NS_TEST_EXPECT_MSG_EQ(run.complete, false, "stuck");
        NS_TEST_EXPECT_MSG_EQ(Contains(run.stuck,
                                       "in-network allreduce: no result of packet 0 of 40 of tree "
                                       "0 with root 3; host 2 has not contributed to it at switch "
                                       "3"),
                              true,
                              run.stuck);
        NS_TEST_EXPECT_MSG_LT(run.endPs, 1000000000000, "within a second");
    }

    /// @return what loses all
    static Ptr<ErrorModel> MakeLoss()
    {
        const auto all = CreateObject<RateErrorModel>();
        all->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        all->SetRate(1);
        return all;
    }
};

const SuiteCases g_cases("dcfabric-reduction", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TimesTestCase("times of collectives that switches do"));
    suite.AddTestCase(new LimitsTestCase("windows, adders and memory of switches"));
    suite.AddTestCase(new OrderTestCase("stragglers, and several at a time"));
    suite.AddTestCase(new StuckTestCase("what never comes is reported"));
});

} // namespace ns3::tests::reduction_network_test
