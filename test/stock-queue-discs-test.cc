// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Queue discs of ns-3 at the ports of a fabric: as roots, and as children of classes.
 */

namespace ns3::tests::stock_queue_discs_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Two flows through one queue disc.
 */
class StockDiscTestCase : public TestCase
{
  public:
    /**
     * @param disc TypeId
     * @param asRoot false: as child of each class
     */
    StockDiscTestCase(const std::string& disc, bool asRoot)
        : TestCase(disc + (asRoot ? " as root" : " as child") +
                   ": flows complete, nothing missing"),
          m_disc(disc),
          m_asRoot(asRoot)
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper helper;
        helper.SetFlowControl("none");
        if (m_asRoot)
        {
            helper.SetQueueDisc(m_disc);
        }
        else
        {
            helper.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                                "ClassQueueDisc",
                                StringValue(m_disc));
        }
        const Ptr<Fabric> fabric =
            helper.Install(MakeFabricTopology("dumbbell:switches=2,senders=2")->BuildGraph());
        uint64_t received = 0;
        for (const uint32_t receiver : {2, 3})
        {
            fabric->GetNic(receiver)->GetMessages().SetDeliveredCallback(
                [&received](const FabricMessageEvent& event) { received += event.bytes; });
            fabric->GetNic(receiver - 2)->GetMessages().Send(receiver, 2000000, receiver);
        }
        Simulator::Stop(Seconds(1)); // drops at limits of 1000 packets cost a few time-outs
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received, 4000000, "both messages arrived");
        const Fabric::Conservation packets = fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(packets.Holds(), true, "created = consumed + dropped + in flight");
        NS_TEST_EXPECT_MSG_EQ(packets.inFlight, 0, "nothing is left");
        Simulator::Destroy();
    }

    std::string m_disc; //!< TypeId
    bool m_asRoot;      //!< of the port
};

/**
 * @ingroup dcfabric-tests
 * @brief Where stock queue discs cannot work.
 */
class StockDiscRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetQueueDisc("ns3::FifoQueueDisc");
        const auto graph = MakeFabricTopology("dumbbell:switches=2,senders=2")->BuildGraph();
        DCFABRIC_EXPECT_REFUSAL(helper.Install(graph), "cannot pause a class");
        Simulator::Destroy();
    }
};

/// Stock queue discs in a fabric.
const SuiteCases g_cases("dcfabric-stack", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const char* disc : {"Fifo", "CoDel", "Red", "Pie", "FqCoDel", "FqPie", "FqCobalt"})
    {
        const std::string name = std::string("ns3::") + disc + "QueueDisc";
        suite.AddTestCase(new StockDiscTestCase(name, true));
        suite.AddTestCase(new StockDiscTestCase(name, false));
    }
    suite.AddTestCase(new StockDiscTestCase("ns3::PrioQueueDisc", true));
    suite.AddTestCase(new StockDiscTestCase("ns3::PfifoFastQueueDisc", true));
    suite.AddTestCase(new StockDiscRefusalTestCase(
        "a stock root disc is refused under PFC, whose classes it cannot hold back"));
});

} // namespace ns3::tests::stock_queue_discs_test
