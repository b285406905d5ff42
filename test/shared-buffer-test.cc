// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/shared-buffer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <random>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The shared buffer's arithmetic, packet by packet.
 */

namespace ns3::tests::shared_buffer_test
{

/// Attributes of a buffer.
struct Settings
{
    uint64_t size;            //!< Size
    double alpha{1};          //!< Alpha
    uint64_t xoff{0};         //!< XoffThreshold
    uint64_t reserve{0};      //!< PortReserve
    uint64_t resumeOffset{0}; //!< ResumeOffset
    double egressAlpha{1};    //!< EgressAlpha
};

/**
 * @param settings its attributes
 * @return a buffer, not yet divided
 */
Ptr<SharedBuffer>
MakeBuffer(const Settings& settings)
{
    Ptr<SharedBuffer> buffer = CreateObject<SharedBuffer>();
    buffer->SetAttribute("Size", UintegerValue(settings.size));
    buffer->SetAttribute("Alpha", DoubleValue(settings.alpha));
    buffer->SetAttribute("XoffThreshold", UintegerValue(settings.xoff));
    buffer->SetAttribute("PortReserve", UintegerValue(settings.reserve));
    buffer->SetAttribute("ResumeOffset", UintegerValue(settings.resumeOffset));
    buffer->SetAttribute("EgressAlpha", DoubleValue(settings.egressAlpha));
    return buffer;
}

constexpr uint8_t CLASS_3 = 1U << 3; //!< mask of class 3

/**
 * @ingroup dcfabric-tests
 * @brief Reserve, pool and headroom of a lossless class.
 */
class LosslessArithmeticTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two ports, one class. Size 20,000 = headroom 2 x 3,000 + reserve 2 x 2,000 + pool 10,000.
        Ptr<SharedBuffer> buffer = MakeBuffer({20000, 0.5, 0, 2000, 500});
        buffer->Configure({3000, 3000}, CLASS_3, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolBytes(), 10000, "pool");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(0, 3), 7000, "2,000 + 10,000 / 2");

        // 1,500 B: reserve only.
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1500, 0), SharedBuffer::ADMITTED, "reserve");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 0, "none of the pool");
        // 1,500 more: 500 fit the reserve, 1,000 are the pool's.
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1500, 0), SharedBuffer::ADMITTED, "both");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 1000, "the part beyond the reserve");
        // Threshold now 2,000 + 9,000 / 2 = 6,500; 3,500 more reach it exactly.
        NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(0, 3), 6500, "free pool fell");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 3500, 0), SharedBuffer::ADMITTED, "exactly");
        // 6,500 in the queue, 4,500 of them of the pool; threshold 2,000 + 5,500 / 2 = 4,750.
        NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(0, 3), 4750, "below what is there");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1, 0),
                              SharedBuffer::ADMITTED_TO_HEADROOM,
                              "one byte more");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 2999, 0),
                              SharedBuffer::ADMITTED_TO_HEADROOM,
                              "fills the headroom");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetHeadroomUsed(0, 3), 3000, "full");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1, 0).refused,
                              DropReason::HEADROOM_EXHAUSTED,
                              "no room");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsedBytes(), 9500, "nothing charged for it");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 4500, "headroom is not the pool's");

        // The other port: threshold 4,750 in all; 4,751 B do not fit, 4,750 do.
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(1, 3, 4751, 0).refused,
                              DropReason::HEADROOM_EXHAUSTED,
                              "3,000");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(1, 3, 4750, 0), SharedBuffer::ADMITTED, "its share");
        // pool used 4,500 + 2,750; threshold 2,000 + 2,750 / 2 = 3,375
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 7250, "pool");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(0, 3), 3375, "threshold");

        // Release: headroom goes first, then pool, then reserve.
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 2000), false, "1,000 left in the headroom");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetHeadroomUsed(0, 3), 1000, "headroom first");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 7250, "pool untouched");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 3000), false, "1,000 + 2,000");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetIngressBytes(0, 3), 4500, "6,500 - 2,000");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 5250, "pool next");
        // threshold 2,000 + 4,750 / 2 = 4,375: 4,500 + 500 are above
        // After 500 more: 4,000 in the queue, pool 4,750, threshold 4,625 >= 4,000 + 500: resume.
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 500), true, "low enough");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 500), false, "said once");
        // 3,500 left: 3,000 more take 1,500 of the pool and 1,500 of the reserve
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 3000), false, "");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 2750, "only the other port's");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 500), false, "");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(1, 3, 4750), false, "never congested");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsedBytes(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetMaxUsedBytes(), 14250, "9,500 + 4,750");

        // The reserve stays as it was divided: 1,500 B of it came, and go.
        buffer->Admit(0, 3, 1500, 0);
        buffer->SetAttribute("PortReserve", UintegerValue(0));
        buffer->Release(0, 3, 1500);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 0, "the pool gave nothing");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A fixed threshold and the resume offset.
 */
class FixedThresholdTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // One port: headroom 5,000, reserve 1,000, pool 94,000.
        Ptr<SharedBuffer> buffer = MakeBuffer({100000, 1, 10000, 1000, 3000});
        buffer->Configure({5000}, CLASS_3, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(0, 3), 10000, "whatever is free");
        for (int i = 0; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 0), SharedBuffer::ADMITTED, i);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 0),
                              SharedBuffer::ADMITTED_TO_HEADROOM,
                              "above 10,000");
        // While the headroom is in use but room came free below the threshold, packets fit there.
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 500), false, "500 left in the headroom");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 1000), false, "9,500");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetHeadroomUsed(0, 3), 0, "empty");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 500, 0), SharedBuffer::ADMITTED, "10,000 again");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 2999), false, "7,001 is one too many");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 1), true, "7,000 = 10,000 - 3,000");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 7000), false, "not congested any more");

        // An offset beyond the threshold: resumed when only the reserve is in use.
        buffer = MakeBuffer({100000, 1, 10000, 1000, 20000});
        buffer->Configure({5000}, CLASS_3, CLASS_3);
        buffer->Admit(0, 3, 10000, 0);
        buffer->Admit(0, 3, 1, 0);
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 9000), false, "1,001");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 1), true, "1,000: never stuck");

        // Thresholds that add up to more than the pool: the pool's end makes congested as well.
        buffer = MakeBuffer({20000, 1, 9000, 0, 0});
        buffer->Configure({2000, 2000, 2000}, CLASS_3, CLASS_3); // pool 14,000
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 9000, 0), SharedBuffer::ADMITTED, "");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(1, 3, 5000, 0), SharedBuffer::ADMITTED, "pool full");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(2, 3, 1, 0), SharedBuffer::ADMITTED_TO_HEADROOM, "");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(2, 3, 2000, 0).refused,
                              DropReason::HEADROOM_EXHAUSTED,
                              "2,001");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(2, 3, 1), true, "its own headroom decides");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Where dynamic thresholds settle: n queues that want all of a pool of B bytes get Alpha x B
 * / (1 + n x Alpha) each (Choudhury and Hahne, 1998).
 */
class SettledThresholdTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Fill, byte by byte and port by port.
     * @param alpha of the queues
     * @param pool bytes
     * @param ports that want it
     * @param share of each, to the byte
     */
    void Check(double alpha, uint64_t pool, uint16_t ports, uint64_t share)
    {
        // 10 B of headroom each
        Ptr<SharedBuffer> buffer = MakeBuffer({pool + 10 * uint64_t{ports}, alpha});
        buffer->Configure(std::vector<uint64_t>(ports, 10), CLASS_3, CLASS_3);
        NS_TEST_ASSERT_MSG_EQ(buffer->GetPoolBytes(), pool, "pool");
        for (uint64_t i = 0; i < share; ++i)
        {
            for (uint16_t port = 0; port < ports; ++port)
            {
                NS_TEST_ASSERT_MSG_EQ(buffer->Admit(port, 3, 1, 0), SharedBuffer::ADMITTED, i);
            }
        }
        for (uint16_t port = 0; port < ports; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(port, 3), share, "settled");
            NS_TEST_EXPECT_MSG_EQ(buffer->Admit(port, 3, 10, 0),
                                  SharedBuffer::ADMITTED_TO_HEADROOM,
                                  "all of the headroom");
            NS_TEST_EXPECT_MSG_EQ(buffer->Admit(port, 3, 1, 0).refused,
                                  DropReason::HEADROOM_EXHAUSTED,
                                  "no room, although the pool has some");
        }
        // What one gives back raises the thresholds of all, but each is resumed by its own.
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 10), true, "the headroom is empty again");
        for (uint16_t port = 1; port < ports; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(buffer->Release(port, 3, 9), false, "one byte left there");
            NS_TEST_EXPECT_MSG_EQ(buffer->Release(port, 3, 1), true, "empty");
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), ports * share, "as settled");
    }

    void DoRun() override
    {
        Check(8, 9000, 1, 8000);          // 8 x 9000 / 9
        Check(8, 9900, 4, 2400);          // 8 x 9900 / 33
        Check(1.0 / 128, 12900, 1, 100);  // 12900 / 129
        Check(1.0 / 128, 16000, 32, 100); // 16000 / (128 + 32)
        // As good as none: what is left of the pool decides. 300 packets of 30 B fit 9000 B.
        Ptr<SharedBuffer> buffer = MakeBuffer({9100, 1e9});
        buffer->Configure({50, 50}, CLASS_3, CLASS_3);
        for (int i = 0; i < 300; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 30, 0), SharedBuffer::ADMITTED, i);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetThreshold(1, 3), 0, "nothing is free");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(1, 3, 30, 0),
                              SharedBuffer::ADMITTED_TO_HEADROOM,
                              "the other port's headroom");
        // Next to none: the first byte goes to the headroom.
        buffer = MakeBuffer({9100, 1e-6});
        buffer->Configure({50, 50}, CLASS_3, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1, 0), SharedBuffer::ADMITTED_TO_HEADROOM, "");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 1), true, "never stuck");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Lossy classes.
 */
class LossyVerdictTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two ports; reserve 2 x 1,000, pool 8,000, no headroom.
        Ptr<SharedBuffer> buffer = MakeBuffer({10000, 1, 0, 1000, 0, 0.5});
        buffer->Configure({0, 0}, 0, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->IsLossless(3), false, "lossy");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolBytes(), 8000, "pool");
        // 500 B go to the reserve, whatever waits at the egress.
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 500, 100000), SharedBuffer::ADMITTED, "reserve");
        // Beyond it: the egress queue may hold 8,000 / 2 = 4,000 with this packet.
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 3001).refused,
                              DropReason::ABOVE_THRESHOLD,
                              "4,001");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 3000), SharedBuffer::ADMITTED, "4,000");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPoolUsedBytes(), 500, "1,500 - 1,000");
        // Now (8,000 - 500) / 2 = 3,750.
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 2751).refused,
                              DropReason::ABOVE_THRESHOLD,
                              "");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 2750), SharedBuffer::ADMITTED, "3,750");
        NS_TEST_EXPECT_MSG_EQ(buffer->Release(0, 3, 2500), false, "lossy never resumes");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsedBytes(), 0, "empty");

        // Alpha so large that only the end of memory counts.
        buffer = MakeBuffer({10000, 1, 0, 1000, 0, 1e9});
        buffer->Configure({0, 0}, 0, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 9000, 0), SharedBuffer::ADMITTED, "all but one");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1, 0).refused,
                              DropReason::BUFFER_FULL,
                              "pool full");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(1, 3, 1000, 0), SharedBuffer::ADMITTED, "reserve");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsedBytes(), 10000, "full to the last byte");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(1, 3, 1, 0).refused, DropReason::BUFFER_FULL, "full");

        // Alpha zero: the reserve alone.
        buffer = MakeBuffer({10000, 1, 0, 1000, 0, 0});
        buffer->Configure({0, 0}, 0, CLASS_3);
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1001, 0).refused,
                              DropReason::ABOVE_THRESHOLD,
                              "");
        NS_TEST_EXPECT_MSG_EQ(buffer->Admit(0, 3, 1000, 0), SharedBuffer::ADMITTED, "");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Divisions of memory that cannot be.
 */
class BufferRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two classes in use, one of them lossless, two ports:
        // headroom 2 x 3,000, reserve 2 x 2 x 1,000.
        const uint8_t used = CLASS_3 | 1U << 6;
        DCFABRIC_EXPECT_REFUSAL(
            MakeBuffer({10000, 1, 0, 1000})->Configure({3000, 3000}, CLASS_3, used),
            "10000 bytes cannot hold the headroom of 6000 bytes and the reserve of 4000 bytes of 2 "
            "ports");
        Ptr<SharedBuffer> least = MakeBuffer({10001, 1, 0, 1000});
        least->Configure({3000, 3000}, CLASS_3, used);
        NS_TEST_EXPECT_MSG_EQ(least->GetPoolBytes(), 1, "a pool of one byte will do");
        least->Configure({3000, 3000}, 0xff, CLASS_3); // headroom of classes in use only
        NS_TEST_EXPECT_MSG_EQ(least->GetPoolBytes(), 2001, "10,001 - 6,000 - 2,000");
        DCFABRIC_EXPECT_REFUSAL(least->Configure({3000, 3000}, 0xff, used), "12000 bytes");

        DCFABRIC_EXPECT_REFUSAL(MakeBuffer({20000, 1, 12001, 1000})->Configure({8000}, 8, 8),
                                "XoffThreshold: 12001 bytes exceed");
        MakeBuffer({20000, 1, 12000, 1000})->Configure({8000}, 8, 8);
        DCFABRIC_EXPECT_REFUSAL(MakeBuffer({20000, 1, 999, 1000})->Configure({8000}, 8, 8),
                                "PortReserve");
        MakeBuffer({20000, 1, 1000, 1000})->Configure({8000}, 8, 8);

        // Sums beyond 64 bits: 8 classes x 3 ports x 1e18 B = 24e18, of which 2^64 leave 5.6e18;
        // and 19 ports with 1e18 B of headroom. 8 x 4 ports x 576,460,752,303,423,488 B are 2^64,
        // of which nothing would be left.
        DCFABRIC_EXPECT_REFUSAL(
            MakeBuffer({1000000, 1, 0, 1000000000000000000})->Configure({0, 0, 0}, 0, 0xff),
            "the reserve of 24000000000000000000 bytes of 3 ports");
        DCFABRIC_EXPECT_REFUSAL(
            MakeBuffer({1000000, 1, 0, 1ULL << 59})->Configure({0, 0, 0, 0}, 0, 0xff),
            "the reserve of 18446744073709551616 bytes of 4 ports");
        const std::vector<uint64_t> vast(19, 1000000000000000000);
        DCFABRIC_EXPECT_REFUSAL(MakeBuffer({1000000})->Configure(vast, 0xff, CLASS_3),
                                "the headroom of 19000000000000000000 bytes and the reserve of 0");

        // a class nobody has spoken of
        DCFABRIC_EXPECT_REFUSAL(least->Configure({0}, 0, CLASS_3);
                                least->Admit(0, 4, 1, 0), "a packet of class 4");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random traffic against the invariants.
 */
class BufferPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 31;
        std::mt19937 random(SEED);
        for (int round = 0; round < 200; ++round)
        {
            const uint16_t ports = 1 + random() % 4;
            const Settings settings{50000 + random() % 50000,
                                    std::max(1e-6, (random() % 5) * 0.5), // next to nothing, too
                                    0,
                                    random() % 3 * 1000,
                                    random() % 4000,
                                    (random() % 5) * 0.5};
            Ptr<SharedBuffer> buffer = MakeBuffer(settings);
            const uint8_t used = CLASS_3 | 1U << 5;
            buffer->Configure(std::vector<uint64_t>(ports, 4000), CLASS_3, used);
            // what is inside, by port and class
            std::vector<std::deque<uint32_t>> inside(ports * 2U);
            std::vector<bool> congested(ports * 2U);
            for (int step = 0; step < 500; ++step)
            {
                const uint32_t q = random() % inside.size();
                const auto port = static_cast<uint16_t>(q / 2);
                const uint8_t priority = q % 2 ? 5 : 3;
                if (random() % 5 < 3 || inside[q].empty())
                {
                    const uint32_t bytes = 1 + random() % 3000;
                    const uint64_t before = buffer->GetUsedBytes();
                    const auto verdict = buffer->Admit(port, priority, bytes, random() % 20000);
                    const bool in = verdict.refused == DropReason::NONE;
                    NS_TEST_ASSERT_MSG_EQ(buffer->GetUsedBytes(),
                                          before + (in ? bytes : 0),
                                          "charged or not, seed " << SEED);
                    if (in)
                    {
                        inside[q].push_back(bytes);
                    }
                    congested[q] = congested[q] || verdict == SharedBuffer::ADMITTED_TO_HEADROOM;
                    NS_TEST_ASSERT_MSG_EQ(
                        (verdict.refused != DropReason::HEADROOM_EXHAUSTED || congested[q]),
                        true,
                        "no drop before a pause (frames fit the headroom)");
                }
                else
                {
                    const bool resumed = buffer->Release(port, priority, inside[q].front());
                    inside[q].pop_front();
                    NS_TEST_ASSERT_MSG_EQ((!resumed || congested[q]), true, "resume after pause");
                    congested[q] = congested[q] && !resumed;
                }
                uint64_t pool = 0;
                for (uint32_t i = 0; i < inside.size(); ++i)
                {
                    uint64_t sum = 0;
                    for (const uint32_t bytes : inside[i])
                    {
                        sum += bytes;
                    }
                    const auto p = static_cast<uint16_t>(i / 2);
                    const uint8_t c = i % 2 ? 5 : 3;
                    const uint64_t below = buffer->GetIngressBytes(p, c);
                    NS_TEST_ASSERT_MSG_EQ(below + buffer->GetHeadroomUsed(p, c), sum, "queue");
                    NS_TEST_ASSERT_MSG_EQ(buffer->GetInputBytes(p, 0, c), sum, "of all outputs");
                    NS_TEST_ASSERT_MSG_EQ(buffer->GetInputBytes(p, 0, 7), 0, "not in use");
                    pool += below - std::min(below, settings.reserve);
                    NS_TEST_ASSERT_MSG_EQ((!congested[i] || sum > 0), true, "empty is resumed");
                }
                NS_TEST_ASSERT_MSG_EQ(buffer->GetPoolUsedBytes(), pool, "pool, seed " << SEED);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(pool, buffer->GetPoolBytes(), "pool bound");
                NS_TEST_ASSERT_MSG_LT_OR_EQ(buffer->GetUsedBytes(), settings.size, "memory bound");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two senders in step with one another and with the output: who finds room.
 */
class AdmissionJitterTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    static constexpr uint32_t PACKET = 1000; //!< bytes
    static constexpr uint32_t SLOTS = 20000; //!< in each, a packet leaves and two come

    /**
     * @param jitter attribute
     * @return packets of the first and of the second sender that are dropped
     */
    std::pair<uint32_t, uint32_t> CountDrops(uint32_t jitter)
    {
        Ptr<SharedBuffer> buffer = MakeBuffer({1000000});
        buffer->SetAttribute("AdmissionJitter", UintegerValue(jitter));
        NS_TEST_EXPECT_MSG_EQ(buffer->AssignStreams(7), 1, "its own");
        buffer->Configure({0, 0}, 0, CLASS_3);
        std::deque<uint16_t> queue; // of the output: where packets came from
        uint32_t drops[2] = {};
        for (uint32_t slot = 0; slot < SLOTS; ++slot)
        {
            if (!queue.empty())
            {
                buffer->Release(queue.front(), 3, PACKET);
                queue.pop_front();
            }
            for (const uint16_t sender : {0, 1})
            {
                const SharedBuffer::Verdict verdict =
                    buffer->Admit(sender, 3, PACKET, queue.size() * uint64_t{PACKET});
                drops[sender] += verdict == SharedBuffer::ADMITTED ? 0 : 1;
                if (verdict == SharedBuffer::ADMITTED)
                {
                    queue.push_back(sender);
                }
            }
        }
        // the queue may hold half of the memory, and does not see half of the jitter
        NS_TEST_EXPECT_MSG_LT_OR_EQ(queue.size(), 500, "EgressAlpha 1");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(queue.size(), 498 - jitter / 2 / PACKET, "nearly full");
        // of two that come a slot, one leaves in all but the first; the others wait or are dropped
        NS_TEST_EXPECT_MSG_EQ(drops[0] + drops[1] + queue.size(), SLOTS + 1, "none is missing");
        return {drops[0], drops[1]};
    }

    void DoRun() override
    {
        // Without: the first finds the room of the packet that has left, the second never does.
        const auto [first, second] = CountDrops(0);
        NS_TEST_EXPECT_MSG_EQ(first, 0, "in step");
        NS_TEST_EXPECT_MSG_GT(second, SLOTS - 502, "in step");
        // A packet does not see a random part of 64 packets of the pool, of which the queue may
        // have half: 32 steps between always and never. The second finds a packet less if the
        // first was taken, half of the time: its chance is 1/64 less than that of the first, and
        // one half on average. So the first loses 1/32 less than the mean of both, give or take
        // what chance does to 10,000 losses, 1 %.
        const auto [one, other] = CountDrops(64 * PACKET);
        const double share = 2.0 * one / (one + other);
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 1.0 - 1.0 / 64, 0.03, "nearly the same");
    }
};

/// Shared buffer.
const SuiteCases g_cases("dcfabric-buffer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LosslessArithmeticTestCase(
        "lossless: reserve, alpha x free pool, headroom, and back again"));
    suite.AddTestCase(new FixedThresholdTestCase(
        "fixed XOFF: in all so many bytes; resume exactly at the offset below"));
    suite.AddTestCase(new SettledThresholdTestCase(
        "where thresholds of large, small and hardly any Alpha settle, several ports at once"));
    suite.AddTestCase(new LossyVerdictTestCase(
        "lossy: egress alpha x free pool, ingress reserve, end of memory"));
    suite.AddTestCase(new BufferRefusalTestCase(
        "reserves and headrooms beyond Size, and thresholds beyond the pool, are "
        "refused"));
    suite.AddTestCase(new AdmissionJitterTestCase("senders in step share a full queue"));
    suite.AddTestCase(new BufferPropertyTestCase("random arrivals and departures keep every sum"));
});

} // namespace ns3::tests::shared_buffer_test
