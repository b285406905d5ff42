// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/nstime.h"
#include "ns3/qcn-congestion-point.h"
#include "ns3/test.h"

#include <algorithm>
#include <iostream>
#include <random>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Congestion point of QCN, against numbers worked out by hand and a model in whole numbers.
 */

namespace ns3::tests::qcn_congestion_point_test
{

/// @return parameters with the equilibrium length of QCN
QcnCongestionPoint::Parameters
MakeParameters()
{
    return {26000, 2, 15000, MicroSeconds(2)};
}

/**
 * @brief A packet arrives.
 * @param point where
 * @param bytes its size
 * @param queue length with it
 * @param draw random number
 * @return true if a sample was taken
 */
bool
Arrive(QcnCongestionPoint& point, uint32_t bytes, uint64_t queue, double draw)
{
    const bool isDue = point.OnArrival(bytes);
    if (isDue)
    {
        point.Sample(queue, draw);
    }
    return isDue;
}

/**
 * @brief A packet leaves.
 * @param point where
 * @param queue length without it
 * @param draw random number
 * @return true if a sample was taken
 */
bool
Depart(QcnCongestionPoint& point, uint64_t queue, double draw)
{
    const bool isDue = point.OnDeparture(queue);
    if (isDue)
    {
        point.Sample(queue, draw);
    }
    return isDue;
}

/**
 * @ingroup dcfabric-tests
 * @brief Fb and the distance of samples.
 */
class QcnDegreeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Packets arrive up to the next sample, which must be due with the last byte.
     * @param bytes to the sample
     * @param queue length there
     * @param fb expected
     * @param what is tested
     */
    void Step(uint32_t bytes, uint64_t queue, double fb, const std::string& what)
    {
        if (bytes > 1)
        {
            NS_TEST_EXPECT_MSG_EQ(Arrive(*m_detector, bytes - 1, queue, 0.5), false, what);
        }
        NS_TEST_EXPECT_MSG_EQ(Arrive(*m_detector, 1, queue, 0.5), true, what);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_detector->GetDegree(), fb / 130000, 1e-12, what);
    }

    void DoRun() override
    {
        // Qeq = 26000, wq = 2: Fb is clipped at 26000 x 5 = 130000; samples 15000 bytes apart, over
        // 1 + (Fb x 63 / 130000, rounded up) / 8
        QcnCongestionPoint::Parameters p = MakeParameters();
        QcnCongestionPoint detector(p);
        m_detector = &detector;
        NS_TEST_EXPECT_MSG_EQ(detector.GetDegree(), 0, "not sampled");
        Step(1, 1500, 0, "first packet: -24500 + 2 x 1500");
        Step(15000, 26000, 49000, "0 + 2 x 24500; 23.7 -> 24, next after 15000 / 4");
        Step(3750, 26000, 0, "at Qeq and steady is not congested");
        Step(15000, 26001, 3, "1 + 2 x 1; 1 of 63 steps");
        Step(15000, 65000, 116998, "39000 + 2 x 38999; 57, next after 15000 / 8");
        Step(1875, 100000, 130000, "74000 + 2 x 35000 is beyond the limit");
        Step(1875, 100000, 74000, "full and steady; 36, next after 15000 / 5");
        Step(3000, 60000, 0, "34000 - 2 x 40000: it empties fast");
        Step(15000, 1000000000000000000, 130000, "a very long queue");

        // wq = 0: only the offset counts, the limit is Qeq
        p.wq = 0;
        QcnCongestionPoint offset(p);
        Arrive(offset, 1, 39000, 0.5);
        NS_TEST_EXPECT_MSG_EQ_TOL(offset.GetDegree(), 0.5, 1e-12, "13000 / 26000");
    }

    QcnCongestionPoint* m_detector{nullptr}; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Jitter, and packets larger than the distance of samples.
 */
class QcnJitterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        QcnCongestionPoint::Parameters p = MakeParameters();
        QcnCongestionPoint detector(p);
        Arrive(detector, 1, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 12749, 1, 1), false, "0.85 x 15000 = 12750");
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 1, 1, 1), true, "12750");
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 17249, 1, 0.5), false, "1.15 x 15000 = 17250");
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 40000, 1, 0.5), true, "one sample for a packet");
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 14999, 1, 0.5), false, "the excess is forgotten");
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 1, 1, 0.5), true, "15000");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Congestion ends though nothing arrives any more.
 */
class QcnEndTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        QcnCongestionPoint::Parameters p = MakeParameters();
        QcnCongestionPoint detector(p);
        NS_TEST_EXPECT_MSG_EQ(Depart(detector, 0, 0.5), false, "empty, but never congested");
        Arrive(detector, 1, 100000, 0.5);
        NS_TEST_EXPECT_MSG_EQ(detector.GetDegree(), 1, "74000 + 2 x 100000");
        NS_TEST_EXPECT_MSG_EQ(Depart(detector, 1, 0.5), false, "not empty");
        NS_TEST_EXPECT_MSG_EQ(detector.GetDegree(), 1, "still");
        NS_TEST_EXPECT_MSG_EQ(Depart(detector, 0, 0.5), true, "empty");
        NS_TEST_EXPECT_MSG_EQ(detector.GetDegree(), 0, "-26000 - 2 x 100000");
        NS_TEST_EXPECT_MSG_EQ(Depart(detector, 0, 0.5), false, "only once");
        NS_TEST_EXPECT_MSG_EQ(Arrive(detector, 14999, 20000, 0.5), false, "a new interval");
        Arrive(detector, 1, 20000, 0.5);
        NS_TEST_EXPECT_MSG_EQ_TOL(detector.GetDegree(), 34000.0 / 130000, 1e-12, "-6000 + 40000");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief When the neighbor is told.
 */
class QcnTakeNotificationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Have a sample.
     * @param queue length of the queue
     */
    void Sample(uint64_t queue)
    {
        Arrive(*m_detector, 1000000000, queue, 0.5);
    }

    void DoRun() override
    {
        QcnCongestionPoint::Parameters p = MakeParameters(); // 2 us apart
        QcnCongestionPoint detector(p);
        m_detector = &detector;
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(0), false, "not congested");
        Sample(100000);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(0), true, "first detection, at time 0");
        Sample(100000);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(0), false, "simultaneous");
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(1999999), false, "within 2 us");
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(2000000), true, "after 2 us");
        Sample(0);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(2000001), true, "the end, at once");
        Sample(0);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(9000000), false, "the end, once");
        Sample(100000);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(9000000), true, "again");
        Sample(0);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(9000001), true, "end");
        Sample(100000);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(9000002), false, "too early to be told");
        Sample(0);
        NS_TEST_EXPECT_MSG_EQ(detector.TakeNotification(9000003), false, "so no end of it either");

        p.notifySpacing = Seconds(0);
        QcnCongestionPoint always(p);
        m_detector = &always;
        Sample(100000);
        NS_TEST_EXPECT_MSG_EQ(always.TakeNotification(5), true, "every sample");
        NS_TEST_EXPECT_MSG_EQ(always.TakeNotification(5), true, "every sample");
    }

    QcnCongestionPoint* m_detector{nullptr}; //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Random traffic against whole numbers.
 */
class QcnPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 20261122;
        std::cout << "dcfabric-queue-disc, QCN: seed " << seed << std::endl;
        std::mt19937 random(seed);
        int samples = 0;
        for (int run = 0; run < 200; ++run)
        {
            const int64_t qeq = 1 + random() % 50000;
            const int64_t wq = random() % 5;
            const int64_t distance = 1 + random() % 20000;
            QcnCongestionPoint::Parameters p = MakeParameters();
            p.qeq = static_cast<uint64_t>(qeq);
            p.wq = static_cast<double>(wq);
            p.sampleBytes = static_cast<uint64_t>(distance);
            QcnCongestionPoint detector(p);
            const int64_t limit = qeq * (2 * wq + 1);
            int64_t queue = 0;
            int64_t old = 0;
            int64_t fb = 0;       // clipped
            int64_t passed = 0;   // since the last sample
            int64_t divisor = -1; // none yet
            const auto sample = [&] {
                fb = std::min(limit, std::max<int64_t>(0, queue - qeq + wq * (queue - old)));
                old = queue;
                passed = 0;
                divisor = 1 + (63 * fb + limit - 1) / limit / 8;
                ++samples;
            };
            for (int packet = 0; packet < 300; ++packet)
            {
                const int64_t bytes = 64 + random() % 1455;
                if (random() % 8 < 5)
                {
                    queue += bytes;
                    passed += bytes;
                    const bool isDue = divisor < 0 || passed * divisor >= distance;
                    const bool isTaken = Arrive(detector,
                                                static_cast<uint32_t>(bytes),
                                                static_cast<uint64_t>(queue),
                                                0.5);
                    NS_TEST_ASSERT_MSG_EQ(isTaken, isDue, "sampled at arrival, run " << run);
                    if (isDue)
                    {
                        sample();
                    }
                }
                else
                {
                    queue = random() % 16 == 0 ? 0 : std::max<int64_t>(0, queue - bytes);
                    const bool isDue = queue == 0 && fb > 0;
                    const bool isTaken = Depart(detector, static_cast<uint64_t>(queue), 0.5);
                    NS_TEST_ASSERT_MSG_EQ(isTaken, isDue, "sampled at departure, run " << run);
                    if (isDue)
                    {
                        sample();
                    }
                }
                NS_TEST_ASSERT_MSG_EQ_TOL(detector.GetDegree(),
                                          static_cast<double>(fb) / static_cast<double>(limit),
                                          1e-12,
                                          "degree, run " << run);
            }
        }
        NS_TEST_EXPECT_MSG_GT(samples, 5000, "there was something to compare");
    }
};

/// Congestion points.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new QcnDegreeTestCase("QCN: Fb, its limit, next samples"));
    suite.AddTestCase(new QcnJitterTestCase("QCN: jitter of 15 %, large packets"));
    suite.AddTestCase(new QcnEndTestCase("QCN: an empty queue is sampled"));
    suite.AddTestCase(
        new QcnTakeNotificationTestCase("QCN: notifications: first, spaced, end, again"));
    suite.AddTestCase(
        new QcnPropertyTestCase("QCN: random traffic, against a model in whole numbers"));
});

} // namespace ns3::tests::qcn_congestion_point_test
