// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bts.h"
#include "fabric-test-duration.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What back-to-sender notification promises in incasts: few bytes, soon.
 */

namespace ns3::tests::wreb_incast_test
{

constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

/// An incast.
struct Incast
{
    uint32_t k;       //!< fat-tree
    uint32_t senders; //!< to host 0
    const char* size; //!< that each sends
};

/**
 * @param incast the incast
 * @return what says which incast a result is of
 */
std::string
NameOf(const Incast& incast)
{
    return std::to_string(incast.senders) + " senders of " + incast.size +
           " (k=" + std::to_string(incast.k) + ")";
}

/**
 * @param incast which
 * @param helper policies
 * @param run chooses the senders
 * @return the network, its flows handed over
 */
std::unique_ptr<TestNetwork>
MakeIncast(const Incast& incast, FabricHelper helper, int64_t run)
{
    const FabricGraph graph =
        MakeFabricTopology("fat-tree:k=" + std::to_string(incast.k))->BuildGraph();
    const Ptr<FabricWorkload> workload = MakeFabricWorkload(
        "incast:fan-in=" + std::to_string(incast.senders) + ",size=" + incast.size + ",dst=0");
    workload->AssignStreams((int64_t{1} << 40) + run * 16);
    const auto flows = workload->Generate(graph);
    auto network = std::make_unique<TestNetwork>(graph, helper);
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        network->MessagesOf(flows[i].src)
            .SendAt(flows[i].startPs, flows[i].dst, flows[i].sizeBytes, i);
    }
    return network;
}

/**
 * @brief Call a function for each queue disc of a switch.
 * @param network the network
 * @param function gets the port and its queue disc
 */
template <typename F>
void
ForEachDisc(const TestNetwork& network, F function)
{
    const FabricGraph& graph = network.fabric->GetGraph();
    for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint16_t p = 0; !graph.IsHost(node) && p < graph.GetDegree(node); ++p)
        {
            FabricNetDevice* port = network.fabric->GetPort(node, p);
            function(*port, *DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc()));
        }
    }
}

/**
 * @ingroup dcfabric-tests
 * @brief Bytes of notifications.
 */
class BtsBytesTestCase : public TestCase
{
  public:
    /// @param incast which
    explicit BtsBytesTestCase(const Incast& incast)
        : TestCase("notifications below 1 % of the data, and at no queue more than the profile "
                   "predicts: " +
                   NameOf(incast)),
          m_incast(incast)
    {
    }

  private:
    void DoRun() override
    {
        // The default profile reaches 3 %; a notification has 78 B, a full packet 1062 B. At each
        // congested queue that is at most 0.03 x 78 / 1062 = 0.22 % of the bytes, and a packet that
        // has triggered triggers no more. What the profile predicts is the sum of its values over
        // all packets of a queue; marked ones do not trigger, so that the expectation is at most
        // that. We allow four standard deviations of a sum of draws beyond it.
        const auto network = MakeIncast(m_incast, MakeBtsHelper(), 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network->completed.size(), m_incast.senders, "all complete");
        NS_TEST_EXPECT_MSG_EQ(network->fabric->GetDrops().empty(), true, "no drops");
        double bytes = 0;
        double data = 0;
        for (const auto& event : network->completed)
        {
            data += static_cast<double>(event.bytes);
        }
        uint64_t sent = 0;
        const FabricGraph& graph = network->fabric->GetGraph();
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (!graph.IsHost(node))
            {
                const auto wreb = network->fabric->GetSwitch(node)->GetFeature<WrebFeature>();
                bytes += static_cast<double>(wreb->GetSentBytes());
                sent += wreb->GetNSent();
            }
        }
        double expected = 0;
        ForEachDisc(*network, [&](FabricNetDevice& port, CongestionAwareQueueDisc& disc) {
            const auto counters = disc.GetBackToSenderCounters(3);
            expected += counters.expected;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(static_cast<double>(counters.early),
                                        counters.expected + 4 * std::sqrt(counters.expected),
                                        "at port " << port.GetPort() << " of node "
                                                   << port.GetActor()->GetAddress());
        });
        NS_TEST_EXPECT_MSG_GT(sent, 0, "there are some");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(static_cast<double>(sent),
                                    expected + 4 * std::sqrt(expected),
                                    "in all");
        NS_TEST_EXPECT_MSG_LT(bytes / data, 0.01, "share of the bytes of data");
    }

    Incast m_incast; //!< which
};

/**
 * @ingroup dcfabric-tests
 * @brief How soon senders cut.
 */
class FeedbackLatencyTestCase : public TestCase
{
  public:
    /// @param incast which
    explicit FeedbackLatencyTestCase(const Incast& incast)
        : TestCase("first cut sooner than by echoed marks: " + NameOf(incast)),
          m_incast(incast)
    {
    }

  private:
    /// Sees the first queue that is long.
    struct Witness
    {
        FabricNetDevice* port; //!< where
        int64_t* sincePs;      //!< earliest time, of all queues
    };

    /**
     * @brief A packet enters a queue.
     * @param witness of the queue
     * @param item the packet
     */
    static void Note(Witness* witness, Ptr<const QueueDiscItem> /* item */)
    {
        if (*witness->sincePs == NEVER && witness->port->GetQueue().GetClassBytes(3) >= 25000)
        {
            *witness->sincePs = witness->port->GetNowPs();
        }
    }

    /**
     * @param sends with notifications
     * @param run chooses the senders
     * @return median time from a queue of 25 kB, where the default profile begins, to a sender's
     * first cut, in ps; NEVER if less than half of them cut
     */
    int64_t Measure(bool sends, int64_t run)
    {
        FabricHelper helper = MakeBtsHelper();
        Config::SetDefault("ns3::WrebFeature::Send", BooleanValue(sends));
        const auto network = MakeIncast(m_incast, helper, run);
        int64_t sincePs = NEVER;
        std::vector<std::unique_ptr<Witness>> witnesses;
        ForEachDisc(*network, [&](FabricNetDevice& port, CongestionAwareQueueDisc& disc) {
            witnesses.push_back(std::make_unique<Witness>(Witness{&port, &sincePs}));
            disc.TraceConnectWithoutContext(
                "Enqueue",
                MakeBoundCallback(&FeedbackLatencyTestCase::Note, witnesses.back().get()));
        });
        Simulator::Stop(MicroSeconds(500));
        Simulator::Run();
        std::vector<int64_t> after;
        for (const auto& [flow, cutPs] : WatchedBts::firstCutPs)
        {
            after.push_back(cutPs - sincePs);
        }
        after.resize(m_incast.senders, NEVER);
        std::sort(after.begin(), after.end());
        return after[after.size() / 2];
    }

    void DoRun() override
    {
        // Both read the same draws of the same queues; only the way differs. A notification leaves
        // at once and needs 1 to 3 us; a mark first waits in the queue that it tells of: 25 kB at
        // 100 Gb/s alone are 2 us, and the queue is long by the time half of the senders are hit.
        for (int64_t run = 0; run < 3; ++run)
        {
            const int64_t told = Measure(true, run);
            const int64_t echoed = Measure(false, run);
            NS_TEST_EXPECT_MSG_LT(static_cast<double>(told),
                                  0.8 * static_cast<double>(echoed),
                                  "run " << run << ": " << told / 1000 << " ns, by echoes "
                                         << echoed / 1000 << " ns");
        }
    }

    void DoTeardown() override
    {
        Config::Reset();
    }

    Incast m_incast; //!< which
};

/// Incasts with notifications.
const SuiteCases g_cases("dcfabric-wreb-incast", TestSuite::Type::SYSTEM, [](Suite& suite) {
    const Incast incasts[] = {{4, 4, "100kB"},
                              {8, 8, "100kB"},
                              {8, 32, "1MB"},
                              {8, 127, "100kB"},
                              {12, 255, "20kB"},
                              {12, 255, "100kB"}};
    for (const Incast& incast : incasts)
    {
        suite.AddTestCase(new BtsBytesTestCase(incast));
    }
    suite.AddTestCase(new BtsBytesTestCase({12, 255, "1MB"}), DurationOf<TestCase>::TAKES_FOREVER);
    for (const Incast& incast :
         {Incast{4, 3, "1MB"}, Incast{8, 8, "1MB"}, Incast{8, 32, "1MB"}, Incast{8, 127, "1MB"}})
    {
        suite.AddTestCase(new FeedbackLatencyTestCase(incast));
    }
    suite.AddTestCase(new FeedbackLatencyTestCase({12, 255, "1MB"}),
                      DurationOf<TestCase>::TAKES_FOREVER);
});

} // namespace ns3::tests::wreb_incast_test
