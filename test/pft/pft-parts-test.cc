// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-suite.h"

#include "ns3/cycle-clock.h"
#include "ns3/integer.h"
#include "ns3/test.h"
#include "ns3/throttle-detector.h"
#include "ns3/uinteger.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The clock and the detectors of proactive flow throttling, without a network.
 */

namespace ns3::tests::pft_parts_test
{

/**
 * @tparam T its class
 * @param attributes names and values
 * @return a detector
 */
template <typename T>
Ptr<T>
MakeDetector(const std::vector<std::pair<std::string, uint64_t>>& attributes)
{
    const auto detector = CreateObject<T>();
    for (const auto& [name, value] : attributes)
    {
        detector->SetAttribute(name, UintegerValue(value));
    }
    return detector;
}

/**
 * @param te,ts thresholds
 * @param enterPeriod,enterCycles Te and Te'
 * @param leavePeriod,leaveCycles Ts and Ts'
 * @return an average-threshold detector
 */
Ptr<AverageThresholdDetector>
MakeAverage(uint64_t te,
            uint64_t ts,
            uint64_t enterPeriod,
            uint64_t enterCycles,
            uint64_t leavePeriod,
            uint64_t leaveCycles)
{
    return MakeDetector<AverageThresholdDetector>({{"Enter", te},
                                                   {"Leave", ts},
                                                   {"EnterPeriod", enterPeriod},
                                                   {"EnterCycles", enterCycles},
                                                   {"LeavePeriod", leavePeriod},
                                                   {"LeaveCycles", leaveCycles}});
}

/**
 * @param detector what is asked
 * @param used credits in each cycle
 * @return the state after each cycle, C or N
 */
std::string
StatesOf(ThrottleDetector& detector, const std::vector<uint32_t>& used)
{
    std::string states;
    for (const uint32_t c : used)
    {
        detector.AdvanceCycles(1, c);
        states += detector.IsCongested() ? 'C' : 'N';
    }
    return states;
}

/**
 * @param count how many
 * @param high cycles, from 1, with @p one
 * @param one credits there
 * @param other credits in all others
 * @return credits in cycles
 */
std::vector<uint32_t>
InCycles(uint32_t count, const std::vector<uint32_t>& high, uint32_t one, uint32_t other)
{
    std::vector<uint32_t> used(count, other);
    for (const uint32_t cycle : high)
    {
        used[cycle - 1] = one;
    }
    return used;
}

/**
 * @ingroup dcfabric-tests
 * @brief Cycles of 700 MHz last 1428.571... ps: 7 of them are 10 ns.
 */
class ClockTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const CycleClock clock(700000000);
        for (const auto& [cycle, ps] : std::vector<std::pair<uint64_t, int64_t>>{
                 {0, 0},
                 {1, 1429}, // 1428.57 rounded up: the first ps in which it has begun
                 {2, 2858}, // 2857.14
                 {6, 8572}, // 8571.43
                 {7, 10000},
                 {236, 337143},                                  // 337142.86
                 {7 * 100000000000ULL, 1000000000000000},        // 1000 s, without any drift
                 {7 * 900000000000000ULL, 9000000000000000000}}) // nearly the end of time
        {
            NS_TEST_EXPECT_MSG_EQ(clock.ToPs(cycle), ps, "cycle " << cycle << " begins");
            NS_TEST_EXPECT_MSG_EQ(clock.ToCycle(ps), cycle, "it has begun at " << ps);
            if (cycle > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(clock.ToCycle(ps - 1), cycle - 1, "and not before " << ps);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(clock.ToPs(uint64_t{1} << 63), FabricTime::NEVER, "beyond all time");
        NS_TEST_EXPECT_MSG_EQ(CycleClock(1000000000000).ToPs(12345), 12345, "a ps each");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Strictly above te in, strictly below ts out.
 */
class FixedThresholdTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto detector = MakeDetector<FixedThresholdDetector>({{"Enter", 10}, {"Leave", 6}});
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*detector, {0, 10, 11, 9, 6, 5}), "NNCCCN", "te 10, ts 6");
        NS_TEST_EXPECT_MSG_EQ(detector->GetNEntries(), 1, "once");
        NS_TEST_EXPECT_MSG_EQ(detector->GetNCongestedCycles(), 3, "the third to the fifth");
        // te = ts = 6: 6 changes nothing in either state
        const auto same = MakeDetector<FixedThresholdDetector>({{"Enter", 6}, {"Leave", 6}});
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*same, {6, 7, 6, 5, 6, 7, 5}), "NCCNNCN", "te = ts");
        // te = 0: any credit in use
        const auto any = MakeDetector<FixedThresholdDetector>({{"Enter", 0}, {"Leave", 1}});
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*any, {0, 1, 1, 0}), "NCCN", "te 0, ts 1");

        detector->Check(11);
        // te = 10 of 10 units: there are never more than 10 in use
        DCFABRIC_EXPECT_REFUSAL(detector->Check(10), "Enter of 10 units is never passed");
        DCFABRIC_EXPECT_REFUSAL(detector->Check(10), "peer has 10 units");
        const auto above = MakeDetector<FixedThresholdDetector>({{"Enter", 5}, {"Leave", 6}});
        DCFABRIC_EXPECT_REFUSAL(above->Check(100), "above Enter of 5");
        DCFABRIC_EXPECT_REFUSAL(above->Check(100), "below Leave of 6");
        DCFABRIC_EXPECT_REFUSAL(above->Check(6), "Leave of 6 units is never passed");
        NS_TEST_EXPECT_MSG_EQ(above->SetAttributeFailSafe("Leave", UintegerValue(0)),
                              false,
                              "nothing is below 0");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Cycles are counted in periods that do not overlap; Te = 10, Te' = 4, te = 100; Ts = 10,
 * Ts' = 4, ts = 50.
 */
class AverageThresholdTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto make = []() { return MakeAverage(100, 50, 10, 4, 10, 4); };
        const std::string never(20, 'N');
        // the fourth is cycle 7
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), InCycles(20, {1, 3, 5, 7}, 101, 70)),
                              std::string(6, 'N') + std::string(14, 'C'),
                              "four in the first period");
        // a window that slid would hold four
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), InCycles(20, {8, 9, 11, 12}, 101, 70)),
                              never,
                              "two in each");
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), InCycles(20, {10, 11, 12, 13}, 101, 70)),
                              never,
                              "one and three");
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), InCycles(20, {7, 8, 9, 10}, 101, 70)),
                              std::string(9, 'N') + std::string(11, 'C'),
                              "the last cycle of a period counts");
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), InCycles(20, {1, 3, 5, 7}, 100, 70)),
                              never,
                              "te is not above te");

        // Congested from cycle 4 on, which begins a period: 5 to 14.
        const std::vector<uint32_t> enter{101, 101, 101, 101};
        const auto leave = [&enter](std::vector<uint32_t> rest) {
            rest.insert(rest.begin(), enter.begin(), enter.end());
            return rest;
        };
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), leave(InCycles(20, {1, 3, 5, 7}, 49, 70))),
                              "NNNC" + std::string(6, 'C') + std::string(14, 'N'),
                              "the count of four that entered does not leave; four below ts do");
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), leave(InCycles(20, {8, 9, 11, 12}, 49, 70))),
                              "NNNC" + std::string(20, 'C'),
                              "two in each");
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*make(), leave(InCycles(20, {1, 3, 5, 7}, 50, 70))),
                              "NNNC" + std::string(20, 'C'),
                              "ts is not below ts");

        make()->Check(101);
        DCFABRIC_EXPECT_REFUSAL(make()->Check(100), "Enter of 100 units is never passed");
        DCFABRIC_EXPECT_REFUSAL(MakeAverage(100, 50, 4, 4, 10, 4)->Check(1000),
                                "EnterCycles of 4 is not below");
        DCFABRIC_EXPECT_REFUSAL(MakeAverage(100, 50, 10, 4, 3, 4)->Check(1000), "LeavePeriod of 3");
        MakeAverage(50, 100, 10, 4, 10, 4)->Check(1000); // leaves above where it enters
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The best setting of [PFT] enters above 592 and leaves below 672: in between it goes to and
 * fro, Te' cycles normal and Ts' cycles congested.
 */
class OscillationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto few = MakeAverage(0x250, 0x2a0, 10, 3, 10, 2);
        // changes in cycles 3, 5, 8, 10, 13, ...
        NS_TEST_EXPECT_MSG_EQ(StatesOf(*few, std::vector<uint32_t>(13, 600)),
                              "NNCCNNNCCNNNC",
                              "600 is above 592 and below 672");
        const auto detector = MakeAverage(0x250, 0x2a0, 1024, 512, 2048, 1024);
        // A million rounds of 512 + 1024 cycles at once; a round ends normal with 511 to go.
        detector->AdvanceCycles(1536 * 1000000ULL, 600);
        NS_TEST_EXPECT_MSG_EQ(detector->GetNEntries(), 1000000, "each round enters once");
        NS_TEST_EXPECT_MSG_EQ(detector->GetNCongestedCycles(),
                              1024 * 1000000ULL,
                              "duty cycle Ts' / (Te' + Ts') = 2/3");
        NS_TEST_EXPECT_MSG_EQ(detector->IsCongested(), false, "at the end of a round");
        NS_TEST_EXPECT_MSG_EQ(detector->GetCyclesToChange(600), 512, "of the next");
        // at the edges there is no way back: 592 does not enter, 672 does not leave
        const auto low = MakeAverage(0x250, 0x2a0, 10, 3, 10, 2);
        low->AdvanceCycles(1000, 592);
        NS_TEST_EXPECT_MSG_EQ(low->GetNEntries(), 0, "not above 592");
        low->AdvanceCycles(1000, 672);
        NS_TEST_EXPECT_MSG_EQ(low->GetNEntries(), 1, "above 592, not below 672");
        NS_TEST_EXPECT_MSG_EQ(low->GetNCongestedCycles(), 998, "from the third cycle on");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Algorithm 2 cycle by cycle, as simply as can be.
 */
struct NaiveAverage
{
    uint32_t te;           //!< threshold
    uint32_t ts;           //!< threshold
    uint64_t periods[2];   //!< Te and Ts
    uint64_t enoughs[2];   //!< Te' and Ts'
    bool congested{false}; //!< state
    uint64_t cycle{0};     //!< in the period
    uint64_t count{0};     //!< compared well
    uint64_t entries{0};   //!< to congested
    uint64_t in{0};        //!< cycles there

    /**
     * @brief A cycle.
     * @param c credits
     */
    void Step(uint32_t c)
    {
        ++cycle;
        count += (congested ? c < ts : c > te) ? 1 : 0;
        if (count == enoughs[congested])
        {
            congested = !congested;
            entries += congested;
            cycle = 0;
            count = 0;
        }
        else if (cycle == periods[congested])
        {
            cycle = 0;
            count = 0;
        }
        in += congested;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random settings and credits, in runs of random length.
 */
class DetectorPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 300; ++seed)
        {
            std::mt19937 random(seed);
            const auto draw = [&random](uint64_t low, uint64_t high) {
                return std::uniform_int_distribution<uint64_t>(low, high)(random);
            };
            const auto te = static_cast<uint32_t>(draw(0, 20));
            const auto ts = static_cast<uint32_t>(draw(1, 20));
            const uint64_t enterPeriod = draw(2, 40);
            const uint64_t enterCycles = draw(1, enterPeriod - 1);
            const uint64_t leavePeriod = draw(2, 40);
            const uint64_t leaveCycles = draw(1, leavePeriod - 1);
            const auto detector =
                MakeAverage(te, ts, enterPeriod, enterCycles, leavePeriod, leaveCycles);
            NaiveAverage naive{te, ts, {enterPeriod, leavePeriod}, {enterCycles, leaveCycles}};
            for (int run = 0; run < 200; ++run)
            {
                const auto used = static_cast<uint32_t>(draw(0, 20));
                const uint64_t cycles = draw(0, draw(0, 3) == 0 ? 300 : 6);
                // when it would change
                NaiveAverage ahead = naive;
                uint64_t change = 1;
                for (ahead.Step(used); ahead.congested == naive.congested && change < 100; ++change)
                {
                    ahead.Step(used);
                }
                const uint64_t told = detector->GetCyclesToChange(used);
                NS_TEST_ASSERT_MSG_EQ((told == CycleClock::NEVER ? 100 : told),
                                      change,
                                      "change, seed " << seed << ", run " << run);
                detector->AdvanceCycles(cycles, used);
                for (uint64_t i = 0; i < cycles; ++i)
                {
                    naive.Step(used);
                }
                NS_TEST_ASSERT_MSG_EQ(detector->IsCongested(),
                                      naive.congested,
                                      "state, seed " << seed << ", run " << run);
            }
            NS_TEST_ASSERT_MSG_EQ(detector->GetNEntries(), naive.entries, "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(detector->GetNCongestedCycles(), naive.in, "seed " << seed);
        }
    }
};

/// Clock and detectors.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ClockTestCase("throttle: cycles of 700 MHz do not drift"));
    suite.AddTestCase(new FixedThresholdTestCase("throttle: fixed thresholds (FT)"));
    suite.AddTestCase(new AverageThresholdTestCase("throttle: average thresholds (AT)"));
    suite.AddTestCase(
        new OscillationTestCase("throttle: left above where it is entered, AT goes to and fro"));
    suite.AddTestCase(
        new DetectorPropertyTestCase("throttle: AT counts as cycle by cycle, whatever comes"));
});

} // namespace ns3::tests::pft_parts_test
