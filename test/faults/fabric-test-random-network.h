// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RANDOM_NETWORK_H
#define FABRIC_TEST_RANDOM_NETWORK_H

#include "../fabric-test-random.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-faults.h"
#include "ns3/link-retry.h"
#include "ns3/nstime.h"
#include "ns3/test.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What random networks with faults and losses have in common.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases that run random networks: faults that end, and what has to be left then.
 */
class RandomNetworkTestCase : public TestCase, protected RandomDraws
{
  protected:
    using TestCase::TestCase;

    /**
     * @param graph plan
     * @return faults, all of which end
     */
    FabricFaults DrawFaults(const FabricGraph& graph)
    {
        FabricFaults faults;
        std::set<std::ptrdiff_t> faulty;
        const auto draw = [this](int64_t fromPs) {
            return fromPs + 1 + int64_t{Draw(60)} * Draw(1000000);
        };
        for (uint32_t n = Draw(6); n > 0; --n)
        {
            const FabricLink& link = graph.GetLinks()[Draw(graph.GetNLinks())];
            const int64_t beginPs = draw(0);
            const int64_t endPs = draw(beginPs);
            const double share = (1 + Draw(30)) / 100.0;
            const uint32_t kind = Draw(5);
            if (!faulty.insert(&link - graph.GetLinks().data()).second)
            {
                continue;
            }
            switch (kind)
            {
            case 0:
                faults.Add({beginPs, FabricFault::DOWN, link.a, link.b});
                faults.Add({endPs, FabricFault::UP, link.a, link.b});
                break;
            case 1:
                faults.Add({beginPs, FabricFault::LOSS, link.a, link.b, 0, share});
                faults.Add({endPs, FabricFault::LOSS, link.a, link.b, 0, 0});
                break;
            case 2:
                faults.Add({beginPs, FabricFault::CORRUPT, link.a, link.b, 0, share});
                faults.Add({endPs, FabricFault::CORRUPT, link.a, link.b, 0, 0});
                break;
            case 3:
                faults.Add({beginPs, FabricFault::RATE, link.a, link.b, 10 * GBPS});
                break;
            default:
                faults.AddFlapping(FabricTime::FromPs(beginPs),
                                   link.a,
                                   link.b,
                                   NanoSeconds(1 + Draw(3000)),
                                   NanoSeconds(1 + Draw(3000)),
                                   1 + Draw(5));
                break;
            }
        }
        if (Draw(5) == 0) // the last node is a switch
        {
            const int64_t beginPs = draw(0);
            faults.Add({beginPs, FabricFault::SWITCH_DOWN, graph.GetNNodes() - 1, 0});
            faults.Add({draw(beginPs), FabricFault::SWITCH_UP, graph.GetNNodes() - 1, 0});
        }
        if (Draw(2))
        {
            faults.SetConvergenceTime(NanoSeconds(Draw(3) * Draw(30000)));
        }
        return faults;
    }

    /**
     * @brief Check what is left of a network.
     * @param network after the run
     * @param messages that were sent
     * @param bytes of them
     */
    void CheckEnd(const TestNetwork& network, uint32_t messages, uint64_t bytes)
    {
        const std::string what = m_what.str();
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, what << ": conservation");
        NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, what << ": nothing is left over");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), messages, what << ": complete");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), messages, what << ": once");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), bytes, what);
        for (uint32_t node = 0; node < network.fabric->GetGraph().GetNNodes(); ++node)
        {
            if (network.fabric->GetGraph().IsHost(node))
            {
                NS_TEST_EXPECT_MSG_EQ(network.Nic(node).GetSendingPdcs().GetNDemands(),
                                      0,
                                      what << ": host " << node << " wants nothing");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(network.fabric->GetSwitch(node)->GetBuffer()->GetUsedBytes(),
                                      0,
                                      what << ": memory of switch " << node);
            }
            const FabricActor* actor = network.fabric->GetActor(node);
            for (uint16_t port = 0; m_hasRetry && port < actor->GetNPorts(); ++port)
            {
                const LinkRetry& retry = *actor->GetPort(port)->GetRetry();
                NS_TEST_EXPECT_MSG_EQ(retry.GetBuffer().GetNFrames(), 0, what << ": kept");
                m_replays += retry.GetCounters().replays;
            }
        }
    }

    std::ostringstream m_what; //!< the network, for messages
    bool m_hasRetry{false};    //!< its links send again
    uint64_t m_replays{0};     //!< of links, in all networks
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_RANDOM_NETWORK_H */
