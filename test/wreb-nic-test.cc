// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-bts.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Back-to-sender notification in NICs ([Patent] (16), (127)), which are nodes with a link to
 * their host and one to the network.
 */

namespace ns3::tests::wreb_nic_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A host sends three packets through its NIC and that of the receiver: which NIC tells, and
 * when it is heard.
 *
 * Host 0, NIC 2, NIC 3, host 1; a NIC is 250 ns from its host, the NICs are 1 us apart. A packet
 * has 1082 bytes on the wire, a notification 98, an ACK 118. Every packet that finds another one
 * waiting triggers. It is the third one in all cases; without notifications the sender learns of
 * its mark from the ACK.
 */
class NicTestCase : public TestCase
{
  public:
    /// What should happen.
    struct Expected
    {
        std::vector<uint64_t> ratesBps; //!< of the three links
        uint32_t nic;                   //!< that tells
        int64_t toldPs;                 //!< when the sender hears it
        int64_t echoedPs;               //!< when it hears the echo, without notifications
    };

    /**
     * @param name of the case
     * @param expected what should happen
     */
    NicTestCase(const std::string& name, const Expected& expected)
        : TestCase(name),
          m_expected(expected)
    {
    }

  private:
    void DoRun() override
    {
        for (const bool sends : {true, false})
        {
            FabricHelper helper = MakeBtsHelper("0:0,0:1");
            Config::SetDefault("ns3::WrebFeature::Send", BooleanValue(sends));
            WatchedBts::obeys = false;
            TestNetwork network(MakeChain(m_expected.ratesBps, {US / 4, US, US / 4}), helper);
            network.MessagesOf(0).Send(1, 3000, 0);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(WatchedBts::records.size(), (sends ? 2 : 1), "told and echoed");
            const WatchedBts::Record& first = WatchedBts::records.front();
            NS_TEST_EXPECT_MSG_EQ(first.isBts, sends, "what comes first");
            NS_TEST_EXPECT_MSG_EQ(first.nowPs,
                                  (sends ? m_expected.toldPs : m_expected.echoedPs),
                                  "when");
            for (const uint32_t nic : {2, 3})
            {
                NS_TEST_EXPECT_MSG_EQ(
                    network.fabric->GetSwitch(nic)->GetFeature<WrebFeature>()->GetNSent(),
                    (sends && nic == m_expected.nic ? 1 : 0),
                    "NIC " << nic);
            }
        }
    }

    void DoTeardown() override
    {
        Config::Reset();
    }

    Expected m_expected; //!< what should happen
};

/// NICs.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    // A packet takes 21.64 ns at 400 Gb/s, 86.56 ns at 100. They reach NIC 2 at 271.64, 293.28 and
    // 314.92 ns; the first is on the wire until 358.2, so that the third finds the second. 98 bytes
    // take 1.96 ns: 566.88 ns. The third leaves at 271.64 + 2 x 86.56 = 444.76, is at NIC 3
    // 1086.56 later and at host 1 271.64 after that, 1802.96; 118 bytes take 2.36 and 9.44 ns:
    // 252.36 + 1009.44 + 252.36 later.
    suite.AddTestCase(new NicTestCase(
        "NIC of the sender: its link to the network is slower than that to the host",
        {{400 * GBPS, 100 * GBPS, 400 * GBPS}, 2, 566880, 3317120}));
    // 86.56, 43.28 and 216.4 ns at 100, 200 and 40 Gb/s. They reach NIC 2 at 86.56 k + 250, where
    // nothing waits, and NIC 3 1043.28 later: 1379.84, 1466.4 and 1552.96 ns; the first is on the
    // wire until 1596.24. 98 bytes take 3.92 and 7.84 ns: 1552.96 + 1003.92 + 257.84. The third
    // leaves at 1379.84 + 2 x 216.4 = 1812.64 and is at host 1 466.4 later, 2279.04; 118 bytes take
    // 23.6, 4.72 and 9.44 ns: 273.6 + 1004.72 + 259.44 later.
    suite.AddTestCase(
        new NicTestCase("NIC of the receiver: its link to the host is slower than the network",
                        {{100 * GBPS, 200 * GBPS, 40 * GBPS}, 3, 2814720, 3816800}));
});

} // namespace ns3::tests::wreb_nic_test
