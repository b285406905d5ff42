// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/congestion-measure.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rate-measures.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Measures of congestion over traces that are worked out by hand.
 */

namespace ns3::tests::wreb_measure_test
{

/**
 * @ingroup dcfabric-tests
 * @brief One class of a queue disc, and a measure of it.
 */
class MeasuredQueue
{
  public:
    static constexpr uint8_t PRIORITY = 3; //!< class that is measured

    /// @param measure its settings
    explicit MeasuredQueue(Ptr<const CongestionMeasure> measure)
        : disc(MakeNotifyingDisc(nullptr)),
          view(*disc, context, PRIORITY),
          m_measure(measure->Fork())
    {
    }

    /**
     * @param item the packet
     * @return the level that a packet finds
     */
    uint64_t Arrive(Ptr<QueueDiscItem> item = Create<FlowItem>(0, 1, PRIORITY))
    {
        m_measure->OnArrival(view, *item);
        return m_measure->GetLevel(view, *item);
    }

    /**
     * @param item the packet
     * @return the level that a packet leaves behind
     */
    uint64_t Depart(Ptr<QueueDiscItem> item = Create<FlowItem>(0, 1, PRIORITY))
    {
        m_measure->OnDeparture(view, *item);
        return m_measure->GetLevel(view, *item);
    }

    /**
     * @param nowPs the time
     * @param bytes in the queue
     * @return the level at a time at which a packet finds a queue
     */
    uint64_t ArriveAt(int64_t nowPs, uint64_t bytes)
    {
        context.nowPs = nowPs;
        context.waitingBytes[PRIORITY] = bytes;
        return Arrive();
    }

    Ptr<CongestionAwareQueueDisc> disc; //!< the queue
    TestContext context;                //!< of it
    QueueView view;                     //!< the class

  private:
    Ptr<CongestionMeasure> m_measure; //!< of the class
};

/**
 * @ingroup dcfabric-tests
 * @brief Occupancies.
 */
class OccupancyMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // in the disc 1000 B in class 3 and 200 B in class 5; elsewhere 30 B for class 3, 4 B for
        // class 0; other ports have filled the memory to 50,000 B
        const auto fill = [](MeasuredQueue& queue) {
            queue.disc->Enqueue(MakeTestItem(0, 1000, 3));
            queue.disc->Enqueue(MakeTestItem(0, 200, 5));
            queue.context.waitingBytes[3] = 30;
            queue.context.waitingBytes[0] = 4;
            queue.context.bufferBytes = 50000;
            queue.context.groupBytes = {{0x3f, 40000}, {0x28, 7000}};
        };
        MeasuredQueue ofClass(CreateObject<QueueOccupancyMeasure>());
        NS_TEST_EXPECT_MSG_EQ(ofClass.Arrive(), 0, "empty");
        fill(ofClass);
        NS_TEST_EXPECT_MSG_EQ(ofClass.Arrive(), 1030, "1000 + 30");
        NS_TEST_EXPECT_MSG_EQ(IdOf(ofClass.disc->Dequeue()), 0, "class 5 leaves");
        NS_TEST_EXPECT_MSG_EQ(ofClass.Depart(), 1030, "which is another class");
        NS_TEST_EXPECT_MSG_EQ(IdOf(ofClass.disc->Dequeue()), 0, "class 3 leaves");
        NS_TEST_EXPECT_MSG_EQ(ofClass.Depart(), 30, "what is left");

        MeasuredQueue ofPort(CreateObject<PortOccupancyMeasure>());
        fill(ofPort);
        NS_TEST_EXPECT_MSG_EQ(ofPort.Arrive(), 1234, "1000 + 200 + 30 + 4");
        ofPort.disc->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(ofPort.Depart(), 1034, "less 200");

        MeasuredQueue ofBuffer(CreateObject<BufferOccupancyMeasure>());
        fill(ofBuffer);
        NS_TEST_EXPECT_MSG_EQ(ofBuffer.Arrive(), 50000, "of all ports");
        NS_TEST_EXPECT_MSG_EQ(ofBuffer.Depart(), 50000, "of all ports");

        MeasuredQueue ofGroup(CreateObject<GroupOccupancyMeasure>());
        fill(ofGroup);
        NS_TEST_EXPECT_MSG_EQ(ofGroup.Arrive(), 40000, "classes 0 to 5 by default");
        MeasuredQueue ofTwo(
            CreateObjectWithAttributes<GroupOccupancyMeasure>("Classes", UintegerValue(0x28)));
        fill(ofTwo);
        NS_TEST_EXPECT_MSG_EQ(ofTwo.Depart(), 7000, "classes 3 and 5");

        // by itself a queue disc knows of its own memory only
        const DiscContext alone(*ofTwo.disc);
        NS_TEST_EXPECT_MSG_EQ(alone.GetBufferBytes(), 1200, "1000 + 200");
        NS_TEST_EXPECT_MSG_EQ(alone.GetGroupBytes(0x20), 200, "class 5");
        NS_TEST_EXPECT_MSG_EQ(alone.GetGroupBytes(0x28), 1200, "classes 3 and 5");
        NS_TEST_EXPECT_MSG_EQ(alone.GetGroupBytes(0xd7), 0, "all others");
        NS_TEST_EXPECT_MSG_EQ(alone.GetWaitingBytes(3), 0, "nothing elsewhere");
        NS_TEST_EXPECT_MSG_EQ(alone.GetRateBps(), 0, "no device");
        NS_TEST_EXPECT_MSG_EQ(alone.GetNowPs(), 0, "of the simulator");
        NS_TEST_EXPECT_MSG_EQ(alone.GetPortSentBytes(), 0, "none yet");
        ofTwo.disc->Dequeue();
        NS_TEST_EXPECT_MSG_EQ(alone.GetPortSentBytes(), 200, "class 5");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Growth of the queue.
 */
class GradientMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        MeasuredQueue queue(CreateObject<QueueGradientMeasure>()); // Interval 1 us
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(0, 0), 0, "the first begins an interval");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(US - 1, 5000), 0, "it lasts");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(US, 1000), 8000, "8000 bits in 1 us");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(US, 9000), 8000, "at the same time");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(3 * US / 2, 0), 8000, "too early");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(3 * US, 2001), 4004, "1001 x 8 bits in 2 us");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(4 * US, 500), 0, "shrinks");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(5 * US, 500), 0, "stays");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(6 * US + 1, 501), 7, "8 bits in 1.000001 us: 7.99");
        queue.context.nowPs = 8 * US + 1;
        queue.context.waitingBytes[MeasuredQueue::PRIORITY] = 901;
        NS_TEST_EXPECT_MSG_EQ(queue.Depart(), 1600, "departures end intervals, too: 400 B in 2 us");
        // a queue that is not looked at for long: 10^6 B in 1 s are 8 Mb/s
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(8 * US + 1 + 1000000 * US, 1000901), 8, "1 s");

        MeasuredQueue slow(
            CreateObjectWithAttributes<QueueGradientMeasure>("Interval",
                                                             TimeValue(MicroSeconds(100))));
        slow.ArriveAt(7 * US, 100);
        NS_TEST_EXPECT_MSG_EQ(slow.ArriveAt(107 * US - 1, 1350), 0, "less than 100 us");
        NS_TEST_EXPECT_MSG_EQ(slow.ArriveAt(107 * US, 1350), 100, "10,000 bits in 100 us");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief How long packets wait.
 */
class LatencyMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        MeasuredQueue queue(CreateObject<QueueingLatencyMeasure>());
        queue.context.rateBps = 100000000000; // 12.5 B a ns
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(0, 0), 0, "an empty queue");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(0, 12500), 1000, "1 us");
        NS_TEST_EXPECT_MSG_EQ(queue.ArriveAt(0, 12499), 999, "rounded down");

        const auto item = MakeTestItem(0, 100, MeasuredQueue::PRIORITY);
        item->SetTimeStamp(NanoSeconds(100));
        queue.context.nowPs = 350999;
        NS_TEST_EXPECT_MSG_EQ(queue.Depart(item), 250, "came at 100 ns, leaves at 350.999 ns");
        queue.context.nowPs = 100000;
        NS_TEST_EXPECT_MSG_EQ(queue.Depart(item), 0, "at once");
        queue.context.nowPs = 99999;
        NS_TEST_EXPECT_MSG_EQ(queue.Depart(item), 0, "never negative");
        NS_TEST_EXPECT_MSG_EQ(queue.Arrive(), 999, "the next arrival looks at the queue again");

        queue.context.rateBps = 0;
        DCFABRIC_EXPECT_REFUSAL(queue.Arrive(), "needs the rate of the link");
        NS_TEST_EXPECT_MSG_EQ(queue.Depart(item), 0, "needs no rate");
        queue.context.rateBps = 1;
        queue.context.waitingBytes[MeasuredQueue::PRIORITY] = UINT64_MAX;
        NS_TEST_EXPECT_MSG_EQ(queue.Arrive(), UINT64_MAX, "no longer than can be told");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Flows that send.
 */
class FlowsMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param queue where
     * @param nowPs when
     * @param flow of which flow
     * @return flows after a packet
     */
    static uint64_t Send(MeasuredQueue& queue, int64_t nowPs, uint32_t flow)
    {
        queue.context.nowPs = nowPs;
        return queue.Arrive(Create<FlowItem>(flow, 1, MeasuredQueue::PRIORITY));
    }

    /**
     * @param queue from where
     * @param nowPs when
     * @return flows when a packet leaves
     */
    static uint64_t Leave(MeasuredQueue& queue, int64_t nowPs)
    {
        queue.context.nowPs = nowPs;
        return queue.Depart(Create<FlowItem>(99, 1, MeasuredQueue::PRIORITY));
    }

    void DoRun() override
    {
        MeasuredQueue queue(CreateObject<ActiveFlowsMeasure>()); // Window 50 us
        NS_TEST_EXPECT_MSG_EQ(Send(queue, 0, 1), 1, "itself");
        NS_TEST_EXPECT_MSG_EQ(Send(queue, 0, 1), 1, "the same");
        NS_TEST_EXPECT_MSG_EQ(Send(queue, 10 * US, 2), 2, "two");
        NS_TEST_EXPECT_MSG_EQ(Send(queue, 10 * US, 0), 3, "a hash of 0 is one");
        NS_TEST_EXPECT_MSG_EQ(Send(queue, 20 * US, 2), 3, "again");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 50 * US), 3, "flow 1 sent 50 us ago: it counts");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 50 * US + 1), 2, "1 ps more");
        NS_TEST_EXPECT_MSG_EQ(Send(queue, 60 * US, 3), 3, "flow 0 counts still");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 60 * US + 1), 2, "flow 2 has sent again");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 70 * US), 2, "50 us ago");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 70 * US + 1), 1, "flow 3");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 110 * US), 1, "50 us ago");
        NS_TEST_EXPECT_MSG_EQ(Leave(queue, 110 * US + 1), 0, "nobody: to leave is not to send");

        MeasuredQueue brief(
            CreateObjectWithAttributes<ActiveFlowsMeasure>("Window", TimeValue(NanoSeconds(1))));
        NS_TEST_EXPECT_MSG_EQ(Send(brief, 5, 1), 1, "one");
        NS_TEST_EXPECT_MSG_EQ(Send(brief, 1005, 2), 2, "1 ns later");
        NS_TEST_EXPECT_MSG_EQ(Send(brief, 1006, 3), 2, "1 ps more");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is sent.
 */
class TransmittedMeasureTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool ofPort : {false, true})
        {
            // Interval 10 us
            MeasuredQueue queue(
                CreateObjectWithAttributes<TransmittedBytesMeasure>("OfPort",
                                                                    BooleanValue(ofPort)));
            queue.disc->Enqueue(MakeTestItem(0, 1000, 3));
            queue.disc->Enqueue(MakeTestItem(1, 500, 5));
            NS_TEST_EXPECT_MSG_EQ(queue.Arrive(), 0, "none has left");
            queue.disc->Dequeue();
            queue.disc->Dequeue(); // class 3: 1000 B
            queue.context.portSentBytes = 4000;
            queue.context.nowPs = 10 * US - 1;
            NS_TEST_EXPECT_MSG_EQ(queue.Depart(), 0, "the interval lasts");
            queue.context.nowPs = 10 * US;
            NS_TEST_EXPECT_MSG_EQ(queue.Depart(),
                                  (ofPort ? 3200 : 800),
                                  "8000 bits, or 32,000, in 10 us");
            queue.disc->Enqueue(MakeTestItem(2, 700, 3));
            queue.context.nowPs = 20 * US;
            NS_TEST_EXPECT_MSG_EQ(queue.Arrive(), 0, "what waits is not sent");
            queue.disc->Dequeue();
            queue.context.portSentBytes = 4001;
            queue.context.nowPs = 40 * US;
            NS_TEST_EXPECT_MSG_EQ(queue.Arrive(),
                                  (ofPort ? 0 : 280),
                                  "5600 bits in 20 us; 0.4 Mb/s is rounded down");
        }
        MeasuredQueue fast(
            CreateObjectWithAttributes<TransmittedBytesMeasure>("OfPort",
                                                                BooleanValue(true),
                                                                "Interval",
                                                                TimeValue(NanoSeconds(1))));
        fast.Arrive();
        fast.context.nowPs = 1000;
        fast.context.portSentBytes = 50;
        NS_TEST_EXPECT_MSG_EQ(fast.Arrive(), 400000, "400 bits in 1 ns are 400 Gb/s");
    }
};

/// Measures of congestion.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new OccupancyMeasureTestCase("occupancy of the class, the port, the buffer, a QoS group"));
    suite.AddTestCase(new GradientMeasureTestCase(
        "gradient: over intervals that packets end, 0 while it shrinks"));
    suite.AddTestCase(new LatencyMeasureTestCase(
        "latency: on arrival queue over rate, on departure what was waited"));
    suite.AddTestCase(new FlowsMeasureTestCase("active flows: within a window, its end included"));
    suite.AddTestCase(
        new TransmittedMeasureTestCase("bytes transmitted by the class, by the port"));
});

} // namespace ns3::tests::wreb_measure_test
