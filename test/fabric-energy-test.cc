// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/fabric-energy.h"
#include "ns3/link-change.h"
#include "ns3/port-power.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The energy of ports and nodes, by hand.
 */

namespace ns3::tests::fabric_energy_test
{

using namespace by_hand;

constexpr int64_t MS = 1000 * US; //!< in ps

/// Attributes and their values.
using Numbers = std::vector<std::pair<const char*, const char*>>;

/**
 * @param numbers attributes
 * @return an energy model
 */
Ptr<FabricEnergy>
MakeEnergy(const Numbers& numbers)
{
    Ptr<FabricEnergy> energy = CreateObject<FabricEnergy>();
    for (const auto& [name, value] : numbers)
    {
        energy->SetAttribute(name, StringValue(value));
    }
    return energy;
}

/// @return a helper without flow control and congestion control
FabricHelper
MakeHelper()
{
    FabricHelper helper;
    helper.SetFlowControl("none");
    helper.SetCongestionControl("ns3::NoCongestionControl");
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief Numbers of ports.
 */
class PortEnergyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Two ports, 5 W on, 1 nJ/bit, 1 ms, 1 MB sent once: 2 x 5 mJ + 2 x 8 mJ = 26 mJ
        const auto energy = MakeEnergy({{"PortWatts", "5"}, {"JoulePerBit", "1e-9"}});
        const double port = energy->GetPortJoule({MS, MS, 0}) + energy->GetBitJoule(1000000);
        NS_TEST_EXPECT_MSG_EQ_TOL(2 * port, 0.026, 1e-12, "both ends");
        // up for 0.4 ms of 1 ms, asleep for 0.1 ms of these: 1 + 1.5 + 0.02 mJ
        const auto sleeps =
            MakeEnergy({{"IdleWatts", "1"}, {"PortWatts", "5"}, {"SleepWatts", "0.2"}});
        NS_TEST_EXPECT_MSG_EQ_TOL(sleeps->GetPortJoule({MS, 4 * MS / 10, MS / 10}),
                                  0.00252,
                                  1e-12,
                                  "idle, awake and asleep");
        NS_TEST_EXPECT_MSG_EQ(MakeEnergy({})->IsUsed(), false, "all zero");
        NS_TEST_EXPECT_MSG_EQ(MakeEnergy({{"WakeTime", "1us"}})->IsUsed(), false, "never asleep");
        NS_TEST_EXPECT_MSG_EQ(MakeEnergy({{"SleepAfter", "1us"}})->IsUsed(), true, "waking tells");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A star of two hosts.
 */
class StarEnergyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// 20 packets, with and without account of energy.
    void Count()
    {
        const auto energy = MakeEnergy({{"PortWatts", "5"},
                                        {"JoulePerBit", "1e-9"},
                                        {"SwitchWatts", "100"},
                                        {"NicWatts", "10"}});
        TestNetwork network(MakeStar(2), MakeHelper());
        energy->Install(*network.fabric);
        network.MessagesOf(0).SendAt(0, 1, 20000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                              19 * F + RTT,
                              "no effect on time");
        const FabricEnergy::Joules joules = energy->Collect(*network.fabric, MS);
        NS_TEST_EXPECT_MSG_EQ_TOL(joules.ports, 4 * 0.005, 1e-12, "four ports for 1 ms");
        // 20 packets of 1062 B and ACKs of 98 B, over two links with two ends
        NS_TEST_EXPECT_MSG_EQ_TOL(joules.bits, 20 * (1062 + 98) * 2 * 2 * 8e-9, 1e-12, "bits");
        NS_TEST_EXPECT_MSG_EQ_TOL(joules.nodes, 0.12, 1e-12, "one switch, two NICs");
        NS_TEST_EXPECT_MSG_EQ(joules.bytesDelivered, 20000, "payload");
        NS_TEST_EXPECT_MSG_EQ(joules.wakes, 0, "none sleeps");
    }

    /// The link of a host is down from 0.2 to 0.5 ms.
    void Fail()
    {
        const auto energy = MakeEnergy({{"PortWatts", "1"}, {"SleepAfter", "100us"}});
        TestNetwork network(MakeStar(2), MakeHelper());
        energy->Install(*network.fabric);
        FabricNetDevice& port = *network.Nic(0).GetPort(0);
        for (FabricNetDevice* end : {&port, port.GetLink().GetPeer()})
        {
            end->GetLink().ScheduleChange({2 * MS / 10, LinkChange::Kind::DOWN});
            end->GetLink().ScheduleChange({5 * MS / 10, LinkChange::Kind::UP});
        }
        Simulator::Run();
        // awake from 0 to 0.1 and from 0.5 to 0.6 ms
        NS_TEST_EXPECT_MSG_EQ(port.GetPower()->GetUpPs(MS), 7 * MS / 10, "up");
        NS_TEST_EXPECT_MSG_EQ(port.GetPower()->GetAsleepPs(MS), 5 * MS / 10, "asleep");
        const FabricNetDevice& other = *network.Nic(1).GetPort(0);
        NS_TEST_EXPECT_MSG_EQ(other.GetPower()->GetAsleepPs(MS), 9 * MS / 10, "silent");
        NS_TEST_EXPECT_MSG_EQ(energy->Collect(*network.fabric, MS).wakes, 0, "none sent");
        NS_TEST_EXPECT_MSG_EQ_TOL(energy->Collect(*network.fabric, MS).ports,
                                  2 * 0.0002 + 2 * 0.0001,
                                  1e-12,
                                  "while awake");
    }

    /**
     * @brief Send at 10 us.
     * @param after SleepAfter
     * @param packets of the message
     * @param wakes of ports
     */
    void Sleep(const char* after, uint32_t packets, uint64_t wakes)
    {
        constexpr int64_t WAKE = 500000;
        const auto energy = MakeEnergy({{"SleepAfter", after}, {"WakeTime", "500ns"}});
        TestNetwork network(MakeStar(2), MakeHelper());
        energy->Install(*network.fabric);
        network.MessagesOf(0).SendAt(10 * US, 1, packets * 1000, 1);
        Simulator::Run();
        // The NIC, the switch, and on the way back both again; what follows finds them awake. ACKs
        // that come an F apart while the receiving NIC wakes leave an A apart.
        const int64_t caughtUpPs = (packets - 1) * (F - A);
        NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, 1).nowPs,
                              10 * US + (packets - 1) * F + RTT - caughtUpPs +
                                  static_cast<int64_t>(wakes) * WAKE,
                              after);
        const FabricEnergy::Joules joules = energy->Collect(*network.fabric, MS);
        NS_TEST_EXPECT_MSG_EQ(joules.wakes, wakes, after);
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, after);
    }

    void DoRun() override
    {
        Count();
        Fail();
        Sleep("1us", 1, 4);
        Sleep("1us", 5, 4);
        Sleep("10us", 1, 3); // that of the first NIC is just not asleep
        Sleep("1ms", 1, 0);
    }
};

/// Energy.
const SuiteCases g_cases("dcfabric-energy", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PortEnergyTestCase("energy of a port"));
    suite.AddTestCase(new StarEnergyTestCase("energy of a star, outages and sleep"));
});

} // namespace ns3::tests::fabric_energy_test
