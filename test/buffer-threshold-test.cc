// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/buffer-threshold.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/object-factory.h"
#include "ns3/shared-buffer.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <deque>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Limits of queues in a shared buffer, by hand numbers.
 */

namespace ns3::tests::buffer_threshold_test
{

constexpr uint8_t CLASS_3 = 1U << 3;                 //!< mask of class 3
constexpr int64_t US = 1000000;                      //!< in ps
constexpr uint64_t RATE_BPS = 100000000000;          //!< of each port, in bit/s
constexpr uint32_t SYN = FabricPacketItem::FLAG_SYN; //!< a packet before the first answer

/**
 * @param type name of a class
 * @return one for eight ports
 */
Ptr<BufferThreshold>
MakeThreshold(const std::string& type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    Ptr<BufferThreshold> threshold = factory.Create<BufferThreshold>();
    threshold->Configure(8);
    return threshold;
}

/**
 * @param port of it
 * @param bytes length
 * @param nowPs time
 * @param alpha its alpha
 * @return a queue of class 3 without reserve
 */
BufferThreshold::Queue
MakeQueue(uint16_t port, uint64_t bytes, int64_t nowPs = 0, double alpha = 0.5)
{
    BufferThreshold::Queue queue;
    queue.port = port;
    queue.priority = 3;
    queue.bytes = bytes;
    queue.alpha = alpha;
    queue.nowPs = nowPs;
    queue.rateBps = RATE_BPS;
    return queue;
}

/**
 * @brief The largest queue that a threshold lets a packet make.
 * @param threshold which
 * @param queue without the packet
 * @param flags of the packet
 * @param freeBytes of the pool
 * @return bytes
 */
uint64_t
FindLimit(const BufferThreshold& threshold,
          const BufferThreshold::Queue& queue,
          uint32_t flags,
          uint64_t freeBytes)
{
    uint64_t fits = 0;
    for (uint64_t step = 1U << 31; step > 0; step /= 2)
    {
        const uint64_t asked = fits + step;
        if (asked <= UINT32_MAX &&
            threshold.Admits(queue, static_cast<uint32_t>(asked), flags, freeBytes))
        {
            fits = asked;
        }
    }
    return queue.bytes + fits;
}

/**
 * @ingroup dcfabric-tests
 * @brief Active buffer management.
 */
class AbmTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<BufferThreshold> abm = MakeThreshold("ns3::AbmThreshold");
        const auto limit = [&](uint64_t bytes, int64_t nowPs, uint32_t flags) {
            const auto queue = MakeQueue(0, bytes, nowPs);
            abm->OnArrival(queue, 1000);
            return FindLimit(*abm, queue, flags, 1000000);
        };
        NS_TEST_EXPECT_MSG_EQ(limit(0, 0, 0), 500000, "alone: 0.5 x 1,000,000");

        // n: two queues of 10,240 B are one of 20,480 B; less than one congested queue counts as 1
        abm->OnChange(MakeQueue(1, 10240), 0);
        NS_TEST_EXPECT_MSG_EQ(limit(0, 0, 0), 500000, "one half counts as one");
        abm->OnChange(MakeQueue(2, 30720), 0);
        NS_TEST_EXPECT_MSG_EQ(limit(0, 0, 0), 333333, "1.5 of them: a longer one counts once");
        for (const uint16_t port : {1, 2, 3})
        {
            abm->OnChange(MakeQueue(port, 20480), 0);
        }
        BufferThreshold::Queue other = MakeQueue(4, 1000000);
        other.priority = 5;
        abm->OnChange(other, 0); // of another class: not counted

        // mu: in 25 us a port of 100 Gb/s sends 312,500 B; 78,125 B are a quarter
        abm->OnChange(MakeQueue(0, 108125, 1 * US), 0);
        NS_TEST_EXPECT_MSG_EQ(limit(108125, 2 * US, 0), 125000, "n 4, of this interval nothing");
        abm->OnChange(MakeQueue(0, 30000, 20 * US), 78125);
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 25 * US - 1, 0), 125000, "it is not over");
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 25 * US, 0), 31250, "0.5 x 1,000,000 / 4 x 0.25");
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 25 * US, SYN), 64000000, "1024 x 1,000,000 / 4 x 0.25");
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 25 * US, SYN | FabricPacketItem::FLAG_RETRANSMISSION),
                              31250,
                              "sent again");
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 25 * US, SYN | FabricPacketItem::FLAG_NO_PDC),
                              31250,
                              "never answered by name");
        NS_TEST_EXPECT_MSG_EQ(abm->Resumes(MakeQueue(0, 30000, 25 * US), 1250, 1000000), true, "");
        NS_TEST_EXPECT_MSG_EQ(abm->Resumes(MakeQueue(0, 30000, 25 * US), 1251, 1000000), false, "");

        // 2,048 B are nothing to speak of, 2,049 B are a share of 0.0065568: 819.6 B
        abm->OnChange(MakeQueue(0, 30000, 26 * US), 2048);
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 50 * US, 0), 125000, "as if drained at line rate");
        abm->OnChange(MakeQueue(0, 30000, 51 * US), 2049);
        abm->OnArrival(MakeQueue(0, 30000, 75 * US), 1000);
        NS_TEST_EXPECT_MSG_EQ(abm->Resumes(MakeQueue(0, 0, 75 * US), 819, 1000000), true, "");
        NS_TEST_EXPECT_MSG_EQ(abm->Resumes(MakeQueue(0, 0, 75 * US), 820, 1000000), false, "");
        // more than the line could send, as of trimmed packets; then a whole interval of nothing
        abm->OnChange(MakeQueue(0, 30000, 76 * US), 400000);
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 100 * US, 0), 125000, "at most 1");
        abm->OnChange(MakeQueue(0, 30000, 101 * US), 78125);
        NS_TEST_EXPECT_MSG_EQ(limit(30000, 150 * US, 0), 125000, "nothing in the last interval");
        // a queue that is not congested: 20,480 B at the end are not above 20,480 B
        abm->OnChange(MakeQueue(0, 20480, 151 * US), 78125);
        NS_TEST_EXPECT_MSG_EQ(limit(20480, 175 * US, 0), 125000, "not congested");
        // empty again: n 3
        abm->OnChange(MakeQueue(0, 0, 176 * US), 20480);
        NS_TEST_EXPECT_MSG_EQ(limit(0, 177 * US, 0), 166666, "n 3");
        NS_TEST_EXPECT_MSG_EQ(FindLimit(*abm, MakeQueue(0, 0, 177 * US), SYN, 0), 0, "full pool");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Reverie.
 */
class ReverieTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // A queue of 100,000 B with each arrival: 1,000, 1,990, 2,970.1 B smoothed. With alpha 1
        // and one congested queue a pool of a byte more than that admits, and not of a byte less.
        Ptr<BufferThreshold> reverie = MakeThreshold("ns3::ReverieThreshold");
        const BufferThreshold::Queue queue = MakeQueue(0, 99000, 0, 1);
        for (const uint64_t smoothed : {1001, 1991, 2971})
        {
            reverie->OnArrival(queue, 1000);
            NS_TEST_EXPECT_MSG_EQ(reverie->Admits(queue, 1000, 0, smoothed), true, smoothed);
            NS_TEST_EXPECT_MSG_EQ(reverie->Admits(queue, 1000, 0, smoothed - 2), false, smoothed);
            NS_TEST_EXPECT_MSG_EQ(reverie->Resumes(queue, 29, smoothed + 29), true, "offset");
            NS_TEST_EXPECT_MSG_EQ(reverie->Resumes(queue, 31, smoothed + 29), false, "offset");
        }
        // a queue of 500 B is below that: smoothed it is as short
        reverie->OnChange(MakeQueue(0, 500, 0, 1), 99500);
        NS_TEST_EXPECT_MSG_EQ(reverie->Admits(MakeQueue(0, 500, 0, 1), 1000, 0, 500), true, "500");
        NS_TEST_EXPECT_MSG_EQ(reverie->Admits(MakeQueue(0, 500, 0, 1), 1000, 0, 499), false, "500");

        // n counts smoothed lengths: 4 long queues, of which each has 1 % at its first arrival
        // (20,480 of 2,048,000 B), are four congested ones; alpha 0.5 x 163,840 / 4 = 20,480
        for (const uint16_t port : {1, 2, 3, 4})
        {
            reverie->OnArrival(MakeQueue(port, 2047000), 1000);
        }
        reverie->OnChange(MakeQueue(0, 0), 500);
        const auto long1 = MakeQueue(1, 2047000);
        NS_TEST_EXPECT_MSG_EQ(reverie->Admits(long1, 1000, SYN, 163841), true, "20,480");
        NS_TEST_EXPECT_MSG_EQ(reverie->Admits(long1, 1000, SYN, 163839), false, "20,480");

        // without the filter it is the length itself
        Ptr<BufferThreshold> plain = MakeThreshold("ns3::ReverieThreshold");
        plain->SetAttribute("Gamma", DoubleValue(0));
        plain->OnArrival(queue, 1000);
        NS_TEST_EXPECT_MSG_EQ(plain->Admits(queue, 1000, 0, 100000), true, "100,000");
        NS_TEST_EXPECT_MSG_EQ(plain->Admits(queue, 1000, 0, 99999), false, "100,000");
    }
};

/**
 * @param threshold class
 * @param size bytes of memory
 * @param reserve PortReserve
 * @return a buffer with alphas of 0.5
 */
Ptr<SharedBuffer>
MakeBuffer(const std::string& threshold, uint64_t size, uint64_t reserve = 0)
{
    Ptr<SharedBuffer> buffer = CreateObject<SharedBuffer>();
    buffer->SetAttribute("Size", UintegerValue(size));
    buffer->SetAttribute("Alpha", DoubleValue(0.5));
    buffer->SetAttribute("EgressAlpha", DoubleValue(0.5));
    buffer->SetAttribute("PortReserve", UintegerValue(reserve));
    buffer->SetAttribute("ResumeOffset", UintegerValue(500));
    buffer->SetAttribute("Threshold", StringValue(threshold));
    return buffer;
}

/**
 * @ingroup dcfabric-tests
 * @brief What the buffer asks the threshold: whose queue, and when a peer is resumed.
 */
class BufferQueuesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Lossy, pool 200,000 B: the egress queue counts, whatever port its packets come by.
        Ptr<SharedBuffer> lossy = MakeBuffer("ns3::AbmThreshold", 200000);
        lossy->Configure({0, 0, 0}, 0, CLASS_3);
        const auto admit = [](SharedBuffer& buffer, uint16_t in, uint16_t out, uint32_t bytes) {
            return buffer.AdmitArrival({in, out, 3, bytes, 0});
        };
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 0, 2, 40000), SharedBuffer::ADMITTED, "of 100,000");
        // 160,000 free: 80,000
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 1, 2, 40001).refused,
                              DropReason::ABOVE_THRESHOLD,
                              "80,001");
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 1, 2, 40000), SharedBuffer::ADMITTED, "80,000");
        // port 2 has 80,000 B, which is one congested queue; port 1 with 20,480 B is the second
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 0, 1, 20480), SharedBuffer::ADMITTED, "alone in count");
        // 99,520 free: 0.5 / 2 of them are 24,880
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 0, 1, 4401).refused, DropReason::ABOVE_THRESHOLD, "");
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 0, 1, 4400), SharedBuffer::ADMITTED, "24,880");
        // before its first answer a connection has all that is free
        const SwitchBuffer::Arrival first{0, 1, 3, 95121, 0, SYN};
        NS_TEST_EXPECT_MSG_EQ(lossy->AdmitArrival(first).refused, DropReason::BUFFER_FULL, "");
        NS_TEST_EXPECT_MSG_EQ(lossy->AdmitArrival({0, 1, 3, 95120, 0, SYN}),
                              SharedBuffer::ADMITTED,
                              "the pool is full");
        lossy->ReleaseRoom(0, 1, 3, 95120);
        lossy->ReleaseRoom(0, 1, 3, 4400);
        lossy->ReleaseRoom(0, 1, 3, 20480);
        lossy->ReleaseRoom(1, 2, 3, 40000);
        lossy->ReleaseRoom(0, 2, 3, 40000);
        NS_TEST_EXPECT_MSG_EQ(lossy->GetUsedBytes(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(admit(*lossy, 0, 1, 100000), SharedBuffer::ADMITTED, "as at first");

        // Lossless, size 20,000 = headroom 2 x 3,000 + reserve 2 x 2,000 + pool 10,000: the same
        // numbers as of dynamic thresholds while one queue is congested.
        for (const char* type : {"ns3::AbmThreshold", "ns3::ReverieThreshold"})
        {
            Ptr<SharedBuffer> lossless = MakeBuffer(type, 20000, 2000);
            if (std::string(type) == "ns3::ReverieThreshold")
            {
                Config::SetDefault("ns3::ReverieThreshold::Gamma", DoubleValue(0));
            }
            lossless->Configure({3000, 3000}, CLASS_3, CLASS_3);
            NS_TEST_EXPECT_MSG_EQ(admit(*lossless, 0, 1, 3000), SharedBuffer::ADMITTED, type);
            NS_TEST_EXPECT_MSG_EQ(admit(*lossless, 0, 1, 3500), SharedBuffer::ADMITTED, "6,500");
            // 4,500 of the pool are used: 2,000 + 5,500 / 2 = 4,750
            NS_TEST_EXPECT_MSG_EQ(admit(*lossless, 0, 1, 1),
                                  SharedBuffer::ADMITTED_TO_HEADROOM,
                                  "above");
            NS_TEST_EXPECT_MSG_EQ(admit(*lossless, 0, 1, 3000).refused,
                                  DropReason::HEADROOM_EXHAUSTED,
                                  "3,001");
            NS_TEST_EXPECT_MSG_EQ(lossless->ReleaseRoom(0, 1, 3, 1001), false, "5,500 + 500");
            // 3,500 of the pool: 2,000 + 6,500 / 2 = 5,250; then 3,000: 5,500
            NS_TEST_EXPECT_MSG_EQ(lossless->ReleaseRoom(0, 1, 3, 500), true, "5,000 + 500");
            NS_TEST_EXPECT_MSG_EQ(lossless->ReleaseRoom(0, 1, 3, 5000), false, "said once");
            NS_TEST_EXPECT_MSG_EQ(lossless->GetUsedBytes(), 0, "empty");
        }
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random traffic: whatever the rule, sums hold, a paused queue is resumed when it is empty.
 */
class ThresholdPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A packet inside.
    struct Inside
    {
        uint16_t out;   //!< egress port
        uint32_t bytes; //!< size
    };

    void DoRun() override
    {
        constexpr uint32_t SEED = 47;
        std::mt19937 random(SEED);
        for (int round = 0; round < 100; ++round)
        {
            const char* type = round % 2 ? "ns3::AbmThreshold" : "ns3::ReverieThreshold";
            Ptr<SharedBuffer> buffer = MakeBuffer(type, 60000, random() % 3 * 1000);
            buffer->SetAttribute("Alpha", DoubleValue(0.1 + random() % 5 * 0.5));
            buffer->SetAttribute("EgressAlpha", DoubleValue(random() % 5 * 0.5));
            buffer->SetAttribute("AdmissionJitter", UintegerValue(random() % 2 * 2000));
            buffer->Configure({4000, 4000}, CLASS_3, CLASS_3 | 1U << 5);
            std::deque<Inside> inside[4]; // by ingress port and class
            bool congested[4] = {};
            uint64_t sum = 0;
            for (int step = 0; step < 400; ++step)
            {
                const uint32_t q = random() % 4;
                const auto port = static_cast<uint16_t>(q / 2);
                const uint8_t priority = q % 2 ? 5 : 3;
                if (random() % 5 < 3 || inside[q].empty())
                {
                    const uint32_t bytes = 1 + random() % 3000;
                    const auto out = static_cast<uint16_t>(random() % 2);
                    const auto verdict = buffer->AdmitArrival(
                        {port, out, priority, bytes, 0, static_cast<uint32_t>(random() % 2)});
                    if (verdict.refused == DropReason::NONE)
                    {
                        inside[q].push_back({out, bytes});
                        sum += bytes;
                    }
                    congested[q] = congested[q] || verdict == SharedBuffer::ADMITTED_TO_HEADROOM;
                    NS_TEST_ASSERT_MSG_EQ(
                        (verdict.refused != DropReason::HEADROOM_EXHAUSTED || congested[q]),
                        true,
                        "no drop before a pause");
                }
                else
                {
                    const Inside gone = inside[q].front();
                    inside[q].pop_front();
                    sum -= gone.bytes;
                    const bool resumed = buffer->ReleaseRoom(port, gone.out, priority, gone.bytes);
                    NS_TEST_ASSERT_MSG_EQ((!resumed || congested[q]), true, "resume after pause");
                    congested[q] = congested[q] && !resumed;
                }
                NS_TEST_ASSERT_MSG_EQ(buffer->GetUsedBytes(), sum, type << ", seed " << SEED);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(sum, 60000, "memory bound");
                NS_TEST_ASSERT_MSG_EQ((!congested[q] || !inside[q].empty()), true, "resumed");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What cannot be.
 */
class ThresholdRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        DCFABRIC_EXPECT_REFUSAL(MakeBuffer("ns3::SharedBuffer", 10000), "does not limit queues");
        Ptr<SharedBuffer> buffer = MakeBuffer("ns3::AbmThreshold", 10000);
        buffer->SetAttribute("XoffThreshold", UintegerValue(5000));
        DCFABRIC_EXPECT_REFUSAL(buffer->Configure({0}, CLASS_3, CLASS_3),
                                "ns3::AbmThreshold chooses it");
        buffer->SetAttribute("XoffThreshold", UintegerValue(0));
        buffer->Configure({0}, CLASS_3, CLASS_3);
        // back to the buffer's own rule
        buffer->SetAttribute("Threshold", StringValue("ns3::BufferThreshold"));
        buffer->SetAttribute("XoffThreshold", UintegerValue(5000));
        buffer->Configure({0}, CLASS_3, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->AdmitArrival({0, 0, 3, 5000, 0}), SharedBuffer::ADMITTED, "");
    }
};

/// Limits of queues.
const SuiteCases g_cases("dcfabric-buffer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AbmTestCase("ABM: share of the free pool by congested queues and drain "
                                      "rate, more before the first ACK"));
    suite.AddTestCase(
        new ReverieTestCase("Reverie: the smoothed length against a share of the free pool"));
    suite.AddTestCase(new BufferQueuesTestCase("other limits: of which queue, and its resumption"));
    suite.AddTestCase(new ThresholdPropertyTestCase("other limits: every sum is kept"));
    suite.AddTestCase(new ThresholdRefusalTestCase("other limits: what is refused"));
});

} // namespace ns3::tests::buffer_threshold_test
