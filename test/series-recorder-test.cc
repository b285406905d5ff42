// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/fabric-helper.h"
#include "ns3/series-recorder.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Time series in memory. The network is MakeStar(3): on a wire a full packet has 1000 + 62 +
 * 20 bytes, or 86.56 ns.
 */

namespace ns3::tests::series_recorder_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Two senders at line rate, one receiver, 10 packets each.
 *
 * Pair n of packets arrives at the switch at 1000 + n x 86.56 ns, when the n-th packet begins to
 * leave: from then on n packets of 1062 bytes wait, up to n = 10. At 1500 ns n = 5 (432.8 <= 500 <
 * 519.36), at 1800 ns n = 9, at 2000 ns 11 have begun to leave and 9 wait, at 2800 ns all 20 have
 * (20 x 86.56 = 1731.2). The last packet of either host begins to leave at 1000 + 18 x 86.56 ns or
 * later, is at its receiver 1 us later and acknowledged 2 us after that, beyond 5 us: until then
 * its sender is at line rate.
 */
class SeriesRecorderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        SeriesRecorder series(fabric, NanoSeconds(100));
        const uint32_t queue = series.WatchQueue(3, 2);
        const uint32_t busy = series.WatchRate(0);
        const uint32_t idle = series.WatchRate(2);
        fabric->GetNic(0)->GetMessages().Send(2, 10000, 0);
        fabric->GetNic(1)->GetMessages().Send(2, 10000, 1);
        series.Start();
        Simulator::Run();
        Simulator::Destroy();

        const std::vector<double>& times = series.GetTimes();
        NS_TEST_ASSERT_MSG_GT(times.size(), 41, "until the last ACK");
        NS_TEST_EXPECT_MSG_EQ(series.GetValues(queue).size(), times.size(), "a value each");
        NS_TEST_EXPECT_MSG_EQ(series.GetValues(busy).size(), times.size(), "a value each");
        NS_TEST_EXPECT_MSG_EQ(times[0], 0.0, "the time of Start()");
        NS_TEST_EXPECT_MSG_EQ_TOL(times[15], 1500e-9, 1e-15, "seconds");
        const std::vector<double>& bytes = series.GetValues(queue);
        NS_TEST_EXPECT_MSG_EQ(bytes[10], 0, "nothing has arrived");
        NS_TEST_EXPECT_MSG_EQ(bytes[15], 5 * 1062, "five pairs, five gone");
        NS_TEST_EXPECT_MSG_EQ(bytes[18], 9 * 1062, "nine pairs, nine gone");
        NS_TEST_EXPECT_MSG_EQ(bytes[20], 9 * 1062, "ten pairs, eleven gone");
        NS_TEST_EXPECT_MSG_EQ(bytes[28], 0, "all gone");
        NS_TEST_EXPECT_MSG_EQ(series.GetValues(busy)[1], 100e9, "line rate");
        NS_TEST_EXPECT_MSG_EQ(series.GetValues(busy)[40], 100e9, "line rate");
        for (const double rate : series.GetValues(idle))
        {
            NS_TEST_ASSERT_MSG_EQ(rate, 0, "host 2 sends nothing");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused.
 */
class SeriesRecorderErrorsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        DCFABRIC_EXPECT_REFUSAL(SeriesRecorder(fabric, Seconds(0)), "at least 1 ps");
        SeriesRecorder series(fabric, NanoSeconds(100));
        DCFABRIC_EXPECT_REFUSAL(series.WatchQueue(4, 0), "no node 4: the network has 4");
        DCFABRIC_EXPECT_REFUSAL(series.WatchQueue(3, 3), "node 3 has no port 3: it has 3");
        DCFABRIC_EXPECT_REFUSAL(series.WatchRate(3), "node 3 is not a host");
        DCFABRIC_EXPECT_REFUSAL(series.GetValues(0), "no series 0");
        series.Start();
        DCFABRIC_EXPECT_REFUSAL(series.WatchRate(0), "before SeriesRecorder::Start()");
        DCFABRIC_EXPECT_REFUSAL(series.Start(), "twice");
        Simulator::Destroy();
    }
};

/// Suite of SeriesRecorder.
const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new SeriesRecorderTestCase("Queue and rates of a two-to-one incast, by hand"));
    suite.AddTestCase(new SeriesRecorderErrorsTestCase("Series that cannot be"));
});

} // namespace ns3::tests::series_recorder_test
