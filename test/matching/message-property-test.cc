// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-random.h"
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/packet-sequence.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Matched messages in random schedules: whatever is lost, repeated, delayed or posted late,
 * each buffer has exactly its bytes in the end.
 *
 * A failure prints the number of its schedule and all that was drawn for it. To run that schedule
 * alone, set ONLY_SCHEDULE below to its number; for others, set RUN. A process that dies within a
 * schedule prints nothing: set TELL.
 */

namespace ns3::tests::message_property_test
{

constexpr uint32_t SCHEDULES = 10000;          //!< in all
constexpr uint32_t SCHEDULES_QUICK = 2000;     //!< of these always
constexpr uint32_t SCHEDULES_EXTENSIVE = 4000; //!< of these with --fullness=EXTENSIVE
constexpr uint32_t PER_CASE = 500;             //!< schedules of a test case
constexpr uint32_t ONLY_SCHEDULE = UINT32_MAX; //!< if less: run no other one
constexpr uint64_t RUN = 1;                    //!< run of the random streams
constexpr bool TELL = false;                   //!< print each schedule before it runs

constexpr int64_t END_MS = 5000;   //!< every schedule is over by then; most take less than 1 ms
constexpr int64_t QUIET_MS = 4000; //!< and nothing happens any more from here on
constexpr uint8_t GUARD = 0xa5;    //!< around buffers
constexpr uint64_t GUARDS = 64;    //!< bytes of it, on either side

/**
 * @ingroup dcfabric-tests
 * @brief Memory with guards on either side.
 */
class GuardedBuffer
{
  public:
    /// @param bytes between the guards
    explicit GuardedBuffer(uint64_t bytes)
        : m_all(bytes + 2 * GUARDS, GUARD)
    {
        std::fill(m_all.begin() + GUARDS, m_all.end() - GUARDS, 0);
    }

    /// @return the memory
    uint8_t* Get()
    {
        return m_all.data() + GUARDS;
    }

    /// @return true if it has these bytes, then zeros, and nothing outside has changed
    /// @param expected its first bytes
    bool Has(const std::vector<uint8_t>& expected) const
    {
        for (std::size_t i = 0; i < m_all.size(); ++i)
        {
            const std::size_t at = i - GUARDS;
            const bool inside = i >= GUARDS && i + GUARDS < m_all.size();
            const uint8_t wanted = !inside ? GUARD : at < expected.size() ? expected[at] : 0;
            if (m_all[i] != wanted)
            {
                return false;
            }
        }
        return true;
    }

  private:
    std::vector<uint8_t> m_all; //!< with guards
};

/// A message and its receive, or a write.
struct Operation
{
    uint32_t src{0};                       //!< sender
    uint32_t dst{0};                       //!< receiver
    bool write{false};                     //!< one-sided
    uint64_t bytes{0};                     //!< length
    uint64_t room{0};                      //!< of the receive
    bool real{false};                      //!< with bytes
    int64_t sendNs{0};                     //!< when it is sent
    int64_t postNs{0};                     //!< when its receive is posted at the earliest
    uint64_t address{0};                   //!< of a write
    std::vector<uint8_t> data;             //!< bytes
    std::unique_ptr<GuardedBuffer> buffer; //!< where they go
    uint32_t sendEnds{0};                  //!< how often its end was told to the sender
    uint32_t receiveEnds{0};               //!< and to the receiver
    MessageStatus sendStatus{};            //!< last one
    MessageStatus receiveStatus{};         //!< last one
};

/**
 * @param n hosts on the left
 * @param m hosts on the right
 * @param spines how many; 0: all hosts are at one switch
 * @return hosts 0 .. n-1 at a switch, hosts n .. n+m-1 at another, with spines between; 10 Gb/s and
 * 200 ns
 */
FabricGraph
MakeSides(uint32_t n, uint32_t m, uint32_t spines)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n + m; ++i)
    {
        graph.AddHost();
    }
    const uint32_t right = graph.AddSwitch(1);
    const uint32_t left = spines > 0 ? graph.AddSwitch(1) : right;
    for (uint32_t i = 0; i < n + m; ++i)
    {
        graph.AddLink(i, i < n ? left : right, 10 * GBPS, 200000);
    }
    for (uint32_t i = 0; i < spines; ++i)
    {
        const uint32_t spine = graph.AddSwitch(2);
        graph.AddLink(left, spine, 10 * GBPS, 200000);
        graph.AddLink(right, spine, 10 * GBPS, 200000 + 700000 * (i % 2)); // unequal ways
    }
    return graph;
}

/**
 * @ingroup dcfabric-tests
 * @brief One random schedule: draws, runs and checks it.
 */
class RandomSchedule
{
  public:
    /// @param number of the schedule
    explicit RandomSchedule(uint32_t number)
        : m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(number);
        m_text << "schedule " << number << " of run " << RngSeedManager::GetRun() << ":";
        DrawNetwork();
        DrawProtocol();
        DrawFates();
        DrawOperations();
    }

    /// @return all that was drawn
    std::string Describe() const
    {
        return m_text.str();
    }

    /// @return what was wrong; empty if nothing
    std::string Run();

  private:
    /// @return a number from low to high
    uint32_t Draw(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    /// @return true in so many of 100 cases
    bool Chance(uint32_t percent)
    {
        return Draw(1, 100) <= percent;
    }

    /// @return one of some values, noted under a name
    template <typename T>
    T Choose(const std::string& name, const std::vector<T>& values)
    {
        const T value = values[Draw(0, static_cast<uint32_t>(values.size()) - 1)];
        m_text << " " << name << "=" << value;
        return value;
    }

    void DrawNetwork();    //!< hosts, switches, load balancer
    void DrawProtocol();   //!< protocol, table, transport
    void DrawFates();      //!< what becomes of packets
    void DrawOperations(); //!< messages, receives, writes
    /**
     * @brief Draw a message or write.
     * @param src sender
     * @param dst receiver
     * @param write one-sided
     */
    void DrawOperation(uint32_t src, uint32_t dst, bool write);
    /**
     * @param item a packet that the tap sees
     * @return false for a packet that does not go on
     */
    bool Pass(FabricPacketItem& item);
    /**
     * @brief Schedule all operations.
     * @param network where
     */
    void ScheduleAll(MessageNetwork& network);
    /**
     * @brief Post a receive, and the next one of its pair when it is complete, if they are chained.
     * @param network where
     * @param index of the operation
     */
    void Post(MessageNetwork& network, std::size_t index);
    /// @return what was wrong with the operations
    std::string CheckOperations();
    /**
     * @param network it
     * @return what was wrong with the network
     */
    std::string CheckNetwork(const MessageNetwork& network);

    Ptr<UniformRandomVariable> m_random;                 //!< of everything
    std::ostringstream m_text;                           //!< what was drawn
    FabricHelper m_helper{MessageNetwork::MakeHelper()}; //!< policies
    uint32_t m_senders{0};                               //!< hosts 0, 1, ...
    uint32_t m_receivers{0};                             //!< and those behind
    uint32_t m_spines{0};                                //!< switches between
    uint32_t m_payload{0};                               //!< of a packet
    bool m_chained{false};               //!< a receive is posted when the one before it is complete
    std::vector<Operation> m_operations; //!< in the order of pairs
    /// chances of loss, repetition and delay in percent, by type of packet
    std::map<FabricPacketType, std::array<uint32_t, 3>> m_fates;
    uint32_t m_budget{0};             //!< packets that may still meet with one
    int64_t m_maxDelayNs{0};          //!< of delayed and repeated packets
    Ptr<PacketTap> m_tap;             //!< at the switch of the receivers
    Ptr<FabricSwitch> m_switch;       //!< that switch
    uint64_t m_lookups{0};            //!< packets that have to be looked up
    uint64_t m_eventsWhenQuiet{0};    //!< simulator's events at QUIET_MS
    std::vector<std::string> m_wrong; //!< found while it ran
};

void
RandomSchedule::DrawNetwork()
{
    m_senders = Choose<uint32_t>("senders", {1, 2, 3, 4});
    m_receivers = Choose<uint32_t>("receivers", {1, 1, 2});
    m_spines = Choose<uint32_t>("spines", {0, 0, 2, 3});
    const auto reliability =
        Choose<std::string>("reliability",
                            {"ns3::SelectiveRepeat", "ns3::SelectiveRepeat", "ns3::GoBackN"});
    m_helper.SetReliability(reliability);
    if (reliability != "ns3::GoBackN") // which takes packets in order only
    {
        m_helper.SetLoadBalancer(Choose<std::string>("balancer",
                                                     {"ns3::PerFlowLoadBalancer",
                                                      "ns3::RandomSprayLoadBalancer",
                                                      "ns3::RoundRobinSprayLoadBalancer"}));
    }
    if (Choose<uint32_t>("dctcp", {0, 0, 0, 1}))
    {
        m_helper.SetMarkingProfile("ns3::WredMarkingProfile");
        m_helper.SetCongestionControl(
            "ns3::DctcpCongestionControl",
            "InitialWindow",
            UintegerValue(Choose<uint32_t>("window", {1, 300, 1500, 6000})));
    }
}

void
RandomSchedule::DrawProtocol()
{
    const auto kind =
        Choose<std::string>("protocol",
                            {"RequestToWait", "DeferrableSend", "ReceiverNotReady", "Rendezvous"});
    const BooleanValue stop(Choose<uint32_t>("stop-target", {0, 0, 1}) != 0);
    const UintegerValue msn(
        Choose<uint32_t>("initial-msn", {0, 1000, 0x7fffffff, 0xfffffffe, 0xffffffff}));
    const TimeValue rts(NanoSeconds(Choose<uint32_t>("rts-interval-ns", {2000, 10000, 40000})));
    const auto set = [&](auto&&... more) {
        m_helper.SetMessageProtocol("ns3::" + kind,
                                    "StopTarget",
                                    stop,
                                    "InitialMsn",
                                    msn,
                                    "RtsInterval",
                                    rts,
                                    more...);
    };
    if (kind == "ReceiverNotReady")
    {
        set("RetryDelay",
            TimeValue(NanoSeconds(Choose<uint32_t>("retry-ns", {500, 5000, 20000}))),
            "MaxRetryDelay",
            TimeValue(NanoSeconds(40000)));
    }
    else if (kind == "Rendezvous")
    {
        set("EagerWindow", BooleanValue(Choose<uint32_t>("eager-window", {0, 1}) != 0));
    }
    else
    {
        set();
    }
    const uint32_t capacity = Choose<uint32_t>("tcam", {0, 0, 1, 2, 3, 8}); // 0: hash
    if (capacity > 0)
    {
        m_helper.SetMatchTable("ns3::TcamMatchTable", "Capacity", UintegerValue(capacity));
    }
    else // few PDCs and few entries may wait for each other
    {
        m_helper.SetNicAttribute("MaxSendingPdcs",
                                 UintegerValue(Choose<uint32_t>("sending-pdcs", {0, 0, 1, 2})));
    }
    m_payload = Choose<uint32_t>("payload", {100, 177, 300});
    m_helper.SetNicAttribute("PayloadBytes", UintegerValue(m_payload));
    m_helper.SetNicAttribute("PdcPerMessage",
                             BooleanValue(Choose<uint32_t>("pdc-per-message", {0, 0, 1}) != 0));
    m_helper.SetNicAttribute("MaxReceivingPdcs",
                             UintegerValue(Choose<uint32_t>("receiving-pdcs", {0, 0, 0, 1, 2})));
    m_helper.SetNicAttribute(
        "PdcIdleTime",
        TimeValue(NanoSeconds(Choose<uint32_t>("pdc-idle-ns", {0, 0, 1000, 20000}))));
    m_helper.SetNicAttribute("AckEvery",
                             UintegerValue(Choose<uint32_t>("ack-every", {1, 2, 3, 4})));
    m_helper.SetNicAttribute(
        "AckTimeout",
        TimeValue(NanoSeconds(Choose<uint32_t>("ack-timeout-ns", {4000, 10000, 30000}))));
    m_helper.SetNicAttribute(
        "InitialPsn",
        UintegerValue(
            Choose<uint32_t>("initial-psn",
                             {0, 5, 0x7ffff8, PacketSequence::MASK - 3, PacketSequence::MASK})));
}

void
RandomSchedule::DrawFates()
{
    for (const auto& [type, name] :
         std::vector<std::pair<FabricPacketType, std::string>>{{FabricPacketType::DATA, "data"},
                                                               {FabricPacketType::ACK, "ack"},
                                                               {FabricPacketType::RTW, "rtw"},
                                                               {FabricPacketType::RNR, "rnr"},
                                                               {FabricPacketType::RTS, "rts"}})
    {
        m_fates[type] = {Choose<uint32_t>("lose-" + name, {0, 0, 2, 10, 40}),
                         Choose<uint32_t>("repeat-" + name, {0, 0, 5, 30}),
                         Choose<uint32_t>("delay-" + name, {0, 0, 5, 30})};
    }
    m_fates[FabricPacketType::NACK] = m_fates[FabricPacketType::ACK];
    m_budget = Choose<uint32_t>("budget", {0, 10, 50, 200});
    m_maxDelayNs = Choose<uint32_t>("max-delay-ns", {1000, 8000, 60000});
}

void
RandomSchedule::DrawOperations()
{
    const auto longest = Choose<uint32_t>("packets", {1, 4, 12, 40});
    const auto perPair = Choose<uint32_t>("messages", {1, 2, 3, 5});
    m_chained = Choose<uint32_t>("chained", {0, 0, 0, 1}) != 0;
    const auto spreadNs = Choose<uint32_t>("send-ns", {0, 5000, 30000});
    const auto firstNs = Choose<uint32_t>("post-from-ns", {0, 0, 3000, 20000});
    const auto lastNs = firstNs + Choose<uint32_t>("post-for-ns", {0, 3000, 20000, 100000});
    const auto writes = Choose<uint32_t>("writes", {0, 0, 2});
    for (uint32_t src = 0; src < m_senders; ++src)
    {
        for (uint32_t dst = m_senders; dst < m_senders + m_receivers; ++dst)
        {
            std::vector<int64_t> posts;
            std::vector<int64_t> sends;
            for (uint32_t i = Draw(0, perPair); i > 0; --i)
            {
                posts.push_back(Draw(firstNs, lastNs));
                sends.push_back(1000 + Draw(0, spreadNs));
            }
            std::sort(posts.begin(), posts.end()); // the n-th receive gets the n-th message
            std::sort(sends.begin(), sends.end());
            for (std::size_t i = 0; i < posts.size(); ++i)
            {
                Operation operation;
                operation.src = src;
                operation.dst = dst;
                // whole packets are an edge
                operation.bytes = Chance(20) ? uint64_t{Draw(1, longest)} * m_payload
                                             : Draw(1, longest * m_payload);
                operation.room = Chance(10) ? Draw(0, static_cast<uint32_t>(operation.bytes))
                                            : operation.bytes + Draw(0, 1) * 100;
                operation.sendNs = sends[i];
                operation.postNs = posts[i];
                m_operations.push_back(std::move(operation));
            }
            for (uint32_t i = Draw(0, writes); i > 0; --i)
            {
                Operation operation;
                operation.src = src;
                operation.dst = dst;
                operation.write = true;
                operation.bytes = Draw(1, longest * m_payload);
                operation.room = operation.bytes;
                operation.sendNs = 1000 + Draw(0, spreadNs);
                m_operations.push_back(std::move(operation));
            }
        }
    }
    for (std::size_t i = 0; i < m_operations.size(); ++i)
    {
        Operation& operation = m_operations[i];
        operation.real = Chance(70);
        if (operation.real)
        {
            operation.data = MakeBytes(operation.bytes, static_cast<uint32_t>(i));
        }
        operation.buffer = std::make_unique<GuardedBuffer>(operation.room);
        m_text << "\n  " << i << ": " << operation.src << " -> " << operation.dst << ", "
               << operation.bytes << " B" << (operation.write ? " written" : "") << " at "
               << operation.sendNs << " ns";
        if (!operation.write)
        {
            m_text << ", receive of " << operation.room << " B at " << operation.postNs << " ns";
        }
    }
}

bool
RandomSchedule::Pass(FabricPacketItem& item)
{
    bool pass = true;
    uint32_t copies = 0;
    const auto& [lose, repeat, delay] = m_fates[item.type];
    // packets of switches are not seen, so that each fate is met once
    if (m_budget > 0)
    {
        const bool again = Chance(repeat);
        const bool lost = Chance(lose);
        const bool late = !lost && Chance(delay);
        m_budget -= again || lost || late;
        pass = !lost && !late;
        copies = again + late;
    }
    for (uint32_t i = 0; i < copies; ++i)
    {
        m_tap->Repeat(item,
                      m_switch->GetNowPs() +
                          int64_t{Draw(0, static_cast<uint32_t>(m_maxDelayNs))} * 1000);
    }
    if (item.IsMatched() && item.type == FabricPacketType::DATA &&
        !(item.flags & FabricPacketItem::FLAG_WRITE))
    {
        m_lookups += copies + pass;
    }
    return pass;
}

void
RandomSchedule::Post(MessageNetwork& network, std::size_t index)
{
    Operation& operation = m_operations[index];
    network.endpoints[operation.dst]->PostRecv(
        operation.src,
        operation.buffer->Get(),
        operation.room,
        [this, &network, index](const MessageEndpoint::Completion& report) {
            Operation& received = m_operations[index];
            ++received.receiveEnds;
            received.receiveStatus = report.status;
            if (report.peer != received.src || report.tag != index ||
                report.bytes != received.bytes)
            {
                m_wrong.push_back("receive " + std::to_string(index) + " got message " +
                                  std::to_string(report.tag) + " of " +
                                  std::to_string(report.bytes) + " bytes");
            }
            // the memory has everything by now
            if (received.real)
            {
                std::vector<uint8_t> data = received.data;
                data.resize(std::min(received.bytes, received.room));
                if (!received.buffer->Has(data))
                {
                    m_wrong.push_back("told of receive " + std::to_string(index) + " too early");
                }
            }
            const std::size_t next = index + 1;
            if (m_chained && next < m_operations.size() && !m_operations[next].write &&
                m_operations[next].src == received.src && m_operations[next].dst == received.dst)
            {
                Post(network, next);
            }
        });
}

void
RandomSchedule::ScheduleAll(MessageNetwork& network)
{
    for (std::size_t i = 0; i < m_operations.size(); ++i)
    {
        Operation& operation = m_operations[i];
        const auto told = [&operation](const MessageEndpoint::Completion& report) {
            ++operation.sendEnds;
            operation.sendStatus = report.status;
        };
        const uint8_t* data = operation.real ? operation.data.data() : nullptr;
        if (operation.write)
        {
            operation.address =
                network.endpoints[operation.dst]->Expose(operation.buffer->Get(), operation.room);
        }
        CallIn(NanoSeconds(operation.sendNs),
               std::function<void()>([&network, &operation, told, data, i]() {
                   if (operation.write)
                   {
                       network.endpoints[operation.src]->Write(operation.dst,
                                                               data,
                                                               operation.bytes,
                                                               operation.address,
                                                               told);
                       return;
                   }
                   network.endpoints[operation.src]->Send(operation.dst,
                                                          data,
                                                          operation.bytes,
                                                          told,
                                                          static_cast<uint32_t>(i));
               }));
        const bool first = i == 0 || m_operations[i - 1].write ||
                           m_operations[i - 1].src != operation.src ||
                           m_operations[i - 1].dst != operation.dst;
        if (!operation.write && (first || !m_chained))
        {
            CallIn(NanoSeconds(operation.postNs),
                   std::function<void()>([this, &network, i]() { Post(network, i); }));
        }
    }
}

std::string
RandomSchedule::CheckOperations()
{
    std::ostringstream wrong;
    for (std::size_t i = 0; i < m_operations.size(); ++i)
    {
        const Operation& operation = m_operations[i];
        const MessageStatus expected =
            operation.room < operation.bytes ? MessageStatus::TRUNCATED : MessageStatus::COMPLETE;
        if (operation.sendEnds != 1 || operation.sendStatus != MessageStatus::COMPLETE)
        {
            wrong << " operation " << i << " ended " << operation.sendEnds << " times, the last as "
                  << static_cast<int>(operation.sendStatus) << ";";
        }
        if (!operation.write && (operation.receiveEnds != 1 || operation.receiveStatus != expected))
        {
            wrong << " receive " << i << " ended " << operation.receiveEnds
                  << " times, the last as " << static_cast<int>(operation.receiveStatus) << ";";
        }
        std::vector<uint8_t> data = operation.data;
        data.resize(std::min<uint64_t>(data.size(), operation.room));
        if (!operation.buffer->Has(data))
        {
            wrong << " bytes of operation " << i << " differ;";
        }
    }
    return wrong.str();
}

std::string
RandomSchedule::CheckNetwork(const MessageNetwork& network)
{
    std::ostringstream wrong;
    const auto expect = [&wrong](const std::string& what, uint64_t actual, uint64_t expected) {
        if (actual != expected)
        {
            wrong << " " << what << " " << actual << " instead of " << expected << ";";
        }
    };
    uint64_t bytes = 0;
    for (const Operation& operation : m_operations)
    {
        bytes += operation.bytes;
    }
    uint64_t lookups = 0;
    for (uint32_t host = 0; host < m_senders + m_receivers; ++host)
    {
        const std::string at = " at host " + std::to_string(host);
        const FabricNic& nic = network.Nic(host);
        const auto& counters = nic.GetCounters();
        const MessageMatcher& matcher = *nic.GetMessages().GetMatcher();
        expect("refusals" + at,
               counters.rtwSent + counters.rnrSent,
               matcher.GetCounters().unmatched);
        expect("refused" + at, counters.dataRefused, matcher.GetCounters().unmatched);
        expect("entries" + at, TableOf(nic.GetMessages()).GetNEntries(), 0);
        expect("receives" + at, matcher.GetNReceives(), 0);
        expect("pending" + at, network.endpoints[host]->GetNPending(), 0);
        expect("busy PDCs" + at, nic.GetSendingPdcs().GetBusy().size(), 0);
        expect("messages arriving" + at, nic.GetReceivingPdcs().GetNActive(), 0);
        expect("more entries than fit" + at,
               TableOf(nic.GetMessages()).GetMaxEntries() >
                   TableOf(nic.GetMessages()).GetCapacity(),
               0);
        lookups += TableOf(nic.GetMessages()).GetNLookups();
    }
    expect("look-ups", lookups, m_lookups);
    expect("bytes delivered", network.Sum(&FabricNic::Counters::bytesDelivered), bytes);
    expect("messages delivered", network.delivered.size(), m_operations.size());
    expect("messages completed", network.completed.size(), m_operations.size());
    const auto where = network.fabric->CheckConservation();
    expect("packets accounted for", where.consumed + where.dropped + where.inFlight, where.created);
    expect("packets under way", where.inFlight, 0);
    expect("events when all was over", Simulator::GetEventCount(), m_eventsWhenQuiet + 1);
    return wrong.str();
}

std::string
RandomSchedule::Run()
{
    MessageNetwork network(MakeSides(m_senders, m_receivers, m_spines), m_helper);
    m_tap = AddTap(network, m_senders + m_receivers);
    m_switch = network.fabric->GetSwitch(m_senders + m_receivers);
    m_tap->SetRule([this](FabricPacketItem& item) { return Pass(item); });
    ScheduleAll(network);
    CallIn(MilliSeconds(QUIET_MS),
           std::function<void()>([this]() { m_eventsWhenQuiet = Simulator::GetEventCount(); }));
    Simulator::Stop(MilliSeconds(END_MS));
    Simulator::Run();
    std::string wrong = CheckOperations() + CheckNetwork(network);
    for (const std::string& one : m_wrong)
    {
        wrong += " " + one + ";";
    }
    m_tap = nullptr;
    m_switch = nullptr;
    return wrong;
}

/**
 * @ingroup dcfabric-tests
 * @brief Some of the schedules.
 */
class ScheduleTestCase : public TestCase
{
  public:
    /// @param first number of the first schedule
    explicit ScheduleTestCase(uint32_t first)
        : TestCase("schedules " + std::to_string(first) + " to " +
                   std::to_string(first + PER_CASE - 1)),
          m_first(first)
    {
    }

  private:
    void DoRun() override
    {
        const RandomRun random(RUN);
        for (uint32_t number = m_first; number < m_first + PER_CASE; ++number)
        {
            if (ONLY_SCHEDULE != UINT32_MAX && number != ONLY_SCHEDULE)
            {
                continue;
            }
            RandomSchedule schedule(number);
            if (TELL)
            {
                std::cout << schedule.Describe() << std::endl;
            }
            const std::string wrong = schedule.Run();
            NS_TEST_EXPECT_MSG_EQ(wrong, "", schedule.Describe());
        }
    }

    uint32_t m_first; //!< number of the first schedule
};

/// Matched messages in random schedules.
const SuiteCases g_cases("dcfabric-messages-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (uint32_t first = 0; first < SCHEDULES; first += PER_CASE)
    {
        suite.AddTestCase(new ScheduleTestCase(first),
                          first < SCHEDULES_QUICK       ? DurationOf<TestCase>::QUICK
                          : first < SCHEDULES_EXTENSIVE ? DurationOf<TestCase>::EXTENSIVE
                                                        : DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace ns3::tests::message_property_test
