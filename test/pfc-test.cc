// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/error-model.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <list>
#include <memory>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief PFC frames on one link: when they go, what they say, what they stop.
 *
 * Everywhere 100 Gb/s (80 ps a byte), 20 B of gap, 1 us of delay: a PFC frame takes 84 x 80 = 6,720
 * ps and arrives 1,006,720 ps after it begins. A quantum is 512 bit times: 5,120 ps. The right node
 * asks the left one to stop.
 */

namespace ns3::tests::pfc_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A link with PFC at both ends, and what the left end hears.
 */
class PfcTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /// A pause or resume that the left port received.
    struct PauseEvent
    {
        int64_t timePs;   //!< when
        uint8_t priority; //!< class
        bool pause;       //!< or resume

        /**
         * @param o another
         * @return true if equal
         */
        bool operator==(const PauseEvent& o) const
        {
            return timePs == o.timePs && priority == o.priority && pause == o.pause;
        }
    };

    /**
     * @brief Lay the link.
     * @param quanta of the right end
     */
    void Create(uint16_t quanta = 65535)
    {
        m_pauses.clear();
        m_link = std::make_unique<TestLink>(100 * GBPS, MicroSeconds(1));
        for (const auto& port : {m_link->leftPort, m_link->rightPort})
        {
            Ptr<PriorityFlowControl> pfc = CreateObject<PriorityFlowControl>();
            pfc->SetAttribute("Quanta", UintegerValue(quanta));
            port->SetFlowControl(pfc);
        }
        m_link->leftPort->TraceConnectWithoutContext("Pause",
                                                     MakeCallback(&PfcTestCase::OnPause, this));
    }

    /**
     * @brief Queue frames that take 80 ns each at the left.
     * @param count how many
     * @param priority class
     */
    void Queue(uint32_t count, uint8_t priority = 3)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_link->leftPort->Enqueue(MakeData(980, i, priority));
        }
    }

    /**
     * @brief Say that a class at the right is congested or not.
     * @param ns when
     * @param priority class
     * @param congested state
     */
    void SetCongested(int64_t ns, uint8_t priority, bool congested)
    {
        CallIn(NanoSeconds(ns), [this, priority, congested]() {
            m_link->rightPort->GetFlowControl()->SetCongested(priority, congested);
        });
    }

    /**
     * @brief Lose PFC frames on their way to the left.
     * @param which by number from 0
     */
    void Lose(const std::list<uint32_t>& which)
    {
        Ptr<ReceiveListErrorModel> errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList(which);
        m_link->leftPort->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    }

    /// @brief Run to the end, and clear away but for what was heard
    /// @return arrivals at the right in ps
    std::vector<int64_t> Run()
    {
        Simulator::Stop(MilliSeconds(5)); // renewals of a pause that lasts never end
        Simulator::Run();
        std::vector<int64_t> times;
        for (const auto& arrival : m_link->right->arrivals)
        {
            times.push_back(arrival.timePs);
        }
        m_counters = m_link->leftPort->GetCounters();
        m_sentFrames = m_link->rightPort->GetCounters().txLinkFrames;
        m_link.reset();
        Simulator::Destroy();
        return times;
    }

    std::unique_ptr<TestLink> m_link;     //!< the link
    std::vector<PauseEvent> m_pauses;     //!< at the left
    FabricNetDevice::Counters m_counters; //!< of the left port
    uint64_t m_sentFrames{0};             //!< by the right port

  private:
    /**
     * @param device the left port
     * @param priority class
     * @param pause or resume
     */
    void OnPause(Ptr<const FabricNetDevice> device, uint8_t priority, bool pause)
    {
        m_pauses.push_back({device->GetNowPs(), priority, pause});
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Pause and resume on idle and busy wires.
 */
class PauseTimingTestCase : public PfcTestCase
{
    using PfcTestCase::PfcTestCase;

    void DoRun() override
    {
        // Pause asked for at 100 ns: heard at 1,106,720 ps. Packets begin at 0, 80,000, ...,
        // 1,040,000 (the 14th), which goes on until 1,120,000. Resume asked for at 5 us: heard at
        // 6,006,720; the 15th packet begins that moment and arrives 1,080,000 later.
        Create();
        Queue(20);
        SetCongested(100, 3, true);
        SetCongested(5000, 3, false);
        auto times = Run();
        NS_TEST_ASSERT_MSG_EQ(times.size(), 20, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(times[13], 2120000, "the 14th");
        NS_TEST_EXPECT_MSG_EQ(times[14], 7086720, "the 15th");
        NS_TEST_EXPECT_MSG_EQ(times[19], 7486720, "the last");
        const std::vector<PauseEvent> expected = {{1106720, 3, true}, {6006720, 3, false}};
        NS_TEST_EXPECT_MSG_EQ((m_pauses == expected), true, "trace");
        NS_TEST_EXPECT_MSG_EQ(m_sentFrames, 2, "two frames");
        NS_TEST_EXPECT_MSG_EQ(m_counters.rxLinkFrames, 2, "two frames");
        NS_TEST_EXPECT_MSG_EQ(m_counters.rxDataPackets + m_counters.rxControlPackets,
                              0,
                              "they are not packet-hops");

        // The tie: a pause heard at 1,120,000 ps, when the 14th packet ends: the wire is given away
        // first, so the 15th is on it. Asked for at 113,280 ps = behind a frame of 1396 B
        // (1416 x 80) that the right end began at 0.
        Create();
        Queue(20);
        m_link->rightPort->Enqueue(MakeData(1396));
        SetCongested(50, 3, true);
        SetCongested(5000, 3, false);
        times = Run();
        NS_TEST_EXPECT_MSG_EQ(m_pauses.at(0).timePs, 1120000, "it waited for the frame before");
        NS_TEST_EXPECT_MSG_EQ(times.at(14), 2200000, "the 15th slipped through");
        NS_TEST_EXPECT_MSG_EQ(times.at(15), 7086720, "the 16th did not");

        // PFC frames go before what is queued, but not before what is being sent.
        Create();
        for (int i = 0; i < 3; ++i)
        {
            m_link->rightPort->Enqueue(MakeData(980, i, 7));
        }
        SetCongested(1, 3, true);
        SetCongested(10, 3, false); // before the frame could go: it says resume
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_sentFrames, 1, "one frame with the latest state");
        NS_TEST_EXPECT_MSG_EQ((m_pauses == std::vector<PauseEvent>{{1086720, 3, false}}),
                              true,
                              "80 ns");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Several classes.
 */
class PauseClassesTestCase : public PfcTestCase
{
    using PfcTestCase::PfcTestCase;

    void DoRun() override
    {
        // The right end sends 980 B until 80,000 ps. What is said meanwhile goes in one frame:
        // classes 3 and 5 pause, 6 has changed its mind.
        Create();
        m_link->rightPort->Enqueue(MakeData(980));
        SetCongested(10, 3, true);
        SetCongested(20, 5, true);
        SetCongested(30, 6, true);
        SetCongested(40, 6, false);
        SetCongested(50, 5, true); // said twice: nothing new
        SetCongested(3000, 5, false);
        SetCongested(4000, 3, false);
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_sentFrames, 3, "one frame and two resumes");
        const std::vector<PauseEvent> expected = {{1086720, 3, true},
                                                  {1086720, 5, true},
                                                  {1086720, 6, false},
                                                  {4006720, 5, false},
                                                  {5006720, 3, false}};
        NS_TEST_EXPECT_MSG_EQ((m_pauses == expected), true, "trace");

        // Class 3 pauses at 1,006,720 while class 5, which is queued at 1,500 ns behind it, goes
        // on.
        Create();
        Queue(20, 3);
        SetCongested(0, 3, true);
        CallIn(NanoSeconds(1500), [this]() { Queue(2, 5); });
        SetCongested(5000, 3, false);
        const auto times = Run();
        // 13 packets of class 3 begin up to 960,000; class 5 at 1,500,000 and 1,580,000
        NS_TEST_ASSERT_MSG_EQ(times.size(), 22, "all");
        NS_TEST_EXPECT_MSG_EQ(times[12], 2040000, "13th of class 3");
        NS_TEST_EXPECT_MSG_EQ(times[13], 2580000, "class 5 passes");
        NS_TEST_EXPECT_MSG_EQ(times[14], 2660000, "class 5 passes");
        NS_TEST_EXPECT_MSG_EQ(times[15], 7086720, "class 3 resumed at 6,006,720");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Pause time, renewal and losses.
 */
class PauseQuantaTestCase : public PfcTestCase
{
    using PfcTestCase::PfcTestCase;

    void DoRun() override
    {
        // 100 quanta are 512,000 ps. Frames go at 0, 256,000, 512,000, ... and arrive 1,006,720
        // later; the class never wakes up. Congestion ends at 3 us: frames 0 to 11, resume at 3 us.
        Create(100);
        Queue(30);
        SetCongested(0, 3, true);
        SetCongested(3000, 3, false);
        auto times = Run();
        NS_TEST_EXPECT_MSG_EQ(m_sentFrames, 13, "12 pauses and a resume");
        NS_TEST_EXPECT_MSG_EQ(m_pauses.at(11).timePs, 3822720, "the 12th, of 2,816,000");
        NS_TEST_EXPECT_MSG_EQ(m_pauses.at(12).pause, false, "resume");
        NS_TEST_EXPECT_MSG_EQ(times.at(12), 2040000, "13 went before the pause");
        NS_TEST_EXPECT_MSG_EQ(times.at(13), 4006720 + 1080000, "the others after the resume");

        // Frames 1 and 2 are lost: the pause heard at 1,006,720 runs out at 1,518,720; frame 3 of
        // 768,000 arrives at 1,774,720. Between, packets begin at 1,518,720, 1,598,720, 1,678,720
        // and 1,758,720.
        Create(100);
        Queue(30);
        Lose({1, 2});
        SetCongested(0, 3, true);
        SetCongested(3000, 3, false);
        times = Run();
        NS_TEST_EXPECT_MSG_EQ(m_counters.linkFrameErrorDrops, 2, "lost frames are counted");
        NS_TEST_EXPECT_MSG_EQ(m_counters.errorDrops, 0, "and are no packets");
        NS_TEST_EXPECT_MSG_EQ(times.at(13), 1518720 + 1080000, "ran out");
        NS_TEST_EXPECT_MSG_EQ(times.at(16), 1758720 + 1080000, "four slip through");
        NS_TEST_EXPECT_MSG_EQ(times.at(17), 4006720 + 1080000, "paused again by frame 3");

        // The first frame is lost: the second one stops the class 256,000 ps later, at 1,262,720;
        // packets 14 to 16 (up to 1,200,000) begin before.
        Create(100);
        Queue(30);
        Lose({0});
        SetCongested(0, 3, true);
        SetCongested(3000, 3, false);
        times = Run();
        NS_TEST_EXPECT_MSG_EQ(times.at(15), 1200000 + 1080000, "16 before the renewal");
        NS_TEST_EXPECT_MSG_EQ(times.at(16), 4006720 + 1080000, "then stopped");

        // The resume (frame 12) is lost: the pause of 2,816,000, heard at 3,822,720, runs out at
        // 4,334,720.
        Create(100);
        Queue(30);
        Lose({12});
        SetCongested(0, 3, true);
        SetCongested(3000, 3, false);
        times = Run();
        NS_TEST_EXPECT_MSG_EQ(m_sentFrames, 13, "a resume is not repeated");
        NS_TEST_EXPECT_MSG_EQ(times.at(13), 4334720 + 1080000, "ran out");

        // 65,535 quanta at 100 Gb/s: 335,539,200 ps.
        Create();
        const auto* pfc = static_cast<PriorityFlowControl*>(m_link->leftPort->GetFlowControl());
        NS_TEST_EXPECT_MSG_EQ(pfc->GetPausePs(), 335539200, "the longest pause");
        NS_TEST_EXPECT_MSG_EQ(pfc->IsLossless(), true, "");
        // renewed after 167,769,600 ps, once more at twice that: three frames in 400 us
        SetCongested(0, 3, true);
        SetCongested(400000, 3, false);
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_pauses.at(1).timePs, 167769600 + 1006720, "first renewal");
        NS_TEST_EXPECT_MSG_EQ(m_pauses.at(2).timePs, 335539200 + 1006720, "second renewal");
        NS_TEST_EXPECT_MSG_EQ(m_sentFrames, 4, "and the resume");
    }
};

/// PFC on one link.
const SuiteCases g_cases("dcfabric-pfc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PauseTimingTestCase(
        "a frame takes wire time and delay; the packet on the wire is finished"));
    suite.AddTestCase(new PauseClassesTestCase("classes share a frame; only the paused one stops"));
    suite.AddTestCase(new PauseQuantaTestCase(
        "a pause is renewed after half its time, and runs out if that is lost"));
});

} // namespace ns3::tests::pfc_test
