// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-incast.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-units.h"

#include "ns3/double.h"
#include "ns3/hpcc-pint-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/pint-code.h"
#include "ns3/pint-feature.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief HPCC by one number for each packet: the code, the average at ports, the sender, networks.
 */

namespace ns3::tests::pint_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Eight bits.
 */
class PintCodeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // u = 1: 512 steps, ln 512 / ln 1.05 = 127.86. 1.05^127 = 490.954 and 1.05^128 = 515.502:
        // 0.958895 and 1.006840, the latter with (512 - 490.954) / 24.5477 = 0.857343.
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1, 0)}, 128, "up");
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1, 0.857342)}, 128, "just up");
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1, 0.857344)}, 127, "just down");
        NS_TEST_EXPECT_MSG_EQ_TOL(PintCode::Decode(127), 0.958895, 1e-6, "down");
        NS_TEST_EXPECT_MSG_EQ_TOL(PintCode::Decode(128), 1.006840, 1e-6, "up");
        NS_TEST_EXPECT_MSG_EQ_TOL(0.857343 * PintCode::Decode(128) +
                                      (1 - 0.857343) * PintCode::Decode(127),
                                  1,
                                  1e-6,
                                  "the mean");
        // the ends
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(0, 0)}, 0, "nothing is one step");
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1.0 / 512, 0)}, 0, "one step");
        // two steps: ln 2 / ln 1.05 = 14.2067; 1.05^14 = 1.979932: (2 - 1.979932) / 0.0989966
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1.01 / 512, 0.2027)}, 15, "rounded to steps");
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1.01 / 512, 0.2028)}, 14, "rounded to steps");
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(494, 0)}, 255, "the last but one, up");
        NS_TEST_EXPECT_MSG_EQ(int{PintCode::Encode(1e9, 0.999)}, 255, "no more than eight bits");
        // each code is its own value's, whatever is drawn but for the ceiling to whole steps
        for (int code = 100; code < 255; ++code)
        {
            const double value = PintCode::Decode(static_cast<uint8_t>(code));
            const int low = PintCode::Encode(value, 0.999999);
            NS_TEST_EXPECT_MSG_EQ((low == code || low == code - 1), true, "code " << code);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The average at a port.
 */
class PintAverageTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // B = 100 Gb/s, T = 8 us: B T = 100,000 B. 1000 B in 80 ns, 50,000 B wait, u' = 1:
        // 0.99 + 0.01 x 0.5 + 0.01 = 1.005
        const double inverseT = 1.0 / (8 * US);
        const IntSample last{US, 7000, 0, 100 * GBPS};
        const auto after = [&](int64_t ps, uint64_t sent, uint64_t queue) {
            const IntSample now{US + ps, 7000 + sent, queue, 100 * GBPS};
            return PintFeature::Average(1, last, now, inverseT);
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(after(80000, 1000, 50000), 1.005, 1e-12, "a queue");
        // a link that sends at its rate holds 1, one that has done nothing for T has no past
        NS_TEST_EXPECT_MSG_EQ_TOL(after(80000, 1000, 0), 1, 1e-12, "full, no queue");
        NS_TEST_EXPECT_MSG_EQ_TOL(after(8 * US, 1000, 0), 0.01, 1e-12, "T later");
        NS_TEST_EXPECT_MSG_EQ_TOL(after(80 * US, 1000, 50000), 0.51, 1e-12, "dt is at most T");
        // what others sent in a long time is no more than a full link
        NS_TEST_EXPECT_MSG_EQ_TOL(after(80 * US, 900000, 0), 1, 1e-12, "b is at most B T");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The sender: U as it is told.
 */
class PintSenderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief An ACK arrives.
     * @param cc who gets it
     * @param code that it brings
     * @param cumulative,sent payload bytes
     * @param psn packet that triggered it
     * @param withInt it answers a packet with INT
     */
    void Feed(Ptr<CongestionControl> cc,
              uint8_t code,
              uint64_t cumulative,
              uint64_t sent,
              uint32_t psn = 0,
              bool withInt = true)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->flags = withInt ? FabricPacketItem::FLAG_INT : 0;
        item->pathId = code;
        item->ack.triggerPsn = psn;
        AckInfo ack;
        ack.nowPs = 20 * US;
        ack.cumulativeBytes = cumulative;
        ack.sentBytes = sent;
        ack.item = PeekPointer(item);
        cc->Acknowledge(ack);
    }

    void DoRun() override
    {
        // 100 Gb/s, T = 10 us: the largest window is 125,000 B, W_AI 50 B.
        const auto cc = CreateObject<HpccPintCongestionControl>();
        cc->Start(MakePath(), nullptr);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "begins at line rate x T");
        Feed(cc, 200, 500, 1000, 0, false);
        Feed(cc, 200, 500, 100000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 125000, "the first ACK begins an RTT");
        // 1.05^142 / 512 = 1.993474: W = 125,000 x 0.95 / 1.993474 + 50 = 59,619.4; Wc stays
        Feed(cc, 142, 100000, 110000);
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), 1.993474, 1e-6, "as it is told");
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 59619, "within the RTT");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReferenceWindow(), 125000, "within the RTT");
        // 0.958895: W = Wc = 125,000 x 0.95 / 0.958895 + 50 = 123,890.5
        Feed(cc, 127, 100001, 200000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 123890, "no average at the sender");
        NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetReferenceWindow(), 123890.5, 0.1, "an RTT is over");

        // a share of the ACKs: 1/16 of 16,000 are 1000, give or take 4 deviations of 30.6
        const auto few =
            CreateObjectWithAttributes<HpccPintCongestionControl>("FeedbackShare",
                                                                  DoubleValue(1.0 / 16));
        few->Start(MakePath(), nullptr);
        uint32_t seen = 0;
        for (uint32_t psn = 0; psn < 16000; ++psn)
        {
            // every other one is of a full link
            const double before = few->GetUtilization();
            Feed(few, psn % 2 == 0 ? 128 : 120, 0, 1, psn);
            seen += few->GetUtilization() != before;
        }
        // of those looked at, each that follows one of the other kind changes U: half of them
        NS_TEST_EXPECT_MSG_GT(seen, 500 - 100, "a share of the ACKs");
        NS_TEST_EXPECT_MSG_LT(seen, 500 + 100, "a share of the ACKs");
    }
};

/**
 * @param share of the ACKs that are looked at
 * @return policies
 */
FabricHelper
UsePint(double share = 1)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::HpccPintCongestionControl",
                                "FeedbackShare",
                                DoubleValue(share));
    helper.AddSwitchFeature("ns3::PintFeature");
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief Networks, and what does not go together.
 */
class PintNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Long flows into one host.
     * @param n senders
     * @param delayPs of links
     * @param share of the ACKs that are looked at
     */
    void Expect(uint32_t n, int64_t delayPs, double share)
    {
        const int64_t rttUs = 4 * delayPs / US;
        Incast run(n, UsePint(share), 300 * rttUs, 400 * rttUs, 100 * GBPS, delayPs);
        run.Run();
        const std::string what = std::to_string(n) + " flows, " + std::to_string(rttUs) + " us";
        // a packet of 1062 B takes 86.56 ns on the wire; HPCC aims at 95 % of the rate
        NS_TEST_EXPECT_MSG_GT(run.packetsPerUs * 0.08656, 0.88, what << ": utilization");
        const double bdp = (4 * static_cast<double>(delayPs) / US + 0.19) * 12500;
        NS_TEST_EXPECT_MSG_LT(run.most, 0.5 * bdp + n * 1062, what << ": queue");
    }

    void DoRun() override
    {
        for (const int64_t delay : {US, 5 * US})
        {
            Expect(2, delay, 1);
            Expect(32, delay, 1);
        }
        Expect(8, US, 1.0 / 16);

        // two switches: INT takes 4 bytes, however many there are, and losses change nothing
        FabricHelper lossy = UsePint();
        lossy.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        TestNetwork network(MakeStar(3), lossy);
        uint32_t count = 0;
        uint32_t most = 0;
        AddTap(network, 3)->SetRule([&count, &most](FabricPacketItem& item) {
            most = std::max(most, item.size);
            return ++count % 50 != 0;
        });
        network.MessagesOf(0).SendAt(0, 2, 500000, 0);
        network.MessagesOf(1).SendAt(0, 2, 500000, 1);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, "complete within 20 ms");
        NS_TEST_EXPECT_MSG_EQ(most, 1062 + 4, "no records");
        Simulator::Destroy();

        const auto refusal = [](const std::string& control, const std::string& feature) {
            FabricHelper helper;
            helper.SetCongestionControl("ns3::" + control + "CongestionControl");
            helper.AddSwitchFeature("ns3::PintFeature");
            if (!feature.empty())
            {
                helper.AddSwitchFeature("ns3::" + feature + "Feature");
            }
            return RefusalOf([&helper]() { TestNetwork network(MakeStar(3), helper); });
        };
        NS_TEST_EXPECT_MSG_EQ(
            refusal("Hpcc", "HpccInt"),
            "ns3::HpccCongestionControl reads other INT of data packets than what "
            "ns3::PintFeature writes into them; leave out ns3::PintFeature",
            "HPCC beside PINT");
        NS_TEST_EXPECT_MSG_EQ(refusal("HpccPint", "HpccInt"),
                              "ns3::HpccPintCongestionControl reads other INT of data packets than "
                              "what ns3::HpccIntFeature writes into them; leave out "
                              "ns3::HpccIntFeature",
                              "PINT beside HPCC");
        NS_TEST_EXPECT_MSG_EQ(refusal("Swift", "HpccInt"), "(accepted)", "nobody reads either");
    }
};

/// HPCC by PINT.
const SuiteCases g_cases("dcfabric-pint", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PintCodeTestCase("a utilization in eight bits"));
    suite.AddTestCase(new PintAverageTestCase("the average at a port"));
    suite.AddTestCase(new PintSenderTestCase("the sender takes U as it is told"));
    suite.AddTestCase(new PintNetworkTestCase("short queues, full links; what is refused"));
});

} // namespace ns3::tests::pint_test
