// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-queue.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/class-scheduler.h"
#include "ns3/config.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/direct-queue.h"
#include "ns3/double.h"
#include "ns3/fabric-topology.h"
#include "ns3/packet-trimmer.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The shorter way into a queue disc: nobody sees a difference, whenever he looks.
 */

namespace ns3::tests::direct_queue_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A queue disc with all its observers.
 */
class WatchedDisc
{
  public:
    /**
     * @param direct goes the shorter way
     * @param seed of the marks
     */
    WatchedDisc(bool direct, int64_t seed)
        : m_direct(direct)
    {
        auto profile = CreateObject<WredMarkingProfile>();
        profile->SetAttribute("Kmin", UintegerValue(2000));
        profile->SetAttribute("Kmax", UintegerValue(9000));
        profile->SetAttribute("Pmax", DoubleValue(0.5));
        disc->SetMarkingProfile(profile);
        disc->AssignStreams(seed);
    }

    ~WatchedDisc()
    {
        disc->Dispose();
    }

    WatchedDisc(const WatchedDisc&) = delete;
    WatchedDisc& operator=(const WatchedDisc&) = delete;

    /**
     * @brief Hand a packet over.
     * @param id number
     * @param bytes size
     * @param priority class
     * @param ecn codepoint
     */
    void Put(uint32_t id, uint32_t bytes, uint8_t priority, uint8_t ecn)
    {
        const Ptr<TestQueueItem> item = MakeTestItem(id, bytes, priority, ecn);
        const bool accepted =
            m_direct ? disc->GetDirectQueue()->EnqueueDirectly(item,
                                                               bytes,
                                                               item->ds,
                                                               Simulator::Now().GetTimeStep())
                     : disc->QueueDisc::Enqueue(item);
        seen << (accepted ? "put " : "refused ") << id << " ds " << +item->ds << " stamp "
             << item->GetTimeStamp().GetTimeStep() << "\n";
    }

    /**
     * @brief Let a packet pass, as a port with a free wire does: the disc may be empty, or not.
     * @param id number
     * @param bytes size
     * @param priority class
     */
    void Pass(uint32_t id, uint32_t bytes, uint8_t priority)
    {
        const Ptr<TestQueueItem> item = MakeTestItem(id, bytes, priority);
        if (m_direct && disc->GetDirectQueue()->PassDirectly(*item,
                                                             bytes,
                                                             item->ds,
                                                             Simulator::Now().GetTimeStep()))
        {
            ++passed;
            seen << "put " << id << " ds " << +item->ds << " stamp "
                 << item->GetTimeStamp().GetTimeStep() << "\ntake " << id << "\n";
            return;
        }
        Put(id, bytes, priority, TestQueueItem::ECT0);
        Take();
    }

    /// Take the next packet.
    void Take()
    {
        const Ptr<QueueDiscItem> item =
            m_direct ? disc->GetDirectQueue()->DequeueDirectly() : disc->QueueDisc::Dequeue();
        seen << "take " << IdOf(item) << "\n";
    }

    /// Somebody begins to listen to everything.
    void Listen()
    {
        const bool connected =
            disc->TraceConnectWithoutContext("Enqueue", MakeCallback(&WatchedDisc::OnIn, this)) &&
            disc->TraceConnectWithoutContext("Dequeue", MakeCallback(&WatchedDisc::OnOut, this)) &&
            disc->TraceConnectWithoutContext("Drop", MakeCallback(&WatchedDisc::OnDrop, this)) &&
            disc->TraceConnectWithoutContext("DropBeforeEnqueue",
                                             MakeCallback(&WatchedDisc::OnRefusal, this)) &&
            disc->TraceConnectWithoutContext("Mark", MakeCallback(&WatchedDisc::OnMark, this)) &&
            disc->TraceConnectWithoutContext("PacketsInQueue",
                                             MakeCallback(&WatchedDisc::OnPackets, this)) &&
            disc->TraceConnectWithoutContext("BytesInQueue",
                                             MakeCallback(&WatchedDisc::OnBytes, this)) &&
            disc->TraceConnectWithoutContext("SojournTime",
                                             MakeCallback(&WatchedDisc::OnSojourn, this)) &&
            Ring()->TraceConnectWithoutContext("Enqueue",
                                               MakeCallback(&WatchedDisc::OnRingIn, this)) &&
            Ring()->TraceConnectWithoutContext("Dequeue",
                                               MakeCallback(&WatchedDisc::OnRingOut, this));
        seen << "listens " << connected << "\n";
    }

    /// Somebody reads all there is.
    void Read()
    {
        disc->GetStats().Print(seen);
        seen << "now " << disc->GetNPackets() << " " << disc->GetNBytes() << " "
             << disc->GetCurrentSize() << "; ring " << Ring()->GetNPackets() << " "
             << Ring()->GetNBytes() << " " << Ring()->GetTotalReceivedPackets() << " "
             << Ring()->GetTotalReceivedBytes() << " " << Ring()->GetTotalDroppedPackets() << "\n";
        for (uint8_t c = 0; c < 8; ++c)
        {
            const auto& n = disc->GetClassCounters(c);
            seen << n.bytes << " " << n.maxBytes << " " << n.enqueuedPackets << " "
                 << n.enqueuedBytes << " " << n.droppedPackets << " " << n.markedPackets << " "
                 << n.markedBytes << " " << n.lostBytes << "\n";
        }
    }

    /// @return the internal queue
    Ptr<QueueDisc::InternalQueue> Ring() const
    {
        return disc->GetInternalQueue(0);
    }

    Ptr<CongestionAwareQueueDisc> disc = CreateObject<CongestionAwareQueueDisc>(); //!< of whom
    std::ostringstream seen; //!< all that anybody saw
    uint32_t passed{0};      //!< packets that went through an empty disc

  private:
    /// Sinks. @param item a packet @{
    void OnIn(Ptr<const QueueDiscItem> item)
    {
        // the statistics are right while they are written, too
        seen << "in " << IdOf(item) << " of " << disc->GetNPackets() << " stamp "
             << item->GetTimeStamp().GetTimeStep() << "\n";
    }

    void OnOut(Ptr<const QueueDiscItem> item)
    {
        seen << "out " << IdOf(item) << " leaves " << disc->GetNBytes() << "\n";
    }

    void OnDrop(Ptr<const QueueDiscItem> item)
    {
        seen << "drop " << IdOf(item) << "\n";
    }

    void OnRingIn(Ptr<const QueueDiscItem> item)
    {
        seen << "ring in " << IdOf(item) << " of " << Ring()->GetNPackets() << " "
             << disc->GetNPackets() << "\n";
    }

    void OnRingOut(Ptr<const QueueDiscItem> item)
    {
        seen << "ring out " << IdOf(item) << " of " << Ring()->GetNPackets() << " "
             << disc->GetNPackets() << "\n";
    }

    void OnRefusal(Ptr<const QueueDiscItem> item, const char* reason)
    {
        seen << "refusal " << IdOf(item) << " " << reason << "\n";
    }

    void OnMark(Ptr<const QueueDiscItem> item, const char* reason)
    {
        seen << "mark " << IdOf(item) << " " << reason << "\n";
    }

    /// @}
    /**
     * @brief Sinks of lengths.
     * @param before before
     * @param now now
     * @{
     */
    void OnPackets(uint32_t before, uint32_t now)
    {
        seen << "packets " << before << " " << now << "\n";
    }

    void OnBytes(uint32_t before, uint32_t now)
    {
        seen << "bytes " << before << " " << now << "\n";
    }

    /// @}
    /// Sink. @param time that a packet waited
    void OnSojourn(Time time)
    {
        seen << "waited " << time.GetTimeStep() << "\n";
    }

    bool m_direct; //!< goes the shorter way
};

/**
 * @ingroup dcfabric-tests
 * @brief The same packets both ways, in random company.
 */
class DirectQueueTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param seed of the company
     * @param direct the shorter way
     * @return all that was seen
     */
    std::string Play(uint32_t seed, bool direct)
    {
        std::mt19937 random(seed);
        WatchedDisc watched(direct, 7);
        const auto& disc = watched.disc;
        disc->SetAttribute("MarkAtDequeue", BooleanValue(random() % 2));
        if (random() % 3 == 0)
        {
            disc->SetAttribute("Scheduler",
                               PointerValue(CreateObject<DeficitRoundRobinScheduler>()));
        }
        if (random() % 3 == 0)
        {
            const std::vector<const char*> sizes{"12p", "9000B", "400B"}; // some packets never fit
            disc->SetMaxSize(QueueSize(sizes[random() % sizes.size()]));
        }
        if (random() % 3 == 0)
        {
            // class 6 has no limit, class 4 that of trimmed packets
            disc->SetTrimmer(
                CreateObjectWithAttributes<PacketTrimmer>("Classes",
                                                          UintegerValue(0x07),
                                                          "TrimmedClass",
                                                          UintegerValue(4),
                                                          "Limit",
                                                          UintegerValue(random() % 2 ? 3000 : 0)));
        }
        disc->Initialize();
        const uint32_t listens = random() % 800;
        const uint32_t limits = random() % 1600;
        for (uint32_t step = 0; step < 400; ++step)
        {
            CallIn(NanoSeconds(step + 1), [&watched, &disc, &random, step, listens, limits]() {
                if (step == listens)
                {
                    watched.Listen();
                }
                if (step == limits)
                {
                    // behind the back of the disc
                    const uint32_t most = watched.Ring()->GetNPackets() + 2;
                    watched.Ring()->SetAttribute("MaxSize",
                                                 StringValue(std::to_string(most) + "p"));
                }
                // more come than go in the first half
                for (uint32_t i = random() % (step < 200 ? 4 : 2); i > 0; --i)
                {
                    const auto bytes = static_cast<uint32_t>(64 + random() % 1400);
                    const auto priority = static_cast<uint8_t>(random() % 4 * 2);
                    watched.Put(10 * step + i,
                                bytes,
                                priority,
                                static_cast<uint8_t>(random() % 2 * 2));
                }
                if (random() % 10 == 0)
                {
                    disc->SetPausedClasses(static_cast<uint8_t>(random() % 2 ? random() : 0));
                }
                if (random() % 10 == 0)
                {
                    watched.seen << "peek " << IdOf(disc->Peek()) << "\n";
                }
                for (uint32_t i = random() % (step < 250 ? 3 : 6); i > 0; --i)
                {
                    watched.Take();
                }
                if (random() % 3 == 0)
                {
                    watched.Pass(10 * step + 9, 500, static_cast<uint8_t>(random() % 4 * 2));
                }
                if (random() % 10 == 0)
                {
                    watched.Read();
                }
            });
        }
        Simulator::Run();
        watched.Read();
        m_passed += watched.passed;
        Simulator::Destroy();
        return watched.seen.str();
    }

    void DoRun() override
    {
        std::string all;
        for (uint32_t seed = 1; seed <= 60; ++seed)
        {
            const std::string stock = Play(seed, false);
            NS_TEST_EXPECT_MSG_EQ((Play(seed, true) == stock), true, "seed " << seed);
            all += stock;
        }
        // all of it has happened
        for (const char* what : {"refusal", "mark", "waited", "peek 1", "refused", "take -1"})
        {
            NS_TEST_EXPECT_MSG_EQ((all.find(what) != std::string::npos), true, what);
        }
        NS_TEST_EXPECT_MSG_GT(m_passed, 100, "packets that went through an empty disc");
    }

    uint32_t m_passed{0}; //!< packets that went through an empty disc
};

/**
 * @ingroup dcfabric-tests
 * @brief A queue disc that is a bit more than the module's.
 */
class DerivedQueueDisc : public CongestionAwareQueueDisc
{
};

/**
 * @ingroup dcfabric-tests
 * @brief Who has the shorter way.
 */
class WhoIsDirectTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        auto disc = CreateObject<CongestionAwareQueueDisc>();
        NS_TEST_EXPECT_MSG_EQ((disc->GetDirectQueue() == nullptr), true, "not initialized");
        disc->Initialize();
        NS_TEST_EXPECT_MSG_EQ((disc->GetDirectQueue() != nullptr), true, "initialized");
        disc->Dispose();

        disc = CreateObject<CongestionAwareQueueDisc>();
        disc->SetAttribute("CountsDirectly", BooleanValue(false));
        disc->Initialize();
        NS_TEST_EXPECT_MSG_EQ((disc->GetDirectQueue() == nullptr), true, "not wanted");
        disc->Dispose();

        disc = CreateObject<CongestionAwareQueueDisc>();
        disc->SetAttribute("ClassQueueDisc", StringValue("ns3::FqCoDelQueueDisc"));
        disc->Initialize();
        NS_TEST_EXPECT_MSG_EQ((disc->GetDirectQueue() == nullptr), true, "children");
        disc->Dispose();

        const auto derived = CreateObject<DerivedQueueDisc>();
        derived->Initialize();
        NS_TEST_EXPECT_MSG_EQ((derived->GetDirectQueue() == nullptr), true, "a derived class");
        derived->Dispose();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The ring queue of a port's disc is made when the first packet waits, and then is as if it
 * had always been there.
 */
class LateRingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A sink, which does nothing.
    static void OnRefusal(Ptr<const QueueDiscItem> /* item */, const char* /* reason */)
    {
    }

    /// @return a disc as a port has it, initialized
    static Ptr<CongestionAwareQueueDisc> MakeOfPort()
    {
        auto disc = CreateObject<CongestionAwareQueueDisc>();
        disc->ConnectDropSinks(MakeCallback(&OnRefusal), MakeCallback(&OnRefusal));
        disc->Initialize();
        return disc;
    }

    void DoRun() override
    {
        Ptr<CongestionAwareQueueDisc> disc = MakeOfPort();
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 0, "nothing has waited");
        DirectQueue* direct = disc->GetDirectQueue();
        NS_TEST_ASSERT_MSG_EQ((direct != nullptr), true, "there is a shorter way");
        for (const uint32_t bytes : {100U, 60U})
        {
            const Ptr<TestQueueItem> item = MakeTestItem(bytes, bytes, 3);
            NS_TEST_EXPECT_MSG_EQ(direct->PassDirectly(*item, bytes, item->ds, 0), true, "passes");
        }
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 0, "what passes does not wait");
        NS_TEST_EXPECT_MSG_EQ((direct->DequeueDirectly() == nullptr), true, "there is nothing");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 0, "which is known without");
        const Ptr<TestQueueItem> waits = MakeTestItem(1, 40, 3);
        NS_TEST_EXPECT_MSG_EQ(direct->EnqueueDirectly(waits, 40, waits->ds, 0), true, "waits");
        NS_TEST_ASSERT_MSG_EQ(disc->GetNInternalQueues(), 1, "in the ring queue");
        const Ptr<QueueDisc::InternalQueue> ring = disc->GetInternalQueue(0);
        NS_TEST_EXPECT_MSG_EQ(ring->GetInstanceTypeId().GetName(), "ns3::RingQueue", "class");
        NS_TEST_EXPECT_MSG_EQ(ring->GetNPackets(), 1, "that one");
        NS_TEST_EXPECT_MSG_EQ(ring->GetTotalReceivedPackets(), 3, "two had passed");
        NS_TEST_EXPECT_MSG_EQ(ring->GetTotalReceivedBytes(), 200, "100 + 60 + 40");
        NS_TEST_EXPECT_MSG_EQ((direct->DequeueDirectly() == waits), true, "it leaves");
        disc->Dispose();

        // by the way of ns-3
        disc = MakeOfPort();
        NS_TEST_EXPECT_MSG_EQ(disc->Enqueue(MakeTestItem(1, 40, 3)), true, "waits");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 1, "made");
        NS_TEST_EXPECT_MSG_EQ(disc->GetNPackets(), 1, "counted");
        disc->Dispose();

        // a limit of the ring itself holds for packets that would pass, too
        Config::SetDefault("ns3::RingQueue::MaxSize", QueueSizeValue(QueueSize("50B")));
        disc = MakeOfPort();
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 1, "made at once");
        const Ptr<TestQueueItem> large = MakeTestItem(1, 51, 3);
        NS_TEST_EXPECT_MSG_EQ(disc->GetDirectQueue()->PassDirectly(*large, 51, large->ds, 0),
                              false,
                              "does not pass");
        NS_TEST_EXPECT_MSG_EQ(disc->GetDirectQueue()->EnqueueDirectly(large, 51, large->ds, 0),
                              false,
                              "51 bytes do not fit 50");
        disc->Dispose();
        Config::Reset();
        disc = MakeOfPort();
        NS_TEST_EXPECT_MSG_EQ(disc->GetNInternalQueues(), 0, "no limit again");
        disc->Dispose();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Virtual channels, with an observer of one queue from the middle of the run on.
 */
class DirectChannelsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A packet has left the disc. @param item the packet
    void OnOut(Ptr<const QueueDiscItem> item)
    {
        m_seen << Simulator::Now().GetTimeStep() << " out " << *item << "\n";
    }

    /**
     * @param direct the shorter way
     * @return all that was seen
     */
    std::string Run(bool direct)
    {
        Config::SetDefault("ns3::CongestionAwareQueueDisc::CountsDirectly", BooleanValue(direct));
        m_seen.str("");
        const FabricGraph graph =
            MakeFabricTopology("dragonfly:hosts=2,routers=2,globals=1,groups=3")->BuildGraph();
        FabricHelper helper;
        helper.SetRouting("ns3::DragonflyMinimalRouting");
        helper.SetMarkingProfile("ns3::WredMarkingProfile", "Kmin", UintegerValue(3000));
        TestNetwork network(graph, helper);
        for (uint32_t tag = 0; tag < 24; ++tag)
        {
            network.MessagesOf(tag % 12).Send((tag * 5 + 1) % 12 == tag % 12 ? (tag + 1) % 12
                                                                             : (tag * 5 + 1) % 12,
                                              60000,
                                              tag);
        }
        const uint32_t node = 12;
        CallIn(MicroSeconds(5), [this, &network]() {
            network.fabric->GetPort(node, 0)->GetQueue().GetDisc()->TraceConnectWithoutContext(
                "Dequeue",
                MakeCallback(&DirectChannelsTestCase::OnOut, this));
        });
        Simulator::Run();
        for (const auto& event : network.completed)
        {
            m_seen << event.tag << " " << event.nowPs << "\n";
        }
        for (uint32_t n = 0; n < graph.GetNNodes(); ++n)
        {
            for (uint16_t p = 0; p < graph.GetDegree(n); ++p)
            {
                network.fabric->GetPort(n, p)->GetQueue().GetDisc()->GetStats().Print(m_seen);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 24, "all complete");
        Config::Reset();
        return m_seen.str();
    }

    void DoRun() override
    {
        if (!HasTopology("dragonfly"))
        {
            return;
        }
        const std::string stock = Run(false);
        NS_TEST_EXPECT_MSG_EQ((Run(true) == stock), true, "the same");
        NS_TEST_EXPECT_MSG_EQ((stock.find("out DATA") != std::string::npos), true, "was observed");
    }

    std::ostringstream m_seen; //!< what was seen
};

/// Both ways into a queue disc.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new DirectQueueTestCase("direct: nobody sees a difference"));
    suite.AddTestCase(new WhoIsDirectTestCase("direct: who has the shorter way"));
    suite.AddTestCase(new LateRingTestCase("direct: a ring queue that is made late"));
    suite.AddTestCase(new DirectChannelsTestCase("direct: virtual channels"));
});

} // namespace ns3::tests::direct_queue_test
