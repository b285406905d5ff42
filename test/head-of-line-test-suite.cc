// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"

#include "ns3/fabric-helper.h"
#include "ns3/test.h"

#include <iostream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Head-of-line blocking: the incast with a victim flow of [002], section 5 and figure 7.
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
 */

namespace ns3
{
namespace tests
{

namespace
{

/**
 * @ingroup dcfabric-tests
 * @brief What the victim gets.
 */
class VictimTestCase : public TestCase
{
  public:
    /// @param flowControl TypeId @param buffer TypeId @param victim expected in Gb/s @param
    /// tolerance in Gb/s
    VictimTestCase(const std::string& flowControl,
                   const std::string& buffer,
                   double victim,
                   double tolerance)
        : TestCase("victim of an incast under " + flowControl + " and " + buffer),
          m_flowControl(flowControl),
          m_buffer(buffer),
          m_victim(victim),
          m_tolerance(tolerance)
    {
    }

  private:
    /// @return the plan
    static FabricGraph MakeGraph()
    {
        FabricGraph graph;
        for (int host = 0; host < 7; ++host)
        {
            graph.AddHost();
        }
        for (int sw = 7; sw < 13; ++sw)
        {
            graph.AddSwitch();
        }
        const uint32_t links[][2] = {{0, 7},
                                     {1, 7},
                                     {2, 7},
                                     {3, 8},
                                     {4, 8},
                                     {7, 9},
                                     {8, 10},
                                     {9, 11},
                                     {10, 11},
                                     {5, 11},
                                     {9, 12},
                                     {6, 12}};
        for (const auto& [a, b] : links)
        {
            graph.AddLink(a, b, 100 * GBPS, 1000000);
        }
        graph.DeriveTiers();
        return graph;
    }

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl(m_flowControl);
        helper.SetBuffer(m_buffer);
        Ptr<Fabric> fabric = helper.Install(MakeGraph());
        for (const uint32_t source : {0, 1, 3, 4})
        {
            fabric->GetNic(source)->Send(5, 100000000, source);
        }
        fabric->GetNic(2)->Send(6, 100000000, 2);
        // when the buffers have filled, for 1 ms; 1000 B of payload take 1082 B of the wire
        uint64_t before[5] = {};
        double gbps[5] = {};
        const auto acked = [&fabric](uint32_t source) {
            return fabric->GetNic(source)->GetSendingPdcs().at(0)->GetAckedBytes();
        };
        Simulator::Schedule(MilliSeconds(2), [&]() {
            for (uint32_t source = 0; source < 5; ++source)
            {
                before[source] = acked(source);
            }
        });
        Simulator::Schedule(MilliSeconds(3), [&]() {
            for (uint32_t source = 0; source < 5; ++source)
            {
                gbps[source] =
                    static_cast<double>(acked(source) - before[source]) * 8 / 1e6 * 1.082;
            }
        });
        Simulator::Stop(MilliSeconds(3) + NanoSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDrops().empty(), true, "no drop");
        NS_TEST_EXPECT_MSG_EQ(fabric->CheckConservation().Holds(), true, "conservation");
        std::cout << m_flowControl << ", " << m_buffer << ": incast " << gbps[0] << " " << gbps[1]
                  << " " << gbps[3] << " " << gbps[4] << ", victim " << gbps[2] << " Gb/s"
                  << std::endl;
        NS_TEST_EXPECT_MSG_EQ_TOL(gbps[0] + gbps[1] + gbps[3] + gbps[4], 100, 3, "a full link");
        for (const uint32_t source : {0, 1, 3, 4})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(gbps[source], 25, 2.5, "a quarter, source " << source);
        }

        NS_TEST_EXPECT_MSG_EQ_TOL(gbps[2], m_victim, m_tolerance, "of the 50 that are free for it");
        Simulator::Destroy();
    }

    std::string m_flowControl; //!< TypeId
    std::string m_buffer;      //!< TypeId
    double m_victim;           //!< expected in Gb/s
    double m_tolerance;        //!< Gb/s
};

/**
 * @ingroup dcfabric-tests
 * @brief Head-of-line blocking.
 */
class HeadOfLineTestSuite : public TestSuite
{
  public:
    HeadOfLineTestSuite()
        : TestSuite("dcfabric-head-of-line", TestSuite::Type::SYSTEM)
    {
        for (const std::string flowControl : {"ns3::PriorityFlowControl", "ns3::CreditFlowControl"})
        {
            for (const std::string buffer : {"ns3::SharedBuffer", "ns3::VoqBuffer"})
            {
                // FIFO queues and PFC: the pauses of the three hosts are not in step
                const bool loose =
                    flowControl == "ns3::PriorityFlowControl" && buffer == "ns3::SharedBuffer";
                AddTestCase(new VictimTestCase(flowControl, buffer, 25, loose ? 8 : 1));
            }
        }
        AddTestCase(new VictimTestCase("ns3::VoqCreditFlowControl", "ns3::VoqBuffer", 50, 1.5));
    }
};

HeadOfLineTestSuite g_headOfLineTestSuite; //!< registers the suite

} // namespace

} // namespace tests
} // namespace ns3
