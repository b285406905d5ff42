// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-incast.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/double.h"
#include "ns3/mprdma-congestion-control.h"
#include "ns3/test.h"

#include <set>
#include <string>
#include <tuple>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The window of MP-RDMA, by hand and in networks.
 *
 * By hand the line rate is 100 Gb/s and T 10 us, so that the BDP is 125 packets of 1000 B.
 */

namespace ns3::tests::mprdma_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A sender and its ACKs.
 */
class MprdmaTestCase : public ControlTestCase<MprdmaCongestionControl>
{
  protected:
    using ControlTestCase::ControlTestCase;

    /// Begin with a new sender. @param packets of its window
    void Begin(double packets)
    {
        Create();
        m_cc->SetAttribute("InitialWindow", DoubleValue(packets));
        m_sent = 0;
        Start();
    }

    /**
     * @brief An ACK arrives.
     * @param packets that it covers
     * @param marked of these
     * @param held all that the window allows was in flight before it
     */
    void Ack(uint32_t packets, uint32_t marked, bool held = true)
    {
        AckInfo ack = MakeAck(0, packets, marked);
        m_sent += uint64_t{packets} * 1000;
        ack.ackedPayload = uint64_t{packets} * 1000;
        ack.cumulativeBytes = m_sent;
        ack.sentBytes = m_sent + m_cc->GetWindow();
        const uint64_t room = (uint64_t{packets} + (held ? 0 : 3)) * 1000;
        ack.inFlightBytes = m_cc->GetWindow() - std::min(m_cc->GetWindow(), room);
        m_cc->Acknowledge(ack);
    }

    /**
     * @brief Compare.
     * @param packets window
     * @param when of the sequence
     */
    void Expect(double packets, const std::string& when)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetPackets(), packets, 1e-9, when);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(),
                              static_cast<uint64_t>(packets) * 1000,
                              "whole packets " << when);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "never paced");
    }

    uint64_t m_sent{0}; //!< bytes acknowledged
};

/**
 * @ingroup dcfabric-tests
 * @brief ACKs with and without marks.
 */
class MprdmaWindowTestCase : public MprdmaTestCase
{
    using MprdmaTestCase::MprdmaTestCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(MprdmaCongestionControl().GetNeeds().ecn, true, "needs marks");
        Create();
        Start();
        Expect(125, "the BDP");
        // 125 + 1/125; a window that is not used does not grow
        Ack(1, 0);
        Expect(125.008, "a packet without mark");
        Ack(1, 0, false);
        Expect(125.008, "not used");
        // but marks count in any case
        Ack(1, 1, false);
        Expect(124.508, "not used, marked");

        // 10 + 1/10 = 10.1; - 1/2 = 9.6; + 1/9.6 = 9.7041(6)
        Begin(10);
        m_cc->TellLoss(0, 1000); // ends slow start ...
        Expect(5, "halved");
        Begin(10);
        Ack(1, 1); // ... as does a mark
        Expect(9.5, "a mark");
        Ack(1, 1);
        Expect(9, "another");
        for (double w = 9; w < 10; w += 1 / w)
        {
            Ack(1, 0);
        }
        const double first = m_cc->GetPackets();
        Ack(1, 0);
        Ack(1, 1);
        Ack(1, 0);
        Expect(first + 1 / first - 0.5 + 1 / (first + 1 / first - 0.5), "+ 1/w, - 1/2, + 1/w");

        // the same from 10 sharp, on a path whose BDP is that
        Create();
        Start(MakePath(100 * GBPS, US * 8 / 10));
        Expect(10, "a BDP of 10 packets");
        Ack(1, 0);
        Expect(10.1, "no echo");
        Ack(1, 1);
        Expect(9.6, "echo");
        Ack(1, 0);
        Expect(9.6 + 1 / 9.6, "no echo again");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetPackets(), 9.7041666667, 1e-9, "9.7041(6)");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 1, "10 to 9 packets");

        // an ACK of three packets, one of them marked: 9.7041(6) + 1/9.7041(6) + ... - 1/2
        double w = m_cc->GetPackets();
        w += 1 / w;
        w += 1 / w;
        Ack(3, 1);
        Expect(w - 0.5, "three packets");

        // never less than a packet: 2 - 1/2 - 1/2 - 1/2
        Create();
        Start(MakePath(100 * GBPS, US * 16 / 100));
        Expect(2, "a BDP of two packets");
        Ack(1, 1);
        Ack(2, 2);
        Expect(1, "the least");
        Ack(1, 1);
        Expect(1, "still");
        Ack(1, 0);
        Expect(2, "+ 1/1");
        // nothing is answered: neither
        Ack(0, 0);
        Expect(2, "no packet");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Slow start, losses, time-outs, modifiers, refusals.
 */
class MprdmaEdgesTestCase : public MprdmaTestCase
{
    using MprdmaTestCase::MprdmaTestCase;

    void DoRun() override
    {
        Begin(2);
        Ack(2, 0);
        Expect(4, "two packets for each");
        Ack(4, 0);
        Expect(8, "likewise");
        Ack(8, 1);
        Expect(14.5, "7 more, and a mark ends it");
        Ack(1, 0);
        Expect(14.5 + 1 / 14.5, "no longer");
        Begin(124);
        Ack(3, 0);
        Expect(125 + 1 / 125.0 + 1 / 125.008, "up to the BDP");

        // a loss halves once per window of data
        Create();
        m_sent = 0;
        Start();
        Ack(1, 0); // 1000 B are acknowledged, 126,000 sent
        m_cc->TellLoss(0, 1000);
        Expect(62.504, "halved");
        m_cc->TellLoss(0, 1000);
        Expect(62.504, "the same window of data");
        for (int i = 0; i < 125; ++i)
        {
            Ack(1, 0, false);
        }
        m_cc->TellLoss(0, 1000);
        Expect(62.504, "126,000 B are acknowledged, what had been sent");
        Ack(1, 0, false);
        m_cc->TellLoss(0, 1000);
        Expect(31.252, "beyond");
        m_cc->TellTimeout(0);
        Expect(1, "a time-out");
        Ack(1, 0);
        Expect(2, "slow start");
        Ack(14, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetPackets(), 15.626, 0.06, "to half of what it was");

        // what is withheld stays away: the sender goes on from what is in force
        Create();
        m_sent = 0;
        m_cc->AddModifier(CreateObject<WithholdingModifier>());
        Start();
        Ack(2, 2);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000, "withheld");

        Create();
        PathInfo none = MakePath();
        none.bdpBytes = 0;
        DCFABRIC_EXPECT_REFUSAL(m_cc->Start(none, &m_host), "set InitialWindow");
        m_cc->SetAttribute("InitialWindow", DoubleValue(0.5));
        m_cc->Start(none, &m_host);
        Expect(1, "at least a packet");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two and 64 senders, short and long links, and packets that are lost.
 */
class MprdmaNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return the control with a helper
    static FabricHelper Use()
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::MprdmaCongestionControl");
        return helper;
    }

    void DoRun() override
    {
        // Marks begin at 100,000 B, of which 0.2 are marked at 400,000 B. A window stays where the
        // marked part p takes what the others add: p/2 = (1 - p)/w. Two flows share 41,900 B that
        // the links hold and the queue: w is about 72 packets, p = 0.027, at 140,000 B.
        for (const uint32_t n : {2, 16})
        {
            Incast run(n, Use(), 1000, 2000);
            run.Run();
            NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, 0.999, "full link of " << n);
            NS_TEST_EXPECT_MSG_GT(run.least, 80000, "queue of " << n);
            NS_TEST_EXPECT_MSG_LT(run.most, 420000, "queue of " << n);
            NS_TEST_EXPECT_MSG_GT(run.jain, 0.9, "shares of " << n);
        }
        for (const auto& [delayPs, least] :
             {std::pair<int64_t, double>{US / 10, 0.999}, {10 * US, 0.97}})
        {
            Incast run(2, Use(), 3000, 4000, 100 * GBPS, delayPs);
            run.Run();
            NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, least, "links of " << delayPs);
        }

        // 64 senders; one packet in 50 is lost, once
        FabricHelper lossy = Use();
        lossy.SetFlowControl("none");
        TestNetwork network(MakeStar(65), lossy);
        std::set<std::tuple<uint32_t, uint32_t>> lost;
        AddTap(network, 65)->SetRule([&lost](FabricPacketItem& item) {
            return item.type != FabricPacketType::DATA || item.psn % 50 != 7 ||
                   !lost.emplace(item.src, item.psn).second;
        });
        for (uint32_t i = 0; i < 64; ++i)
        {
            network.MessagesOf(i).SendAt(0, 64, 100000, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 64, "all complete in spite of losses");
    }
};

/// MP-RDMA.
const SuiteCases g_cases("dcfabric-mprdma", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new MprdmaWindowTestCase("each ACK moves the window, by its own mark"));
    suite.AddTestCase(new MprdmaEdgesTestCase("slow start, losses, time-outs, modifiers"));
    suite.AddTestCase(new MprdmaNetworkTestCase("shares and queues, with losses"));
});

} // namespace ns3::tests::mprdma_test
