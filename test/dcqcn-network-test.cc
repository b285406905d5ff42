// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-network.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/data-rate.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/sending-pdc.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief DCQCN's alpha says what it should under congestion that lasts: by hand, and in networks.
 */

namespace ns3::tests::dcqcn_network_test
{

constexpr double GAIN = 1.0 / 256; //!< g

/**
 * @ingroup dcfabric-tests
 * @brief CNPs that come a packet later than CnpInterval, one sender.
 *
 * The receiver sends a CNP for the first marked packet that arrives when CnpInterval is over, so
 * that CNPs are 50 us and up to a packet apart: 50.12 us here. With an interval of 50 us alpha goes
 * down once and up once for each of them, and settles where a = (1-g) (1-g) a + g, a = 1/(2-g) =
 * 0.50098. With 55 us it only goes up: from 1 it stays 1.
 */
class DcqcnSaturationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param cc a new sender
     * @param gapNs between CNPs
     * @return alpha after many CNPs
     */
    double Settle(Ptr<DcqcnCongestionControl> cc, int64_t gapNs)
    {
        ManualHost host;
        cc->Start(MakePath(100 * GBPS, 10 * US), &host);
        int64_t nowPs = 0;
        for (int i = 0; i < 5000; ++i)
        {
            nowPs += gapNs * 1000;
            host.RunUntil(*cc, nowPs - 1, true);
            cc->OnCnp(nowPs);
        }
        return cc->GetAlpha(nowPs);
    }

    void DoRun() override
    {
        // the difference to where it settles shrinks by (1-g)^2 each time: after 5000, below 1e-16
        const double half = 1 / (2 - GAIN);
        auto shorter = CreateObject<DcqcnCongestionControl>();
        shorter->SetAttribute("AlphaInterval", TimeValue(MicroSeconds(50)));
        NS_TEST_EXPECT_MSG_EQ_TOL(Settle(shorter, 50120), half, 1e-9, "50 us: half");
        auto paper = CreateObject<DcqcnCongestionControl>();
        NS_TEST_EXPECT_MSG_EQ_TOL(Settle(paper, 50120), 1, 1e-9, "default: all");
        // at 55 us exactly a CNP is in time, a nanosecond later it is not
        NS_TEST_EXPECT_MSG_EQ_TOL(Settle(CreateObject<DcqcnCongestionControl>(), 55000),
                                  1,
                                  1e-9,
                                  "just in time");
        NS_TEST_EXPECT_MSG_EQ_TOL(Settle(CreateObject<DcqcnCongestionControl>(), 55001),
                                  half,
                                  1e-9,
                                  "just too late");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Eight senders that may not go below what congests the receiver's link, in a rack and
 * between two leaves, alone and with other flows and losses.
 *
 * 8 x 13 Gb/s > 100 Gb/s: the queue never drains below Kmin, every packet is marked. A sender's
 * packets arrive about 8 x 86.56 = 692 ns apart, so that its CNPs come every 50 to 51 us while
 * none is lost. From 1 alpha stays 1. With an interval of 50 us it goes to 0.501, and has what is
 * left of 0.499 x (1-g)^(2n) after n CNPs: 0.77 after the 79 of 4 ms.
 *
 * In company one packet in 50 is lost at the receiver's switch, once, and two other hosts send to
 * two of the senders, against the direction of the incast. A lost packet is not a lost CNP, for
 * the next one that arrives brings it, one packet later.
 */
class DcqcnIncastAlphaTestCase : public TestCase
{
  public:
    /// @param inRack all at one switch; else the senders at one leaf, the receiver at another
    /// @param company see the class
    DcqcnIncastAlphaTestCase(bool inRack, bool company)
        : TestCase(std::string("alpha of an incast ") + (inRack ? "in a rack" : "between leaves") +
                   (company ? ", with other flows and losses" : "")),
          m_inRack(inRack),
          m_company(company)
    {
    }

  private:
    /**
     * @param alphaUs AlphaInterval
     * @return least and largest alpha of the eight after 4 ms
     */
    std::pair<double, double> Measure(int64_t alphaUs)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl",
                                    "AlphaInterval",
                                    TimeValue(MicroSeconds(alphaUs)),
                                    "MinRate",
                                    DataRateValue(DataRate("13Gbps")));
        SetMarks(helper, 1000);
        const uint32_t receiver = SENDERS;
        std::set<std::tuple<uint32_t, uint32_t, uint32_t>> lost;
        const TestNetwork network(m_inRack ? MakeStar(2 * SENDERS)
                                           : MakeTwoLeaves(SENDERS, SENDERS),
                                  helper);
        for (uint32_t i = 0; i < SENDERS; ++i)
        {
            network.MessagesOf(i).SendAt(0, receiver, uint64_t{1} << 40, i);
            if (m_company && i > 5)
            {
                network.MessagesOf(receiver + i).SendAt(0, i, uint64_t{1} << 40, SENDERS + i);
            }
        }
        if (m_company)
        {
            // the only switch; or the second leaf
            AddTap(network, m_inRack ? 2 * SENDERS : 2 * SENDERS + 1)
                ->SetRule([&lost](FabricPacketItem& item) {
                    return item.type != FabricPacketType::DATA || item.psn % 50 != 7 ||
                           !lost.emplace(item.src, item.pdc, item.psn).second;
                });
        }
        Simulator::Stop(MilliSeconds(4));
        Simulator::Run();
        std::pair<double, double> alpha{1, 0};
        for (uint32_t i = 0; i < SENDERS; ++i)
        {
            for (const auto& pdc : network.Nic(i).GetSendingPdcs().GetBusy())
            {
                if (pdc->GetDestination() == receiver)
                {
                    const double value =
                        DynamicCast<DcqcnCongestionControl>(pdc->GetCongestionControl())
                            ->GetAlpha(4000 * US);
                    alpha.first = std::min(alpha.first, value);
                    alpha.second = std::max(alpha.second, value);
                }
            }
        }
        return alpha;
    }

    void DoRun() override
    {
        const auto paper = Measure(55);
        NS_TEST_EXPECT_MSG_GT(paper.first, 0.99, "longer than the interval of CNPs");
        const auto half = Measure(50);
        NS_TEST_EXPECT_MSG_EQ_TOL(half.first, 0.77, 0.02, "as long: on the way to half");
        NS_TEST_EXPECT_MSG_EQ_TOL(half.second, 0.77, 0.02, "as long: all of them");
    }

    static constexpr uint32_t SENDERS = 8; //!< of the incast

    bool m_inRack;  //!< see the constructor
    bool m_company; //!< see the class
};

/// DCQCN's alpha.
const SuiteCases g_cases("dcfabric-dcqcn", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DcqcnSaturationTestCase("alpha under CNPs of every CnpInterval and a packet"));
    for (bool inRack : {true, false})
    {
        suite.AddTestCase(new DcqcnIncastAlphaTestCase(inRack, false));
        suite.AddTestCase(new DcqcnIncastAlphaTestCase(inRack, true));
    }
});

} // namespace ns3::tests::dcqcn_network_test
