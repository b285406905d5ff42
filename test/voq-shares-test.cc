// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/credit-flow-control.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/voq-buffer.h"

#include <array>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What inputs of different rates get of an output.
 */

namespace ns3::tests::voq_shares_test
{

constexpr uint32_t FRAME = 1062;                           //!< bytes of a full packet
constexpr std::array<uint64_t, 4> RATES{10, 40, 100, 400}; //!< of the inputs in Gb/s
constexpr uint32_t RECEIVER = 4;                           //!< host and port at 100 Gb/s
/// Of the output in Gb/s, without preambles and gaps.
constexpr double LINE_GBPS = 100.0 * FRAME / (FRAME + 20);

/**
 * @brief Hosts at RATES send to one at 100 Gb/s.
 * @param helper of the network
 * @param[out] units ingress buffer of each port of the switch with credits, null: do not ask
 * @return what each of them gets in Gb/s of frames from 500 to 1500 us
 */
std::vector<double>
Shares(const FabricHelper& helper, std::vector<double>* units = nullptr)
{
    constexpr uint32_t middle = RECEIVER + 1;
    PlanLinks links;
    for (uint32_t host = 0; host <= RECEIVER; ++host)
    {
        links.push_back({host, middle, (host < RATES.size() ? RATES[host] : 100) * GBPS});
    }
    TestNetwork network(PlanOfLinks(middle, 1, links), helper);
    for (uint32_t i = 0; i < RATES.size(); ++i)
    {
        network.MessagesOf(i).SendAt(0, RECEIVER, 100000000, i);
        if (units)
        {
            const auto control = dynamic_cast<CreditFlowControl*>(
                network.fabric->GetSwitch(middle)->GetPort(i)->GetFlowControl());
            units->push_back(control->GetBufferUnits());
        }
    }
    // lossless: what hosts send comes through
    const auto sent = [&network](uint32_t host) {
        return network.fabric->GetPort(host, 0)->GetCounters().txBytes;
    };
    std::vector<uint64_t> before;
    CallIn(MicroSeconds(500), [&]() {
        for (uint32_t i = 0; i < RATES.size(); ++i)
        {
            before.push_back(sent(i));
        }
    });
    Simulator::Stop(MicroSeconds(1500));
    Simulator::Run();
    std::vector<double> shares;
    for (uint32_t i = 0; i < RATES.size(); ++i)
    {
        shares.push_back(static_cast<double>(sent(i) - before[i]) * 8 / 1e6); // in 1 ms
    }
    return shares;
}

/**
 * @param values numbers
 * @return the sum
 */
double
Sum(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values)
    {
        sum += value;
    }
    return sum;
}

/**
 * @ingroup dcfabric-tests
 * @brief LongestQueueVoqArbiter lets no input starve.
 */
class LongestQueueTurnsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // MaxTurns 3: the longer one three times, then the other one has been passed over 3 times
        const auto arbiter = CreateObject<LongestQueueVoqArbiter>();
        arbiter->SetAttribute("MaxTurns", UintegerValue(3));
        const std::vector<VoqCandidate> some = {{2, 10}, {5, 20}};
        for (const std::size_t expected : {1, 1, 1, 0, 1, 1, 1, 0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(arbiter->Select(7, some), expected, "turns");
            NS_TEST_EXPECT_MSG_EQ(arbiter->Select(7, some), expected, "as long as not served");
            arbiter->OnServed(7, some[expected].input);
        }
        NS_TEST_EXPECT_MSG_EQ(arbiter->Select(8, some), 1, "each output counts for itself");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The slowest link gets something of an output, under each arbiter.
 *
 * The longest queue, MaxTurns 32: at most three inputs are overdue at a time, so that each has a
 * packet in 32 + 3. In turn: the 10 Gb/s of the slowest are less than a quarter of the line, which
 * the others share.
 */
class VoqSharesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* flowControl : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            FabricHelper longest;
            longest.SetFlowControl(flowControl);
            longest.SetBuffer("ns3::VoqBuffer",
                              "Arbiter",
                              PointerValue(CreateObject<LongestQueueVoqArbiter>()));
            const std::vector<double> some = Shares(longest);
            FabricHelper inTurn;
            inTurn.SetFlowControl(flowControl);
            inTurn.SetBuffer("ns3::VoqBuffer");
            const std::vector<double> fair = Shares(inTurn);
            const double slow = 10 * LINE_GBPS / 100;
            for (uint32_t i = 0; i < RATES.size(); ++i)
            {
                const std::string what = std::string(flowControl) + ", host " + std::to_string(i);
                NS_TEST_EXPECT_MSG_GT(some[i], LINE_GBPS / 35.5, what << ": the longest first");
                NS_TEST_EXPECT_MSG_EQ_TOL(fair[i],
                                          (i == 0 ? slow : (LINE_GBPS - slow) / 3),
                                          0.5,
                                          what << ": in turn");
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(Sum(some), LINE_GBPS, 0.5, flowControl << ": full");
            NS_TEST_EXPECT_MSG_EQ_TOL(Sum(fair), LINE_GBPS, 0.5, flowControl << ": full");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Switches do not share the arbiter that an attribute names: its turns would be those of all
 * of them, in an order that head starts change.
 */
class OwnArbiterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetBuffer("ns3::VoqBuffer",
                         "Arbiter",
                         StringValue("ns3::LongestQueueVoqArbiter[MaxTurns=7]"));
        TestNetwork network(MakeTwoLeaves(1, 1), helper);
        std::vector<Ptr<VoqArbiter>> arbiters;
        for (const uint32_t node : {2, 3, 4})
        {
            PointerValue arbiter;
            network.fabric->GetSwitch(node)->GetBuffer()->GetAttribute("Arbiter", arbiter);
            arbiters.push_back(arbiter.Get<VoqArbiter>());
            UintegerValue turns;
            arbiters.back()->GetAttribute("MaxTurns", turns);
            NS_TEST_EXPECT_MSG_EQ(turns.Get(), 7, "as it was asked for");
        }
        NS_TEST_EXPECT_MSG_EQ((arbiters[0] == arbiters[1] || arbiters[1] == arbiters[2] ||
                               arbiters[0] == arbiters[2]),
                              false,
                              "one for each switch");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Nor do ports share the scheduler of classes that an attribute names.
 */
class OwnSchedulerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string quanta = "100,200,0,0,0,0,0,0";
        FabricHelper helper;
        helper.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                            "Scheduler",
                            StringValue("ns3::DeficitRoundRobinScheduler[Quanta=" + quanta + "]"));
        TestNetwork network(MakeTwoLeaves(1, 1), helper);
        std::set<Object*> schedulers;
        for (const uint16_t port : {0, 1})
        {
            PointerValue scheduler;
            const Ptr<QueueDisc> disc = network.fabric->GetPort(2, port)->GetQueue().GetDisc();
            disc->GetAttribute("Scheduler", scheduler);
            schedulers.insert(PeekPointer(scheduler.GetObject()));
            StringValue given;
            scheduler.GetObject()->GetAttribute("Quanta", given);
            NS_TEST_EXPECT_MSG_EQ(given.Get(), quanta, "as it was asked for");
        }
        NS_TEST_EXPECT_MSG_EQ(schedulers.size(), 2, "one for each port");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A shared buffer with credits: the output's one queue holds a buffer full of each input,
 * and takes them in order of arrival, so that their shares are those of the buffers.
 *
 * Buffers of 10, 40, 100 and 400 Gb/s over 1 us are some 6.9, 16, 36 and 126 kB, shares 3.7, 8.7,
 * 19 and 68 %. Not all of a buffer waits in the queue: a packet of the slowest link is 0.9 us and 1
 * us on its way to it and its credits 1 us on theirs, of some 15 us in the queue, and released
 * bytes wait until a quarter of what is away has come together. So the slowest has 86 % of its
 * share.
 */
class CreditSharesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl("ns3::CreditFlowControl");
        std::vector<double> units;
        const std::vector<double> shares = Shares(helper, &units);
        NS_TEST_EXPECT_MSG_EQ_TOL(Sum(shares), LINE_GBPS, 0.5, "full");
        for (uint32_t i = 0; i < RATES.size(); ++i)
        {
            const double expected = LINE_GBPS * units[i] / Sum(units);
            NS_TEST_EXPECT_MSG_EQ_TOL(shares[i] / expected, 1, 0.16, "host " << i);
        }

        // Buffers of one size: the same for all but the slowest, which has no use for so much. The
        // fastest keeps most bytes back before it tells: 25 kB, on average half of it, of 200 kB.
        FabricHelper equal;
        equal.SetFlowControl("ns3::CreditFlowControl", "BufferBytes", UintegerValue(200000));
        const std::vector<double> fair = Shares(equal);
        const double slow = 10 * LINE_GBPS / 100;
        for (uint32_t i = 0; i < RATES.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(fair[i],
                                      (i == 0 ? slow : (LINE_GBPS - slow) / 3),
                                      2,
                                      "buffers of one size, host " << i);
        }
    }
};

/// What inputs get.
const SuiteCases g_cases("dcfabric-buffer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LongestQueueTurnsTestCase(
        "the longest queue goes first, but nobody waits for more than MaxTurns packets"));
    suite.AddTestCase(
        new VoqSharesTestCase("with virtual queues no input starves, whatever its rate"));
    suite.AddTestCase(new OwnArbiterTestCase("each switch has an arbiter of its own"));
    suite.AddTestCase(new OwnSchedulerTestCase("each port has a scheduler of its own"));
    suite.AddTestCase(new CreditSharesTestCase(
        "in a shared buffer with credits inputs share by the size of their buffers"));
});

} // namespace ns3::tests::voq_shares_test
