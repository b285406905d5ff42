// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/fabric-switch.h"
#include "ns3/log.h"
#include "ns3/priority-flow-control.h"
#include "ns3/test.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The switch: what features see, what is dropped and why.
 *
 * Everywhere three hosts 0, 1, 2 without a transport at ports 0, 1, 2 of switch 3; 100 Gb/s, 20 B
 * of gap, 1 us of delay. A frame of 980 B takes 80 ns.
 */

namespace ns3::tests::switch_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A feature that writes down every call, and can act in each of them.
 */
class RecordingFeature : public SwitchFeature
{
  public:
    /**
     * @param name letter in the log
     * @param log shared by features
     */
    RecordingFeature(char name, std::shared_ptr<std::vector<std::string>> log)
        : m_name(name),
          m_log(log)
    {
    }

    uint32_t hooks{RECEIVE | CONSUME | CHOOSE_PATH | ADMIT | ENQUEUE | DEQUEUE | DROP |
                   TRANSMIT};                                       //!< GetHooks()
    std::function<bool(const std::string&, FabricPacketItem&)> act; //!< called in each hook
    std::vector<int64_t> timers;                                    //!< calls of OnTimer()
    int redirect{-1};                                               //!< port to choose
    std::vector<std::pair<uint16_t, uint32_t>> admitted;            //!< ingress and bytes charged

    uint32_t GetHooks() const override
    {
        return hooks;
    }

    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        return Note("receive", ingress.GetPort(), item);
    }

    bool OnConsume(FabricNetDevice& ingress, FabricPacketItem& item) override
    {
        return Note("consume", ingress.GetPort(), item);
    }

    void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port) override
    {
        Note("choose", port, item);
        port = redirect < 0 ? port : static_cast<uint16_t>(redirect);
    }

    void OnAdmit(FabricNetDevice& ingress, FabricNetDevice& egress, FabricPacketItem& item) override
    {
        admitted.push_back({ingress.GetPort(), item.bufferBytes});
        Note("admit", egress.GetPort(), item);
    }

    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override
    {
        Note("enqueue", egress.GetPort(), item);
    }

    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override
    {
        Note("dequeue", egress.GetPort(), item);
    }

    void OnDrop(FabricPacketItem& item,
                DropReason reason,
                const FabricNetDevice* /* egress */) override
    {
        Note(ToText(reason), 0, item);
    }

    void OnTransmit(FabricNetDevice& egress, const FabricPacketItem& item) override
    {
        Note("transmit", egress.GetPort(), const_cast<FabricPacketItem&>(item));
    }

    void OnTimer(int64_t nowPs) override
    {
        timers.push_back(nowPs);
    }

    /**
     * @brief Ask for the time.
     * @param timePs when
     */
    void Arm(int64_t timePs)
    {
        m_switch->ArmTimer(m_number, timePs);
    }

    /**
     * @brief Send a packet of the switch's own.
     * @param item the packet
     * @param port through which
     * @return false if dropped
     */
    bool Originate(Ptr<FabricPacketItem> item, uint16_t port = FabricPacketItem::NO_PORT)
    {
        return m_switch->Originate(item, port);
    }

  private:
    /**
     * @param hook its name
     * @param port where
     * @param item packet
     * @return what act says
     */
    bool Note(const std::string& hook, uint16_t port, FabricPacketItem& item)
    {
        m_log->push_back(std::string(1, m_name) + " " + hook + " " + std::to_string(port) + " #" +
                         std::to_string(item.data.tag));
        return act && act(hook, item);
    }

    char m_name;                                     //!< letter
    std::shared_ptr<std::vector<std::string>> m_log; //!< calls
};

/**
 * @ingroup dcfabric-tests
 * @brief A switch with three hosts.
 */
class SwitchTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @brief Build.
     * @param losslessClasses bit mask
     * @param size of the buffer; the pool is what the headroom of 2,000 B a port leaves of it
     * @param egressLimit of the queue disc of port 1
     */
    void Create(uint8_t losslessClasses = 0xff,
                uint64_t size = 1000000,
                const std::string& egressLimit = "1000000B")
    {
        m_log = std::make_shared<std::vector<std::string>>();
        m_drops.clear();
        m_hosts.clear();
        m_hostPorts.clear();
        m_switch = CreateObject<FabricSwitch>();
        m_switch->Attach(CreateObject<Node>(), 3);
        auto classes = std::make_shared<DestinationClasses>();
        classes->classOf = {0, 0, 0, DestinationClasses::NONE};
        classes->nClasses = 1;
        ForwardingTable table(classes);
        table.SetLocalClass(0);
        for (uint32_t i = 0; i < 3; ++i)
        {
            Ptr<QueueDisc> disc = CreateObject<CongestionAwareQueueDisc>();
            disc->SetMaxSize(QueueSize(i == 1 ? egressLimit : "1000000B"));
            Ptr<FabricNetDevice> port = AddPort(m_switch, 100 * GBPS, 20, disc);
            port->SetFlowControl(CreateObject<PriorityFlowControl>());
            m_hosts.push_back(MakeActor(i));
            m_hostPorts.push_back(AddPort(m_hosts[i], 100 * GBPS));
            Join(m_hostPorts[i], port, MicroSeconds(1));
            table.SetLocal(i, {static_cast<uint16_t>(i)});
        }
        m_switch->SetForwardingTable(std::move(table));
        m_buffer = CreateObject<SharedBuffer>();
        m_buffer->SetAttribute("Size", UintegerValue(size));
        m_buffer->SetAttribute("PortReserve", UintegerValue(0));
        const uint64_t headroom = losslessClasses != 0 ? 2000 : 0;
        m_buffer->Configure({headroom, headroom, headroom}, losslessClasses, 1U << 3);
        m_switch->SetBuffer(m_buffer);
        m_switch->TraceConnectWithoutContext("Drop", MakeCallback(&SwitchTestCase::Drop, this));
    }

    /**
     * @param name its letter
     * @return a new feature of the switch
     */
    Ptr<RecordingFeature> AddFeature(char name)
    {
        Ptr<RecordingFeature> feature(new RecordingFeature(name, m_log), false);
        m_switch->AddFeature(feature);
        return feature;
    }

    /**
     * @brief A host sends frames of 980 B.
     * @param host source
     * @param dst destination
     * @param tag first number
     * @param count how many
     */
    void Send(uint32_t host, uint32_t dst, uint32_t tag, uint32_t count = 1)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_hostPorts[host]->Enqueue(MakeData(980, tag + i, 3, host, dst));
        }
    }

    /// Run to the end and clear away, but for hosts, log, drops and buffer.
    void Run()
    {
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        m_counted = m_switch->GetDrops();
        Simulator::Destroy();
    }

    /**
     * @param item dropped packet
     * @param reason why
     * @param port where
     */
    void Drop(Ptr<const FabricPacketItem> item, DropReason reason, const FabricNetDevice* port)
    {
        m_dropPort = port ? port->GetPort() : FabricPacketItem::NO_PORT;
        m_discReason = port ? port->GetDiscReason() : "";
        m_drops.push_back(std::string(ToText(reason)) + " #" + std::to_string(item->data.tag));
    }

    Ptr<FabricSwitch> m_switch;                      //!< under test
    Ptr<SharedBuffer> m_buffer;                      //!< its memory
    std::vector<Ptr<RecordingActor>> m_hosts;        //!< around it
    std::vector<Ptr<FabricNetDevice>> m_hostPorts;   //!< of the hosts
    std::shared_ptr<std::vector<std::string>> m_log; //!< calls of features
    std::vector<std::string> m_drops;                //!< traced
    DropCounts m_counted;                            //!< counted
    uint16_t m_dropPort{0};                          //!< of the last drop
    std::string m_discReason;                        //!< of the last drop, if it has a port
};

/**
 * @ingroup dcfabric-tests
 * @brief Every hook.
 */
class HookOrderTestCase : public SwitchTestCase
{
    using SwitchTestCase::SwitchTestCase;

    void DoRun() override
    {
        Create();
        AddFeature('a');
        Ptr<RecordingFeature> some = AddFeature('b');
        Ptr<RecordingFeature> quiet(new RecordingFeature('q', m_log), false);
        quiet->hooks = SwitchFeature::DEQUEUE;
        m_switch->AddFeature(quiet);
        // #10 and #11 arrive at 1,080 and 1,160 ns; the latter finds the wire free that moment
        Send(0, 1, 10, 2);
        Run();
        std::vector<std::string> expected;
        for (const std::string tag : {"#10", "#11"})
        {
            for (const std::string call : {"a receive 0 ",
                                           "b receive 0 ",
                                           "a choose 1 ",
                                           "b choose 1 ",
                                           "a admit 1 ",
                                           "b admit 1 ",
                                           "a enqueue 1 ",
                                           "b enqueue 1 ",
                                           "a dequeue 1 ",
                                           "b dequeue 1 ",
                                           "q dequeue 1 ",
                                           "a transmit 1 ",
                                           "b transmit 1 "})
            {
                expected.push_back(call + tag);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((*m_log == expected), true, "calls");
        NS_TEST_ASSERT_MSG_EQ(some->admitted.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(some->admitted[0].first, 0, "came at port 0");
        NS_TEST_EXPECT_MSG_EQ(some->admitted[0].second, 980, "it has its room");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->arrivals.at(1).timePs,
                              2240000,
                              "two hops and two frames");
        NS_TEST_EXPECT_MSG_EQ(m_drops.empty(), true, "no drops");

        // a feature that changes the path, and one after it that sees the change
        Create();
        AddFeature('a')->redirect = 2;
        AddFeature('b');
        Send(0, 1, 10);
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_log->at(2), "a choose 1 #10", "before");
        NS_TEST_EXPECT_MSG_EQ(m_log->at(3), "b choose 2 #10", "after");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[2]->arrivals.size(), 1, "went to port 2");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->arrivals.size(), 0, "not to port 1");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets that a feature keeps or makes.
 */
class OriginateTestCase : public SwitchTestCase
{
    using SwitchTestCase::SwitchTestCase;

    void DoRun() override
    {
        // kept: the second feature does not see it any more, and the buffer is not charged
        Create();
        AddFeature('a')->act = [](const std::string& hook, FabricPacketItem& item) {
            return hook == "receive" && item.data.tag == 10;
        };
        AddFeature('b');
        Send(0, 1, 10, 2);
        Send(0, 3, 20); // to the switch itself, nobody wants it
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetNConsumed(), 1, "kept");
        NS_TEST_EXPECT_MSG_EQ(m_log->at(0), "a receive 0 #10", "seen");
        NS_TEST_EXPECT_MSG_EQ(m_log->at(1), "a receive 0 #11", "by nobody else");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->arrivals.size(), 1, "only #11");
        NS_TEST_EXPECT_MSG_EQ(m_drops.at(0), "not for a switch #20", "nobody kept it");
        NS_TEST_EXPECT_MSG_EQ(m_counted[DropReason::NOT_FOR_SWITCH], 1, "counted");

        // taken: by the first feature that wants it, and only what is for the switch itself
        Create();
        AddFeature('a');
        AddFeature('b')->act = [](const std::string& hook, FabricPacketItem& item) {
            return hook == "consume" && item.data.tag == 20;
        };
        AddFeature('c');
        Send(0, 1, 10);
        Send(0, 3, 20, 2);
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetNConsumed(), 1, "taken");
        const auto count = [this](const std::string& entry) {
            return std::count(m_log->begin(), m_log->end(), entry);
        };
        NS_TEST_EXPECT_MSG_EQ(count("a consume 0 #20"), 1, "offered");
        NS_TEST_EXPECT_MSG_EQ(count("b consume 0 #20"), 1, "taken");
        NS_TEST_EXPECT_MSG_EQ(count("c consume 0 #20"), 0, "taken before");
        NS_TEST_EXPECT_MSG_EQ(count("c consume 0 #21"), 1, "offered to all");
        NS_TEST_EXPECT_MSG_EQ(count("a consume 0 #10"), 0, "for a host");
        NS_TEST_EXPECT_MSG_EQ(m_drops.size(), 1, "what nobody took");
        NS_TEST_EXPECT_MSG_EQ(m_drops.at(0), "not for a switch #21", "what nobody took");

        // made in each hook, to the very port that is being served: one after the other on the wire
        for (const std::string when :
             {"receive", "choose", "admit", "enqueue", "dequeue", "transmit"})
        {
            Create();
            Ptr<RecordingFeature> feature = AddFeature('a');
            feature->act = [feature = PeekPointer(feature), when](const std::string& hook,
                                                                  FabricPacketItem& item) {
                if (hook == when && item.data.tag == 10)
                {
                    feature->Originate(MakeData(480, 50, 3, 3, 1)); // 40 ns
                }
                return false;
            };
            Send(0, 1, 10, 2);
            Run();
            NS_TEST_EXPECT_MSG_EQ(m_switch->GetNOriginated(), 1, "one made, in " << when);
            NS_TEST_EXPECT_MSG_EQ(feature->admitted.size(), 2, "not those made here");
            const auto& got = m_hosts[1]->arrivals;
            NS_TEST_ASSERT_MSG_EQ(got.size(), 3, when);
            // Before #10 takes the wire (receive, choose, admit, enqueue): 40, then 80 + 80 ns from
            // 1,080 ns on; else 80, 40, 80.
            const bool first = when != "dequeue" && when != "transmit";
            NS_TEST_EXPECT_MSG_EQ(got[0].packet->data.tag, (first ? 50 : 10), when);
            NS_TEST_EXPECT_MSG_EQ(got[0].timePs, (first ? 2120000 : 2160000), when);
            NS_TEST_EXPECT_MSG_EQ(got[1].packet->data.tag, (first ? 10 : 50), when);
            NS_TEST_EXPECT_MSG_EQ(got[1].timePs, 2200000, when);
            NS_TEST_EXPECT_MSG_EQ(got[2].timePs, 2280000, when);
            NS_TEST_EXPECT_MSG_EQ(got[first ? 0 : 1].packet->ingressPort,
                                  FabricPacketItem::NO_PORT,
                                  "the receiver has not set it");
            NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsedBytes(), 0, "not charged, not released");
        }

        // no way: refused and counted; a drop hook may answer a drop
        Create();
        Ptr<RecordingFeature> feature = AddFeature('a');
        feature->act = [feature = PeekPointer(feature)](const std::string& hook,
                                                        FabricPacketItem& item) {
            if (hook == "no route" && item.data.tag == 10)
            {
                feature->Originate(MakeData(480, 50, 3, 3, 0));
            }
            return false;
        };
        Send(0, 99, 10);
        bool accepted = true;
        feature->Arm(5000123);
        feature->Arm(7000000);
        CallIn(MicroSeconds(9), [&accepted, feature]() {
            accepted = feature->Originate(MakeData(480, 51, 3, 3, 77));
        });
        Run();
        NS_TEST_EXPECT_MSG_EQ(accepted, false, "no way");
        NS_TEST_EXPECT_MSG_EQ(m_counted[DropReason::NO_ROUTE], 2, "#10 and #51");
        NS_TEST_EXPECT_MSG_EQ((m_drops == std::vector<std::string>{"no route #10", "no route #51"}),
                              true,
                              "traced");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[0]->arrivals.at(0).packet->data.tag, 50, "told the source");
        NS_TEST_EXPECT_MSG_EQ((feature->timers == std::vector<int64_t>{5000123, 7000000}),
                              true,
                              "timers to the picosecond");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Packets that a feature sends through a port of its choice.
 */
class NeighborTestCase : public SwitchTestCase
{
    using SwitchTestCase::SwitchTestCase;

    void DoRun() override
    {
        // address 99 is in no table; 480 B and the gap take 40 ns, then 1 us
        Create();
        Ptr<RecordingFeature> feature = AddFeature('a');
        bool sent = false;
        CallIn(MicroSeconds(1),
               [&sent, feature]() { sent = feature->Originate(MakeData(480, 50, 3, 3, 99), 1); });
        // and behind one that the table sends to the same port
        CallIn(MicroSeconds(5), [feature]() {
            feature->Originate(MakeData(980, 51, 3, 3, 1));
            feature->Originate(MakeData(480, 52, 3, 3, 0), 1);
        });
        Run();
        NS_TEST_EXPECT_MSG_EQ(sent, true, "taken");
        const auto& got = m_hosts[1]->arrivals;
        NS_TEST_ASSERT_MSG_EQ(got.size(), 3, "all through port 1");
        NS_TEST_EXPECT_MSG_EQ(got[0].timePs, 2040000, "1 + 0.04 + 1 us");
        NS_TEST_EXPECT_MSG_EQ(got[0].packet->dst, 99, "as made");
        NS_TEST_EXPECT_MSG_EQ(got[2].packet->data.tag, 52, "in order");
        NS_TEST_EXPECT_MSG_EQ(got[2].timePs, 6120000, "5 + 0.08 + 0.04 + 1 us");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[0]->arrivals.size(), 0, "not by the table");
        NS_TEST_EXPECT_MSG_EQ(m_switch->GetNOriginated(), 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(m_drops.empty(), true, "no drops");
        NS_TEST_EXPECT_MSG_EQ((std::count(m_log->begin(), m_log->end(), "a choose 1 #50")),
                              0,
                              "no path is chosen for it");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsedBytes(), 0, "not charged, not released");

        // known to be down after 10 us: dropped and counted
        Create();
        feature = AddFeature('a');
        m_switch->GetPort(1)->GetLink().ScheduleChange({0, LinkChange::DOWN});
        CallIn(MicroSeconds(11),
               [&sent, feature]() { sent = feature->Originate(MakeData(480, 60, 3, 3, 99), 1); });
        Run();
        NS_TEST_EXPECT_MSG_EQ(sent, false, "refused");
        NS_TEST_EXPECT_MSG_EQ(m_counted[DropReason::PORT_DOWN], 1, "counted");
        NS_TEST_EXPECT_MSG_EQ(m_dropPort, 1, "with its port");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Reasons for drops.
 */
class SwitchDropTestCase : public SwitchTestCase
{
    using SwitchTestCase::SwitchTestCase;

    void DoRun() override
    {
        // Hosts 0 and 2 send ten frames each to port 1: 20 arrive in the time in which ten leave.
        // After the first pair one waits, after the k-th pair k.
        const std::vector<std::string> none;
        Create();
        TwoToOne();
        NS_TEST_EXPECT_MSG_EQ((m_drops == none), true, "room for all");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->arrivals.size(), 20, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetMaxUsedBytes(), 9800, "ten");

        // The disc of port 1 takes three packets. Pair k + 1 finds k waiting less the one that
        // leaves that moment; the pairs 4 to 10 lose one each: the later one, from port 2.
        Create(0xff, 1000000, "3p");
        std::ostringstream lines;
        std::streambuf* before = std::clog.rdbuf(lines.rdbuf());
        LogComponentEnable("FabricActor", LOG_LEVEL_INFO);
        TwoToOne();
        LogComponentDisable("FabricActor", LOG_LEVEL_INFO);
        std::clog.rdbuf(before);
#ifdef NS3_LOG_ENABLE
        // pair 4 has arrived after 4 x 80 ns and the delay
        const std::string log = lines.str();
        NS_TEST_EXPECT_MSG_EQ(std::count(log.begin(), log.end(), '\n'), 7, "a line for each");
        NS_TEST_EXPECT_MSG_EQ(log.find("1320000 ps node 3: loses DATA 2->1 "), 0, log);
        NS_TEST_EXPECT_MSG_NE(
            log.find(", refused by queue disc at port 1: Queue disc limit exceeded\n"),
            std::string::npos,
            log);
#else
        NS_TEST_EXPECT_MSG_EQ(lines.str(), "", "optimized builds log nothing");
#endif
        NS_TEST_EXPECT_MSG_EQ(m_counted[DropReason::QUEUE_DISC], 7, "disc");
        NS_TEST_EXPECT_MSG_EQ(m_drops.at(0), "refused by queue disc #103", "from host 2");
        NS_TEST_EXPECT_MSG_EQ(m_dropPort, 1, "the egress port");
        NS_TEST_EXPECT_MSG_EQ(m_discReason, "Queue disc limit exceeded", "the disc's own reason");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->arrivals.size(), 13, "the others");

        // Lossless, XOFF 980 B and 2,000 B of headroom a port: a port holds three frames and then
        // drops, because this host does not obey PFC.
        Create();
        m_buffer->SetAttribute("XoffThreshold", UintegerValue(980));
        m_buffer->Configure({2000, 2000, 2000}, 0xff, 1U << 3);
        TwoToOne();
        NS_TEST_EXPECT_MSG_GT(m_counted[DropReason::HEADROOM_EXHAUSTED], 0, "headroom");
        NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->arrivals.size() +
                                  m_counted[DropReason::HEADROOM_EXHAUSTED],
                              20,
                              "no other loss");
        NS_TEST_EXPECT_MSG_EQ(m_drops.size(), m_counted[DropReason::HEADROOM_EXHAUSTED], "traced");
        NS_TEST_EXPECT_MSG_GT(m_hostPorts[0]->GetCounters().rxLinkFrames, 0, "told to stop");

        // Lossy, alpha 1/2 of a pool of 5,880 B: k frames may wait when
        // (k + 1) 980 <= (5,880 - 980 k) / 2, k <= 1: two frames wait at most.
        Create(0, 5880);
        m_buffer->SetAttribute("EgressAlpha", DoubleValue(0.5));
        TwoToOne();
        NS_TEST_EXPECT_MSG_EQ(m_counted[DropReason::ABOVE_THRESHOLD], 8, "pairs 3 to 10 lose one");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetMaxUsedBytes(), 1960, "two");

        // Lossy, alpha huge, memory for three frames.
        Create(0, 2940);
        m_buffer->SetAttribute("EgressAlpha", DoubleValue(1e6));
        TwoToOne();
        NS_TEST_EXPECT_MSG_EQ(m_counted[DropReason::BUFFER_FULL], 7, "pairs 4 to 10 lose one");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetMaxUsedBytes(), 2940, "three");
    }

    /// Two hosts send to the third.
    void TwoToOne()
    {
        Send(0, 1, 0, 10);
        Send(2, 1, 100, 10);
        Run();
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsedBytes(), 0, "all room given back");
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetPoolUsedBytes(), 0, "all room given back");
    }
};

/// The switch.
const SuiteCases g_cases("dcfabric-switch", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new HookOrderTestCase(
        "features see each packet at each hook, in the order of installation"));
    suite.AddTestCase(new OriginateTestCase(
        "a feature keeps packets, makes packets from any hook, and has timers"));
    suite.AddTestCase(new NeighborTestCase("a feature sends through a port to the neighbor"));
    suite.AddTestCase(new SwitchDropTestCase(
        "drops are counted and traced with their reason, and give back their room"));
});

} // namespace ns3::tests::switch_test
