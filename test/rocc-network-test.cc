// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rocc-congestion-control.h"
#include "ns3/rocc-feature.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief RoCC in networks: messages to the packet and the bit per second, fair shares, two
 * bottlenecks, refusals.
 */

namespace ns3::tests::rocc_network_test
{

/**
 * @ingroup dcfabric-tests
 * @brief RoCC that writes down its messages; with Obey false it sends at the line rate for ever.
 */
class WatchedRocc : public RoccCongestionControl
{
  public:
    /// A message.
    struct Record
    {
        const WatchedRocc* flow; //!< of which flow
        RateNotice notice;       //!< what it said
    };

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::WatchedRocc")
                                .SetParent<RoccCongestionControl>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<WatchedRocc>();
        return tid;
    }

    void OnRateNotice(const RateNotice& notice) override
    {
        records.push_back({this, notice});
        if (obeys)
        {
            RoccCongestionControl::OnRateNotice(notice);
        }
    }

    static std::vector<Record> records; //!< of all flows
    static bool obeys;                  //!< react to messages
};

std::vector<WatchedRocc::Record> WatchedRocc::records;
bool WatchedRocc::obeys = true;

NS_OBJECT_ENSURE_REGISTERED(WatchedRocc);

/// @return RoCC on hosts and switches, without a limit to the packet memory
FabricHelper
MakeHelper()
{
    WatchedRocc::records.clear();
    WatchedRocc::obeys = true;
    FabricHelper helper;
    helper.SetCongestionControl(WatchedRocc::GetTypeId().GetName());
    helper.AddSwitchFeature("ns3::RoccFeature");
    helper.SetBuffer("ns3::SharedBuffer",
                     "Size",
                     UintegerValue(100000000),
                     "XoffThreshold",
                     UintegerValue(20000000));
    return helper;
}

/// An update of a congestion point.
struct Update
{
    int64_t nowPs;       //!< when
    uint16_t port;       //!< where
    uint8_t priority;    //!< class
    double rateBps;      //!< fair rate
    uint64_t queueBytes; //!< length
};

/**
 * @brief Note an update.
 * @param updates the notes
 * @param port,priority,rate,bytes as traced
 */
void
NoteUpdate(std::vector<Update>* updates,
           uint16_t port,
           uint8_t priority,
           double rate,
           uint64_t bytes)
{
    updates->push_back({FabricTime::ToPs(Simulator::Now()), port, priority, rate, bytes});
}

/**
 * @ingroup dcfabric-tests
 * @brief Two flows at line rate that do not obey: each update and each message by hand.
 */
class RoccMessagesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Hosts 0 and 1 send 1000 packets each to host 2, through port 2 of switch 3, at 100 Gb/s:
        // 1062 B and 20 B of gap, one each 86.56 ns; the last bit of the first one is at the switch
        // after 86.56 + 1000 ns. At time t, with n = floor((t - 1086.56) / 86.56) + 1 packets of
        // each have come, at most 1000, and n have begun to leave, at most 2000.
        //   40 us:  450 of each; 900 - 450 = 450 in the queue: 477,900 B, 796 units of 600 B.
        //   80 us:  912 of each; 912 in the queue: 968,544 B, 1614 units.
        //   120 us: 1000 of each; 1374 have left, 626 in the queue: 664,812 B, 1108 units.
        //   160 us: 1836 have left, 164 in the queue: 174,168 B, 290 units.
        //   200 us: the queue is empty.
        // F in units of 10 Mb/s (alpha 0.45, beta 2.25, Qref 500, Qmid 1000, Qmax 1100):
        //   40 us:  10000 - 0.45 x 296 - 2.25 x 796 = 8075.8
        //   80 us:  1614 >= Qmax: 10
        //   120 us: 10 - (0.45 x 608 - 2.25 x 506) / 32 = 37.028125
        //   160 us: + (0.45 x 210 + 2.25 x 818) / 32 = 97.496875
        //   200 us: + (0.45 x 500 + 2.25 x 290) / 32 = 124.91875
        //   from then on + 0.45 x 500 over the divisor for each interval.
        // Messages say whole units, and go to both flows while they are in the queue: four each.
        FabricHelper helper = MakeHelper();
        WatchedRocc::obeys = false;
        TestNetwork network(MakeStar(3), helper);
        std::vector<Update> updates;
        const Ptr<RoccFeature> feature = network.fabric->GetSwitch(3)->GetFeature<RoccFeature>();
        feature->TraceConnectWithoutContext("FairRate", MakeBoundCallback(&NoteUpdate, &updates));
        NS_TEST_EXPECT_MSG_EQ(feature->GetFairRateBps(2, 3), 100e9, "no data yet");
        network.MessagesOf(0).Send(2, 1000000, 0);
        network.MessagesOf(1).Send(2, 1000000, 1);
        Simulator::Run();

        const struct
        {
            int64_t us;
            uint64_t bytes;
            double units;
            double mbps; // of messages
        } expected[] = {{40, 477900, 8075.8, 80750},
                        {80, 968544, 10, 100},
                        {120, 664812, 37.028125, 370},
                        {160, 174168, 97.496875, 970},
                        {200, 0, 124.91875, 0},
                        {240, 0, 131.95, 0}};

        NS_TEST_ASSERT_MSG_GT(updates.size(), 6, "updates");
        for (std::size_t i = 0; i < 6; ++i)
        {
            const auto& e = expected[i];
            NS_TEST_EXPECT_MSG_EQ(updates[i].nowPs, e.us * US, "time");
            NS_TEST_EXPECT_MSG_EQ(updates[i].port, 2, "egress port");
            NS_TEST_EXPECT_MSG_EQ(+updates[i].priority, 3, "class");
            NS_TEST_EXPECT_MSG_EQ(updates[i].queueBytes, e.bytes, "queue at " << e.us << " us");
            NS_TEST_EXPECT_MSG_EQ_TOL(updates[i].rateBps, e.units * 1e7, 1, "F at " << e.us);
        }
        // The rate rises to the line rate, and the congestion point goes to sleep: the run ends.
        NS_TEST_EXPECT_MSG_EQ(updates.back().rateBps, 100e9, "Fmax at the end");
        NS_TEST_EXPECT_MSG_EQ(feature->GetFairRateBps(2, 3), 100e9, "Fmax at the end");
        // From 124.9 units on: 27 steps of 7.03 to 314.8; 23 of 14.06 to 638.2; 22 of 28.1 to
        // 1257; 23 of 56.25 to 2550.7; 22 of 112.5 to 5025.7; 23 of 225 to beyond 10000.
        // 200 us + 140 intervals.
        NS_TEST_EXPECT_MSG_EQ(updates.size(), 5 + 140, "updates in all");

        const auto& records = WatchedRocc::records;
        NS_TEST_ASSERT_MSG_EQ(records.size(), 8, "two flows, four intervals");
        NS_TEST_EXPECT_MSG_EQ(feature->GetNMessages(), 8, "messages");
        NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::noticesArrived), 8, "arrived");
        std::map<const WatchedRocc*, std::size_t> seen;
        for (const auto& [flow, notice] : records)
        {
            const auto& e = expected[seen[flow]++];
            NS_TEST_EXPECT_MSG_EQ(notice.rateBps, e.mbps * 1e6, "rate told at " << e.us << " us");
            NS_TEST_EXPECT_MSG_EQ(notice.congestionPoint,
                                  ((uint64_t{3} << 24) | (2 << 8) | 3),
                                  "switch 3, port 2, class 3");
            // 62 B, the gap of 20 B and 1 us; an ACK of 98 B with its gap may be on the wire
            // already
            const int64_t afterPs = notice.nowPs - e.us * US;
            NS_TEST_EXPECT_MSG_GT_OR_EQ(afterPs, 1006560, "arrival");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(afterPs, 1006560 + 9440, "arrival");
        }
        NS_TEST_EXPECT_MSG_EQ(seen.size(), 2, "flows");
        const auto sum = network.fabric->CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(sum.Holds(), true, "all packets are accounted for");
        NS_TEST_EXPECT_MSG_EQ(sum.inFlight, 0, "none is left");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "no drops");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A congestion point that sleeps gives the results of one that never does.
 */
class RoccSleepTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // One packet at a time never leaves a queue behind at a multiple of 40 us: one update, at
        // rest. Arrival at 1086.56 ns after the start; the second one starts such that it arrives
        // exactly at 800 us, when it begins to leave at once; the third one 1 ps later.
        FabricHelper helper = MakeHelper();
        TestNetwork network(MakeStar(3), helper);
        std::vector<Update> updates;
        network.fabric->GetSwitch(3)->GetFeature<RoccFeature>()->TraceConnectWithoutContext(
            "FairRate",
            MakeBoundCallback(&NoteUpdate, &updates));
        network.MessagesOf(0).SendAt(5 * US, 2, 1000, 0);
        network.MessagesOf(0).SendAt(800 * US - 1086560, 2, 1000, 0);
        network.MessagesOf(0).SendAt(900 * US - 1086559, 2, 1000, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(updates.size(), 3, "three");
        NS_TEST_EXPECT_MSG_EQ(updates[0].nowPs, 40 * US, "the multiple after the packet");
        NS_TEST_EXPECT_MSG_EQ(updates[1].nowPs, 800 * US, "the very moment: arrivals come first");
        NS_TEST_EXPECT_MSG_EQ(updates[2].nowPs, 920 * US, "the multiple after the packet");
        for (const auto& update : updates)
        {
            NS_TEST_EXPECT_MSG_EQ(update.rateBps, 100e9, "at rest");
        }
        NS_TEST_EXPECT_MSG_EQ(WatchedRocc::records.size(), 0, "nobody in the queue");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Long flows through one link.
 */
class RoccFairnessTestCase : public TestCase
{
  public:
    /**
     * @param flows number of flows
     * @param gbps rate of all links
     * @param spreadPs the link of each sender has so much more delay than that of the one before
     */
    RoccFairnessTestCase(uint32_t flows, uint64_t gbps, int64_t spreadPs = 0)
        : TestCase(std::to_string(flows) + " flows share a link at " + std::to_string(gbps) + "G"),
          m_flows(flows),
          m_gbps(gbps),
          m_spreadPs(spreadPs)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t sw = m_flows + 1;
        PlanLinks links;
        for (uint32_t host = 0; host <= m_flows; ++host)
        {
            links.push_back({host, sw, m_gbps * GBPS, 1500000 + m_spreadPs * host});
        }
        const FabricGraph graph = PlanOfLinks(sw, 1, links);
        FabricHelper helper = MakeHelper();
        TestNetwork network(graph, helper);
        for (uint32_t host = 0; host < m_flows; ++host)
        {
            network.MessagesOf(host).Send(m_flows, 1000000000, host);
        }
        // All begin at line rate at once, so that the queue soon exceeds Qmax and F falls to Fmin.
        // From there it rises by alpha x Qref over the divisor for each interval, as long as the
        // queue is empty: at 40 Gb/s from 10 to 125 units by 75/32 (49 steps), then twice as fast
        // at each level (27 steps to double): 157 intervals or 6.3 ms to 20 Gb/s; at 100 Gb/s 131
        // intervals or 5.2 ms to 50 Gb/s. We look from 10 ms to 12 ms.
        const FabricNetDevice* port = network.fabric->GetPort(sw, static_cast<uint16_t>(m_flows));
        std::vector<uint64_t> before(m_flows);
        double queue = 0;
        double rate = 0;
        uint32_t looks = 0;
        CallIn(MilliSeconds(10), [&]() {
            for (uint32_t host = 0; host < m_flows; ++host)
            {
                before[host] = network.Nic(host).GetCounters().dataSent;
            }
        });
        const Ptr<RoccFeature> feature = network.fabric->GetSwitch(sw)->GetFeature<RoccFeature>();
        for (int64_t us = 10001; us < 12000; us += 10)
        {
            CallIn(MicroSeconds(us), [&]() {
                queue += static_cast<double>(port->GetQueue().GetClassBytes(3));
                rate += feature->GetFairRateBps(port->GetPort(), 3);
                ++looks;
            });
        }
        Simulator::Stop(MilliSeconds(12));
        Simulator::Run();
        // rates are of frame bytes, without the gap of 20 B
        const double line = static_cast<double>(m_gbps) * 1e9 * 1062 / 1082;
        const double share = line / m_flows;
        const double packets = share * 2e-3 / 8 / 1062;
        for (uint32_t host = 0; host < m_flows; ++host)
        {
            const auto sent =
                static_cast<double>(network.Nic(host).GetCounters().dataSent - before[host]);
            NS_TEST_EXPECT_MSG_EQ_TOL(sent / packets, 1.0, 0.05, "share of flow " << host);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(rate / looks / share, 1.0, 0.05, "fair rate");
        const auto qRef = static_cast<double>(RoccFairRate::GetDefaults(m_gbps * GBPS).qRefBytes);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue / looks / qRef, 1.0, 0.05, "queue at its reference");
        CheckSpacing();
        // Besides the congested queue, those of the switch's other ports carry no data: one message
        // for each flow and interval at most, 300 intervals.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(feature->GetNMessages(), 300 * m_flows, "messages");
        NS_TEST_EXPECT_MSG_GT(feature->GetNMessages(), 100 * m_flows, "most intervals");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, "no drops");
    }

    /// No flow gets two messages of a congestion point within one interval.
    void CheckSpacing()
    {
        std::map<std::pair<const WatchedRocc*, uint64_t>, int64_t> last;
        for (const auto& [flow, notice] : WatchedRocc::records)
        {
            // sent at a multiple of 40 us, between 1.5 and 1.5 us and a queue of control packets
            // ago
            const int64_t interval = notice.nowPs / (40 * US);
            const auto key = std::make_pair(flow, notice.congestionPoint);
            const auto known = last.find(key);
            NS_TEST_EXPECT_MSG_EQ((known == last.end() || known->second < interval),
                                  true,
                                  "one message an interval");
            last[key] = interval;
        }
    }

    uint32_t m_flows;   //!< number of flows
    uint64_t m_gbps;    //!< rate of all links
    int64_t m_spreadPs; //!< between the delays of senders
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow through two bottlenecks gets the smaller share.
 */
class RoccTwoBottlenecksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // The paper's figure 10: A0 .. A4 (hosts 0 .. 4) at switch S0, B0 .. B5 (hosts 5 .. 10) at
        // S1, links of 10 Gb/s, 40 Gb/s between the switches. Ai sends to Bi, B5 to B0. B0's link
        // is shared by D0 and D5: 5 Gb/s each; the other four share the remaining 35 Gb/s between
        // the switches: 8.75 Gb/s each.
        constexpr uint32_t s0 = 11;
        constexpr uint32_t s1 = 12;
        PlanLinks links;
        for (uint32_t host = 0; host < 11; ++host)
        {
            links.push_back({host, host < 5 ? s0 : s1, 10 * GBPS, 1500000});
        }
        links.push_back({s0, s1, 40 * GBPS, 1500000});
        const FabricGraph graph = PlanOfLinks(11, 2, links);
        FabricHelper helper = MakeHelper();
        TestNetwork network(graph, helper);
        const std::vector<std::pair<uint32_t, uint32_t>> flows =
            {{0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}, {10, 5}};
        for (const auto& [src, dst] : flows)
        {
            network.MessagesOf(src).Send(dst, 1000000000, src);
        }
        std::map<uint32_t, uint64_t> before;
        CallIn(MilliSeconds(15), [&]() {
            for (const auto& [src, dst] : flows)
            {
                before[src] = network.Nic(src).GetCounters().dataSent;
            }
        });
        Simulator::Stop(MilliSeconds(25));
        Simulator::Run();
        for (const auto& [src, dst] : flows)
        {
            const double gbps =
                static_cast<double>(network.Nic(src).GetCounters().dataSent - before[src]) * 1082 *
                8 / 10e-3 / 1e9;
            const double share = src == 0 || src == 10 ? 5 : 8.75;
            NS_TEST_EXPECT_MSG_EQ_TOL(gbps / share, 1.0, 0.05, "flow of host " << src);
        }
        // D0 hears of both congestion points and follows that of S1
        bool first = false;
        bool second = false;
        const auto pdc = network.Nic(0).GetSendingPdcs().GetBusy().at(0);
        for (const auto& [flow, notice] : WatchedRocc::records)
        {
            const bool own = flow == PeekPointer(pdc->GetCongestionControl());
            first = first || (own && notice.congestionPoint >> 24 == s0);
            second = second || (own && notice.congestionPoint >> 24 == s1);
        }
        NS_TEST_EXPECT_MSG_EQ((first && second), true, "both have told D0");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Messages are lost for a while.
 */
class RoccLostMessagesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Look at the sender at a time.
     * @param network the network
     * @param us when
     * @param gbps expected rate
     * @param part tolerance, as a part of it
     * @param limited expected
     */
    void Expect(const TestNetwork& network, int64_t us, double gbps, double part, bool limited)
    {
        CallIn(MicroSeconds(us), [this, &network, us, gbps, part, limited]() {
            const auto cc = DynamicCast<RoccCongestionControl>(
                network.Nic(0).GetSendingPdcs().GetBusy().at(0)->GetCongestionControl());
            NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetRate() / gbps / 1e9, 1.0, part, "at " << us << " us");
            NS_TEST_EXPECT_MSG_EQ(cc->IsLimited(), limited, "at " << us << " us");
        });
    }

    void DoRun() override
    {
        // Host 0 at 100 Gb/s, switches 2 and 3, 50 Gb/s to host 1: settled at 50 x 1062/1082 Gb/s
        // of frames after 10 ms. The message of 10,000 us is at host 0 after 2 us; those from
        // 10,040 us to 10,480 us are lost in switch 2. The rate doubles at 10,102 us, and at 10,202
        // us the limit ends. Meanwhile the queue grows beyond Qmax (410 KB at 50 Gb/s), the
        // controller says Fmin, and the message of 10,520 us brings it.
        FabricHelper helper = MakeHelper();
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 50 * GBPS}, {US, US, US}), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([](const FabricPacketItem& item) {
            const Time now = Simulator::Now();
            return item.type != FabricPacketType::RATE || now < MicroSeconds(10010) ||
                   now > MicroSeconds(10500);
        });
        network.MessagesOf(0).Send(1, 1000000000, 0);
        const double share = 50.0 * 1062 / 1082;
        Expect(network, 10050, share, 0.05, true);
        Expect(network, 10100, share, 0.05, true);
        Expect(network, 10104, 2 * share, 0.05, true);
        Expect(network, 10200, 2 * share, 0.05, true);
        Expect(network, 10204, 100, 1e-9, false);
        Expect(network, 10520, 100, 1e-9, false);
        Expect(network, 10524, 0.1, 0.001, true);
        Simulator::Stop(MicroSeconds(10530));
        Simulator::Run();
        std::size_t lost = 0;
        for (const auto& record : tap->Of(FabricPacketType::RATE))
        {
            lost += !record.passed;
        }
        NS_TEST_EXPECT_MSG_EQ(lost, 12, "10,040 us to 10,480 us");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Virtual output queues count; what is refused.
 */
class RoccInstallationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Install, to be refused.
     * @param configure changes a helper
     * @param part of the message
     */
    void Refuse(const std::function<void(FabricHelper&)>& configure, const std::string& part)
    {
        FabricHelper helper;
        configure(helper);
        DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(3)), part);
        Simulator::Destroy();
    }

    /// With output queues of 100 KB the reference of 300 KB is reached only with what waits at the
    /// inputs.
    void CheckVirtualQueues()
    {
        FabricHelper helper = MakeHelper();
        helper.SetBuffer("ns3::VoqBuffer",
                         "QueueBytes",
                         UintegerValue(1000000),
                         "OutputBytes",
                         UintegerValue(100000));
        TestNetwork network(MakeStar(3), helper);
        network.MessagesOf(0).Send(2, 1000000000, 0);
        network.MessagesOf(1).Send(2, 1000000000, 1);
        std::vector<Update> updates;
        network.fabric->GetSwitch(3)->GetFeature<RoccFeature>()->TraceConnectWithoutContext(
            "FairRate",
            MakeBoundCallback(&NoteUpdate, &updates));
        Simulator::Stop(MilliSeconds(6));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_GT(updates.size(), 140, "updates");
        NS_TEST_EXPECT_MSG_EQ_TOL(updates.back().queueBytes / 300000.0, 1, 0.1, "reference");
        NS_TEST_EXPECT_MSG_EQ_TOL(updates.back().rateBps, 50e9 * 1062 / 1082, 2.5e9, "fair");
    }

    /// Messages go in the class of control packets, whatever that is.
    void CheckClass()
    {
        FabricHelper helper = MakeHelper();
        helper.SetClasses(2, 5);
        WatchedRocc::obeys = false;
        TestNetwork network(MakeChain({100 * GBPS, 10 * GBPS, 10 * GBPS}, {US, US, US}), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.MessagesOf(0).Send(1, 1000000, 0);
        Simulator::Run();
        for (const auto& record : tap->records)
        {
            NS_TEST_EXPECT_MSG_EQ(+record.priority,
                                  (record.type == FabricPacketType::DATA ? 2 : 5),
                                  "class");
        }
        NS_TEST_EXPECT_MSG_GT(WatchedRocc::records.size(), 5, "messages");
        NS_TEST_EXPECT_MSG_EQ((WatchedRocc::records.front().notice.congestionPoint & 0xff),
                              2,
                              "class of the queue");
    }

    void DoRun() override
    {
        CheckVirtualQueues();
        CheckClass();
        Refuse([](FabricHelper& h) { h.SetCongestionControl("ns3::RoccCongestionControl"); },
               "ns3::RoccCongestionControl needs fair rates from the switches, but these have no "
               "ns3::RoccFeature; add it with AddSwitchFeature()");
        Refuse([](FabricHelper& h) { h.AddSwitchFeature("ns3::RoccFeature"); },
               "which ns3::NoCongestionControl ignores");
        Refuse(
            [](FabricHelper& h) {
                h.SetCongestionControl("ns3::RoccCongestionControl");
                h.AddSwitchFeature("ns3::RoccFeature");
                h.AddSwitchFeature("ns3::RoccFeature");
            },
            "twice");
        const auto refuseAttribute =
            [this](const char* name, const AttributeValue& value, const std::string& part) {
                Refuse(
                    [&](FabricHelper& h) {
                        h.SetCongestionControl("ns3::RoccCongestionControl");
                        h.AddSwitchFeature("ns3::RoccFeature", name, value);
                    },
                    part);
            };
        refuseAttribute("Qref", UintegerValue(600000), "must be above zero and rise");
        refuseAttribute("Qmid", UintegerValue(300000), "must be above zero and rise");
        refuseAttribute("Qmax", UintegerValue(600599), "600 bytes; they must be above zero");
        refuseAttribute("Qref", UintegerValue(599), "Qref, Qmid and Qmax are 0, 1000 and 1100");
        refuseAttribute("MinRate", DataRateValue(DataRate("9Mbps")), "must be at least RateUnit");
        refuseAttribute("MinRate", DataRateValue(DataRate("101Gbps")), "at most the rate of the");
        refuseAttribute("RateUnit", DataRateValue(DataRate("1500kbps")), "multiple of 1 Mb/s");
        refuseAttribute("ControlClass", UintegerValue(4), "hosts send control packets in class 6");
    }
};

/// RoCC in networks.
const SuiteCases g_cases("dcfabric-rocc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RoccMessagesTestCase("updates and messages of two flows, to the byte"));
    suite.AddTestCase(new RoccSleepTestCase(
        "updates at multiples of the interval, only while there is something to do"));
    suite.AddTestCase(new RoccFairnessTestCase(2, 40));
    suite.AddTestCase(new RoccFairnessTestCase(2, 100));
    suite.AddTestCase(new RoccFairnessTestCase(10, 40));
    suite.AddTestCase(new RoccFairnessTestCase(10, 100));
    suite.AddTestCase(new RoccFairnessTestCase(32, 40));
    // A hundred senders in step would send a hundred packets at once every 21 us, which the
    // updates every 40 us see at another phase each time: different delays, 1.5 to 11.5 us.
    suite.AddTestCase(new RoccFairnessTestCase(100, 40, 101000));
    suite.AddTestCase(new RoccTwoBottlenecksTestCase("two bottlenecks: the smaller rate counts"));
    suite.AddTestCase(new RoccLostMessagesTestCase(
        "lost messages: the sender recovers, and obeys again when they come"));
    suite.AddTestCase(new RoccInstallationTestCase("virtual output queues, classes, refusals"));
});

} // namespace ns3::tests::rocc_network_test
