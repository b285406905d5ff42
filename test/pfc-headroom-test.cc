// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-suite.h"

#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer.h"
#include "ns3/test.h"

#include <cmath>
#include <random>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Headroom is enough in the worst case, and not more than that.
 */

namespace ns3::tests::pfc_headroom_test
{

/// A link whose right end stops the left one.
struct Worst
{
    uint64_t rateBps;        //!< of the link
    int64_t delayNs;         //!< of the link
    uint32_t frameBytes;     //!< largest frame
    uint32_t gapBytes{20};   //!< between frames
    uint32_t seed{0};        //!< 0: all frames are the largest; else of random sizes
    uint32_t sizesAbove{64}; //!< smallest random size

    /// @return what the module computes
    uint64_t Headroom() const
    {
        return PriorityFlowControl::ComputeHeadroom(rateBps,
                                                    delayNs * 1000,
                                                    frameBytes,
                                                    frameBytes,
                                                    64,
                                                    gapBytes);
    }

    /// @return largest frames, gap included, that fit into 2 delays, an own frame and a pause frame
    double Frames() const
    {
        return (2e-9 * static_cast<double>(delayNs) * static_cast<double>(rateBps) / 8 +
                frameBytes + 64 + 2 * gapBytes) /
               (frameBytes + gapBytes);
    }
};

/// What happened.
struct Outcome
{
    uint64_t dropped{0};  //!< packets
    uint64_t headroom{0}; //!< most bytes in the headroom
};

/**
 * The left end sends back to back. Nothing leaves the buffer at the right. At the moment at which
 * the threshold is crossed the right end has just begun a frame of its own.
 * @param worst the link
 * @param headroomBytes of the buffer
 * @return what happened
 */
Outcome
RunWorst(const Worst& worst, uint64_t headroomBytes)
{
    TestLink link(worst.rateBps, NanoSeconds(worst.delayNs), worst.gapBytes);
    for (const auto& port : {link.leftPort, link.rightPort})
    {
        port->SetFlowControl(CreateObject<PriorityFlowControl>());
    }
    std::mt19937 random(worst.seed);
    const auto size = [&worst, &random]() {
        return worst.seed == 0
                   ? worst.frameBytes
                   : worst.sizesAbove + random() % (worst.frameBytes - worst.sizesAbove + 1);
    };
    // the third frame crosses the threshold, by one byte when all are the largest
    Ptr<SharedBuffer> buffer = CreateObject<SharedBuffer>();
    buffer->SetAttribute("XoffThreshold", UintegerValue(3 * worst.frameBytes - 1));
    buffer->SetAttribute("PortReserve", UintegerValue(0));
    buffer->SetAttribute("Size", UintegerValue(headroomBytes + 100000000));
    buffer->Configure({headroomBytes}, 0xff, 1U << 3);
    Outcome outcome;
    bool crossed = false;
    link.right->onReceive = [&](FabricNetDevice& port, Ptr<FabricPacketItem> item) {
        const auto verdict = buffer->Admit(0, 3, item->size, 0);
        outcome.dropped += verdict.refused != DropReason::NONE;
        outcome.headroom = std::max(outcome.headroom, buffer->GetHeadroomUsed(0, 3));
        if (verdict == SharedBuffer::ADMITTED_TO_HEADROOM && !crossed)
        {
            crossed = true;
            port.Enqueue(MakeData(worst.seed == 0 ? worst.frameBytes : size(), 0, 7));
            port.GetFlowControl()->SetCongested(3, true);
        }
    };
    const auto enough = static_cast<uint64_t>(
        (static_cast<double>(worst.Headroom()) + 10 * worst.frameBytes) / worst.sizesAbove);
    for (uint64_t i = 0, bytes = 0; i < enough && bytes < worst.Headroom() + 10 * worst.frameBytes;
         ++i)
    {
        const uint32_t next = size();
        bytes += next;
        link.leftPort->Enqueue(MakeData(next, 0, 3));
    }
    Simulator::Stop(
        NanoSeconds(3 * worst.delayNs) +
        FabricTime::FromPs(link.leftPort->GetLink().TransmissionPs(20 * worst.frameBytes)));
    Simulator::Run();
    Simulator::Destroy();
    return outcome;
}

/**
 * @ingroup dcfabric-tests
 * @brief The formula against a value worked out by hand.
 */
class HeadroomFormulaTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 100 Gb/s, 1 us: 2 us are 25,000 B; own frame 1538, pause 84: 26,622 B on the wire, of
        // which 26,622 x 1518/1538 = 26,275.8 are frames; and two frames.
        NS_TEST_EXPECT_MSG_EQ(
            PriorityFlowControl::ComputeHeadroom(100 * GBPS, 1000000, 1518, 1518, 64, 20),
            26276 + 3036,
            "100 Gb/s");
        // Without gaps: 25,000 + 1518 + 64 + 3036.
        NS_TEST_EXPECT_MSG_EQ(
            PriorityFlowControl::ComputeHeadroom(100 * GBPS, 1000000, 1518, 1518, 64, 0),
            29618,
            "no gap");
        // 10 Gb/s, 100 ns: 250 B in flight, own frame of another class 9018 + 20, pause 84.
        // 9372 x 1000/1020 = 9188.2, and 2000.
        NS_TEST_EXPECT_MSG_EQ(
            PriorityFlowControl::ComputeHeadroom(10 * GBPS, 100000, 1000, 9018, 64, 20),
            11189,
            "jumbo frames the other way");
        // 1000 Tb/s over 24 h: 2 x 86,400 s x 1.25e14 B/s are 2.16e19 B, more than 2^64; what is
        // told instead is more than any buffer holds.
        NS_TEST_EXPECT_MSG_EQ(PriorityFlowControl::ComputeHeadroom(1000000 * GBPS,
                                                                   86400000000000000,
                                                                   1518,
                                                                   1518,
                                                                   64,
                                                                   20),
                              (1ULL << 62) + 3036,
                              "no overflow");
        // What a port says of itself.
        TestLink link(100 * GBPS, MicroSeconds(1));
        Ptr<PriorityFlowControl> pfc = CreateObject<PriorityFlowControl>();
        link.leftPort->SetFlowControl(pfc);
        NS_TEST_EXPECT_MSG_EQ(pfc->GetHeadroomBytes(1518), 29312, "by port");
        // 36 B more for the frame: 26,658 x 1518/1538 = 26,311.3
        pfc->SetAttribute("FrameBytes", UintegerValue(100));
        NS_TEST_EXPECT_MSG_EQ(pfc->GetHeadroomBytes(1518), 26312 + 3036, "longer PFC frames");
        Simulator::Destroy();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The worst case that can be crafted.
 */
class HeadroomTightTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Frames that begin in [-delay, delay + own + pause] after the crossing arrive later: with
        // x = (2 delay + own + pause) in frames, floor(x) + 1 of them, and the one that crossed.
        for (const uint64_t gbps : {10, 25, 40, 100, 200, 400, 800})
        {
            for (const int64_t delay : {1, 100, 1000, 1500, 10000})
            {
                for (const uint32_t frame : {576U, 1078U, 1518U, 4154U, 9018U})
                {
                    for (const uint32_t gap : {0U, 20U})
                    {
                        Check({gbps * GBPS, delay, frame, gap});
                    }
                }
            }
        }
        for (const uint64_t rate : {3 * GBPS, 7 * GBPS, 99999999977UL})
        {
            Check({rate, 1000, 1518});
        }

        // Exactly tight: at 100 Gb/s with 1518 B frames and 1104 ns, 2 delay = 27,600 B; with own
        // and pause frame 29,222 B = 19 x 1538. The 20th frame begins at the very instant at which
        // the pause arrives. 21 frames x 1518 B = 31,878 B, to the byte.
        const Worst exact{100 * GBPS, 1104, 1518};
        NS_TEST_EXPECT_MSG_EQ(exact.Headroom(), 31878, "formula");
        Outcome outcome = RunWorst(exact, 31878);
        NS_TEST_EXPECT_MSG_EQ(outcome.headroom, 31878, "filled to the byte");
        NS_TEST_EXPECT_MSG_EQ(outcome.dropped, 0, "nothing lost");
        NS_TEST_EXPECT_MSG_EQ(RunWorst(exact, 31877).dropped, 1, "one byte less");
    }

    /// @param worst a link
    void Check(const Worst& worst)
    {
        const uint64_t headroom = worst.Headroom();
        const auto expected =
            static_cast<uint64_t>(std::floor(worst.Frames() + 1e-9) + 2) * worst.frameBytes;
        const Outcome enough = RunWorst(worst, headroom);
        const auto what = [&worst](const char* text) {
            return std::string(text) + ": " + std::to_string(worst.rateBps) + " bit/s, " +
                   std::to_string(worst.delayNs) + " ns, frame " +
                   std::to_string(worst.frameBytes) + ", gap " + std::to_string(worst.gapBytes);
        };
        NS_TEST_EXPECT_MSG_EQ(enough.dropped, 0, what("enough"));
        NS_TEST_EXPECT_MSG_EQ(enough.headroom, expected, what("worked out"));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(enough.headroom, headroom, what("bound"));
        NS_TEST_EXPECT_MSG_GT(RunWorst(worst, headroom - worst.frameBytes).dropped,
                              0,
                              what("one frame less"));
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Frames of any sizes.
 */
class HeadroomMixedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 77;
        std::mt19937 random(SEED);
        const uint64_t rates[] = {3, 10, 25, 40, 50, 100, 200, 400, 800};
        double fullest = 0;
        for (uint32_t i = 1; i <= 2000; ++i)
        {
            Worst worst{rates[random() % 9] * GBPS,
                        static_cast<int64_t>(1 + random() % 2000),
                        static_cast<uint32_t>(576 + random() % 8500),
                        random() % 2 ? 20U : 0U,
                        i};
            // half of the rounds with nearly full frames, which come nearest to the bound
            worst.sizesAbove = random() % 2 ? 64 : worst.frameBytes - 60;
            const Outcome outcome = RunWorst(worst, worst.Headroom());
            NS_TEST_ASSERT_MSG_EQ(outcome.dropped,
                                  0,
                                  "seed " << SEED << " round " << i << ": " << worst.rateBps
                                          << " bit/s, " << worst.delayNs << " ns, frames up to "
                                          << worst.frameBytes);
            NS_TEST_ASSERT_MSG_GT(outcome.headroom, 0, "paused, round " << i);
            fullest = std::max(fullest, static_cast<double>(outcome.headroom) / worst.Headroom());
        }
        NS_TEST_EXPECT_MSG_GT(fullest, 0.97, "some rounds come near the bound");
    }
};

/// Headroom of PFC.
const SuiteCases g_cases("dcfabric-pfc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HeadroomFormulaTestCase("headroom worked out by hand"));
    suite.AddTestCase(new HeadroomTightTestCase(
        "the headroom loses nothing in the worst case, one frame less loses a packet"));
    suite.AddTestCase(new HeadroomMixedTestCase("the headroom holds for any mix of frame sizes"));
});

} // namespace ns3::tests::pfc_headroom_test
