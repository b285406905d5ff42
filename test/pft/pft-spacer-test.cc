// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-chi-square.h"
#include "../fabric-test-random.h"
#include "../fabric-test-suite.h"

#include "ns3/cycle-clock.h"
#include "ns3/flit-spacer.h"
#include "ns3/integer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How proactive flow throttling spaces flits, without a network.
 */

namespace ns3::tests::pft_spacer_test
{

/**
 * @tparam T its class
 * @param m,n,k of f(c)
 * @return a spacer
 */
template <typename T>
Ptr<T>
MakeSpacer(uint32_t m, uint32_t n, int64_t k)
{
    const auto spacer = CreateObject<T>();
    spacer->SetAttribute("M", UintegerValue(m));
    spacer->SetAttribute("N", UintegerValue(n));
    spacer->SetAttribute("K", IntegerValue(k));
    return spacer;
}

/**
 * @ingroup dcfabric-tests
 * @brief Figure 1 of [PFT]: intervals max(1, c >> n) and shares 1 - c 2^m / 2^32, by hand.
 */
class TablesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint64_t intervals[5][7] = {
            {1, 2, 4, 8, 16, 32, 64}, // n = 8; c = 256, 512, ... 16384
            {1, 1, 2, 4, 8, 16, 32},
            {1, 1, 1, 2, 4, 8, 16},
            {1, 1, 1, 1, 2, 4, 8},
            {1, 1, 1, 1, 1, 2, 4}};
        for (uint32_t n = 8; n <= 12; ++n)
        {
            for (uint32_t i = 0; i < 7; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    MakeSpacer<FixedIntervalSpacer>(0, n, 0)->GetInterval(256U << i),
                    intervals[n - 8][i],
                    "n = " << n << ", c = " << (256U << i));
            }
        }
        // 1024 >> 10 is 1; bits that are shifted out are lost; k below 0 cannot make flits faster
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<FixedIntervalSpacer>(0, 10, 3)->GetInterval(1024), 4, "k");
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<FixedIntervalSpacer>(0, 8, 0)->GetInterval(767), 2, "767");
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<FixedIntervalSpacer>(0, 8, 0)->GetInterval(768), 3, "768");
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<FixedIntervalSpacer>(2, 8, 0)->GetInterval(192), 3, "m");
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<FixedIntervalSpacer>(0, 8, -9)->GetInterval(256), 1, "k");
        // no wrap: (2^32 - 1) << 31
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<FixedIntervalSpacer>(31, 0, 0)->GetF(0xffffffffU),
                              0x7fffffff80000000,
                              "63 bits");

        const uint32_t used[7] = {64, 256, 592, 672, 1024, 4096, 16384};
        const double shares[8][7] = {
            {.99951, .99805, .99548, .99487, .99219, .96875, .875}, // m = 15
            {.99902, .99609, .99097, .98975, .98438, .9375, .75},
            {.99805, .99219, .98193, .97949, .96875, .875, .5},
            {.99609, .98438, .96387, .95898, .9375, .75, 0},
            {.99219, .96875, .92773, .91797, .875, .5, 0},
            {.98438, .9375, .85547, .83594, .75, 0, 0},
            {.96875, .875, .71094, .67188, .5, 0, 0},
            {.9375, .75, .42188, .34375, 0, 0, 0}};
        for (uint32_t m = 15; m <= 22; ++m)
        {
            for (uint32_t i = 0; i < 7; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(
                    MakeSpacer<RandomIntervalSpacer>(m, 0, 0)->GetShare(used[i]),
                    shares[m - 15][i],
                    0.000005 + 1e-9, // as the table is rounded
                    "m = " << m << ", c = " << used[i]);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(MakeSpacer<RandomIntervalSpacer>(0, 0, -1)->GetShare(1), 1, "f = 0");
        const auto narrow = MakeSpacer<RandomIntervalSpacer>(0, 0, 0);
        narrow->SetAttribute("RandomBits", UintegerValue(10));
        NS_TEST_EXPECT_MSG_EQ(narrow->GetShare(256), 0.75, "10 bits");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flits of fixed interval, cycle by cycle.
 */
struct NaiveInterval
{
    uint64_t toGo{1};           //!< the last one is the next packet's first
    uint64_t since{1ULL << 40}; //!< cycles since one went
    bool wanted{false};         //!< a packet waits

    /**
     * @brief A cycle.
     * @param interval least cycles between flits
     */
    void Step(uint64_t interval)
    {
        ++since;
        if ((wanted ? toGo : toGo - 1) > 0 && since >= interval)
        {
            --toGo;
            since = 0;
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Fixed intervals: by hand, and random against the naive model.
 */
class FixedIntervalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto spacer = MakeSpacer<FixedIntervalSpacer>(0, 63, 4);
        spacer->Want();
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(0), 1, "the last flit is long ago");
        spacer->Begin(59);
        spacer->Want();
        // flits 2 to 59 in cycles 4 to 232, the next packet's first in 236
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(0), 236, "59 x 4");
        spacer->PassSpaced(235, 0);
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(0), 1, "one to go");
        spacer->PassSpaced(1, 0);
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(0), 0, "now");

        for (uint32_t seed = 1; seed <= 300; ++seed)
        {
            Compare(seed);
        }
    }

    /**
     * @brief Random packets, credits and states.
     * @param seed of them
     */
    void Compare(uint32_t seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](uint64_t low, uint64_t high) {
            return std::uniform_int_distribution<uint64_t>(low, high)(random);
        };
        const uint64_t flitCycles = draw(1, 3);
        const auto spacer = MakeSpacer<FixedIntervalSpacer>(0, 2, 1);
        spacer->SetFlitCycles(flitCycles);
        NaiveInterval naive;
        for (int run = 0; run < 300; ++run)
        {
            const auto used = static_cast<uint32_t>(draw(0, 60));
            const uint64_t interval = spacer->GetInterval(used);
            const uint64_t cycles = draw(0, draw(0, 3) == 0 ? 200 : 9);
            const bool congested = draw(0, 3) > 0;
            if (draw(0, 2) == 0)
            {
                spacer->Want();
                naive.wanted = true;
            }
            if (naive.wanted)
            {
                NaiveInterval ahead = naive;
                uint64_t open = 0;
                for (; ahead.toGo > 0; ++open)
                {
                    ahead.Step(interval);
                }
                NS_TEST_ASSERT_MSG_EQ(spacer->GetCyclesToOpen(used),
                                      open,
                                      "seed " << seed << ", run " << run);
            }
            if (naive.toGo == 0 || draw(0, 9) == 0)
            {
                const uint64_t flits = draw(1, 12);
                spacer->Begin(flits);
                naive = {flits, 0, false};
            }
            if (congested)
            {
                spacer->PassSpaced(cycles, used);
            }
            else
            {
                spacer->PassFreely(cycles);
            }
            for (uint64_t i = 0; i < cycles; ++i)
            {
                naive.Step(congested ? interval : flitCycles);
            }
            NS_TEST_ASSERT_MSG_EQ(spacer->IsAtRest(),
                                  ((naive.wanted ? naive.toGo : naive.toGo - 1) == 0),
                                  "seed " << seed << ", run " << run);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random intervals: when the next packet may go has the distribution that a draw in each
 * cycle gives.
 */
class RandomIntervalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A case: so many flits, credits before and after a cycle.
    struct Setting
    {
        uint64_t flits;      //!< of the packet
        uint64_t flitCycles; //!< of the wire
        uint32_t before;     //!< used credits
        uint32_t after;      //!< used credits
        uint64_t until;      //!< last cycle of the former; 0: there is none
        uint64_t wantedAt;   //!< cycle after which a packet waits
    };

    /**
     * @param s setting
     * @param shareBefore,shareAfter of free cycles
     * @return chance of each cycle, from 1 on, to be that in which the next packet may go
     */
    static std::vector<double> Naive(const Setting& s, double shareBefore, double shareAfter)
    {
        constexpr std::size_t CYCLES = 4000;
        // by flits to go and cycles until the wire takes another
        std::vector<std::vector<double>> at(s.flits + 1, std::vector<double>(s.flitCycles, 0));
        at[s.flits][s.flitCycles - 1] = 1;
        std::vector<double> chances(CYCLES + 1, 0);
        for (std::size_t cycle = 1; cycle <= CYCLES; ++cycle)
        {
            const double share = cycle <= s.until ? shareBefore : shareAfter;
            auto next = at;
            for (uint64_t toGo = 1; toGo <= s.flits; ++toGo)
            {
                std::fill(next[toGo].begin(), next[toGo].end(), 0);
            }
            for (uint64_t toGo = 1; toGo <= s.flits; ++toGo)
            {
                for (uint64_t hold = 1; hold < s.flitCycles; ++hold)
                {
                    next[toGo][hold - 1] += at[toGo][hold];
                }
                const bool draws = toGo > 1 || cycle > s.wantedAt;
                const double goes = draws ? share * at[toGo][0] : 0;
                next[toGo][0] += at[toGo][0] - goes;
                next[toGo - 1][toGo == 1 ? 0 : s.flitCycles - 1] += goes;
            }
            chances[cycle] = next[0][0] - at[0][0];
            at = next;
        }
        return chances;
    }

    /**
     * @brief Compare.
     * @param s setting
     * @param random number of the run
     */
    void Check(const Setting& s, uint64_t random)
    {
        const RandomRun run(random);
        constexpr uint32_t SAMPLES = 20000;
        const auto spacer = MakeSpacer<RandomIntervalSpacer>(22, 0, 0);
        spacer->SetFlitCycles(s.flitCycles);
        spacer->AssignStreams(1);
        const std::vector<double> chances =
            Naive(s, spacer->GetShare(s.before), spacer->GetShare(s.after));
        std::vector<uint32_t> hits(chances.size() + 1, 0);
        for (uint32_t i = 0; i < SAMPLES; ++i)
        {
            spacer->Begin(s.flits);
            uint64_t gone = 0;
            // the credits change, and a packet wants to go, in either order
            for (const uint64_t stop :
                 {std::min(s.until, s.wantedAt), std::max(s.until, s.wantedAt)})
            {
                if (gone >= s.wantedAt)
                {
                    spacer->Want();
                    // asking more than once, and passing in parts, changes nothing
                    const uint64_t open =
                        spacer->GetCyclesToOpen(gone < s.until ? s.before : s.after);
                    if (gone < s.until && open <= stop - gone)
                    {
                        gone += open;
                        spacer->PassSpaced(open, s.before);
                        break;
                    }
                }
                spacer->PassSpaced(stop - gone, gone < s.until ? s.before : s.after);
                gone = stop;
            }
            spacer->Want();
            const uint64_t open = gone + spacer->GetCyclesToOpen(s.after);
            ++hits[std::min<uint64_t>(open, hits.size() - 1)];
        }
        // bins of at least 20 expected samples
        double chi = 0;
        double chance = 0;
        double expected = 0;
        uint32_t found = 0;
        double rest = 1;
        uint32_t freedom = 0;
        uint32_t left = SAMPLES;
        for (std::size_t cycle = 1; cycle < chances.size(); ++cycle)
        {
            chance += chances[cycle];
            expected = chance * SAMPLES;
            found += hits[cycle];
            if (expected >= 20 && (rest - chance) * SAMPLES >= 20)
            {
                chi += (found - expected) * (found - expected) / expected;
                ++freedom;
                rest -= chance;
                left -= found;
                chance = 0;
                found = 0;
            }
        }
        chi += (left - rest * SAMPLES) * (left - rest * SAMPLES) / (rest * SAMPLES);
        NS_TEST_EXPECT_MSG_GT(freedom, 2, "bins");
        NS_TEST_EXPECT_MSG_GT(PValue(chi, freedom),
                              LEAST_P_VALUE,
                              "chi-square " << chi << " of " << freedom << ", flits " << s.flits
                                            << " of " << s.flitCycles << " cycles, credits "
                                            << s.before << " until cycle " << s.until << ", then "
                                            << s.after << ", wanted after cycle " << s.wantedAt
                                            << ", random run " << random);
    }

    void DoRun() override
    {
        // shares at m = 22: 1 - c / 1024
        uint64_t random = 1;
        for (const auto& setting : std::vector<Setting>{
                 {59, 1, 0, 40, 0, 0},       // .961, a full packet
                 {59, 1, 0, 512, 0, 0},      // one half
                 {59, 1, 0, 960, 0, 0},      // .0625
                 {1, 1, 0, 900, 0, 0},       // a lone flit: geometric
                 {1, 3, 0, 700, 0, 0},       // the wire takes one in three cycles
                 {20, 3, 0, 300, 0, 0},      //
                 {59, 1, 600, 200, 70, 0},   // credits return under way
                 {59, 1, 100, 800, 30, 0},   // or are used
                 {20, 3, 500, 900, 40, 0},   //
                 {20, 1, 300, 300, 15, 0},   // asked again with the same credits
                 {5, 3, 600, 600, 7, 0},     //
                 {20, 2, 300, 500, 35, 20},  // wanted before the credits change
                 {10, 2, 300, 500, 10, 60}}) // and after, when the flits of the packet have gone
        {
            Check(setting, random);
            ++random;
        }
        // nothing goes with 1024 used credits, 2^32 / 2^22; one back is enough: a cycle in 1024
        const auto spacer = MakeSpacer<RandomIntervalSpacer>(22, 0, 0);
        spacer->AssignStreams(1);
        spacer->Begin(1);
        spacer->Want();
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(1024), CycleClock::NEVER, "blocked");
        spacer->PassSpaced(1ULL << 50, 1024);
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(1024), CycleClock::NEVER, "still");
        NS_TEST_EXPECT_MSG_LT(spacer->GetCyclesToOpen(1023), 30000, "with 1 - 2e-13");
        // a share of one: without a draw
        NS_TEST_EXPECT_MSG_EQ(spacer->GetCyclesToOpen(0), 1, "at once");
    }
};

/// Spacing.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TablesTestCase("throttle: intervals and shares of figure 1"));
    suite.AddTestCase(new FixedIntervalTestCase("throttle: fixed intervals (FI)"));
    suite.AddTestCase(
        new RandomIntervalTestCase("throttle: random intervals (RI) as from a draw in each cycle"));
});

} // namespace ns3::tests::pft_spacer_test
