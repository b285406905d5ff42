// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-incast.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/boolean.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/rate-window.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/timely-congestion-control.h"
#include "ns3/uinteger.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Windows of controls of rates, and HPCC without one.
 *
 * 100 Gb/s and T = 10 us: the line carries 125,000 B in T.
 */

namespace ns3::tests::rate_window_test
{

/**
 * @ingroup dcfabric-tests
 * @brief By hand.
 */
class RateWindowTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const PathInfo path = MakePath();
        const RateWindow none{false, true};
        const RateWindow fixed{true, false};
        const RateWindow varying{true, true};
        NS_TEST_EXPECT_MSG_EQ(none.Get(path, 1e9), CongestionControl::UNLIMITED, "none");
        NS_TEST_EXPECT_MSG_EQ(fixed.Get(path, 1e9), 125000, "that of the line rate");
        NS_TEST_EXPECT_MSG_EQ(varying.Get(path, 1e9), 1250, "a hundredth");
        NS_TEST_EXPECT_MSG_EQ(varying.Get(path, 100e9), 125000, "the line rate");
        NS_TEST_EXPECT_MSG_EQ(varying.Get(path, 200e9), 125000, "no more than that");
        NS_TEST_EXPECT_MSG_EQ(varying.Get(path, 1), 1, "never nothing");

        // DCQCN: the first CNP halves, alpha being 1
        ManualHost host;
        const auto dcqcn =
            CreateObjectWithAttributes<DcqcnCongestionControl>("HasWindow", BooleanValue(true));
        dcqcn->Start(path, &host);
        NS_TEST_EXPECT_MSG_EQ(dcqcn->GetWindow(), 125000, "DCQCN begins with that of the line");
        dcqcn->TellCnp(20 * US);
        NS_TEST_EXPECT_MSG_EQ(dcqcn->GetRate(), 50e9, "DCQCN: rate");
        NS_TEST_EXPECT_MSG_EQ(dcqcn->GetWindow(), 62500, "DCQCN: window");
        host.RunUntil(*dcqcn, 75 * US); // fast recovery after 55 us: (50 + 100) / 2
        NS_TEST_EXPECT_MSG_EQ(dcqcn->GetWindow(), 93750, "DCQCN: it rises with the rate");

        // TIMELY: a time-out takes half away
        const auto timely =
            CreateObjectWithAttributes<TimelyCongestionControl>("HasWindow",
                                                                BooleanValue(true),
                                                                "InitialRate",
                                                                StringValue("80Gbps"));
        timely->Start(path, nullptr);
        NS_TEST_EXPECT_MSG_EQ(timely->GetWindow(), 100000, "TIMELY begins at InitialRate");
        timely->TellTimeout(20 * US);
        NS_TEST_EXPECT_MSG_EQ(timely->GetWindow(), 50000, "TIMELY: window");
        const auto still = CreateObjectWithAttributes<TimelyCongestionControl>("HasWindow",
                                                                               BooleanValue(true),
                                                                               "VaryWindow",
                                                                               BooleanValue(false));
        still->Start(path, nullptr);
        still->TellTimeout(20 * US);
        NS_TEST_EXPECT_MSG_EQ(still->GetRate(), 50e9, "TIMELY: rate");
        NS_TEST_EXPECT_MSG_EQ(still->GetWindow(), 125000, "TIMELY: a window that stays");
        PathInfo unknown = path;
        unknown.bdpBytes = 0;
        DCFABRIC_EXPECT_REFUSAL(still->Start(unknown, nullptr),
                                "ns3::TimelyCongestionControl::HasWindow needs a line rate and a "
                                "base RTT above zero");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief HPCC without a window has the rates of HPCC with one.
 */
class HpccRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<IntFormat> format = ExactFormat();
        for (const bool perLink : {false, true})
        {
            const auto make = [format, perLink](bool hasWindow) {
                const auto cc =
                    CreateObjectWithAttributes<HpccCongestionControl>("HasWindow",
                                                                      BooleanValue(hasWindow),
                                                                      "PerLink",
                                                                      BooleanValue(perLink));
                cc->Start(MakePath(100 * GBPS, 10 * US, format), nullptr);
                return cc;
            };
            const auto window = make(true);
            const auto rate = make(false);
            NS_TEST_EXPECT_MSG_EQ(rate->GetWindow(), CongestionControl::UNLIMITED, "no window");
            // a queue of a BDP on a full link, in the second RTT half of the rate and no queue
            for (const auto& cc : {window, rate})
            {
                IntAckSource acks(cc, format);
                acks.Feed(20 * US, 1000, 100000, {{0, 0, 125000, 100 * GBPS}});
                acks.Feed(30 * US, 100001, 200000, {{10 * US, 125000, 125000, 100 * GBPS}});
            }
            // U = 2: 125,000 x 0.95/2 + 50 = 59,425 B, which is 47.54 Gb/s
            NS_TEST_EXPECT_MSG_EQ(window->GetWindow(), 59425, "W");
            NS_TEST_EXPECT_MSG_EQ_TOL(rate->GetRate(), 47.54e9, 1, "W / T");
            NS_TEST_EXPECT_MSG_EQ(rate->GetWindow(), CongestionControl::UNLIMITED, "no window");
            NS_TEST_EXPECT_MSG_EQ(rate->GetReductions(), 1, "one reduction");
            NS_TEST_EXPECT_MSG_EQ(rate->GetReferenceWindow(),
                                  window->GetReferenceWindow(),
                                  "the same reference");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief An incast, with and without a window.
 */
class RateWindowNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief 32 flows of 200 kB into one host at one switch.
     * @param control class
     * @param hasWindow it has a window
     * @return longest queue in bytes
     */
    double Run(const std::string& control, bool hasWindow)
    {
        constexpr uint32_t N = 32;
        FabricHelper helper;
        helper.SetCongestionControl("ns3::" + control + "CongestionControl",
                                    "HasWindow",
                                    BooleanValue(hasWindow));
        if (control == "Hpcc")
        {
            helper.AddSwitchFeature("ns3::HpccIntFeature");
        }
        helper.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(1000000));
        Incast run(N, helper, 0, 300);
        run.Run();
        Simulator::Destroy();
        return run.most;
    }

    void DoRun() override
    {
        // 4.19 us x 12,500 B is 52,400 B for each of 32: the 53rd packet still goes. Without a
        // window a rate lasts until something comes back.
        constexpr double ALL = 32 * 53 * 1062;
        for (const std::string control : {"Dcqcn", "Timely"})
        {
            const double with = Run(control, true);
            const double without = Run(control, false);
            NS_TEST_EXPECT_MSG_LT(with, ALL, control << ": no more than all windows");
            NS_TEST_EXPECT_MSG_GT(without, 1.5 * ALL, control << ": without");
        }
        NS_TEST_EXPECT_MSG_LT(Run("Hpcc", true), ALL, "HPCC: with");
        NS_TEST_EXPECT_MSG_GT(Run("Hpcc", false), Run("Hpcc", true), "HPCC: without");
    }
};

/// Windows beside rates.
const SuiteCases g_cases("dcfabric-rate-window", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RateWindowTestCase("DCQCN and TIMELY with a window"));
    suite.AddTestCase(new HpccRateTestCase("HPCC without one"));
    suite.AddTestCase(new RateWindowNetworkTestCase("queues of an incast"));
});

} // namespace ns3::tests::rate_window_test
