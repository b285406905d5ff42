// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/back-to-sender-queue.h"
#include "ns3/combined-measure.h"
#include "ns3/congestion-measure.h"
#include "ns3/data-rate.h"
#include "ns3/flow-counter.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/queue-slope.h"
#include "ns3/rate-measures.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/weighted-measure.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How measures of congestion are composed, added, forked and related to the rate of a link.
 */

namespace ns3::tests::wreb_measure_settings_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A measure that a user adds: the size of the packet, times a factor.
 */
class SizeMeasure : public CongestionMeasure
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::DcfabricSizeMeasure")
                                .SetParent<CongestionMeasure>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<SizeMeasure>()
                                .AddAttribute("Factor",
                                              "What the size is multiplied by.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&SizeMeasure::m_factor),
                                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    Ptr<CongestionMeasure> Fork() const override
    {
        return CopyObject<SizeMeasure>(this);
    }

    uint64_t GetLevel(const QueueView& /* queue */, const QueueDiscItem& item) override
    {
        return m_factor * item.GetSize();
    }

    bool ScalesWithRate() const override
    {
        return false;
    }

  private:
    uint64_t m_factor; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(SizeMeasure);

/**
 * @ingroup dcfabric-tests
 * @brief Sums of measures.
 */
class WeightedMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief A packet arrives.
     * @param measure of the queue
     * @param queue the queue
     * @return the level
     */
    static uint64_t Arrive(CongestionMeasure& measure, const QueueView& queue)
    {
        const auto item = MakeTestItem(0, 100, 3);
        measure.OnArrival(queue, *item);
        return measure.GetLevel(queue, *item);
    }

    /**
     * @param terms as the attribute
     * @return a weighted measure
     */
    static Ptr<WeightedMeasure> Make(const std::string& terms)
    {
        return CreateObjectWithAttributes<WeightedMeasure>("Terms", StringValue(terms));
    }

    void DoRun() override
    {
        const auto disc = MakeNotifyingDisc(nullptr);
        TestContext context;
        context.waitingBytes[3] = 1000;
        context.bufferBytes = 301;
        const QueueView queue(*disc, context, 3);
        const std::vector<std::pair<std::string, uint64_t>> sums{
            {"1*ns3::QueueOccupancyMeasure", 1000},
            {"1*ns3::QueueOccupancyMeasure+0.5*ns3::BufferOccupancyMeasure", 1150}, // 1150.5
            {"0*ns3::QueueOccupancyMeasure+0.25*ns3::BufferOccupancyMeasure", 75},  // 75.25
            {" 1e-1 * ns3::QueueOccupancyMeasure + 2*ns3::ActiveFlowsMeasure[Window=1us]", 102},
            {"3*ns3::tests::DcfabricSizeMeasure[Factor=7]", 2100},
            {"1*ns3::QueueOccupancyMeasure+1*ns3::QueueOccupancyMeasure", 2000},
            {"1e300*ns3::QueueOccupancyMeasure", UINT64_MAX}};
        for (const auto& [terms, level] : sums)
        {
            const auto measure = Make(terms);
            NS_TEST_EXPECT_MSG_EQ(Arrive(*measure->Fork(), queue), level, terms);
            StringValue text;
            measure->GetAttribute("Terms", text);
            NS_TEST_EXPECT_MSG_EQ(text.Get(), terms, "reads as it was written");
        }

        const auto added = Make("");
        DCFABRIC_EXPECT_REFUSAL(Arrive(*added, queue), "has no measures");
        added->Add(2, CreateObject<QueueOccupancyMeasure>());
        added->Add(0, CreateObject<BufferOccupancyMeasure>());
        NS_TEST_EXPECT_MSG_EQ(Arrive(*added, queue), 2000, "2 x 1000 + 0 x 301");
        DCFABRIC_EXPECT_REFUSAL(added->Add(-1, CreateObject<QueueOccupancyMeasure>()),
                                "must be at least 0");
        DCFABRIC_EXPECT_REFUSAL(added->Add(std::nan(""), CreateObject<QueueOccupancyMeasure>()),
                                "must be at least 0");

        const std::vector<std::pair<std::string, std::string>> wrong{
            {"ns3::QueueOccupancyMeasure", "must be weight*class"},
            {"1 ns3::QueueOccupancyMeasure", "must be weight*class"},
            {"1*", "must be weight*class"},
            {"1*ns3::QueueOccupancyMeasure+", "must be weight*class"},
            {"1*ns3::QueueOccupancyMeasure++1*ns3::QueueOccupancyMeasure", "must be weight*class"},
            {"1*ns3::QueueOccupancyMeasure too", "must be weight*class"},
            {"-1*ns3::QueueOccupancyMeasure", "must be at least 0"},
            {"1*ns3::NoSuchMeasure", "names no class of ns3::CongestionMeasure"},
            {"1*ns3::Object", "names no class of ns3::CongestionMeasure"},
            {"1*ns3::CongestionMeasure", "names no class of ns3::CongestionMeasure"},
            {"1*ns3::QueueGradientMeasure[Interval=1us", "must end like"},
            {"1*ns3::QueueGradientMeasure]", "names no class"},
            {"1*ns3::QueueGradientMeasure[Interval]", "must end like"},
            {"1*ns3::QueueGradientMeasure[Size=1]", "must end like"}};
        for (const auto& [terms, message] : wrong)
        {
            DCFABRIC_EXPECT_REFUSAL(added->SetAttribute("Terms", StringValue(terms)), message);
        }

        // 1000 B more within 1 us are 8000 Mb/s, for the fork that has seen it; one that is made
        // then, also of that fork, has seen nothing
        const auto settings = Make("0.5*ns3::QueueGradientMeasure");
        const auto first = settings->Fork();
        const auto second = settings->Fork();
        Arrive(*first, queue);
        context.nowPs = US;
        context.waitingBytes[3] = 2000;
        NS_TEST_EXPECT_MSG_EQ(Arrive(*first, queue), 4000, "half of 8000");
        NS_TEST_EXPECT_MSG_EQ(Arrive(*second, queue), 0, "a state of its own");
        NS_TEST_EXPECT_MSG_EQ(Arrive(*first->Fork(), queue), 0, "a fork begins anew");
        NS_TEST_EXPECT_MSG_EQ(Arrive(*settings->Fork(), queue), 0, "settings see nothing");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Products and maxima of measures.
 */
class CombinedMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 1000 B in the queue, 301 B in the memory, 1 active flow
        const auto disc = MakeNotifyingDisc(nullptr);
        TestContext context;
        context.waitingBytes[3] = 1000;
        context.bufferBytes = 301;
        const QueueView queue(*disc, context, 3);
        const auto item = MakeTestItem(0, 100, 3);

        const struct
        {
            std::string measure; // its class
            std::string terms;   // of it
            uint64_t level;      // that it should tell
        } cases[] = {
            {"ns3::ProductMeasure", "1*ns3::QueueOccupancyMeasure", 1000},
            {"ns3::ProductMeasure",
             "1*ns3::QueueOccupancyMeasure,0.5*ns3::BufferOccupancyMeasure",
             150500}, // 1000 x 150.5
            {"ns3::ProductMeasure",
             "0.001*ns3::QueueOccupancyMeasure,0.01*ns3::BufferOccupancyMeasure,"
             "2*ns3::ActiveFlowsMeasure",
             6}, // 1 x 3.01 x 2
            {"ns3::ProductMeasure", "1*ns3::QueueOccupancyMeasure,0*ns3::ActiveFlowsMeasure", 0},
            {"ns3::MaximumMeasure", "1*ns3::QueueOccupancyMeasure", 1000},
            {"ns3::MaximumMeasure",
             "1*ns3::QueueOccupancyMeasure,4*ns3::BufferOccupancyMeasure",
             1204},
            {"ns3::MaximumMeasure",
             "4*ns3::BufferOccupancyMeasure , 1.5*ns3::QueueOccupancyMeasure",
             1500},
        };

        for (const auto& c : cases)
        {
            ObjectFactory factory(c.measure);
            factory.Set("Terms", StringValue(c.terms));
            const auto measure = factory.Create<CombinedMeasure>();
            const auto fork = measure->Fork();
            fork->OnArrival(queue, *item);
            NS_TEST_EXPECT_MSG_EQ(fork->GetLevel(queue, *item), c.level, c.measure << c.terms);
            StringValue text;
            measure->GetAttribute("Terms", text);
            NS_TEST_EXPECT_MSG_EQ(text.Get(), c.terms, "reads as it was written");
        }
        for (const char* name : {"ns3::ProductMeasure", "ns3::MaximumMeasure"})
        {
            const auto measure = ObjectFactory(name).Create<CombinedMeasure>();
            DCFABRIC_EXPECT_REFUSAL(
                measure->SetAttribute("Terms", StringValue("1*ns3::QueueOccupancyMeasure,")),
                std::string(name) + "::Terms");
            measure->SetAttribute("Terms", StringValue(""));
            DCFABRIC_EXPECT_REFUSAL(measure->GetLevel(queue, *item), "has no measures");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which measures are taken in proportion to the rate of the link.
 */
class ReferenceRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param measure of it
     * @param reference as the attribute
     * @param rateBps of the link
     * @return the level that a packet finds, by a profile that is a millionth of it
     */
    static uint64_t MeasureLevel(const std::string& measure,
                                 const std::string& reference,
                                 uint64_t rateBps)
    {
        const auto notifier =
            MakeNotifier("ns3::PiecewiseMarkingProfile[Points=0:0,1000000:1]", measure);
        notifier->SetAttribute("ReferenceRate", StringValue(reference));
        const auto disc = MakeNotifyingDisc(nullptr);
        TestContext context;
        context.rateBps = rateBps;
        BackToSenderQueue queue(*notifier, QueueView(*disc, context, 3));
        const auto item = Create<FlowItem>(1, 1000, 3);
        queue.OnArrival(*item);
        // 1 us later: 1250 B more wait and 2500 B have been sent, 10,000 and 20,000 Mb/s; the
        // memory and the group have 3000 and 4000 B
        context.nowPs = US;
        context.waitingBytes[3] = 1250;
        context.portSentBytes = 2500;
        context.bufferBytes = 3000;
        context.groupBytes[0x3f] = 4000;
        queue.OnArrival(*item);
        return static_cast<uint64_t>(std::llround(queue.GetProbability(*item) * 1e6));
    }

    void DoRun() override
    {
        const struct
        {
            std::string measure;  // its name
            uint64_t atReference; // level if the link has the reference rate, of 100 Gb/s
            uint64_t at25;        // level at 25 Gb/s
        } cases[] = {
            {"ns3::QueueOccupancyMeasure", 1250, 5000},
            {"ns3::PortOccupancyMeasure", 1250, 5000},
            {"ns3::BufferOccupancyMeasure", 3000, 3000},
            {"ns3::GroupOccupancyMeasure", 4000, 4000},
            {"ns3::QueueGradientMeasure", 10000, 40000},
            {"ns3::TransmittedBytesMeasure[Interval=1us|OfPort=true]", 20000, 80000},
            {"ns3::QueueingLatencyMeasure", 100, 400}, // 1250 B at 12.5 and 3.125 B a ns
            {"ns3::ActiveFlowsMeasure", 1, 1},
            {"ns3::tests::DcfabricSizeMeasure[Factor=2]", 2000, 2000},
            // the first term decides for the sum
            {"ns3::WeightedMeasure[Terms=1*ns3::QueueOccupancyMeasure+1*ns3::ActiveFlowsMeasure]",
             1251,
             5004},
            {"ns3::WeightedMeasure[Terms=1*ns3::ActiveFlowsMeasure+1*ns3::QueueOccupancyMeasure]",
             1251,
             1251}};

        const uint64_t gbps = 1000000000;
        for (const auto& c : cases)
        {
            NS_TEST_EXPECT_MSG_EQ(MeasureLevel(c.measure, "100Gbps", 100 * gbps),
                                  c.atReference,
                                  c.measure);
            NS_TEST_EXPECT_MSG_EQ(MeasureLevel(c.measure, "100Gbps", 25 * gbps),
                                  c.at25,
                                  c.measure << " at 25 Gb/s");
            const bool isLatency = c.measure == "ns3::QueueingLatencyMeasure";
            NS_TEST_EXPECT_MSG_EQ(MeasureLevel(c.measure, "0bps", 25 * gbps),
                                  (isLatency ? c.at25 : c.atReference),
                                  c.measure << " with no reference");
            if (!isLatency)
            {
                NS_TEST_EXPECT_MSG_EQ(MeasureLevel(c.measure, "100Gbps", 0),
                                      c.atReference,
                                      c.measure << " at an unknown rate");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(MeasureLevel("ns3::QueueOccupancyMeasure", "100Gbps", 400 * gbps),
                              312,
                              "1250 / 4 = 312.5, rounded down");
        NS_TEST_EXPECT_MSG_EQ(MeasureLevel("ns3::QueueGradientMeasure", "400Gbps", 1),
                              1000000,
                              "a level that no number holds is the largest");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What measures with a memory are made of.
 */
class MeasureMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        QueueSlope slope(10); // ps
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), 0, "nothing is known");
        slope.Update(0, 100);
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), 0, "one value has no slope");
        slope.Update(9, 900);
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), 0, "an interval is 10 ps");
        slope.Update(10, 99);
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), -8e11, "-8 bits in 10 ps");
        slope.Update(19, 0);
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), -8e11, "the second began at 10 ps");
        slope.Update(50, 104);
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), 1e12, "5 B in 40 ps");
        slope.Update(60, 104);
        NS_TEST_EXPECT_MSG_EQ(slope.GetPerSecond(), 0, "level");
        QueueSlope wraps(1);
        wraps.Update(5, UINT64_MAX);
        wraps.Update(5, 7);
        NS_TEST_EXPECT_MSG_EQ(wraps.GetPerSecond(), 0, "no interval is empty");
        wraps.Update(13, 1);
        NS_TEST_EXPECT_MSG_EQ(wraps.GetPerSecond(), 2e12, "from 2^64 - 1 to 1: 2 B in 8 ps");

        FlowCounter flows(10); // ps
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(0), 0, "none");
        flows.Enter(0, UINT64_MAX);
        flows.Enter(3, 0);
        flows.Enter(3, UINT64_MAX);
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(3), 2, "two");
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(11), 2, "one of its two packets is forgotten");
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(13), 2, "10 ps ago");
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(14), 0, "11 ps ago");
        flows.Enter(14, 0);
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(14), 1, "anew");
        NS_TEST_EXPECT_MSG_EQ(flows.GetCount(INT64_MAX), 0, "at the end of time");

        NS_TEST_EXPECT_MSG_EQ(CongestionMeasure::ToLevel(-1), 0, "below 0");
        NS_TEST_EXPECT_MSG_EQ(CongestionMeasure::ToLevel(0.999), 0, "down");
        NS_TEST_EXPECT_MSG_EQ(CongestionMeasure::ToLevel(7), 7, "as it is");
        NS_TEST_EXPECT_MSG_EQ(CongestionMeasure::ToLevel(18446744073709549568.0),
                              18446744073709549568U,
                              "the largest number below 2^64");
        NS_TEST_EXPECT_MSG_EQ(CongestionMeasure::ToLevel(18446744073709551616.0),
                              UINT64_MAX,
                              "2^64");
        NS_TEST_EXPECT_MSG_EQ(CongestionMeasure::ToLevel(INFINITY), UINT64_MAX, "no end");
    }
};

/// Settings of measures.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CombinedMeasureTestCase("measures: products and maxima of others"));
    suite.AddTestCase(new WeightedMeasureTestCase(
        "weighted: sums, terms as a string, refusals, forks that share nothing"));
    suite.AddTestCase(new ReferenceRateTestCase(
        "reference rate: bytes of queue and port and rates scale, others do not"));
    suite.AddTestCase(
        new MeasureMemoryTestCase("slope of a counter, count of flows, and levels: their edges"));
});

} // namespace ns3::tests::wreb_measure_settings_test
