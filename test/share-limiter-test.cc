// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/share-limiter.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Limits of a share of an output, against cases worked out by hand and long means.
 */

namespace ns3::tests::share_limiter_test
{

constexpr uint64_t RATE = 100000000000; //!< 100 Gb/s: 80 ps for a byte

/**
 * @ingroup dcfabric-tests
 * @brief One window after another.
 */
class ShareLimiterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ShareLimiter limiter(RATE);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(0), true, "nothing is limited");
        NS_TEST_EXPECT_MSG_EQ(limiter.GetWindow(), 0, "nothing is limited");
        // 2000 of 8000 bytes; the window begins when 1000 bytes have been sent, at 80,000 ps
        limiter.Begin(8000, 2000, 1000, 0);
        limiter.OnSent(true, 1999, 80000);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(80000), true, "1999 of 2000");
        limiter.OnSent(true, 1001, 80000);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(80000), false, "3000, 1000 too many");
        NS_TEST_EXPECT_MSG_EQ(limiter.GetRetryPs(80000), 720000, "8000 bytes later");
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(719999), false, "just before");
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(720000), true, "then");
        // others fill the window: 3000 + 5000
        limiter.OnSent(false, 4999, 80000);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(80000), false, "7999 of 8000");
        limiter.OnSent(false, 1, 480000);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(480000), true, "8000: the next window");
        limiter.OnSent(true, 1000, 480080);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(480080), false, "which has the 1000 too many less");
        // cut in the middle of a window, that began at 480,080: 2000 are used of 500, so that four
        // windows have to pass
        limiter.SetPart(500);
        NS_TEST_EXPECT_MSG_EQ(limiter.GetRetryPs(480080), 480080 + 4 * 640000, "four windows");
        limiter.SetRate(RATE / 2);
        NS_TEST_EXPECT_MSG_EQ(limiter.GetRetryPs(480080), 480080 + 8 * 640000, "a slower line");
        limiter.End();
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(480080), true, "over");
        NS_TEST_EXPECT_MSG_EQ(limiter.GetPart(), 0, "over");
        limiter.Begin(8000, 2000, 1000, 480080);
        NS_TEST_EXPECT_MSG_EQ(limiter.MaySend(480080), true, "anew, without what was before");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random packets: limited ones get their part of a busy line, all of their part of an idle
 * one, and never stall.
 */
class ShareLimiterPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 7715;
        std::cout << "dcfabric-queue-disc, share limiter: seed " << seed << std::endl;
        std::mt19937 random(seed);
        for (int run = 0; run < 50; ++run)
        {
            const int64_t window = 20000 + random() % 50000;
            const int64_t part = 1 + random() % (window / 2); // time enough to use it
            const bool isBusy = random() % 2 == 0;
            ShareLimiter limiter(RATE);
            limiter.Begin(window, part, 0, 0);
            int64_t nowPs = 0;
            int64_t limited = 0;
            int64_t all = 0;
            while (all < 200 * window && nowPs < 200 * window * 80)
            {
                const int64_t bytes = 64 + random() % 1400;
                const bool isLimited = limiter.MaySend(nowPs);
                if (!isLimited && !isBusy)
                {
                    const int64_t retryPs = limiter.GetRetryPs(nowPs);
                    NS_TEST_ASSERT_MSG_GT(retryPs, nowPs, "later, run " << run);
                    NS_TEST_ASSERT_MSG_EQ(limiter.MaySend(retryPs), true, "run " << run);
                    nowPs = retryPs;
                    continue;
                }
                limiter.OnSent(isLimited, static_cast<uint32_t>(bytes), nowPs);
                limited += isLimited ? bytes : 0;
                all += bytes;
                nowPs += bytes * 80;
            }
            // of 200 windows, each with its part; at the ends a window or a packet more or less
            const auto windows = static_cast<double>(nowPs) / 80.0 / static_cast<double>(window);
            NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(limited),
                                      windows * static_cast<double>(part),
                                      static_cast<double>(part + 1500),
                                      "run " << run << ", busy " << isBusy);
        }
    }
};

/// Limits of a share.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ShareLimiterTestCase("share of an output: windows, cuts, end"));
    suite.AddTestCase(new ShareLimiterPropertyTestCase("share of an output: random packets"));
});

} // namespace ns3::tests::share_limiter_test
