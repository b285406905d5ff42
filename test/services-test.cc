// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-results.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-headers.h"
#include "ns3/fabric-scenario.h"
#include "ns3/fabric-time.h"
#include "ns3/flow-recorder.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Delivery services: datagrams (UUD), messages that may arrive twice (RUDI), ordered
 * messages (ROD).
 */

namespace ns3::tests::services_test
{

using namespace by_hand;

/// @return policies of a service; @param reliability its class
FabricHelper
MakeService(const std::string& reliability)
{
    FabricHelper helper;
    helper.SetReliability(reliability);
    helper.SetCongestionControl("ns3::NoCongestionControl");
    return helper;
}

/// Have switches drop. @param helper of the network @param bytes of memory, which all ports share
void
SetMemory(FabricHelper& helper, uint64_t bytes)
{
    helper.SetFlowControl("none");
    helper.SetBuffer("ns3::SharedBuffer",
                     "Size",
                     UintegerValue(bytes),
                     "PortReserve",
                     UintegerValue(0));
}

/**
 * @ingroup dcfabric-tests
 * @brief Has a tap lose packets of a type by their sequence numbers.
 */
class Losses
{
  public:
    /**
     * @param theType of packets
     * @param thePsns each as often as it is lost; of an ACK that of the packet that it answers
     */
    Losses(FabricPacketType theType, std::multiset<uint32_t> thePsns)
        : m_type(theType),
          m_psns(std::move(thePsns))
    {
    }

    /**
     * @param item a packet
     * @return true if it goes on
     */
    bool operator()(const FabricPacketItem& item)
    {
        const bool isData = item.type == FabricPacketType::DATA;
        const auto found = item.type == m_type
                               ? m_psns.find(isData ? item.psn : item.ack.triggerPsn)
                               : m_psns.end();
        if (found == m_psns.end())
        {
            return true;
        }
        m_psns.erase(found);
        return false;
    }

  private:
    FabricPacketType m_type;        //!< of packets
    std::multiset<uint32_t> m_psns; //!< that are still to be lost
};

/**
 * @ingroup dcfabric-tests
 * @brief Datagrams, by hand.
 */
class DatagramTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Three packets leave back to back: the last bit at 3 F. The last packet is at the switch 1
        // us later, and at the receiver after F and 1 us more.
        ExpectDatagrams({}, 3000);
        for (const uint32_t lost : {0, 1, 2})
        {
            ExpectDatagrams({lost}, 2000);
        }
        ExpectDatagrams({0, 1}, 1000);
        ExpectDatagrams({0, 1, 2}, 0);
        ExpectMany();
        ExpectShared();

        TestNetwork network(MakeStar(2), MakeService("ns3::NoRepeat"));
        DCFABRIC_EXPECT_REFUSAL(network.MessagesOf(0).Send(1, 0, 0), "needs at least 1 byte");
    }

    /// A message of three packets, of which some are lost.
    void ExpectDatagrams(const std::multiset<uint32_t>& lost, uint64_t arrived)
    {
        TestNetwork network(MakeStar(2), MakeService("ns3::NoRepeat"));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule(Losses(DATA, lost));
        network.MessagesOf(0).Send(1, 3000, 7);
        Simulator::Run();
        const std::string what = std::to_string(lost.size()) + " lost: ";
        const FabricMessageEvent sent = TestNetwork::Find(network.completed, 7);
        NS_TEST_EXPECT_MSG_EQ(sent.nowPs, 3 * F, what << "complete at departure");
        NS_TEST_EXPECT_MSG_EQ(sent.packetsSent, 3, what << "packets");
        NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, 0, what << "none again");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(),
                              (lost.empty() ? 1 : 0),
                              what << "delivered");
        if (lost.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(network.delivered[0].nowPs, 4 * F + 2 * US, "arrives");
        }
        const auto open = network.Nic(1).GetStatelessReceiver().GetOpenMessages();
        const bool isPart = arrived > 0 && arrived < 3000;
        NS_TEST_EXPECT_MSG_EQ(open.size(), (isPart ? 1 : 0), what << "known in part");
        if (isPart)
        {
            NS_TEST_EXPECT_MSG_EQ(open[0].committed, arrived, what << "bytes");
            NS_TEST_EXPECT_MSG_EQ(open[0].tag, 7, what << "of the message");
        }
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), arrived, what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::datagramsSent), 3, what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::datagramsGot),
                              3 - lost.size(),
                              what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::acksSent), 0, what << "no answer");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetSendingPdcs().GetN(), 0, what << "nothing stays");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, what << "no context");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
    }

    /// Nine senders, without flow control and with little room: whole messages are lost.
    void ExpectMany()
    {
        FabricHelper helper = MakeService("ns3::NoRepeat");
        SetMemory(helper, 50000);
        TestNetwork network(MakeStar(10), helper);
        for (uint32_t src = 0; src < 9; ++src)
        {
            network.MessagesOf(src).Send(9, 20000 + src, src);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 9, "each has left");
        uint64_t delivered = 0;
        for (const auto& event : network.delivered)
        {
            delivered += event.bytes;
        }
        for (const auto& event : network.Nic(9).GetStatelessReceiver().GetOpenMessages())
        {
            delivered += event.committed;
        }
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered),
                              delivered,
                              "whole messages and parts");
        NS_TEST_EXPECT_MSG_LT(network.Sum(&FabricNic::Counters::datagramsGot),
                              network.Sum(&FabricNic::Counters::datagramsSent),
                              "some were lost");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::retransmitted), 0, "none again");
        const auto where = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, "conservation");
        NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, "nothing is left over");
    }

    /// Several messages in one context, and more contexts than there may be.
    void ExpectShared()
    {
        for (const bool each : {true, false})
        {
            FabricHelper helper = MakeService("ns3::NoRepeat");
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(each));
            helper.SetNicAttribute("MaxSendingPdcs", UintegerValue(1));
            TestNetwork network(MakeStar(3), helper);
            for (uint32_t tag = 0; tag < 4; ++tag)
            {
                network.MessagesOf(0).Send(1, 1500, tag);
            }
            network.MessagesOf(0).Send(2, 1, 4);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 5, "all have left");
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 5, "all have arrived");
            for (std::size_t i = 0; i + 1 < network.completed.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_LT(network.completed[i].nowPs,
                                      network.completed[i + 1].nowPs,
                                      "one after the other");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Messages that may arrive twice, by hand.
 */
class IdempotentTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // As under any service: the last of three packets arrives at 4 F + 2 us, its answer two A
        // and 2 us later.
        FabricMessageEvent sent = Expect(DATA, {}, 0);
        NS_TEST_EXPECT_MSG_EQ(sent.nowPs, 4 * F + 2 * A + 4 * US, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, 0, "none again");
        for (const uint32_t lost : {0, 1, 2})
        {
            // behind the last packet nothing tells of it but a probe, which counts as a duplicate
            const uint64_t probes = lost == 2 ? 1 : 0;
            sent = Expect(DATA, {lost}, probes);
            NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, 1, lost << " lost");
            // that it was not received is what its sender believes
            sent = Expect(ACK, {lost}, 1 + probes);
            NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, 1, "answer to " << lost << " lost");
        }
        sent = Expect(DATA, {0, 0, 1, 1, 2, 2}, 2);
        NS_TEST_EXPECT_MSG_GT(sent.retransmitted, 5, "each twice, with two probes");
        sent = Expect(ACK, {0, 1, 2, 2}, 4 + 2);
        NS_TEST_EXPECT_MSG_EQ(sent.retransmitted, 4, "all answers");
        ExpectLate();
        ExpectMany();
    }

    /**
     * @brief A message of three packets.
     * @param type of packets that are lost
     * @param lost their numbers
     * @param duplicates that the receiver gets
     * @return its end at the sender
     */
    FabricMessageEvent Expect(FabricPacketType type,
                              const std::multiset<uint32_t>& lost,
                              uint64_t duplicates)
    {
        TestNetwork network(MakeStar(2), MakeService("ns3::IdempotentRepeat"));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule(Losses(type, lost));
        network.MessagesOf(0).Send(1, 3000, 7);
        Simulator::Run();
        const std::string what =
            (type == ACK ? "answers " : "packets ") + std::to_string(lost.size()) + " lost: ";
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, what << "told once");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what << "complete once");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), 3000, what);
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::dataDuplicate),
                              duplicates,
                              what << "taken again");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, what << "no context");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        // each packet is answered by itself, with its own number only
        for (const PacketTap::Record& record : tap->Of(ACK))
        {
            NS_TEST_EXPECT_MSG_EQ(record.ack.sackBitmap, 1, what << "one packet");
            NS_TEST_EXPECT_MSG_EQ(record.ack.sackBase, record.ack.triggerPsn, what << "itself");
            NS_TEST_EXPECT_MSG_EQ(((record.flags & FabricPacketItem::FLAG_NO_PDC) != 0),
                                  true,
                                  what << "of no context");
        }
        return TestNetwork::Find(network.completed, 7);
    }

    /// A packet comes once more when its message is over at both ends, twice.
    void ExpectLate()
    {
        TestNetwork network(MakeStar(2), MakeService("ns3::IdempotentRepeat"));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([&](const FabricPacketItem& item) {
            if (item.type == DATA && item.psn == 1 && tap->Of(DATA).size() < 3)
            {
                tap->Repeat(item, 100 * US);
                tap->Repeat(item, 200 * US);
            }
            return true;
        });
        network.MessagesOf(0).Send(1, 3000, 7);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, "told once");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete once");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::dataDuplicate), 2, "taken again");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::acksSent), 5, "and answered");
    }

    /// Sixteen senders, with losses.
    void ExpectMany()
    {
        FabricHelper helper = MakeService("ns3::IdempotentRepeat");
        helper.SetCongestionControl("ns3::HpccCongestionControl");
        helper.AddSwitchFeature("ns3::HpccIntFeature");
        SetMemory(helper, 60000);
        TestNetwork network(MakeStar(17), helper);
        for (uint32_t src = 0; src < 16; ++src)
        {
            network.MessagesOf(src).Send(16, 100000, src);
        }
        Simulator::Stop(Seconds(100)); // a run that does not end by itself fails
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 16, "all are acknowledged");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 16, "all have arrived, once");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), 1600000, "bytes");
        NS_TEST_EXPECT_MSG_GT(network.Sum(&FabricNic::Counters::retransmitted), 0, "with losses");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Messages of two hosts in order on one path, whatever is lost.
 */
class OrderedTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const FabricPacketType type : {DATA, ACK})
        {
            for (uint32_t lost = 0; lost < 6; ++lost)
            {
                FabricHelper helper = MakeService("ns3::GoBackN");
                helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
                TestNetwork network(MakeStar(2), helper);
                const Ptr<PacketTap> tap = AddTap(network, 2);
                tap->SetRule(Losses(type, {lost, lost}));
                for (uint32_t tag = 0; tag < 3; ++tag)
                {
                    network.MessagesOf(0).Send(1, 1500, tag);
                }
                Simulator::Run();
                NS_TEST_ASSERT_MSG_EQ(network.delivered.size(), 3, lost << " lost: all arrive");
                NS_TEST_ASSERT_MSG_EQ(network.completed.size(), 3, lost << " lost: complete");
                for (uint32_t tag = 0; tag < 3; ++tag)
                {
                    NS_TEST_EXPECT_MSG_EQ(network.delivered[tag].tag, tag, "in order");
                    NS_TEST_EXPECT_MSG_EQ(network.completed[tag].tag, tag, "in order");
                }
                NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::reordered), 0, "in order");
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What cannot be together, and bytes of packets.
 */
class ServiceRulesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper datagrams = MakeService("ns3::NoRepeat");
        datagrams.SetCongestionControl("ns3::HpccCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(datagrams.Install(MakeStar(2)),
                                "ns3::NoRepeat answers no packet, but ns3::HpccCongestionControl "
                                "goes by answers");
        FabricHelper notified = MakeService("ns3::IdempotentRepeat");
        notified.SetCongestionControl("ns3::DcqcnCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(notified.Install(MakeStar(2)),
                                "but ns3::DcqcnCongestionControl needs congestion notifications");
        FabricHelper granted = MakeService("ns3::IdempotentRepeat");
        granted.SetCongestionControl("ns3::RcccCongestionControl");
        DCFABRIC_EXPECT_REFUSAL(granted.Install(MakeStar(2)),
                                "but ns3::RcccCongestionControl needs credit for each connection");
        Simulator::Destroy();

        for (const auto type : {DATA, ACK})
        {
            const Ptr<FabricPacketItem> item = FabricPacketItem::Create(type);
            item->dst = 1;
            item->flags =
                FabricPacketItem::FLAG_NO_PDC |
                (type == DATA ? FabricPacketItem::FLAG_SYN | FabricPacketItem::FLAG_ACK_REQUEST
                              : 0);
            const RoceV2WireFormat wire;
            item->size = type == DATA ? wire.GetDataBytes(0, false) : wire.GetAckBytes();
            const Ptr<FabricPacketItem> back =
                FabricHeaders::Parse(FabricHeaders::Serialize(*item));
            NS_TEST_EXPECT_MSG_EQ(back->flags, item->flags, "as it was");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Runs of a service, and what they leave behind.
 */
class ServiceRunTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Options of a run.
    using Options = std::vector<std::pair<std::string, std::string>>;

    /// What a run has left behind.
    struct Outcome
    {
        RunSummary summary; //!< of it
        std::string flows;  //!< flows.csv
        std::string first;  //!< of that the first line
    };

    /// @return what a run leaves behind; checks that nothing was violated
    Outcome Run(const std::string& service, const Options& options)
    {
        FabricScenario scenario;
        scenario.Set("topology", "leaf-spine:leaves=2,spines=2,hosts=4");
        scenario.Set("workload", "permutation:size=20kB");
        scenario.Set("service", service);
        for (const auto& [name, value] : options)
        {
            scenario.Set(name, value);
        }
        const std::string folder = CreateTempDirFilename("service-" + service);
        scenario.SetForce(true);
        scenario.Run(folder);
        const std::string flows = ReadAll(folder + "/flows.csv");
        const Outcome outcome{scenario.GetSummary(), flows, flows.substr(0, flows.find('\n'))};
        NS_TEST_EXPECT_MSG_EQ(scenario.ListViolations().size(), 0, service << ": as it must be");
        NS_TEST_EXPECT_MSG_EQ(outcome.summary.status, "complete", service << ": ended");
        Simulator::Destroy();
        Config::Reset();
        return outcome;
    }

    /// @return why options are refused
    static std::string Refuse(const Options& options)
    {
        const std::string refusal = RefusalOf([&options] {
            FabricScenario scenario;
            for (const auto& [name, value] : options)
            {
                scenario.Set(name, value);
            }
            scenario.Build();
        });
        Simulator::Destroy();
        Config::Reset();
        return refusal;
    }

    /// Check a refusal.
    void ExpectRefusal(const Options& options, const std::string& part)
    {
        const std::string refusal = Refuse(options);
        NS_TEST_EXPECT_MSG_EQ(Contains(refusal, part), true, part << ", got: " << refusal);
    }

    void DoRun() override
    {
        const Options lossy{{"error-rate", "0.02"}, {"flow-control", "none"}};
        for (const char* service : {"rud", "rod", "rudi"})
        {
            const Outcome outcome = Run(service, lossy);
            NS_TEST_EXPECT_MSG_EQ(outcome.summary.flowsCompleted, 8, service << ": all arrive");
            NS_TEST_EXPECT_MSG_GT(outcome.summary.totals.retransmitted, 0, "in spite of losses");
            NS_TEST_EXPECT_MSG_EQ(outcome.summary.totals.Get("datagrams_sent"), 0, "no datagrams");
            NS_TEST_EXPECT_MSG_EQ(Contains(outcome.first, "delivered_bytes"), false, "no column");
        }
        // where nothing is lost they do not differ
        const std::string flows = Run("rud", {}).flows;
        NS_TEST_EXPECT_MSG_EQ(Run("rod", {}).flows, flows, "in order anyway");
        NS_TEST_EXPECT_MSG_EQ(Run("rudi", {}).flows, flows, "once anyway");

        // eight messages of 20 packets
        const Outcome all = Run("uud", {});
        NS_TEST_EXPECT_MSG_EQ(all.summary.flowsCompleted, 8, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(all.summary.totals.Get("datagrams_sent"), 160, "packets");
        NS_TEST_EXPECT_MSG_EQ(all.summary.totals.Get("datagrams_delivered"), 160, "all of them");
        NS_TEST_EXPECT_MSG_EQ(Contains(all.first, ",reordered,delivered_bytes"), true, all.first);
        NS_TEST_EXPECT_MSG_EQ(Contains(all.flows, ",20000\n"), true, "of each flow");
        // 1 ms after 20 F on the wire, in ticks of the simulator
        const int64_t endPs = FabricTime::ToPs(FabricTime::FromPs(1000 * US + 20 * F));
        NS_TEST_EXPECT_MSG_EQ(all.summary.endPs, endPs, "and then lingers");

        const Outcome some = Run("uud", lossy);
        const uint64_t sent = some.summary.totals.Get("datagrams_sent");
        const uint64_t arrived = some.summary.totals.Get("datagrams_delivered");
        NS_TEST_EXPECT_MSG_EQ(sent, 160, "none twice");
        NS_TEST_EXPECT_MSG_LT(arrived, 160, "some are lost");
        NS_TEST_EXPECT_MSG_LT(some.summary.flowsCompleted, 8, "and with them flows");
        NS_TEST_EXPECT_MSG_EQ(some.summary.flowsStarted, 8, "of these");
        NS_TEST_EXPECT_MSG_EQ(some.summary.totals.bytesDelivered, 1000 * arrived, "parts, too");
        NS_TEST_EXPECT_MSG_EQ(some.summary.endPs, endPs, "at the same time");
        uint64_t sum = 0;
        std::size_t at = some.flows.find('\n');
        while (at + 1 < some.flows.size())
        {
            const std::size_t end = some.flows.find('\n', at + 1);
            sum += std::stoull(some.flows.substr(some.flows.rfind(',', end) + 1));
            at = end;
        }
        NS_TEST_EXPECT_MSG_EQ(sum, 1000 * arrived, "by flows");
        NS_TEST_EXPECT_MSG_EQ(Run("uud", lossy).flows, some.flows, "the same bytes again");

        ExpectRefusal({{"service", "rd"}}, "unknown service 'rd'; known: rud, rod, rudi, uud");
        ExpectRefusal({{"service", "rod"}, {"reliability", "rack"}},
                      "reliability=rack contradicts service=rod");
        ExpectRefusal({{"service", "rud"}, {"reliability", "go-back-n"}},
                      "reliability=go-back-n contradicts service=rud");
        ExpectRefusal({{"service", "rod"}, {"cc", "dctcp"}, {"lb", "spray-rr"}},
                      "ns3::GoBackN accepts packets only in order");
        ExpectRefusal({{"service", "uud"}, {"cc", "dctcp"}}, "goes by answers");
        if (HasClass("ns3::RequestToWait"))
        {
            for (const char* service : {"rudi", "uud"})
            {
                ExpectRefusal({{"service", service}, {"messages", "rtw"}},
                              "refuses and asks for messages by their PDC");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Refuse({{"service", "rud"}, {"reliability", "rack"}}),
                              "(accepted)",
                              "also reliable and unordered");
        NS_TEST_EXPECT_MSG_EQ(Refuse({{"service", "rud"}, {"lb", "spray-rr"}, {"cc", "dctcp"}}),
                              "(accepted)",
                              "over many paths");
    }
};

/// Delivery services.
const SuiteCases g_cases("dcfabric-services", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DatagramTestCase("datagrams"));
    suite.AddTestCase(new IdempotentTestCase("messages that may arrive twice"));
    suite.AddTestCase(new OrderedTestCase("ordered messages"));
    suite.AddTestCase(new ServiceRulesTestCase("rules and bytes"));
    suite.AddTestCase(new ServiceRunTestCase("runs of services"));
});

} // namespace ns3::tests::services_test
