// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/rcm-window.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Windows of regional congestion control, against numbers worked out by hand and a naive
 * model.
 */

namespace ns3::tests::rcm_window_test
{

const FlowKey A{1, 9, 100};              //!< a harmful flow
const FlowKey B{2, 9, 100};              //!< another flow
const FlowKey C{3, 9, 100};              //!< a third one
constexpr uint64_t RATE = 100000000000;  //!< 80 ps for a byte
constexpr int64_t SPACING = 20000000;    //!< CutSpacing in ps
constexpr int64_t WINDOW_PS = 8000 * 80; //!< 8000 bytes at RATE
constexpr int64_t BEGIN_PS = 4000 * 80;  //!< end of the last packet of a half, sent at time 0

/// @return parameters with a measurement of 8000 to 16000 bytes
Ptr<RcmParameters>
MakeParameters()
{
    Ptr<RcmParameters> p = CreateObject<RcmParameters>();
    p->SetAttribute("MeasureBytes", UintegerValue(8000));
    p->SetAttribute("MaxMeasureBytes", UintegerValue(16000));
    return p;
}

/**
 * @brief Have a window measured: W = 8000, Wc before the cut as given; packets begin at time 0.
 * @param window to measure
 * @param degree of the cut
 * @param harmful Wc
 */
void
Measure(RcmWindow& window, double degree, uint32_t harmful)
{
    window.Cut(degree, {A}, 0);
    window.OnSent(A, true, harmful, 0);
    if (harmful < 8000)
    {
        window.OnSent(B, false, 8000 - harmful, 0);
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief W and Wc are what was sent.
 */
class RcmMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = MakeParameters();
        RcmWindow window(*p, RATE);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::IDLE, "at first");
        window.OnSent(A, true, 100000, 0);
        window.Cut(0, {A}, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::IDLE, "not congested");
        window.Cut(1, {}, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::IDLE, "nobody to control");
        window.Cut(0.5, {A, C}, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::MEASURING, "begins");
        window.OnSent(A, true, 1000, 0);
        window.OnSent(B, false, 7000, 0);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::MEASURING, "C is missing");
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), true, "not held yet");
        window.OnSent(B, false, 2000, 0);
        window.Cut(1, {A}, 1);
        window.OnSent(C, true, 2000, 2);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::CONTROLLING, "all have sent");
        NS_TEST_EXPECT_MSG_EQ(window.GetWindowBytes(), 12000, "all of it");
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 1500, "3000, cut once, by the deeper one");

        window.Stop();
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::IDLE, "ends");
        NS_TEST_EXPECT_MSG_EQ(window.GetWindowBytes(), 0, "forgotten");
        window.OnSent(A, true, 4000, 3);
        window.Cut(1, {A, C}, 4);
        window.OnSent(A, true, 4000, 5);
        window.OnSent(B, false, 11999, 5);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::MEASURING, "C has stopped; 15999");
        window.OnSent(B, false, 1, 5);
        NS_TEST_EXPECT_MSG_EQ(window.GetWindowBytes(), 16000, "waits no longer");
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 2000, "half of 4000");

        // all harmful flows have stopped
        window.Stop();
        window.Cut(1, {A}, 6);
        window.OnSent(B, false, 16000, 6);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::IDLE, "nobody to control");
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(6), true, "to be recognized anew");
        window.Cut(1, {A}, 6);
        window.OnSent(B, false, 5000, 6);
        window.OnSent(A, true, 3000, 6);
        NS_TEST_EXPECT_MSG_EQ(window.GetWindowBytes(), 8000, "counted anew");
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 1500, "half of 3000");

        // the paper's letter: ends with the first packet of A, which leaves nothing to others
        p->SetAttribute("MeasureBytes", UintegerValue(1));
        RcmWindow letter(*p, RATE);
        letter.Cut(1, {A}, 0);
        letter.OnSent(A, true, 1000, 0);
        NS_TEST_EXPECT_MSG_EQ(letter.GetWindowBytes(), 1000, "one packet");
        NS_TEST_EXPECT_MSG_EQ(letter.GetHarmfulBytes(), 500, "half of it");

        ObjectFactory factory("ns3::RcmParameters");
        factory.Set("MaxMeasureBytes", UintegerValue(7999));
        DCFABRIC_EXPECT_REFUSAL(factory.Create<RcmParameters>(),
                                "MeasureBytes 8000 is greater than MaxMeasureBytes 7999");
        ObjectFactory samples("ns3::RcmParameters");
        samples.Set("CamDepth", UintegerValue(2));
        samples.Set("MinHits", UintegerValue(5));
        DCFABRIC_EXPECT_REFUSAL(samples.Create<RcmParameters>(),
                                "MinHits 5 is greater than CamDepth 2");
        samples.Set("MinHits", UintegerValue(2));
        NS_TEST_EXPECT_MSG_EQ(samples.Create<RcmParameters>()->minHits, 2, "all of them");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows that were recognized and have ended do not keep a window from measuring others.
 */
class RcmGoneTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = MakeParameters();
        RcmWindow window(*p, RATE);
        const int64_t longestPs = 16000 * 80; // MaxMeasureBytes on the line
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(0), true, "nobody is held");
        window.Cut(1, {A}, 5);
        window.OnSent(B, false, 1000, 5);
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(5 + longestPs - 1), false, "A may still come");
        window.Cut(1, {C}, 5 + longestPs - 1);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::MEASURING, "A");
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(5 + longestPs), true, "A has ended");
        window.Cut(0.5, {C}, 5 + longestPs);
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(5 + longestPs), false, "C");
        window.OnSent(C, true, 8000, 6 + longestPs);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 6000, "C, by the new degree");

        // what has sent is waited for, however long
        RcmWindow slow(*p, RATE);
        slow.Cut(1, {A}, 0);
        slow.OnSent(A, true, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(slow.IsDue(100 * longestPs), false, "A is there");
        RcmWindow half(*p, RATE / 2);
        half.Cut(1, {A}, 0);
        NS_TEST_EXPECT_MSG_EQ(half.IsDue(2 * longestPs - 1), false, "a line half as fast");
        NS_TEST_EXPECT_MSG_EQ(half.IsDue(2 * longestPs), true, "twice as long");
        half.Cut(1, {}, 2 * longestPs);
        NS_TEST_EXPECT_MSG_EQ(half.GetState(), RcmWindow::IDLE, "nobody else");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Equations 5 and 6.
 */
class RcmCutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = MakeParameters();
        RcmWindow window(*p, RATE);
        Measure(window, 1, 4000);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 2000, "Fbmax: half");
        NS_TEST_EXPECT_MSG_EQ(window.GetWindowBytes(), 8000, "W stays, so Wnc is 6000");
        window.Cut(1, {A}, SPACING - 1);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 2000, "too early");
        window.Cut(0, {A}, SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 2000, "not congested");
        window.Cut(0.5, {A}, SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 1500, "Fbmax/2: three quarters");
        NS_TEST_EXPECT_MSG_EQ(window.GetWindowBytes(), 8000, "W stays");
        window.Cut(1, {A}, SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 1500, "twice at once counts once");
        window.Cut(5, {A}, 2 * SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 750, "never more than half");
        for (int cut = 3; cut < 20; ++cut)
        {
            window.Cut(1, {A}, cut * SPACING);
        }
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 80, "1 % of 8000 is left");
        NS_TEST_EXPECT_MSG_EQ(window.GetNCuts(), 20, "all that had an effect");

        // other flows are harmful now: measured anew; the same ones in another order: cut again
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(20 * SPACING - 1), false, "not yet");
        window.Cut(1, {C}, 20 * SPACING - 1);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::CONTROLLING, "not yet");
        NS_TEST_EXPECT_MSG_EQ(window.IsDue(20 * SPACING), true, "19 + 1");
        window.Cut(1, {C, A}, 20 * SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::MEASURING, "A and C");
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(20 * SPACING), true, "free meanwhile");
        window.OnSent(C, true, 2000, 20 * SPACING);
        window.OnSent(B, false, 4000, 20 * SPACING);
        window.OnSent(A, true, 2000, 20 * SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 2000, "half of 2000 + 2000");
        window.Cut(1, {A, C}, 21 * SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetHarmfulBytes(), 1000, "half of it");
        window.Cut(1, {}, 22 * SPACING);
        NS_TEST_EXPECT_MSG_EQ(window.GetState(), RcmWindow::IDLE, "none is harmful any more");

        RcmWindow small(*p, RATE);
        Measure(small, 1, 50);
        NS_TEST_EXPECT_MSG_EQ(small.GetHarmfulBytes(), 50, "less than that: stays as it is");
        p->SetAttribute("MinShare", DoubleValue(0));
        RcmWindow least(*p, RATE);
        Measure(least, 1, 3);
        NS_TEST_EXPECT_MSG_EQ(least.GetHarmfulBytes(), 1, "1.5 is a whole byte");
        least.Cut(1, {A}, SPACING);
        NS_TEST_EXPECT_MSG_EQ(least.GetHarmfulBytes(), 1, "never nothing");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Harmful flows wait exactly until W has left, or its time is over.
 */
class RcmHoldTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = MakeParameters();
        RcmWindow window(*p, RATE);
        Measure(window, 1, 4000); // W = 8000, Wc = 2000
        window.OnSent(A, true, 1999, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), true, "one byte left");
        window.OnSent(A, true, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), false, "used up");
        window.OnSent(B, false, 5999, 10);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(10), false, "7999 have left");
        window.OnSent(B, false, 1, 20);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(20), true, "8000: a new window");
        window.OnSent(A, true, 2000, 30);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(30), false, "of 2000 again");
        NS_TEST_EXPECT_MSG_EQ(window.GetRetryPs(30),
                              100 + WINDOW_PS,
                              "8000 bytes after the end of the last one's byte, 20 + 80");
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(99 + WINDOW_PS), false, "not yet");
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(100 + WINDOW_PS), true, "nobody else sends");
        NS_TEST_EXPECT_MSG_EQ(window.GetRetryPs(100 + WINDOW_PS), 100 + WINDOW_PS, "now");
        window.Stop();
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(40), true, "control has ended");

        // a window that began while nothing was sent: bytes of the one before do not count
        RcmWindow slow(*p, RATE);
        Measure(slow, 1, 4000);
        slow.OnSent(B, false, 7000, 1);
        const int64_t endPs = BEGIN_PS + WINDOW_PS;
        slow.OnSent(A, true, 2000, endPs + 1);
        slow.OnSent(B, false, 5999, endPs + 2);
        NS_TEST_EXPECT_MSG_EQ(slow.MayHarmfulSend(endPs + 2), false, "7999 of this window");
        NS_TEST_EXPECT_MSG_EQ(slow.GetRetryPs(endPs + 2), endPs + WINDOW_PS, "of this window");

        // the line becomes half as fast
        slow.SetRate(RATE / 2);
        slow.Stop();
        Measure(slow, 1, 4000);
        slow.OnSent(A, true, 2000, 0);
        NS_TEST_EXPECT_MSG_EQ(slow.GetRetryPs(0), 2 * BEGIN_PS + 2 * WINDOW_PS, "twice as long");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a packet takes too much is missing later.
 */
class RcmDebtTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = MakeParameters();
        RcmWindow window(*p, RATE);
        Measure(window, 1, 4000); // W = 8000, Wc = 2000
        window.OnSent(A, true, 1500, 0);
        window.OnSent(A, true, 1500, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), false, "3000 of 2000");
        window.OnSent(B, false, 5000, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), true, "1000 of 2000 in the next window");
        window.OnSent(A, true, 1500, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), false, "2500");
        window.OnSent(B, false, 7000, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), true, "500; W has 500 more already");
        window.OnSent(A, true, 1500, 0);
        window.OnSent(B, false, 5999, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), false, "500 + 1500 + 5999 = 7999");
        window.OnSent(B, false, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(window.MayHarmfulSend(0), true, "8000");

        // a packet larger than W: 9000 bytes are one window and 1000 of the next
        RcmWindow large(*p, RATE);
        Measure(large, 1, 4000);
        large.OnSent(A, true, 9000, 5);
        NS_TEST_EXPECT_MSG_EQ(large.MayHarmfulSend(5), false, "7000 of 2000");
        NS_TEST_EXPECT_MSG_EQ(large.GetRetryPs(5), 5 + 4 * WINDOW_PS, "the first, and three more");
        NS_TEST_EXPECT_MSG_EQ(large.MayHarmfulSend(4 + 4 * WINDOW_PS), false, "not yet");
        NS_TEST_EXPECT_MSG_EQ(large.MayHarmfulSend(5 + 4 * WINDOW_PS), true, "1000 of 2000");
        large.OnSent(B, false, 1, 86400000000000000);
        NS_TEST_EXPECT_MSG_EQ(large.MayHarmfulSend(86400000000000000), true, "a day later");

        // packets of 1500 in a window of two of them: half of one packet in each window on average
        p->SetAttribute("MeasureBytes", UintegerValue(3000));
        RcmWindow tight(*p, RATE);
        tight.Cut(1, {A}, 0);
        tight.OnSent(A, true, 1500, 0);
        tight.OnSent(B, false, 1500, 0);
        int harmful = 0;
        for (int packet = 0; packet < 1000; ++packet)
        {
            const bool isHarmful = tight.MayHarmfulSend(0);
            tight.OnSent(isHarmful ? A : B, isHarmful, 1500, 0);
            harmful += isHarmful ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(harmful, 250, "a quarter, as Wc = 750 of W = 3000 says");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Figure 6 of the paper at one output: the burst falls from 50 to 25 Gb/s, the four flows
 * rise from 12.5 to 18.75.
 */
class RcmFigure6WindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Round robin of two inputs gives the burst half of W. With a degree of 1 it is halved:
        // 25 Gb/s, and the other input has (100 - 25) / 4 = 18.75 for each of its flows.
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        RcmWindow window(*p, RATE);
        const FlowKey burst{5, 9, 100};
        window.Cut(1, {burst}, 0);
        const int64_t packetPs = 1500 * 80;
        int64_t nowPs = 0;
        std::array<int, 6> packets{}; // by source, while controlling
        bool isBurstNext = true;
        uint32_t incast = 0;
        int counted = 0;
        while (nowPs < 20000000)
        {
            const bool isBurst = isBurstNext && window.MayHarmfulSend(nowPs);
            isBurstNext = !isBurstNext || !isBurst;
            const uint32_t src = isBurst ? 5 : 1 + incast++ % 4;
            if (window.GetState() == RcmWindow::CONTROLLING)
            {
                ++packets[src];
                ++counted;
            }
            window.OnSent({src, 9, 100}, isBurst, 1500, nowPs);
            nowPs += packetPs;
        }
        // 6 packets (9000 bytes) are measured, 0.7 us; 161 are left of the 167 of 20 us
        NS_TEST_EXPECT_MSG_EQ(counted, 161, "controlled soon");
        NS_TEST_EXPECT_MSG_EQ_TOL(100.0 * packets[5] / counted, 25, 1, "burst in Gb/s");
        for (uint32_t src = 1; src <= 4; ++src)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(100.0 * packets[src] / counted, 18.75, 1, "in Gb/s");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random traffic against a model that walks through windows one by one.
 */
class RcmWindowPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 2017;
        std::cout << "dcfabric-rcm-window: seed " << seed << std::endl;
        std::mt19937 random(seed);
        int held = 0;
        for (int run = 0; run < 200; ++run)
        {
            Ptr<RcmParameters> p = MakeParameters();
            RcmWindow window(*p, RATE);
            const auto harmful = static_cast<uint32_t>(100 + random() % 7901);
            Measure(window, (1 + random() % 63) / 63.0, harmful);
            const int64_t share = window.GetHarmfulBytes();
            // begin of the present window: behind the last packet that was measured
            int64_t startPs = (harmful < 8000 ? 8000 - harmful : 8000) * int64_t{80};
            int64_t sent = 0; // in it
            int64_t debt = 0; // of harmful flows
            int64_t nowPs = 0;
            int64_t windows = 0;
            int64_t harmfulBytes = 0;
            const auto next = [&] {
                debt = std::max<int64_t>(0, debt - share);
                ++windows;
            };
            for (int packet = 0; packet < 300; ++packet)
            {
                nowPs += random() % 3 == 0 ? random() % (3 * WINDOW_PS) : random() % 200000;
                for (; nowPs >= startPs + WINDOW_PS; startPs += WINDOW_PS)
                {
                    sent = 0;
                    next();
                }
                const bool may = debt < share;
                NS_TEST_ASSERT_MSG_EQ(window.MayHarmfulSend(nowPs), may, "run " << run);
                int64_t retryPs = may ? nowPs : startPs;
                for (int64_t rest = debt; rest >= share; rest -= share)
                {
                    retryPs += WINDOW_PS;
                }
                NS_TEST_ASSERT_MSG_EQ(window.GetRetryPs(nowPs), retryPs, "run " << run);
                held += may ? 0 : 1;
                const bool isHarmful = may && random() % 2 == 0;
                const auto bytes = static_cast<uint32_t>(64 + random() % 9000);
                window.OnSent(isHarmful ? A : B, isHarmful, bytes, nowPs);
                sent += bytes;
                debt += isHarmful ? bytes : 0;
                harmfulBytes += isHarmful ? bytes : 0;
                for (; sent >= 8000; sent -= 8000)
                {
                    next();
                    startPs = nowPs + (bytes - (sent - 8000)) * 80;
                }
                NS_TEST_ASSERT_MSG_LT(harmfulBytes,
                                      (windows + 1) * share + 9064,
                                      "never more than a packet beyond Wc, run " << run);
            }
        }
        NS_TEST_EXPECT_MSG_GT(held, 1000, "there was something to hold");
    }
};

/// Window of an output.
const SuiteCases g_cases("dcfabric-rcm", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RcmMeasureTestCase("measuring: least, most, missing flows"));
    suite.AddTestCase(new RcmGoneTestCase("measuring: flows that have ended"));
    suite.AddTestCase(new RcmCutTestCase("cuts, their distance, the least share"));
    suite.AddTestCase(new RcmHoldTestCase("holding by bytes and by time"));
    suite.AddTestCase(new RcmDebtTestCase("packets larger than what is left"));
    suite.AddTestCase(new RcmFigure6WindowTestCase("figure 6: shares of the output"));
    suite.AddTestCase(new RcmWindowPropertyTestCase("random traffic, against windows one by one"));
});

} // namespace ns3::tests::rcm_window_test
