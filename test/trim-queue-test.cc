// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-queue.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/double.h"
#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/packet-trimmer.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packets trimmed by one queue disc: which, into what, and what it counts.
 */

namespace ns3::tests::trim_queue_test
{

constexpr uint32_t FRAME = 4160; //!< bytes of a full packet
constexpr uint8_t DATA = 3;      //!< class
constexpr uint8_t TRIMMED = 5;   //!< class

/**
 * @param psn its number
 * @param size of the frame
 * @return a data packet
 */
Ptr<FabricPacketItem>
MakePacket(uint32_t psn, uint32_t size = FRAME)
{
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::DATA);
    item->psn = psn;
    item->size = size;
    item->ds = FabricPacketItem::MakeDs(DATA, FabricPacketItem::ECN_ECT0);
    item->data.payloadBytes = static_cast<uint16_t>(size - 62);
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief A queue disc that trims, and its trimmer.
 */
struct TrimmingDisc
{
    /**
     * @param maxSize limit of data
     * @param newest probability to trim the newest packet
     */
    explicit TrimmingDisc(const std::string& maxSize, double newest = 0)
    {
        trimmer->SetAttribute("Newest", DoubleValue(newest));
        disc->SetAttribute("MaxSize", StringValue(maxSize));
        disc->SetAttribute("Trimmer", PointerValue(trimmer));
    }

    /**
     * @param first number of the first packet
     * @param count packets of FRAME bytes
     * @return how many it took, trimmed or not
     */
    uint32_t Fill(uint32_t first, uint32_t count)
    {
        disc->Initialize();
        uint32_t taken = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            const auto item = MakePacket(first + i);
            taken += isDirect ? disc->EnqueueDirectly(item, item->size, item->ds, 0)
                              : disc->Enqueue(item);
        }
        return taken;
    }

    /// @return numbers of the packets in the order in which they leave, trimmed ones with a `t`
    std::string Drain()
    {
        std::string order;
        while (Ptr<QueueDiscItem> item = isDirect ? disc->DequeueDirectly() : disc->Dequeue())
        {
            const auto& packet = static_cast<const FabricPacketItem&>(*item);
            order += (order.empty() ? "" : " ") + std::to_string(packet.psn) +
                     (packet.IsTrimmed() ? "t" : "");
        }
        return order;
    }

    Ptr<PacketTrimmer> trimmer = CreateObject<PacketTrimmer>();                    //!< its rules
    Ptr<CongestionAwareQueueDisc> disc = CreateObject<CongestionAwareQueueDisc>(); //!< the disc
    bool isDirect{false}; //!< as a port of the fabric fills it
};

/**
 * @ingroup dcfabric-tests
 * @brief The arriving packet is trimmed.
 */
class ArrivingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Twenty packets, of which ten find room. @p isDirect as a port fills it
    void CheckTwenty(bool isDirect)
    {
        TrimmingDisc made("41600B");
        made.isDirect = isDirect;
        const auto& disc = *made.disc;
        NS_TEST_EXPECT_MSG_EQ(made.Fill(1, 20), 20, "none is dropped");
        NS_TEST_EXPECT_MSG_EQ(disc.GetClassBytes(DATA), 41600, "10 x 4160");
        NS_TEST_EXPECT_MSG_EQ(disc.GetClassBytes(TRIMMED), 640, "10 x 64");
        NS_TEST_EXPECT_MSG_EQ(disc.GetNTrimmedPackets(), 10, "11 to 20");
        NS_TEST_EXPECT_MSG_EQ(disc.GetTrimCounters(DATA).packets, 10, "of the class of data");
        NS_TEST_EXPECT_MSG_EQ(disc.GetTrimCounters(DATA).bytes, 40960, "10 x (4160 - 64)");
        NS_TEST_EXPECT_MSG_EQ(disc.GetTrimCounters(TRIMMED).packets, 0, "none a second time");
        NS_TEST_EXPECT_MSG_EQ(disc.GetNPackets(), 20, "all are here");
        NS_TEST_EXPECT_MSG_EQ(disc.GetNBytes(), 42240, "41600 + 640");
        const QueueDisc::Stats& stats = made.disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, 20, "each once");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedBytes, 42240, "what is left of them");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets, 20, "each once");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedBytes, 42240, "what is left of them");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedPackets, 0, "none");
        NS_TEST_EXPECT_MSG_EQ(disc.GetClassCounters(DATA).enqueuedPackets, 10, "accepted");
        NS_TEST_EXPECT_MSG_EQ(disc.GetClassCounters(TRIMMED).enqueuedPackets, 10, "accepted");
        NS_TEST_EXPECT_MSG_EQ(made.Drain(),
                              "11t 12t 13t 14t 15t 16t 17t 18t 19t 20t 1 2 3 4 5 6 7 8 9 10",
                              "headers overtake all data");
        NS_TEST_EXPECT_MSG_EQ(disc.GetNBytes(), 0, "empty");
    }

    void DoRun() override
    {
        // T1: one queue, limit 10 packets of 4160 B, nothing leaves.
        CheckTwenty(false);
        CheckTwenty(true);

        // 83,200 B of headers, twice the limit of data, are 1300 of them
        for (const bool isDirect : {false, true})
        {
            TrimmingDisc made("41600B");
            made.isDirect = isDirect;
            NS_TEST_EXPECT_MSG_EQ(made.Fill(1, 1310), 1310, "1300 headers fit");
            NS_TEST_EXPECT_MSG_EQ(made.Fill(1311, 2), 0, "no further one");
            NS_TEST_EXPECT_MSG_EQ(made.disc->GetClassBytes(TRIMMED), 83200, "1300 x 64");
            NS_TEST_EXPECT_MSG_EQ(made.disc->GetClassCounters(DATA).droppedPackets, 2, "whole");
            const QueueDisc::Stats& stats = made.disc->GetStats();
            NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(ToText(DropReason::TRIM_QUEUE_FULL)),
                                  2,
                                  "for this reason");
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedBytes, 2 * FRAME, "as they came");
        }

        // a limit of its own, and one packet of data
        TrimmingDisc own("1p");
        own.trimmer->SetAttribute("Limit", UintegerValue(128));
        NS_TEST_EXPECT_MSG_EQ(own.Fill(1, 4), 3, "one, and two headers of 64 bytes");
        NS_TEST_EXPECT_MSG_EQ(own.Drain(), "2t 3t 1", "the fourth is dropped");

        // a limit in packets is twice as many for headers, too
        TrimmingDisc packets("2p");
        NS_TEST_EXPECT_MSG_EQ(packets.Fill(1, 10), 6, "two, and twice two headers");
        NS_TEST_EXPECT_MSG_EQ(packets.disc->GetNTrimmedPackets(), 4, "3 to 6");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is trimmed, and to which size.
 */
class WhatTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TrimmingDisc made("100B");
        made.Fill(1, 1);
        CongestionAwareQueueDisc& disc = *made.disc;
        NS_TEST_EXPECT_MSG_EQ(disc.GetNTrimmedPackets(), 1, "larger than the limit");
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(MakePacket(2, 63)), true, "63 of 100 bytes");
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(MakePacket(3, 63)), true, "trimmed, not shorter");
        NS_TEST_EXPECT_MSG_EQ(disc.GetClassBytes(TRIMMED), 64 + 63, "both");
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(MakePacket(4, 62)), false, "no payload to lose");
        auto ack = FabricPacketItem::Create(FabricPacketType::ACK);
        ack->size = 98;
        ack->ds = FabricPacketItem::MakeDs(6, 0);
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(ack), true, "the limit is of the classes trimmed");
        ack = FabricPacketItem::Create(FabricPacketType::ACK);
        ack->size = 98;
        ack->ds = FabricPacketItem::MakeDs(DATA, 0);
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(ack), false, "an answer in the class of data");
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(MakeTestItem(1, 100, DATA)),
                              false,
                              "an item that cannot be trimmed");
        const QueueDisc::Stats& stats = disc.GetStats();
        NS_TEST_EXPECT_MSG_EQ(
            stats.GetNDroppedPackets(CongestionAwareQueueDisc::LIMIT_EXCEEDED_DROP),
            3,
            "as without a trimmer");

        // trimmed elsewhere: the limit of such packets holds, and nothing is cut twice
        const auto again = MakePacket(5);
        again->Trim(64, TRIMMED << 3, false);
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(again), true, "127 + 64 of 200 bytes");
        const auto last = MakePacket(6);
        last->Trim(64, TRIMMED << 3, false);
        NS_TEST_EXPECT_MSG_EQ(disc.Enqueue(last), false, "191 + 64");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(ToText(DropReason::TRIM_QUEUE_FULL)),
                              1,
                              "for this reason");
        NS_TEST_EXPECT_MSG_EQ(disc.GetNTrimmedPackets(), 2, "here");

        // other classes, another size, the last hop
        TrimmingDisc other("200B");
        other.trimmer->SetAttribute("Size", UintegerValue(256));
        other.trimmer->SetAttribute("LastHop", BooleanValue(true));
        other.trimmer->SetAttribute("TrimmedClass", UintegerValue(1));
        other.Fill(1, 1);
        NS_TEST_EXPECT_MSG_EQ(other.disc->GetClassBytes(1), 256, "what is left");
        const auto left = DynamicCast<FabricPacketItem>(other.disc->Dequeue());
        NS_TEST_EXPECT_MSG_EQ(left->data.payloadBytes, 194, "256 - 62");
        NS_TEST_EXPECT_MSG_EQ(+left->GetPriority(), 1, "class");
        NS_TEST_EXPECT_MSG_NE((left->flags & FabricPacketItem::FLAG_LAST_HOP), 0, "told");
        NS_TEST_EXPECT_MSG_EQ((left->ds & FabricPacketItem::ECN_MASK),
                              (FabricPacketItem::ECN_ECT0 + 0),
                              "ECN stays");

        TrimmingDisc none("100B");
        none.trimmer->SetAttribute("Classes", UintegerValue(0xff & ~(1 << DATA)));
        NS_TEST_EXPECT_MSG_EQ(none.Fill(1, 1), 1, "a class that is not trimmed has no limit");
        none.disc->SetTrimmer(nullptr);
        NS_TEST_EXPECT_MSG_EQ(none.Fill(2, 1), 0, "without a trimmer it has");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The newest packet that waits is trimmed in place of the arriving one.
 */
class NewestTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What the disc has told.
    void OnTrim(Ptr<const QueueDiscItem> item, uint32_t bytes)
    {
        m_trimmed.push_back(static_cast<const FabricPacketItem&>(*item).psn);
        m_bytes += bytes;
    }

    void DoRun() override
    {
        // always: each packet that arrives at the full queue takes the place of the one before
        TrimmingDisc always("41600B", 1);
        NS_TEST_EXPECT_MSG_EQ(always.Fill(1, 20), 20, "none is dropped");
        NS_TEST_EXPECT_MSG_EQ(always.disc->GetClassBytes(DATA), 41600, "10 x 4160");
        NS_TEST_EXPECT_MSG_EQ(always.disc->GetClassBytes(TRIMMED), 640, "10 x 64");
        NS_TEST_EXPECT_MSG_EQ(always.Drain(),
                              "10t 11t 12t 13t 14t 15t 16t 17t 18t 19t 1 2 3 4 5 6 7 8 9 20",
                              "the tail of each time");

        // T2: draws 0, 1, 0, 1, ... of a probability of one half, where 1 trims the newest one.
        // 11 is trimmed; 12 takes the place of 10, 13 is trimmed, 14 takes that of 12, and so on.
        // Which stream draws so is found first.
        const auto draws = CreateObject<UniformRandomVariable>();
        int64_t stream = 0;
        for (uint32_t matching = 0; matching < 10; stream += matching < 10 ? 1 : 0)
        {
            draws->SetStream(stream);
            matching = 0;
            while (matching < 10 && (draws->GetValue() < 0.5) == (matching % 2 == 1))
            {
                ++matching;
            }
        }
        for (const bool isDirect : {false, true})
        {
            TrimmingDisc half("41600B", 0.5);
            half.isDirect = isDirect;
            half.disc->AssignStreams(stream);
            half.disc->TraceConnectWithoutContext("Trim",
                                                  MakeCallback(&NewestTestCase::OnTrim, this));
            m_trimmed.clear();
            m_bytes = 0;
            NS_TEST_EXPECT_MSG_EQ(half.Fill(1, 20), 20, "none is dropped");
            NS_TEST_EXPECT_MSG_EQ(
                (m_trimmed == std::vector<uint32_t>{11, 10, 13, 12, 15, 14, 17, 16, 19, 18}),
                true,
                "in turn");
            NS_TEST_EXPECT_MSG_EQ(m_bytes, 40960, "10 x (4160 - 64)");
            const QueueDisc::Stats& stats = half.disc->GetStats();
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, 20, "each once");
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedBytes, 42240, "what is left of them");
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedBytes, 42240, "what is left of them");
            NS_TEST_EXPECT_MSG_EQ(half.disc->GetNBytes(), 42240, "same as with arriving ones");
            NS_TEST_EXPECT_MSG_EQ(half.disc->GetClassBytes(DATA), 41600, "10 x 4160");
            NS_TEST_EXPECT_MSG_EQ(half.Drain(),
                                  "11t 10t 13t 12t 15t 14t 17t 16t 19t 18t 1 2 3 4 5 6 7 8 9 20",
                                  "in the order of trimming");
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalDequeuedBytes, 42240, "all left");
        }

        // a shorter one that waits makes no room for a longer one
        TrimmingDisc longer("4200B", 1);
        longer.Fill(1, 1);
        longer.disc->Enqueue(MakePacket(2, 100));
        NS_TEST_EXPECT_MSG_EQ(longer.Drain(), "1t 2", "4160 + 100 > 4200: 1 makes room");
        longer.disc->Enqueue(MakePacket(3, 100));
        longer.disc->Enqueue(MakePacket(4, 4150));
        NS_TEST_EXPECT_MSG_EQ(longer.Drain(), "3t 4", "4150 alone");
        longer.disc->Enqueue(MakePacket(5, 4000));
        longer.disc->Enqueue(MakePacket(6, 100));
        longer.disc->Enqueue(MakePacket(7, 1000));
        NS_TEST_EXPECT_MSG_EQ(longer.Drain(), "7t 5 6", "4000 + 1000: 6 in vain");

        // nothing to be trimmed there
        TrimmingDisc blocked("200B", 1);
        blocked.disc->Initialize();
        blocked.disc->Enqueue(MakePacket(1, 62));
        blocked.disc->Enqueue(MakePacket(2, 200));
        NS_TEST_EXPECT_MSG_EQ(blocked.Drain(), "2t 1", "the newest has no payload");
        blocked.disc->Enqueue(MakePacket(3, 300));
        NS_TEST_EXPECT_MSG_EQ(blocked.Drain(), "3t", "there is no newest");
    }

    std::vector<uint32_t> m_trimmed; //!< numbers
    uint64_t m_bytes{0};             //!< that they lost
};

/**
 * @ingroup dcfabric-tests
 * @brief Children that keep the packets of a class.
 */
class TrimChildTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TrimmingDisc made("41600B", 1);
        made.disc->SetAttribute("ClassQueueDisc", StringValue("ns3::FifoQueueDisc"));
        NS_TEST_EXPECT_MSG_EQ(made.Fill(1, 20), 20, "none is dropped");
        NS_TEST_EXPECT_MSG_EQ(made.disc->GetClassBytes(TRIMMED), 640, "10 x 64");
        NS_TEST_EXPECT_MSG_EQ(made.disc->GetNBytes(), 42240, "41600 + 640");
        NS_TEST_EXPECT_MSG_EQ(made.Drain(),
                              "11t 12t 13t 14t 15t 16t 17t 18t 19t 20t 1 2 3 4 5 6 7 8 9 10",
                              "a child keeps its newest packet: the arriving one is trimmed");
    }
};

/// One queue disc.
const SuiteCases g_cases("dcfabric-trimming", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ArrivingTestCase("a full queue trims what arrives, up to a limit"));
    suite.AddTestCase(new WhatTestCase("only data is trimmed, and only once"));
    suite.AddTestCase(new NewestTestCase("a full queue trims its newest packet, as draws say"));
    suite.AddTestCase(new TrimChildTestCase("queues of another type: what arrives is trimmed"));
});

} // namespace ns3::tests::trim_queue_test
