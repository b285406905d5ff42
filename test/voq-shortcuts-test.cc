// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/voq-buffer.h"

#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packets that cross a switch at once, by a port that was foretold, are to everybody like
 * those that do not.
 */

namespace ns3::tests::voq_shortcuts_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Wants to see packets where the switch could take a shortcut otherwise, and does nothing.
 */
class Onlooker : public SwitchFeature
{
  public:
    uint32_t GetHooks() const override
    {
        return RECEIVE | ADMIT;
    }
};

/**
 * @brief Hosts of two leaves send to one another.
 * @param flowControl TypeId
 * @param outputBytes of each output queue
 * @param seed of the messages
 * @param watched each switch has an Onlooker
 * @return all that ports, buffers and messages have counted
 */
std::string
Exchange(const std::string& flowControl, uint64_t outputBytes, uint32_t seed, bool watched)
{
    constexpr uint32_t HOSTS = 8; // in all, numbers 0 to 7; the four switches follow
    FabricHelper helper;
    helper.SetBuffer("ns3::VoqBuffer",
                     "OutputBytes",
                     UintegerValue(outputBytes),
                     "QueueBytes",
                     UintegerValue(20000));
    helper.SetFlowControl(flowControl);
    helper.SetMarkingProfile("ns3::WredMarkingProfile");
    TestNetwork network(MakeTwoLeaves(HOSTS / 2, 2), helper);
    for (uint32_t node = HOSTS; watched && node < HOSTS + 4; ++node)
    {
        network.fabric->GetSwitch(node)->AddFeature(CreateObject<Onlooker>());
    }
    std::mt19937 random(seed);
    for (uint32_t tag = 0; tag < 60; ++tag)
    {
        const uint32_t from = random() % HOSTS;
        const uint32_t to = (from + 1 + random() % (HOSTS - 1)) % HOSTS;
        const int64_t startPs = static_cast<int64_t>(random() % 20) * US;
        network.MessagesOf(from).SendAt(startPs, to, 1 + random() % 30000, tag);
    }
    Simulator::Run();
    std::ostringstream seen;
    seen.precision(17);
    for (const FabricMessageEvent& event : network.completed)
    {
        seen << "message " << event.tag << " " << event.nowPs << "\n";
    }
    for (uint32_t node = HOSTS; node < HOSTS + 4; ++node)
    {
        const Ptr<FabricSwitch> sw = network.fabric->GetSwitch(node);
        const Ptr<SwitchBuffer> buffer = sw->GetBuffer();
        seen << "node " << node << ": " << buffer->GetUsedBytes() << " "
             << buffer->GetMaxUsedBytes() << "\n";
        for (uint16_t port = 0; port < sw->GetNPorts(); ++port)
        {
            const FabricNetDevice& device = *sw->GetPort(port);
            seen << "port " << port << ": " << device.GetCounters().txBytes << " "
                 << device.GetCounters().txLinkFrames << " " << device.GetQueue().GetMaxBytes()
                 << " " << buffer->GetMaxPortBytes(port) << " "
                 << buffer->GetMeanWaitingBytes(port, 1000 * US);
            for (uint8_t priority = 0; priority < 8; ++priority)
            {
                seen << " " << buffer->GetMaxQueueBytes(port, priority);
            }
            seen << "\n";
        }
    }
    return seen.str();
}

/**
 * @ingroup dcfabric-tests
 * @brief Same counts with and without shortcuts.
 */
class VoqShortcutsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = std::random_device()();
        std::cout << GetName() << ": seed " << seed << std::endl;
        for (const char* flowControl :
             {"ns3::PriorityFlowControl", "ns3::CreditFlowControl", "ns3::VoqCreditFlowControl"})
        {
            for (const uint64_t outputBytes : {1100, 5000, 100000})
            {
                const std::string shortly = Exchange(flowControl, outputBytes, seed, false);
                NS_TEST_EXPECT_MSG_EQ((shortly == Exchange(flowControl, outputBytes, seed, true)),
                                      true,
                                      flowControl << ", " << outputBytes << " bytes, seed " << seed
                                                  << ", with shortcuts:\n"
                                                  << shortly);
            }
        }
    }
};

/// Shortcuts through virtual output queues.
const SuiteCases g_cases("dcfabric-buffer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new VoqShortcutsTestCase("shortcuts through a switch change nothing that is counted"));
});

} // namespace ns3::tests::voq_shortcuts_test
