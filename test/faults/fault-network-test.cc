// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fabric-faults.h"
#include "ns3/int-format.h"
#include "ns3/rocc-feature.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Networks whose links fail: transfers, INT, fair rates.
 */

namespace ns3::tests::fault_network_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A packet over a chain 0 - 2 - 3 - 1 of links of 1 us.
 *
 * It has 1062 B and 20 B of gap: 86,560 ps; on each link 1,086,560 ps, at its end after 3,259,680
 * ps.
 */
class FaultTransferTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    static constexpr int64_t ONE_WAY_PS = 3259680; //!< of the packet

    /**
     * @param flowControl TypeId or none
     * @param downPs,upPs fault
     * @param a,b its link
     * @param deliveredPs when the packet arrives
     * @param timeouts of the sender
     */
    void Check(const std::string& flowControl,
               int64_t downPs,
               int64_t upPs,
               uint32_t a,
               uint32_t b,
               int64_t deliveredPs,
               uint64_t timeouts)
    {
        for (const char* reliability : {"ns3::SelectiveRepeat", "ns3::GoBackN"})
        {
            FabricHelper helper;
            helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
            helper.SetFlowControl(flowControl);
            helper.SetReliability(reliability);
            TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, {US, US, US}),
                                helper);
            FabricFaults faults;
            faults.Add({downPs, FabricFault::DOWN, a, b});
            faults.Add({upPs, FabricFault::UP, a, b});
            faults.Install(network.fabric);
            network.MessagesOf(0).SendAt(0, 1, 1000, 7);
            Simulator::Run();
            const std::string what =
                flowControl + ", " + reliability + ", down at " + std::to_string(downPs);
            NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, 7).nowPs, deliveredPs, what);
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what);
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCounters().timeouts, timeouts, what);
            auto drops = network.fabric->GetDrops();
            NS_TEST_EXPECT_MSG_EQ(drops[DropReason::LINK_DOWN], timeouts, what);
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        }
    }

    void DoRun() override
    {
        for (const char* flowControl : {"none", "ns3::PriorityFlowControl"})
        {
            // on the link between the switches from 1,086,560 to 2,173,120: lost, sent again 100 us
            // after it had been sent
            Check(flowControl, 2 * US, 5 * US, 2, 3, 100 * US + ONE_WAY_PS, 1);
            Check(flowControl, 2173120, 5 * US, 2, 3, 100 * US + ONE_WAY_PS, 1);
            // when it has passed
            Check(flowControl, 2173121, 5 * US, 2, 3, ONE_WAY_PS, 0);
            // before it is there: it waits in the queue
            Check(flowControl, 1 * US, 5 * US, 2, 3, 5 * US + 2 * 1086560, 0);
            Check(flowControl, 1086560, 5 * US, 2, 3, 5 * US + 2 * 1086560, 0);
            // at the host
            Check(flowControl, 0, 10 * US, 0, 2, 10 * US + ONE_WAY_PS, 0);
            // the answer is lost: it begins at 3,259,680; the copy is delivered no second time
            Check(flowControl, 3300000, 4 * US, 1, 3, ONE_WAY_PS, 1);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief INT over a change of the rate.
 */
class FaultIntTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @param exact unpacked records
    void Check(bool exact)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::HpccCongestionControl");
        helper.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(exact));
        helper.AddSwitchFeature("ns3::HpccIntFeature");
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, {US, US, US}), helper);
        FabricFaults faults;
        faults.AddRate(MicroSeconds(20), 2, 3, DataRate("40Gbps"));
        faults.AddRate(MicroSeconds(60), 2, 3, DataRate("100Gbps"));
        faults.Install(network.fabric);
        Ptr<PacketTap> tap = CreateObject<PacketTap>();
        network.fabric->GetSwitch(3)->AddFeature(tap);
        Ptr<IntFormat> format = CreateObject<IntFormat>();
        std::map<uint64_t, uint32_t> seen; // records by rate
        tap->SetRule([&](FabricPacketItem& item) {
            if (item.type == FabricPacketType::DATA && item.intCount == 1)
            {
                const IntSample sample =
                    exact ? (*item.exactInt)[0] : format->Unpack(item.intRecords[0]);
                // stamped when it began at switch 2, in whole ns if packed
                const bool slow = sample.timePs >= 20 * US && sample.timePs < 60 * US;
                NS_TEST_EXPECT_MSG_EQ(sample.rateBps,
                                      (slow ? 40 : 100) * GBPS,
                                      "at " << sample.timePs);
                ++seen[sample.rateBps];
            }
            return true;
        });
        network.MessagesOf(0).SendAt(0, 1, 1000000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        // 40 us at 40 Gb/s hold 183 packets of 1090 B (INT and gap included), of which HPCC uses
        // most; the rest of the 1000 went at 100 Gb/s
        NS_TEST_EXPECT_MSG_EQ(seen[100 * GBPS] + seen[40 * GBPS], 1000, "each packet once");
        NS_TEST_EXPECT_MSG_GT(seen[40 * GBPS], 140, "slow");
    }

    void DoRun() override
    {
        Check(false);
        Check(true);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The fair rate of RoCC over a change of the rate.
 */
class FaultFairRateTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::RoccCongestionControl");
        helper.AddSwitchFeature("ns3::RoccFeature");
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, {US, US, US}), helper);
        FabricFaults faults;
        faults.AddRate(MicroSeconds(20), 2, 3, DataRate("40Gbps"));
        faults.Install(network.fabric);
        network.MessagesOf(0).SendAt(0, 1, 1000000, 1);
        const auto feature = network.fabric->GetSwitch(2)->GetFeature<RoccFeature>();
        // no queue before: the line's rate; then the slower line's, until the next interval
        for (const auto& [ns, gbps] : {std::pair{19999, 100}, std::pair{20001, 40}})
        {
            CallIn(NanoSeconds(ns), [this, feature, rate = gbps]() {
                NS_TEST_EXPECT_MSG_EQ(feature->GetFairRateBps(1, 3), rate * 1e9, rate << " Gb/s");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
    }
};

/// Suite of networks whose links fail.
const SuiteCases g_cases("dcfabric-faults", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FaultTransferTestCase(
        "a packet that is lost with a link is sent again, one that waits goes on"));
    suite.AddTestCase(new FaultIntTestCase("INT tells the rate that a link has now"));
    suite.AddTestCase(new FaultFairRateTestCase("a fair rate is never above that of the link"));
});

} // namespace ns3::tests::fault_network_test
