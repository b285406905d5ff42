// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/curved-profiles.h"
#include "ns3/curved-timing-profiles.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/timing-profile.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Profiles of notifications: probability and spacing over a measure of congestion.
 */

namespace ns3::tests::wreb_profile_test
{

constexpr double TOLERANCE = 1e-15; //!< of probabilities, a few units in the last place

/**
 * @param points as the attribute
 * @return a profile
 */
Ptr<MarkingProfile>
MakePiecewise(const std::string& points)
{
    return CreateObjectWithAttributes<PiecewiseMarkingProfile>("Points", StringValue(points));
}

/**
 * @param kmin,kmax,pmax,steepness its attributes
 * @return a profile
 */
Ptr<MarkingProfile>
MakeExponential(uint64_t kmin, uint64_t kmax, double pmax, double steepness)
{
    return CreateObjectWithAttributes<ExponentialMarkingProfile>("Kmin",
                                                                 UintegerValue(kmin),
                                                                 "Kmax",
                                                                 UintegerValue(kmax),
                                                                 "Pmax",
                                                                 DoubleValue(pmax),
                                                                 "Steepness",
                                                                 DoubleValue(steepness));
}

/**
 * @param low,high levels
 * @param most,least spacings
 * @return a profile
 */
Ptr<TimingProfile>
MakeTiming(uint64_t low, uint64_t high, Time most, Time least)
{
    return CreateObjectWithAttributes<LinearTimingProfile>("Low",
                                                           UintegerValue(low),
                                                           "High",
                                                           UintegerValue(high),
                                                           "MaxSpacing",
                                                           TimeValue(most),
                                                           "MinSpacing",
                                                           TimeValue(least));
}

/**
 * @ingroup dcfabric-tests
 * @brief Straight lines between points.
 */
class PiecewiseProfileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare.
     * @param points of a profile
     * @param expected measures with their probabilities
     * @param bound measure up to which it is 0
     */
    void Check(const std::string& points,
               const std::vector<std::pair<uint64_t, double>>& expected,
               uint64_t bound)
    {
        const auto profile = MakePiecewise(points);
        for (const auto& [measure, probability] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(profile->GetProbability(measure),
                                      probability,
                                      TOLERANCE,
                                      points << " at " << measure);
        }
        NS_TEST_EXPECT_MSG_EQ(profile->GetLowerBound(), bound, points);
        StringValue text;
        profile->GetAttribute("Points", text);
        NS_TEST_EXPECT_MSG_EQ(text.Get(), points, "reads as it was written");
    }

    void DoRun() override
    {
        // the default, 0.05 over 150,000: a byte is 1 / 3,000,000
        Check("50000:0,200000:0.05",
              {{0, 0},
               {49999, 0},
               {50000, 0},
               {50001, 1.0 / 3000000},
               {125000, 0.025},
               {199999, 0.05 - 1.0 / 3000000},
               {200000, 0.05},
               {200001, 0.05},
               {UINT64_MAX, 0.05}},
              50000);
        // up, down, a step up at 400, up. 300: half way from 0.6 to 0.1. 399: 0.6 - 0.5 x 199/200.
        // 401: 0.9 + 0.1/100.
        Check("100:0.2,200:0.6,400:0.1,400:0.9,500:1",
              {{0, 0.2},
               {99, 0.2},
               {100, 0.2},
               {150, 0.4},
               {200, 0.6},
               {300, 0.35},
               {399, 0.1025},
               {400, 0.1},
               {401, 0.901},
               {450, 0.95},
               {500, 1},
               {501, 1},
               {UINT64_MAX, 1}},
              0);
        // of three points in one place the first counts there and the last from there on: 0.25 +
        // 0.5/10 at 11
        Check("10:0,10:0.5,10:0.25,20:0.75", {{9, 0}, {10, 0}, {11, 0.3}, {15, 0.5}}, 10);
        Check("0:0,0:1", {{0, 0}, {1, 1}}, 0);
        Check("0:1", {{0, 1}, {1, 1}}, 0);
        Check("7:1e-3", {{0, 0.001}, {7, 0.001}, {8, 0.001}}, 0);
        Check("5:0,9:0", {{0, 0}, {7, 0}, {UINT64_MAX, 0}}, UINT64_MAX);
        Check("5:0,9:0,10:0,20:1", {{9, 0}, {10, 0}, {15, 0.5}}, 10);
        Check(" 5 : 0 , 10 : 1 ", {{5, 0}, {6, 0.2}, {10, 1}}, 5);
        // 2^40 + 2^39 is half way from 2^40 to 2^41
        Check("1099511627776:0,2199023255552:0.5",
              {{1649267441664, 0.25}, {UINT64_MAX, 0.5}},
              1099511627776);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is no list of points.
 */
class PiecewiseErrorTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto profile = MakePiecewise("10:0,20:0.5");
        for (const char* wrong : {"a:0",
                                  "5",
                                  "5;0",
                                  ":1",
                                  "-5:0",
                                  "5:-0.1",
                                  "5:1.0001",
                                  "5:0.1 x",
                                  "5.5:0.1",
                                  "5:0.1,,9:0.2",
                                  "5:nan",
                                  "18446744073709551616:1"})
        {
            DCFABRIC_EXPECT_REFUSAL(profile->SetAttribute("Points", StringValue(wrong)),
                                    "ns3::PiecewiseMarkingProfile::Points: '");
        }
        DCFABRIC_EXPECT_REFUSAL(profile->SetAttribute("Points", StringValue("")),
                                "at least one point is needed");
        DCFABRIC_EXPECT_REFUSAL(profile->SetAttribute("Points", StringValue("5:0.1,4:0.2")),
                                "'4:0.2' must not lie below the point before it");
        NS_TEST_EXPECT_MSG_EQ(profile->GetProbability(15), 0.25, "as before");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The exponential curve.
 */
class ExponentialProfileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Kmin 100,000, Kmax 400,000, Pmax 0.2, a = 4. Half way, by e^4 - 1 = (e^2 - 1)(e^2 + 1):
        // 0.2 / (e^2 + 1) = 0.2 / 8.38905609893065. A quarter: 0.2 / ((e + 1)(e^2 + 1)) = 0.2 /
        // (3.718281828459045 x 8.38905609893065).
        const auto byDefault = CreateObject<ExponentialMarkingProfile>();
        const std::vector<std::pair<uint64_t, double>> expected{{0, 0},
                                                                {100000, 0},
                                                                {175000, 0.006411720656},
                                                                {250000, 0.023840584404},
                                                                {400000, 0.2},
                                                                {400001, 1},
                                                                {UINT64_MAX, 1}};
        for (const auto& [measure, probability] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(byDefault->GetProbability(measure),
                                      probability,
                                      1e-12,
                                      "at " << measure);
        }
        NS_TEST_EXPECT_MSG_EQ(byDefault->GetLowerBound(), 100000, "0 up to Kmin");
        NS_TEST_EXPECT_MSG_GT(byDefault->GetProbability(100001), 0, "and no farther");

        // a = 2 ln 2: e^a = 4, e^(a/2) = 2, so half way it is Pmax (2 - 1) / (4 - 1), and at a
        // quarter Pmax (sqrt 2 - 1) / 3
        const auto third = MakeExponential(0, 1000, 0.9, 2 * std::log(2));
        NS_TEST_EXPECT_MSG_EQ_TOL(third->GetProbability(500), 0.3, TOLERANCE, "a third of Pmax");
        NS_TEST_EXPECT_MSG_EQ_TOL(third->GetProbability(250),
                                  0.3 * 0.41421356237309505,
                                  TOLERANCE,
                                  "at a quarter");

        // nearly linear; nearly a step: e^(500 (0.99 - 1)) = e^-5 is 0.0067
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeExponential(0, 1000, 0.8, 1e-6)->GetProbability(250),
                                  0.2,
                                  1e-6,
                                  "nearly linear");
        const auto steep = MakeExponential(0, 1000, 1, 500);
        NS_TEST_EXPECT_MSG_EQ_TOL(steep->GetProbability(990), 0.006737946999, 1e-12, "e^-5");
        NS_TEST_EXPECT_MSG_EQ(steep->GetProbability(1000), 1, "Pmax");
        NS_TEST_EXPECT_MSG_GT(steep->GetProbability(1), 0, "e^-500 is a number still");

        const auto step = MakeExponential(5000, 5000, 0.5, 4);
        NS_TEST_EXPECT_MSG_EQ(step->GetProbability(5000), 0, "Kmin = Kmax: at the step");
        NS_TEST_EXPECT_MSG_EQ(step->GetProbability(5001), 1, "above the step");
        NS_TEST_EXPECT_MSG_EQ(MakeExponential(10, 20, 0, 4)->GetProbability(20), 0, "Pmax 0");
        DCFABRIC_EXPECT_REFUSAL(MakeExponential(401, 400, 0.2, 4),
                                "Kmin 401 is greater than Kmax 400");
        for (uint64_t m = 0; m < 500000; m += 997)
        {
            const bool rises = byDefault->GetProbability(m) <= byDefault->GetProbability(m + 997);
            NS_TEST_ASSERT_MSG_EQ(rises, true, "never falls, " << m);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Least time between notifications.
 */
class TimingProfileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 50 us to 5 us from 25,000 to 100,000: 600 ps less for each
        const auto byDefault = CreateObject<LinearTimingProfile>();
        const std::vector<std::pair<uint64_t, int64_t>> expected{{0, 50000000},
                                                                 {25000, 50000000},
                                                                 {25001, 49999400},
                                                                 {62500, 27500000},
                                                                 {99999, 5000600},
                                                                 {100000, 5000000},
                                                                 {UINT64_MAX, 5000000}};
        for (const auto& [level, spacingPs] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(byDefault->GetSpacingPs(level), spacingPs, "at " << level);
        }
        // what is taken off is rounded down: 3333.3 and 6666.7 ps of 10 ns
        const auto thirds = MakeTiming(0, 3, NanoSeconds(10), NanoSeconds(0));
        NS_TEST_EXPECT_MSG_EQ(thirds->GetSpacingPs(1), 6667, "a third");
        NS_TEST_EXPECT_MSG_EQ(thirds->GetSpacingPs(2), 3334, "two thirds");
        NS_TEST_EXPECT_MSG_EQ(thirds->GetSpacingPs(3), 0, "no spacing at all");
        const auto same = MakeTiming(0, 1, NanoSeconds(7), NanoSeconds(7));
        NS_TEST_EXPECT_MSG_EQ(same->GetSpacingPs(0), 7000, "equal spacings");
        NS_TEST_EXPECT_MSG_EQ(same->GetSpacingPs(1), 7000, "equal spacings");

        DCFABRIC_EXPECT_REFUSAL(MakeTiming(5, 5, NanoSeconds(2), NanoSeconds(1)),
                                "Low 5 must be below High 5");
        DCFABRIC_EXPECT_REFUSAL(MakeTiming(6, 5, NanoSeconds(2), NanoSeconds(1)),
                                "Low 6 must be below High 5");
        DCFABRIC_EXPECT_REFUSAL(MakeTiming(1, 2, NanoSeconds(1), NanoSeconds(2)),
                                "MinSpacing at most MaxSpacing");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Least times over other curves than a line.
 */
class CurvedTimingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 40, 20, 10 us at 100, 200, 300: half as long for each 100
        const auto halving =
            CreateObjectWithAttributes<ExponentialTimingProfile>("Low",
                                                                 UintegerValue(100),
                                                                 "High",
                                                                 UintegerValue(300),
                                                                 "MaxSpacing",
                                                                 TimeValue(MicroSeconds(40)),
                                                                 "MinSpacing",
                                                                 TimeValue(MicroSeconds(10)));
        const std::vector<std::pair<uint64_t, int64_t>> halves{{0, 40000000},
                                                               {100, 40000000},
                                                               {200, 20000000},
                                                               {250, 14142136}, // 40 / 2^1.5
                                                               {300, 10000000},
                                                               {UINT64_MAX, 10000000}};
        for (const auto& [level, spacingPs] : halves)
        {
            NS_TEST_EXPECT_MSG_EQ(halving->GetSpacingPs(level), spacingPs, "at " << level);
        }
        DCFABRIC_EXPECT_REFUSAL(
            CreateObjectWithAttributes<ExponentialTimingProfile>("Low", UintegerValue(100000)),
            "Low 100000 must be below High 100000");

        // a line, a step at 200, and no spacing at all from 300 on
        const auto lines = CreateObjectWithAttributes<PiecewiseTimingProfile>(
            "Points",
            StringValue("100:10us,200:8us,200:500ns,300:0s"));
        const std::vector<std::pair<uint64_t, int64_t>> corners{{0, 10000000},
                                                                {150, 9000000},
                                                                {200, 8000000},
                                                                {250, 250000},
                                                                {300, 0},
                                                                {UINT64_MAX, 0}};
        for (const auto& [level, spacingPs] : corners)
        {
            NS_TEST_EXPECT_MSG_EQ(lines->GetSpacingPs(level), spacingPs, "at " << level);
        }
        const auto byDefault = CreateObject<PiecewiseTimingProfile>();
        NS_TEST_EXPECT_MSG_EQ(byDefault->GetSpacingPs(62500), 27500000, "as the linear one");
        for (const char* wrong : {"",
                                  "1",
                                  "1:5",
                                  "1:-5us",
                                  "-1:5us",
                                  "1:5us,0:5us",
                                  "1:5furlongs",
                                  "1:5us too",
                                  "1:25000h",
                                  "1:1e300s",
                                  "1:nan us"})
        {
            DCFABRIC_EXPECT_REFUSAL(lines->SetAttribute("Points", StringValue(wrong)),
                                    "ns3::PiecewiseTimingProfile::Points");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Notifications by the profile by which the queue marks ([Patent] (13)).
 */
class SharedProfileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param notifier when
     * @param marks profile of the disc, empty for none
     * @return which of four packets of 100 B trigger
     */
    static std::string Triggers(const Ptr<BackToSenderNotifier>& notifier, const std::string& marks)
    {
        const auto disc = MakeNotifyingDisc(notifier);
        TestContext context;
        context.rateBps = 25000000000; // a quarter of the reference rate
        disc->SetContext(&context);
        disc->SetMarkingProfile(marks.empty() ? nullptr : MakePiecewise(marks));
        std::string seen;
        disc->SetBackToSenderCallback(
            [&seen](const BackToSenderNotice& notice) { seen += Describe(notice); });
        for (uint32_t id = 0; id < 4; ++id)
        {
            disc->Enqueue(MakeTestItem(id, 100));
        }
        return seen;
    }

    void DoRun() override
    {
        // Packet k finds 100 k bytes. A step at 200 B of the disc is for this link: 3 alone is
        // beyond it. One of the notifier is for 100 Gb/s, where the queue would be four times as
        // long: 1 is beyond it. With neither, 25 kB are far; so they are where the measure is not
        // the queue that the disc marks by.
        const auto byQueue = CreateObject<BackToSenderNotifier>();
        NS_TEST_EXPECT_MSG_EQ(Triggers(byQueue, "200:0,200:1"), "3 ", "the queue's own");
        NS_TEST_EXPECT_MSG_EQ(Triggers(byQueue, ""), "", "none");
        const auto own = MakeNotifier("ns3::PiecewiseMarkingProfile[Points=200:0,200:1]");
        NS_TEST_EXPECT_MSG_EQ(Triggers(own, "0:0"), "1 2 3 ", "the notifier's");
        const auto flows = CreateObject<BackToSenderNotifier>();
        flows->SetAttribute("Measure", StringValue("ns3::ActiveFlowsMeasure"));
        NS_TEST_EXPECT_MSG_EQ(Triggers(flows, "0:1"), "", "another measure");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Profiles as users write them.
 */
class ProfileStringTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto notifier =
            MakeNotifier("ns3::ExponentialMarkingProfile[Kmin=0|Kmax=1000|Pmax=0.9|Steepness=500]");
        NS_TEST_EXPECT_MSG_EQ_TOL(notifier->GetProfile()->GetProbability(1000),
                                  0.9,
                                  TOLERANCE,
                                  "Pmax");
        notifier->SetAttribute("Profile",
                               StringValue("ns3::PiecewiseMarkingProfile[Points=0:0,100:0.5]"));
        NS_TEST_EXPECT_MSG_EQ(notifier->GetProfile()->GetProbability(50), 0.25, "two points");
        notifier->SetAttribute("Profile", StringValue("ns3::WredMarkingProfile[Kmin=7]"));
        NS_TEST_EXPECT_MSG_EQ(notifier->GetProfile()->GetLowerBound(), 7, "WRED");
        NS_TEST_EXPECT_MSG_EQ(notifier->GetTimingProfile(), nullptr, "none by default");
        notifier->SetAttribute(
            "TimingProfile",
            StringValue("ns3::LinearTimingProfile[Low=1|High=3|MaxSpacing=4us|MinSpacing=2us]"));
        NS_TEST_EXPECT_MSG_EQ(notifier->GetTimingProfile()->GetSpacingPs(2), 3000000, "half way");

        const auto byDefault = CreateObject<BackToSenderNotifier>();
        NS_TEST_EXPECT_MSG_EQ(byDefault->GetProfile(), nullptr, "that of the queue");
        NS_TEST_EXPECT_MSG_EQ(byDefault->GetLastProfile().GetProbability(75000), 0.02, "or this");

        // Plain marks ask only from the lower bound on: the first of two packets finds 0 bytes, the
        // second 100.
        const std::vector<std::pair<std::string, std::string>> marks{{"0:1", "11"},
                                                                     {"0:0,0:1", "01"},
                                                                     {"99:0,99:1", "01"},
                                                                     {"100:0,100:1", "00"},
                                                                     {"0:0", "00"}};
        for (const auto& [points, expected] : marks)
        {
            const auto disc = CreateObject<CongestionAwareQueueDisc>();
            disc->SetMarkingProfile(MakePiecewise(points));
            disc->Initialize();
            std::string marked;
            for (uint32_t id = 0; id < 2; ++id)
            {
                const auto item = MakeTestItem(id, 100);
                disc->Enqueue(item);
                marked += item->IsMarked() ? "1" : "0";
            }
            NS_TEST_EXPECT_MSG_EQ(marked, expected, points);
        }
    }
};

/// Profiles of notifications.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PiecewiseProfileTestCase(
        "piecewise: lines between points, steps, level outside, least measure"));
    suite.AddTestCase(new PiecewiseErrorTestCase(
        "piecewise: refuses what makes no sense, and keeps what it had"));
    suite.AddTestCase(new ExponentialProfileTestCase(
        "exponential: 0 up to Kmin, a curve to Pmax at Kmax, 1 above; edges, refusals"));
    suite.AddTestCase(new TimingProfileTestCase(
        "timing: MaxSpacing up to Low, a line to MinSpacing at High; refusals"));
    suite.AddTestCase(new CurvedTimingTestCase(
        "timing profiles: exponential and piecewise, by hand; what makes no sense"));
    suite.AddTestCase(
        new SharedProfileTestCase("profile: that of the queue's marks, or one's own"));
    suite.AddTestCase(new ProfileStringTestCase(
        "profiles by their names and attributes, for notifications and for plain marks"));
});

} // namespace ns3::tests::wreb_profile_test
