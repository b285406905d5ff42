// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/qcn-congestion-point.h"
#include "ns3/rcm-region.h"
#include "ns3/rcm-window.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <deque>
#include <iostream>
#include <random>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Detection, recognition, region and window together at one output, without a network:
 * figure 6 of the paper.
 */

namespace ns3::tests::rcm_output_test
{

constexpr uint32_t PACKET = 1500;              //!< bytes
constexpr std::size_t QUEUE = 66;              //!< packets in 100 KB
constexpr int64_t TRANSFER_PS = 60000;         //!< of a packet, at twice 100 Gb/s
constexpr int64_t US = 1000000;                //!< ps
constexpr uint32_t BURST = 5;                  //!< source of the burst; the others are 1 to 4
constexpr int64_t BEGIN_PS = 150 * US;         //!< of the burst
constexpr int64_t END_PS = BEGIN_PS + 20 * US; //!< of the burst

/**
 * @ingroup dcfabric-tests
 * @brief The last switch of figure 6: an output at 100 Gb/s with a queue, and two inputs whose
 * queues it takes in turn at twice that rate. Four flows share one input and offer 100 Gb/s up to a
 * time, the burst has the other. An input whose queue is full stops.
 */
class OneOutput
{
  public:
    /**
     * @param parameters of RCM
     * @param control flows are held
     * @param endPs of the four flows
     * @param seed of samples
     */
    OneOutput(const RcmParameters& parameters, bool control, int64_t endPs, uint32_t seed)
        : m_control(control),
          m_endPs(endPs),
          m_queue(parameters),
          m_region(parameters),
          m_window(parameters, 100000000000),
          m_inputs(2, QcnCongestionPoint(parameters)),
          m_random(seed)
    {
    }

    /**
     * @brief Go on.
     * @param timePs up to when
     */
    void RunUntil(int64_t timePs)
    {
        for (; m_nowPs < timePs; m_nowPs += TRANSFER_PS)
        {
            if (m_nowPs / TRANSFER_PS % 2 == 0)
            {
                Transmit();
                if (m_nowPs < m_endPs && Arrive(0, 1 + m_turn % 4))
                {
                    ++m_turn;
                }
                if (m_nowPs >= BEGIN_PS && m_nowPs < END_PS)
                {
                    Arrive(1, BURST);
                }
            }
            Transfer();
        }
    }

    /// @return packets that wait
    std::size_t CountWaiting() const
    {
        return m_voq[0].size() + m_voq[1].size() + m_output.size();
    }

    /**
     * @param src source
     * @return true if its flow is harmful
     */
    bool IsHarmful(uint32_t src) const
    {
        return m_region.IsHarmful({src, 9, 100});
    }

    std::array<int, 6> arrived{}; //!< packets by source
    std::array<int, 6> sent{};    //!< packets by source
    int64_t controlPs{-1};        //!< control began after the burst had

    /// @return the window
    const RcmWindow& GetWindow() const
    {
        return m_window;
    }

  private:
    /// @return a random number
    double Draw()
    {
        return std::uniform_real_distribution<double>(0, 1)(m_random);
    }

    /**
     * @param in input
     * @param src source
     * @return true if there was room
     */
    bool Arrive(std::size_t in, uint32_t src)
    {
        if (m_voq[in].size() >= QUEUE)
        {
            return false;
        }
        ++arrived[src];
        m_voq[in].push_back(src);
        const double draw = Draw();
        if (m_inputs[in].OnArrival(PACKET))
        {
            Sample(1 + in, m_inputs[in], m_voq[in].size() * PACKET, draw);
        }
        return true;
    }

    /// @brief The wire takes a packet.
    void Transmit()
    {
        if (!m_output.empty())
        {
            ++sent[m_output.front()];
            m_output.pop_front();
            const double draw = Draw();
            if (m_queue.OnDeparture(m_output.size() * PACKET))
            {
                Sample(0, m_queue, m_output.size() * PACKET, draw);
            }
        }
    }

    /// @brief The output takes a packet of an input.
    void Transfer()
    {
        for (const std::size_t in : {m_next, 1 - m_next})
        {
            auto& voq = m_voq[in];
            if (voq.empty() || m_output.size() >= QUEUE ||
                (m_control && IsHarmful(voq.front()) && !m_window.MayHarmfulSend(m_nowPs)))
            {
                continue;
            }
            const FlowKey flow{voq.front(), 9, 100};
            voq.pop_front();
            const double inputDraw = Draw();
            if (m_inputs[in].OnDeparture(voq.size() * PACKET))
            {
                Sample(1 + in, m_inputs[in], voq.size() * PACKET, inputDraw);
            }
            m_window.OnSent(flow, m_region.IsHarmful(flow), PACKET, m_nowPs);
            m_region.OnPacket(flow, PACKET, Draw(), static_cast<uint16_t>(in));
            m_output.push_back(flow.src);
            const double outputDraw = Draw();
            if (m_queue.OnArrival(PACKET))
            {
                Sample(0, m_queue, m_output.size() * PACKET, outputDraw);
            }
            m_next = 1 - in;
            return;
        }
    }

    /**
     * @brief A queue is sampled.
     * @param number of it
     * @param detector of it
     * @param bytes in it
     * @param draw random number
     */
    void Sample(std::size_t number, QcnCongestionPoint& detector, uint64_t bytes, double draw)
    {
        detector.Sample(bytes, draw);
        m_region.SetLocal(static_cast<uint16_t>(number), detector.GetDegree());
        if (number > 0)
        {
            return;
        }
        if (detector.GetDegree() == 0)
        {
            m_window.Stop();
        }
        if (m_window.IsDue(m_nowPs))
        {
            m_region.Recognize();
        }
        m_window.Cut(detector.GetDegree(), m_region.CollectHeld(), m_nowPs);
        if (controlPs < 0 && m_nowPs >= BEGIN_PS && m_window.GetState() == RcmWindow::CONTROLLING)
        {
            controlPs = m_nowPs;
        }
    }

    bool m_control;                            //!< flows are held
    int64_t m_endPs;                           //!< of the four flows
    QcnCongestionPoint m_queue;                //!< of the output queue
    RcmRegion m_region;                        //!< of the output
    RcmWindow m_window;                        //!< of the output
    std::vector<QcnCongestionPoint> m_inputs;  //!< of the input queues
    std::mt19937 m_random;                     //!< of samples
    std::array<std::deque<uint32_t>, 2> m_voq; //!< input queues
    std::deque<uint32_t> m_output;             //!< output queue
    int64_t m_nowPs{0};                        //!< present
    uint32_t m_turn{0};                        //!< of the four flows
    std::size_t m_next{0};                     //!< input to take first
};

/**
 * @ingroup dcfabric-tests
 * @brief Shares of the output while the burst lasts.
 */
class RcmOutputFigure6TestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // From 5 to 20 us after its begin; 125 packets are 100 Gb/s.
        const int64_t fromPs = BEGIN_PS + 5 * US;
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        const uint32_t runs = 20;
        std::cout << "dcfabric-rcm-output: seeds 0 to " << runs - 1 << std::endl;
        uint32_t recognized = 0;
        for (uint32_t seed = 0; seed < runs; ++seed)
        {
            for (const bool control : {false, true})
            {
                OneOutput output(*p, control, INT64_MAX, seed);
                output.RunUntil(100 * US);
                const auto early = output.sent;
                output.RunUntil(112 * US); // 100 packets: 25 of each flow
                for (uint32_t src = 1; src <= 4; ++src)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(output.sent[src] - early[src], 25, 2, "before");
                }
                output.RunUntil(fromPs);
                const auto before = output.sent;
                output.RunUntil(END_PS);
                const auto gbps = [&](uint32_t src) {
                    return 100.0 * (output.sent[src] - before[src]) / 125;
                };
                if (!control)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(gbps(BURST), 50, 3, "half, without control");
                    continue;
                }
                if (!output.IsHarmful(BURST) || output.IsHarmful(1) || output.IsHarmful(2) ||
                    output.IsHarmful(3) || output.IsHarmful(4))
                {
                    continue; // the samples were not of the burst
                }
                ++recognized;
                NS_TEST_EXPECT_MSG_GT(output.controlPs, BEGIN_PS, "seed " << seed);
                NS_TEST_EXPECT_MSG_LT(output.controlPs, fromPs, "within 5 us, seed " << seed);
                NS_TEST_EXPECT_MSG_EQ_TOL(gbps(BURST), 25, 3, "burst, seed " << seed);
                for (uint32_t src = 1; src <= 4; ++src)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(gbps(src), 18.75, 2, "flow, seed " << seed);
                }
            }
        }
        // 0.9616 x 0.9593^4 = 0.81 if the four were independent; a standard error is 0.09
        NS_TEST_EXPECT_MSG_GT(recognized, 12, "the burst, and nothing else");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Settings that cannot give figure 6.
 */
class RcmOutputSettingsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param p parameters
     * @return mean rate of the burst from 10 to 20 us after its begin, Gb/s
     */
    double Run(Ptr<RcmParameters> p)
    {
        double gbps = 0;
        for (uint32_t seed = 0; seed < 20; ++seed)
        {
            OneOutput output(*p, true, INT64_MAX, seed);
            output.RunUntil(BEGIN_PS + 10 * US);
            const int before = output.sent[BURST];
            output.RunUntil(END_PS);
            gbps += 12 * (output.sent[BURST] - before) / 10.0 / 20; // 12 kbit in 10 us
        }
        return gbps;
    }

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        NS_TEST_EXPECT_MSG_EQ_TOL(Run(p), 25, 2, "as they are");
        p->SetAttribute("CutSpacing", TimeValue(Seconds(0)));
        // cut again and again it has less than 5 of 16 samples, is taken for harmless and let go
        NS_TEST_EXPECT_MSG_GT(Run(p), 30, "escapes");
        // 5 x 26 KB is more than the whole queue: the first degree is a few hundredths
        p = CreateObject<RcmParameters>();
        p->SetAttribute("Qeq", UintegerValue(26000));
        NS_TEST_EXPECT_MSG_GT(Run(p), 44, "hardly cut");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All packets leave, and control ends.
 */
class RcmOutputDrainTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t seed = 0; seed < 50; ++seed)
        {
            Ptr<RcmParameters> p = CreateObject<RcmParameters>();
            // by the letter all five flows are harmful, and nobody is left to send in their place
            p->SetAttribute("StandOut", DoubleValue(seed % 2 == 0 ? 2 : 255));
            OneOutput output(*p, true, END_PS + seed * US, seed);
            output.RunUntil(END_PS + 1000 * US);
            NS_TEST_EXPECT_MSG_EQ(output.CountWaiting(), 0, "all have left, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ((output.arrived == output.sent), true, "all, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(output.GetWindow().GetState(),
                                  RcmWindow::IDLE,
                                  "control has ended, seed " << seed);
        }
    }
};

/// The parts of RCM at one output.
const SuiteCases g_cases("dcfabric-rcm", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new RcmOutputFigure6TestCase("figure 6: burst from 50 to 25, four flows back at 18.75"));
    suite.AddTestCase(new RcmOutputSettingsTestCase(
        "settings: QCN's length cuts too little, with a cut at each sample the burst escapes"));
    suite.AddTestCase(
        new RcmOutputDrainTestCase("nothing stalls: all packets leave, control ends"));
});

} // namespace ns3::tests::rcm_output_test
