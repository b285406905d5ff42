// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What notifications say of the congestion.
 */

namespace ns3::tests::wreb_signals_test
{

/// Attributes that switch signals, and their bits.
const std::vector<std::pair<std::string, uint8_t>> SWITCHES{
    {"TellRelativeQueue", BackToSenderSignals::QUEUE},
    {"TellActiveFlows", BackToSenderSignals::FLOWS},
    {"TellGradient", BackToSenderSignals::GRADIENT},
    {"TellRate", BackToSenderSignals::RATE},
    {"TellSentBytes", BackToSenderSignals::SENT},
    {"TellOccupancy", BackToSenderSignals::OCCUPANCY}};

/// @return a notifier for each packet that tells the signals of the default
Ptr<BackToSenderNotifier>
MakeTelling()
{
    const auto notifier = MakeNotifier(ALWAYS);
    notifier->SetAttribute("FullQueue", UintegerValue(200000));
    return notifier;
}

/**
 * @param signals bits
 * @return a notifier for each packet that tells some signals
 */
Ptr<BackToSenderNotifier>
MakeTelling(uint8_t signals)
{
    const auto notifier = MakeTelling();
    for (const auto& [attribute, bit] : SWITCHES)
    {
        notifier->SetAttribute(attribute, BooleanValue((signals & bit) != 0));
    }
    return notifier;
}

/**
 * @ingroup dcfabric-tests
 * @brief Each signal, alone and together.
 */
class SignalsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param notifier its settings
     * @param rateBps of the link
     * @param dropped the last packet does not fit
     * @return what the last packet of a trace makes the queue tell
     */
    BackToSenderSignals Run(Ptr<BackToSenderNotifier> notifier, uint64_t rateBps, bool dropped)
    {
        BackToSenderSignals signals;
        const auto disc = MakeNotifyingDisc(notifier);
        TestContext context;
        context.rateBps = rateBps;
        disc->SetContext(&context);
        disc->SetBackToSenderCallback([&](const BackToSenderNotice& notice) {
            signals = notice.signals;
            NS_TEST_EXPECT_MSG_EQ(notice.dropped, dropped, "the last alone");
        });
        // not ECN-capable but the last. 0 us: 1500 B of flow 1 in class 3 find 24,000 B elsewhere
        // for the class. 1 us: 500 B of flow 2 find 1500 + 25,000 B; class 5 gets 200 B. 1.5 us:
        // these 200 B leave, then those 1500 B. 3 us: the last packet, of flow 2, finds 500 +
        // 24,500 B.
        const uint8_t incapable = TestQueueItem::NOT_ECT;
        context.waitingBytes[3] = 24000;
        disc->Enqueue(Create<FlowItem>(1, 1500, 3, incapable));
        context.nowPs = 1 * US;
        context.waitingBytes[3] = 25000;
        disc->Enqueue(Create<FlowItem>(2, 500, 3, incapable));
        disc->Enqueue(Create<FlowItem>(9, 200, 5, incapable));
        context.nowPs = 3 * US / 2;
        disc->Dequeue();
        disc->Dequeue();
        context.waitingBytes[3] = 24500;
        context.portSentBytes = 77777;
        context.bufferBytes = 88888;
        context.groupBytes = {{0x3f, 60000}, {0x08, 40000}};
        context.nowPs = 3 * US;
        if (dropped)
        {
            disc->SetMaxSize(QueueSize("500B"));
        }
        disc->Enqueue(Create<FlowItem>(2, 100, 3));
        return signals;
    }

    /**
     * @brief Compare with the values of the trace.
     * @param dropped the last packet does not fit
     * @param notifier its settings
     * @param present signals
     * @param name for messages
     */
    void Check(bool dropped,
               Ptr<BackToSenderNotifier> notifier,
               uint8_t present,
               const std::string& name)
    {
        const BackToSenderSignals s = Run(notifier, 50000000000, dropped);
        const std::string where = name + (dropped ? ", of a drop" : "");
        const auto has = [present](uint8_t bit) { return (present & bit) != 0; };
        NS_TEST_EXPECT_MSG_EQ(unsigned{s.present}, unsigned{present}, where);
        // 25,000 B at 50 Gb/s are as 50,000 B at 100 Gb/s, a quarter of 200,000 B
        NS_TEST_EXPECT_MSG_EQ(s.relativeQueue, (has(BackToSenderSignals::QUEUE) ? 0.25 : 0), where);
        NS_TEST_EXPECT_MSG_EQ(s.activeFlows, (has(BackToSenderSignals::FLOWS) ? 2 : 0), where);
        // An interval ends at 1 us, 2500 B more in 1 us, and the next when the last packet arrives:
        // 1500 B less in 2 us. One that is dropped ends none.
        NS_TEST_EXPECT_MSG_EQ(s.gradientBps,
                              (has(BackToSenderSignals::GRADIENT) ? (dropped ? 20e9 : -6e9) : 0),
                              where);
        NS_TEST_EXPECT_MSG_EQ(s.rateBps,
                              (has(BackToSenderSignals::RATE) ? 50000000000U : 0U),
                              where);
        const bool sent = has(BackToSenderSignals::SENT);
        NS_TEST_EXPECT_MSG_EQ(s.portSentBytes, (sent ? 77777 : 0), where);
        NS_TEST_EXPECT_MSG_EQ(s.queueSentBytes, (sent ? 1500 : 0), where);
        NS_TEST_EXPECT_MSG_EQ(s.timePs, (sent ? 3 * US : 0), where);
        const bool occupancy = has(BackToSenderSignals::OCCUPANCY);
        NS_TEST_EXPECT_MSG_EQ(s.portBytes, (occupancy ? 25000 : 0), where);
        NS_TEST_EXPECT_MSG_EQ(s.bufferBytes, (occupancy ? 88888 : 0), where);
        NS_TEST_EXPECT_MSG_EQ(s.groupBytes, (occupancy ? 60000 : 0), where);
    }

    void DoRun() override
    {
        for (const bool dropped : {false, true})
        {
            for (const auto& [attribute, bit] : SWITCHES)
            {
                const auto others = static_cast<uint8_t>(0x3f & ~bit);
                Check(dropped, MakeTelling(bit), bit, attribute);
                Check(dropped, MakeTelling(others), others, "no " + attribute);
            }
            Check(dropped, MakeTelling(0x3f), 0x3f, "all");
            Check(dropped, MakeTelling(0), 0, "none");
            Check(dropped, MakeTelling(), 0x0f, "default: queue, flows, gradient, rate");

            // no rate is told where none is known, and bytes are as they are: 25,000 of 200,000 B
            const BackToSenderSignals unknown = Run(MakeTelling(), 0, dropped);
            NS_TEST_EXPECT_MSG_EQ(unsigned{unknown.present}, 0x07, "no rate");
            NS_TEST_EXPECT_MSG_EQ(unknown.rateBps, 0, "no rate");
            NS_TEST_EXPECT_MSG_EQ(unknown.relativeQueue, 0.125, "an eighth");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Settings of the signals.
 */
class SignalSettingsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto notifier = MakeTelling(0x3f);
        notifier->SetAttribute("FullQueue", UintegerValue(1000));
        notifier->SetAttribute("ReferenceRate", StringValue("10Gbps"));
        notifier->SetAttribute("GroupClasses", UintegerValue(0x08));
        notifier->SetAttribute("FlowWindow", TimeValue(MicroSeconds(1)));
        notifier->SetAttribute("GradientInterval", TimeValue(MicroSeconds(4)));
        const auto disc = MakeNotifyingDisc(notifier);
        TestContext context;
        context.rateBps = 40000000000;
        context.groupBytes = {{0x3f, 60000}, {0x08, 40000}};
        disc->SetContext(&context);
        BackToSenderSignals s;
        disc->SetBackToSenderCallback([&s](const BackToSenderNotice& n) { s = n.signals; });

        disc->Enqueue(Create<FlowItem>(1, 500, 3));
        NS_TEST_EXPECT_MSG_EQ(s.relativeQueue, 0, "an empty queue");
        NS_TEST_EXPECT_MSG_EQ(s.activeFlows, 1, "itself");
        NS_TEST_EXPECT_MSG_EQ(s.gradientBps, 0, "no interval yet");
        NS_TEST_EXPECT_MSG_EQ(s.groupBytes, 40000, "class 3");
        context.nowPs = US;
        disc->Enqueue(Create<FlowItem>(2, 1500, 3));
        NS_TEST_EXPECT_MSG_EQ(s.relativeQueue, 0.125, "500 B at 40 Gb/s are 125 of 1000 B");
        NS_TEST_EXPECT_MSG_EQ(s.activeFlows, 2, "1 us ago");
        context.nowPs = US + 1;
        disc->Enqueue(Create<FlowItem>(2, 14000, 3));
        NS_TEST_EXPECT_MSG_EQ(s.relativeQueue, 0.5, "2000 B are 500 of 1000 B");
        NS_TEST_EXPECT_MSG_EQ(s.activeFlows, 1, "1 ps more than 1 us ago");
        NS_TEST_EXPECT_MSG_EQ(s.gradientBps, 0, "less than 4 us");
        context.nowPs = 4 * US;
        disc->Enqueue(Create<FlowItem>(1, 1, 3));
        NS_TEST_EXPECT_MSG_EQ(s.relativeQueue, 4, "more than full: 16,000 B are 4000 of 1000 B");
        NS_TEST_EXPECT_MSG_EQ(s.gradientBps, 32e9, "16,000 B more in 4 us");
        // classes tell of themselves: nothing waits in class 4
        disc->Enqueue(Create<FlowItem>(1, 1, 4));
        NS_TEST_EXPECT_MSG_EQ(s.relativeQueue, 0, "class 4");
        NS_TEST_EXPECT_MSG_EQ(s.activeFlows, 1, "class 4");
        NS_TEST_EXPECT_MSG_EQ(s.gradientBps, 0, "class 4");
        NS_TEST_EXPECT_MSG_EQ(s.portBytes, 16001, "both classes");
        NS_TEST_EXPECT_MSG_EQ(s.queueSentBytes, 0, "nothing has left");
        NS_TEST_EXPECT_MSG_EQ(s.timePs, 4 * US, "now");
    }
};

/// Signals of notifications.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SignalsTestCase(
        "signals: each alone, all, none, with values of a trace worked out by hand"));
    suite.AddTestCase(new SignalSettingsTestCase(
        "signals: full queue, reference rate, group, flow window, gradient interval"));
});

} // namespace ns3::tests::wreb_signals_test
