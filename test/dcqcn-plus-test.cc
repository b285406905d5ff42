// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/dcqcn-plus-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief DCQCN+: intervals that follow the number of flows, by hand and in an incast.
 */

namespace ns3::tests::dcqcn_plus_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A sender by hand: CNPs of N flows are N x 5 us apart, at least 50 us.
 */
class DcqcnPlusSenderTestCase : public ControlTestCase<DcqcnPlusCongestionControl>
{
    using ControlTestCase::ControlTestCase;

    /// An ACK tells a number of flows. @param nowPs when @param flows how many
    void Tell(int64_t nowPs, uint16_t flows)
    {
        AckInfo ack = MakeAck(nowPs, 1);
        ack.activeFlows = flows;
        m_cc->Acknowledge(ack);
    }

    void DoRun() override
    {
        Create();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetNeeds().cnpIntervalPs, 50 * US, "CNPs");
        for (const uint16_t flows : {0, 1, 10})
        {
            Tell(0, flows);
            NS_TEST_EXPECT_MSG_EQ(m_cc->GetStretch(), 1, "as DCQCN with " << flows);
        }
        Tell(0, 11);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetStretch(), 1.1, 1e-12, "11 flows");
        Tell(0, 65535);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetStretch(), 6553.5, 1e-9, "as many as an ACK tells");

        // 20 flows: a CNP each 100 us, and all intervals twice as long
        Tell(0, 20);
        m_cc->TellCnp(0);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 50e9, "alpha is 1");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(DcqcnCongestionControl::INCREASE),
                              110 * US,
                              "2 x 55 us");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetAlpha(110 * US), 1, "just in time");
        m_host.RunUntil(*m_cc, 109 * US);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 50e9, "no increase yet");
        // a CNP that comes early has to wait: decreases are 100 us apart
        m_cc->TellCnp(60 * US);
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(DcqcnCongestionControl::DECREASE),
                              100 * US,
                              "2 x 50 us");
        m_host.RunUntil(*m_cc, 100 * US);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 25e9, "halved again");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(DcqcnCongestionControl::INCREASE),
                              210 * US,
                              "begins anew");
        // alpha, which the last CNP has moved at 60 us, goes down at 170 us
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetAlpha(170 * US), 1, "still 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetAlpha(170 * US + 1), 255.0 / 256, 1e-12, "down");
        // the others end: from the next begin on intervals are those of DCQCN
        Tell(180 * US, 1);
        m_host.RunUntil(*m_cc, 210 * US);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 37.5e9, "half of the way to 50");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(DcqcnCongestionControl::INCREASE), 265 * US, "55 us");

        // a sender that starts again begins as DCQCN
        Tell(210 * US, 20);
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetStretch(), 1, "again");

        Create();
        m_cc->SetAttribute("CnpInterval", TimeValue(Time(0)));
        DCFABRIC_EXPECT_REFUSAL(Start(), "CnpInterval of zero");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief 40 flows of 200 kB into one host.
 */
class DcqcnPlusIncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param control its class
     * @param lossy queues may drop
     * @return when all are complete, in us
     */
    double Measure(const std::string& control, bool lossy)
    {
        FabricHelper helper;
        helper.SetCongestionControl(control);
        if (lossy)
        {
            helper.SetFlowControl("none");
            helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(2000000));
        }
        TestNetwork network(MakeStar(41), helper);
        for (uint32_t i = 0; i < 40; ++i)
        {
            network.MessagesOf(i).SendAt(0, 40, 200000, i);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 40, control);
        const bool isPlus = control != "ns3::DcqcnCongestionControl";
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).cnpSpacing, MicroSeconds(isPlus ? 5 : 0), "declared");
        return static_cast<double>(network.completed.back().nowPs) / US;
    }

    void DoRun() override
    {
        // 8000 packets of 86.56 ns take 692.5 us
        const double plus = Measure("ns3::DcqcnPlusCongestionControl", false);
        NS_TEST_EXPECT_MSG_LT(plus, 1.1 * 692.5, "the link is full");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(plus, Measure("ns3::DcqcnCongestionControl", false), "DCQCN");
        Measure("ns3::DcqcnPlusCongestionControl", true);

        // what a user says of the spacing holds
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnPlusCongestionControl");
        helper.SetNicAttribute("CnpSpacing", TimeValue(MicroSeconds(7)));
        TestNetwork network(MakeStar(2), helper);
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).cnpSpacing, MicroSeconds(7), "said");
    }
};

/// DCQCN+.
const SuiteCases g_cases("dcfabric-dcqcn-plus", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DcqcnPlusSenderTestCase("intervals follow the number of flows"));
    suite.AddTestCase(new DcqcnPlusIncastTestCase("an incast"));
});

} // namespace ns3::tests::dcqcn_plus_test
