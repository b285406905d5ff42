// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/all-reduce-workload.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/flow-trigger.h"
#include "ns3/object-factory.h"
#include "ns3/scheduler.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Flows that start when others are complete, to the picosecond.
 *
 * On MakeStar(3) a lone packet of 1000 bytes takes 2 x 86.56 ns + 2 x 1 us =
 * 2173.12 ns; an ACK has 62 + 4 + 32 + 20 = 118 bytes on the wire, or 9.44 ns, and takes 2 x 9.44
 * ns
 * + 2 x 1 us = 2018.88 ns back, so that the sender is done after 4192 ns.
 */

namespace ns3::tests::flow_trigger_test
{

constexpr int64_t ARRIVES = 2173120; //!< ps from start to arrival of a lone packet
constexpr int64_t ACKED = 4192000;   //!< ps from start to its ACK
constexpr int64_t ACK_PS = 9440;     //!< ps that an ACK takes a wire
constexpr int64_t FRAME_PS = 86560;  //!< ps that a full packet takes a wire
constexpr int64_t WAIT = FabricFlow::ON_TRIGGER;

/// @return a time as triggers see it: at a resolution coarser than ps, the next tick of the
/// simulator
/// @param ps the time
int64_t
Tick(int64_t ps)
{
    return FabricTime::ToPs(TimeStep(static_cast<uint64_t>(FabricTime::ToTicks(ps))));
}

/**
 * @param kind kind
 * @param sent activates it when acknowledged
 * @param received activates it on arrival
 * @param starts flows that it starts
 * @param count of a barrier
 * @return a trigger
 */
FlowTrigger
MakeTrigger(FlowTrigger::Kind kind,
            const std::vector<uint32_t>& sent,
            const std::vector<uint32_t>& received,
            const std::vector<uint32_t>& starts,
            uint32_t count = 1)
{
    FlowTrigger trigger;
    trigger.id = 7;
    trigger.kind = kind;
    trigger.count = count;
    trigger.whenSent = sent;
    trigger.whenReceived = received;
    trigger.starts = starts;
    return trigger;
}

/**
 * @ingroup dcfabric-tests
 * @brief Base class: runs flows and gives what became of them.
 */
class TriggerTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /// When a flow started, arrived and was acknowledged, ps.
    struct Times
    {
        int64_t start;    //!< start
        int64_t arrived;  //!< last byte at the receiver
        int64_t acked;    //!< last ACK at the sender
        uint32_t started; //!< flows that the recorder counts as started in the end

        /**
         * @param o another
         * @return true if all are equal
         */
        bool operator==(const Times& o) const
        {
            return start == o.start && arrived == o.arrived && acked == o.acked;
        }
    };

    /**
     * @param graph network
     * @param flows flows
     * @param triggers triggers
     * @param scheduler type of the simulator's scheduler
     * @return times of all flows
     */
    std::vector<Times> Run(const FabricGraph& graph,
                           const std::vector<FabricFlow>& flows,
                           const std::vector<FlowTrigger>& triggers,
                           const std::string& scheduler = "ns3::MapScheduler")
    {
        std::vector<Times> times;
        {
            ObjectFactory factory(scheduler);
            Simulator::SetScheduler(factory);
            FabricHelper helper;
            Ptr<Fabric> fabric = helper.Install(graph);
            FlowRecorder recorder(fabric, flows, triggers);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "all flows are complete");
            NS_TEST_EXPECT_MSG_EQ(recorder.GetProgress().IsActive(INT64_MAX),
                                  false,
                                  "nothing is going on");
            for (size_t i = 0; i < flows.size(); i++)
            {
                const int64_t start = recorder.GetFlows()[i].startPs;
                const FlowRecord& record = recorder.GetRecords()[i];
                times.push_back({start,
                                 start + record.fctPs,
                                 start + record.senderFctPs,
                                 recorder.GetTable().GetNStarted(INT64_MAX)});
            }
        }
        Simulator::Destroy();
        return times;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Each kind of trigger on a star of three hosts.
 */
class TriggerTimesTestCase : public TriggerTestCase
{
    using TriggerTestCase::TriggerTestCase;

    void DoRun() override
    {
        const FabricGraph star = MakeStar(3);
        // One-shots: arrival of flow 0 starts flow 1 from its receiver, whose port first sends the
        // ACK of flow 0; its ACK starts flow 2.
        std::vector<Times> t = Run(star,
                                   {{0, 1, 1000, 500000}, {1, 2, 1000, WAIT}, {2, 0, 1000, WAIT}},
                                   {MakeTrigger(FlowTrigger::ONE_SHOT, {}, {0}, {1}),
                                    MakeTrigger(FlowTrigger::ONE_SHOT, {0}, {}, {2})});
        NS_TEST_EXPECT_MSG_EQ(t[0].arrived, 500000 + ARRIVES, "a lone packet");
        NS_TEST_EXPECT_MSG_EQ(t[1].start, Tick(500000 + ARRIVES), "starts when flow 0 arrives");
        NS_TEST_EXPECT_MSG_EQ(t[1].arrived, t[0].arrived + ACK_PS + ARRIVES, "behind the ACK");
        NS_TEST_EXPECT_MSG_EQ(t[2].start,
                              Tick(500000 + ACKED),
                              "starts when flow 0 is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(t[2].started, 3, "started flows");

        // A one-shot that starts two flows of one sender: one packet after the other.
        t = Run(star,
                {{0, 1, 1000, 0}, {2, 0, 1000, WAIT}, {2, 1, 1000, WAIT}},
                {MakeTrigger(FlowTrigger::ONE_SHOT, {}, {0}, {2, 1})});
        NS_TEST_EXPECT_MSG_EQ(t[1].start, Tick(ARRIVES), "both start ...");
        NS_TEST_EXPECT_MSG_EQ(t[2].start, Tick(ARRIVES), "... together");
        NS_TEST_EXPECT_MSG_EQ(t[1].arrived, Tick(ARRIVES) + ARRIVES, "the lower flow number first");
        NS_TEST_EXPECT_MSG_EQ(t[2].arrived, t[1].arrived + FRAME_PS, "then the other");

        // A barrier of two: the later one counts, here an ACK at 1 us + 4192 ns.
        t = Run(star,
                {{0, 1, 1000, 0}, {1, 0, 1000, 1000000}, {2, 0, 1000, WAIT}},
                {MakeTrigger(FlowTrigger::BARRIER, {1}, {0}, {2}, 2)});
        NS_TEST_EXPECT_MSG_EQ(t[2].start, Tick(1000000 + ACKED), "the last activation");

        // A multishot: each activation starts the next flow, the third nothing.
        t = Run(star,
                {{0, 1, 1000, 0},
                 {0, 1, 1000, 10000000},
                 {0, 1, 1000, 20000000},
                 {2, 0, 1000, WAIT},
                 {2, 0, 1000, WAIT}},
                {MakeTrigger(FlowTrigger::MULTI_SHOT, {}, {0, 1, 2}, {4, 3})});
        NS_TEST_EXPECT_MSG_EQ(t[4].start, Tick(ARRIVES), "first in the list");
        NS_TEST_EXPECT_MSG_EQ(t[3].start, Tick(10000000 + ARRIVES), "second in the list");

        // One flow activates a barrier twice, when it arrives and when it is acknowledged.
        t = Run(star,
                {{0, 1, 1000, 0}, {2, 0, 1000, WAIT}},
                {MakeTrigger(FlowTrigger::BARRIER, {0}, {0}, {1}, 2)});
        NS_TEST_EXPECT_MSG_EQ(t[1].start, Tick(ACKED), "arrival and ACK");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Activations at the same time, in every scheduler.
 */
class TriggerTieTestCase : public TriggerTestCase
{
    using TriggerTestCase::TriggerTestCase;

    void DoRun() override
    {
        // Hosts 0 and 1 send to one another; both flows arrive at the same time and each starts a
        // flow of host 2. Whichever arrival is handled first, the lower flow number goes first.
        for (const bool swap : {false, true})
        {
            const std::vector<Times> t =
                Run(MakeStar(3),
                    {{0, 1, 1000, 0}, {1, 0, 1000, 0}, {2, 0, 1000, WAIT}, {2, 1, 1000, WAIT}},
                    {MakeTrigger(FlowTrigger::ONE_SHOT, {}, {swap ? 1U : 0U}, {3}),
                     MakeTrigger(FlowTrigger::ONE_SHOT, {}, {swap ? 0U : 1U}, {2})});
            NS_TEST_EXPECT_MSG_EQ(t[2].arrived, Tick(ARRIVES) + ARRIVES, "flow 2 first");
            NS_TEST_EXPECT_MSG_EQ(t[3].arrived, t[2].arrived + FRAME_PS, "then flow 3");
        }
        // 16 hosts, 30 steps: 480 flows that wait for one another.
        const FabricGraph graph = MakeFabricTopology("fat-tree:k=4")->BuildGraph();
        auto ring = CreateObject<RingAllReduceWorkload>();
        ring->SetSize(50000);
        const std::vector<FabricFlow> flows = ring->Generate(graph);
        const std::vector<Times> expected = Run(graph, flows, ring->GetTriggers());
        for (const char* scheduler :
             {"ns3::HeapScheduler", "ns3::CalendarScheduler", "ns3::LookAheadScheduler"})
        {
            if (HasClass(scheduler))
            {
                const auto times = Run(graph, flows, ring->GetTriggers(), scheduler);
                NS_TEST_EXPECT_MSG_EQ((times == expected), true, scheduler);
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All-reduce on a star, where every step can be worked out.
 */
class AllReduceTimesTestCase : public TriggerTestCase
{
    using TriggerTestCase::TriggerTestCase;

    void DoRun() override
    {
        // Ring of three hosts, blocks of 1000 bytes, 2 x (3 - 1) steps. All hosts do the same at
        // the same time; from the second step on the data leaves behind the ACK of the step before
        // (data and ACK go to different hosts and do not meet again).
        const FabricGraph star = MakeStar(3);
        auto ring = CreateObject<RingAllReduceWorkload>();
        ring->SetSize(3000);
        std::vector<FabricFlow> flows = ring->Generate(star);
        std::vector<Times> t = Run(star, flows, ring->GetTriggers());
        NS_TEST_ASSERT_MSG_EQ(t.size(), 12, "4 steps of 3 hosts");
        for (uint32_t i = 0; i < 12; i++)
        {
            const int64_t step = i / 3;
            NS_TEST_EXPECT_MSG_EQ(t[i].arrived,
                                  (step + 1) * ARRIVES + step * ACK_PS,
                                  "flow " << i << " of step " << step);
        }

        // Halving and doubling of four hosts and 4000 bytes: 2000, 1000, 1000, 2000 bytes. The two
        // packets of 2000 bytes take one frame more.
        const FabricGraph four = MakeStar(4);
        auto halving = CreateObject<HalvingDoublingWorkload>();
        halving->SetSize(4000);
        flows = halving->Generate(four);
        t = Run(four, flows, halving->GetTriggers());
        NS_TEST_ASSERT_MSG_EQ(t.size(), 16, "4 steps of 4 hosts");
        const int64_t ends[] = {ARRIVES + FRAME_PS,
                                2 * ARRIVES + FRAME_PS + ACK_PS,
                                3 * ARRIVES + FRAME_PS + 2 * ACK_PS,
                                4 * ARRIVES + 2 * FRAME_PS + 3 * ACK_PS};
        for (uint32_t i = 0; i < 16; i++)
        {
            NS_TEST_EXPECT_MSG_EQ(t[i].arrived, ends[i / 4], "flow " << i);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Triggers that cannot work.
 */
class TriggerFaultTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto one = FlowTrigger::ONE_SHOT;
        const auto multi = FlowTrigger::MULTI_SHOT;
        const auto barrier = FlowTrigger::BARRIER;
        const std::vector<FabricFlow> two{{0, 1, 9, 0}, {1, 2, 9, WAIT}};
        const std::vector<FabricFlow> three{{0, 1, 9, 0}, {1, 2, 9, WAIT}, {2, 0, 9, WAIT}};
        Expect(two, {MakeTrigger(one, {}, {0}, {1})}, "");
        Expect(two, {MakeTrigger(one, {0}, {}, {1}), MakeTrigger(barrier, {}, {}, {}, 1)}, "");
        Expect({{0, 1, 9, 0}}, {}, "");
        Expect({}, {}, "");
        Expect(two, {}, "flow 1: it has no start, and no trigger starts it");
        Expect(two, {MakeTrigger(one, {}, {2}, {1})}, "trigger 7 names flow 2 of 2");
        Expect(two, {MakeTrigger(one, {}, {0}, {0, 1})}, "flow 0: it has a start and is started");
        Expect(two,
               {MakeTrigger(one, {}, {0}, {1}), MakeTrigger(one, {}, {0}, {1})},
               "flow 1: it is started by trigger 7 and by trigger 7");
        Expect(two, {MakeTrigger(one, {0}, {0}, {1})}, "one-shot, but 2 flows activate it");
        Expect(two, {MakeTrigger(barrier, {0}, {0}, {1}, 1)}, "a barrier of 1, but 2 flows");
        Expect(two, {MakeTrigger(barrier, {}, {}, {1}, 0)}, "a barrier of 0");
        Expect(two,
               {MakeTrigger(barrier, {}, {0}, {1}, 2)},
               "flow 1: it never starts, for trigger 7 is activated 1 times of 2");
        Expect(two, {MakeTrigger(one, {}, {}, {1})}, "is activated 0 times");
        Expect(three, {MakeTrigger(multi, {0}, {}, {1, 2})}, "activated 1 times and starts 2");
        Expect(three, {MakeTrigger(multi, {0, 1}, {}, {1, 2})}, "");
        // flows 1 and 2 wait for one another
        Expect(three,
               {MakeTrigger(one, {}, {1}, {2}), MakeTrigger(one, {}, {2}, {1})},
               "flow 1: it never starts");
        Ptr<Fabric> fabric = FabricHelper().Install(MakeStar(3));
        DCFABRIC_EXPECT_REFUSAL(FlowRecorder(fabric, two), "no trigger starts it");
        Simulator::Destroy();
    }

    /**
     * @param flows flows
     * @param triggers triggers
     * @param part what the fault says, empty for none
     */
    void Expect(const std::vector<FabricFlow>& flows,
                const std::vector<FlowTrigger>& triggers,
                const std::string& part)
    {
        const std::string what = FindFlowTriggerFault(flows, triggers).what;
        NS_TEST_EXPECT_MSG_EQ((part.empty() ? what.empty() : Contains(what, part)),
                              true,
                              "wanted '" << part << "', got '" << what << "'");
    }
};

/// Suite of triggers.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new TriggerTimesTestCase("triggers start flows at the very time of the last activation"));
    suite.AddTestCase(
        new TriggerTieTestCase("simultaneous triggers act in the order of flow numbers"));
    suite.AddTestCase(new AllReduceTimesTestCase("all-reduce takes as long as worked out by hand"));
    suite.AddTestCase(
        new TriggerFaultTestCase("triggers that cannot work are found before the run"));
});

} // namespace ns3::tests::flow_trigger_test
