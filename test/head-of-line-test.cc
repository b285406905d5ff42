// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <iostream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Head-of-line blocking: the incast with a victim flow of [RCM], section 5 and figure 7.
 *
 * Sources 0 and 1 and the victim's source 2 at switch 7, sources 3 and 4 at switch 8; switch 7 has
 * one way up, to switch 9, switch 8 to switch 10. Both lead to switch 11 with the destination 5 of
 * sources 0, 1, 3 and 4; switch 9 also to switch 12 with the victim's destination 6. All links have
 * 100 Gb/s.
 *
 *     0 1 2   3 4
 *      \|/     |/
 *       7      8
 *       |      |
 *       9     10
 *       | \   /
 *      12  11
 *       |   |
 *       6   5
 *
 * By hand: the destination takes 100 Gb/s, 50 through each of 9 and 10, so 25 for each of its four
 * sources. What 9 is allowed to send to 11 is half of what it gets, so it holds back the link from
 * 7 to 9 as a whole, on which the three sources of 7 take turns: each gets the same, and the victim
 * no more than sources 0 and 1: 25 Gb/s. Only the two of them have to wait; 100 - 2 x 25 = 50 Gb/s
 * would be free for it, and it has them where credits are kept for each virtual queue: 7 then lacks
 * those for 9's queue to 11 and has those for 9's queue to 12.
 *
 * That holds once the buffers have filled, from 11 backwards. Under PFC a large shared buffer takes
 * its time, by hand for 32 MiB less 0.5 MB of reserve and headroom at 11:
 *
 * - First 9 and 10 bring 11 what they get: 2/3 x 100 = 66.7 and 100 Gb/s. 11's queue is first come,
 *   first served, so the sources get 100 x 33.3 / 166.7 = 20 Gb/s behind 9 and 30 Gb/s behind 10,
 *   and the victim a third of 7's link, 33.3 Gb/s. What 10 brings piles up at 100 - 60 = 40 Gb/s,
 *   what 9 brings at 66.7 - 40 = 26.7, together 66.7. The threshold x of an ingress is 1/8 of what
 *   is left of the pool P: x = (P - x - 2x/3) / 8, x = P / 9.67 = 3.4 MB. Reached after
 *   3.4 MB / 40 Gb/s = 0.68 ms, when 10 is paused. 11 stays full with 9's share until both have
 *   about x = P / 10.
 * - Only then 9 begins to fill, with 66.7 - 50 = 16.7 Gb/s, up to P / 9 = 3.7 MB: 1.8 ms more, in
 *   which the victim still has its third of the link.
 *
 * So the first state is measured from 0.4 to 0.6 ms, the last from 4 ms on.
 */

namespace ns3::tests::head_of_line_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Rates in Gb/s, and when they hold.
 */
struct Shares
{
    int64_t fromUs;   //!< begin of the measurement
    int64_t untilUs;  //!< its end
    double behind9;   //!< of source 0 and of source 1
    double behind10;  //!< of source 3 and of source 4
    double victim;    //!< of source 2
    double tolerance; //!< of each
};

/**
 * @ingroup dcfabric-tests
 * @brief What the sources and the victim get.
 */
class VictimTestCase : public TestCase
{
  public:
    /**
     * @param flowControl TypeId
     * @param buffer TypeId
     * @param shares expected
     */
    VictimTestCase(const std::string& flowControl, const std::string& buffer, const Shares& shares)
        : TestCase("victim of an incast under " + flowControl + " and " + buffer + " from " +
                   std::to_string(shares.fromUs) + " us"),
          m_flowControl(flowControl),
          m_buffer(buffer),
          m_shares(shares)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl(m_flowControl);
        helper.SetBuffer(m_buffer);
        Ptr<Fabric> fabric = helper.Install(PlanOfVictim());
        for (const uint32_t source : {0, 1, 3, 4})
        {
            fabric->GetNic(source)->GetMessages().Send(5, 100000000, source);
        }
        fabric->GetNic(2)->GetMessages().Send(6, 100000000, 2);
        uint64_t before[5] = {};
        double gbps[5] = {};
        const auto acked = [&fabric](uint32_t source) {
            return fabric->GetNic(source)->GetSendingPdcs().GetBusy().at(0)->GetAckedBytes();
        };
        CallIn(MicroSeconds(m_shares.fromUs), [&]() {
            for (uint32_t source = 0; source < 5; ++source)
            {
                before[source] = acked(source);
            }
        });
        CallIn(MicroSeconds(m_shares.untilUs), [&]() {
            const auto ns = static_cast<double>(m_shares.untilUs - m_shares.fromUs) * 1e3;
            for (uint32_t source = 0; source < 5; ++source)
            {
                // 1000 B of payload take 1082 B of the wire
                gbps[source] = static_cast<double>(acked(source) - before[source]) * 8 * 1.082 / ns;
            }
        });
        Simulator::Stop(MicroSeconds(m_shares.untilUs) + NanoSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        std::cout << GetName() << ": incast " << gbps[0] << " " << gbps[1] << " " << gbps[3] << " "
                  << gbps[4] << ", victim " << gbps[2] << " Gb/s" << std::endl;
        const double total = gbps[0] + gbps[1] + gbps[3] + gbps[4];
        NS_TEST_EXPECT_MSG_EQ_TOL(total, 100, m_shares.tolerance, "a full link");
        for (const uint32_t source : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(gbps[source],
                                      m_shares.behind9,
                                      m_shares.tolerance,
                                      "source " << source);
        }
        for (const uint32_t source : {3, 4})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(gbps[source],
                                      m_shares.behind10,
                                      m_shares.tolerance,
                                      "source " << source);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(gbps[2], m_shares.victim, m_shares.tolerance, "victim");
        Simulator::Destroy();
    }

    std::string m_flowControl; //!< TypeId
    std::string m_buffer;      //!< TypeId
    Shares m_shares;           //!< expected
};

/// Head-of-line blocking.
const SuiteCases g_cases("dcfabric-lossless", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const Shares filling = {400, 600, 20, 30, 100.0 / 3, 0.5};
    const Shares blocked = {4000, 8000, 25, 25, 25, 0.5};
    const Shares free = {4000, 8000, 25, 25, 50, 0.5};
    suite.AddTestCase(new VictimTestCase("ns3::PriorityFlowControl", "ns3::SharedBuffer", filling));
    for (const std::string flowControl : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
    {
        for (const std::string buffer : {"ns3::SharedBuffer", "ns3::VoqBuffer"})
        {
            suite.AddTestCase(new VictimTestCase(flowControl, buffer, blocked));
        }
    }
    suite.AddTestCase(new VictimTestCase("ns3::VoqCreditFlowControl", "ns3::VoqBuffer", free));
});

} // namespace ns3::tests::head_of_line_test
