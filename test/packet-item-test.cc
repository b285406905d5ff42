// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/matching-packets.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Tests of the packet item: layout, reuse, marking and hashing.
 */

namespace ns3::tests::packet_item_test
{

using Item = FabricPacketItem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool POOLED = false;
#else
constexpr bool POOLED = true;
#endif

/**
 * @ingroup dcfabric
 * @brief The hash that spreads packets over equal paths.
 */
class PacketItemHashTest : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param src sender
     * @param dst receiver
     * @param entropy entropy
     * @return the hash of a packet
     */
    static uint32_t HashOf(uint32_t src, uint32_t dst, uint16_t entropy)
    {
        auto item = Item::Create(FabricPacketType::DATA);
        item->src = src;
        item->dst = dst;
        item->entropy = entropy;
        item->UpdateFlowHash();
        return item->flowHash;
    }

    /**
     * @brief Fail unless @p count draws fill 8 bins evenly.
     *
     * Each bin is binomial with p = 1/8: mean n/8, deviation sqrt(7n)/8. For n = 80000: 10000 and
     * 93.5; five deviations (two in a million per bin) are 468.
     *
     * @param bins how many fell into each
     * @param what was varied
     */
    void CheckEven(const std::array<int, 8>& bins, const char* what)
    {
        int count = 0;
        for (const int bin : bins)
        {
            count += bin;
        }
        for (const int bin : bins)
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(bin,
                                      count / 8.0,
                                      5 * std::sqrt(7.0 * count) / 8,
                                      "bins under varied " << what);
        }
    }

    void DoRun() override
    {
        const uint32_t seed = 4242;
        std::cout << "dcfabric-packet-item hash: seed " << seed << std::endl;
        std::mt19937 random(seed);

        int same = 0;
        for (int i = 0; i < 10000; ++i)
        {
            const uint32_t a = random();
            const uint32_t b = random();
            const auto entropy = static_cast<uint16_t>(random());
            NS_TEST_ASSERT_MSG_EQ(HashOf(a, b, entropy), HashOf(b, a, entropy), "both ways");
            same += HashOf(a, b, entropy) == HashOf(a, b, static_cast<uint16_t>(entropy + 1));
        }
        // 32 bits: 10000 pairs collide with probability 2e-6
        NS_TEST_ASSERT_MSG_EQ(same, 0, "entropy changes the hash");
        NS_TEST_ASSERT_MSG_EQ(HashOf(5, 5, 0), HashOf(5, 5, 0), "to itself");
        NS_TEST_ASSERT_MSG_NE(HashOf(0, 0, 0), HashOf(0, 1, 0), "address 0 counts");

        // small consecutive numbers, as real runs have, at three places of the hash
        for (const int shift : {0, 13, 29})
        {
            std::array<int, 8> byEntropy{};
            std::array<int, 8> byPair{};
            std::array<int, 8> byPerturbation{};
            auto item = Item::Create(FabricPacketType::DATA);
            item->flowHash = random();
            for (uint32_t i = 0; i < 80000; ++i)
            {
                ++byPair[(HashOf(i % 400, 400 + i / 400, 7) >> shift) & 7];
                ++byEntropy[(HashOf(i / 65536, 77, static_cast<uint16_t>(i)) >> shift) & 7];
                ++byPerturbation[(item->Hash(i) >> shift) & 7];
            }
            CheckEven(byPair, "addresses");
            CheckEven(byEntropy, "entropy");
            CheckEven(byPerturbation, "perturbation");
        }

        // successive stages of a network hash the same packets with their own perturbation: those
        // that one stage sent to its port 0 must spread evenly again at the next
        std::array<int, 8> secondStage{};
        for (uint32_t i = 0; i < 640000; ++i)
        {
            auto item = Item::Create(FabricPacketType::DATA);
            item->src = i % 800;
            item->dst = 800 + i / 800;
            item->UpdateFlowHash();
            if ((item->Hash(1) & 7) == 0)
            {
                ++secondStage[item->Hash(2) & 7];
            }
        }
        CheckEven(secondStage, "stage");
    }
};

/**
 * @ingroup dcfabric
 * @brief ECN codepoints, and what queue discs read.
 */
class PacketItemMarkTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        auto item = Item::Create(FabricPacketType::DATA);
        item->ds = 0xb8; // expedited forwarding, not ECN capable
        NS_TEST_ASSERT_MSG_EQ(item->Mark(), false, "not capable");
        NS_TEST_ASSERT_MSG_EQ(+item->ds, 0xb8, "left alone");
        NS_TEST_ASSERT_MSG_EQ(item->IsMarked(), false, "not marked");
        for (const uint8_t capable : {0xb9, 0xba, 0xbb}) // ECT(1), ECT(0), CE
        {
            item->ds = capable;
            NS_TEST_ASSERT_MSG_EQ(item->IsMarked(), (capable == 0xbb), "before");
            NS_TEST_ASSERT_MSG_EQ(item->Mark(), true, "capable");
            NS_TEST_ASSERT_MSG_EQ(+item->ds, 0xbb, "CE, DSCP kept");
            NS_TEST_ASSERT_MSG_EQ(item->IsMarked(), true, "after");
        }

        uint8_t value = 0;
        NS_TEST_ASSERT_MSG_EQ(item->GetUint8Value(QueueItem::IP_DSFIELD, value), true, "has DS");
        NS_TEST_ASSERT_MSG_EQ(+value, 0xbb, "DS");
        item->size = 1518;
        Ptr<QueueDiscItem> base = item;
        NS_TEST_ASSERT_MSG_EQ(base->GetSize(), 1518, "size of the frame, not of the packet");
        NS_TEST_ASSERT_MSG_EQ(item->GetPacket()->GetSize(), 0, "timing only");

        const struct
        {
            FabricPacketType type;
            bool control;
            const char* name;
        } kinds[] = {{FabricPacketType::DATA, false, "DATA"},
                     {FabricPacketType::ACK, true, "ACK"},
                     {FabricPacketType::NACK, true, "NACK"},
                     {FabricPacketType::CNP, true, "CNP"},
                     {FabricPacketType::FOREIGN, false, "FOREIGN"},
                     {FabricPacketType::PAUSE, true, "PAUSE"},
                     {FabricPacketType::CREDIT, true, "CREDIT"},
                     {FabricPacketType::RATE, true, "RATE"},
                     {FabricPacketType::RTW, true, "RTW"},
                     {FabricPacketType::RNR, true, "RNR"},
                     {FabricPacketType::RTS, true, "RTS"},
                     {FabricPacketType::LLR, true, "LLR"},
                     {FabricPacketType::CLOSE, true, "CLOSE"},
                     {FabricPacketType::GRANT, true, "GRANT"}};

        for (const auto& kind : kinds)
        {
            item->type = kind.type;
            NS_TEST_ASSERT_MSG_EQ(item->IsControl(), kind.control, kind.name);
            std::ostringstream text;
            item->Print(text);
            NS_TEST_ASSERT_MSG_EQ(text.str().rfind(kind.name, 0), 0, text.str());
        }
        CheckMatchPrint();
    }

    /**
     * @param item any
     * @return what Print() says of the message of an item
     */
    static std::string PrintMessage(const Item& item)
    {
        std::ostringstream text;
        item.Print(text);
        const auto at = text.str().find(" entropy 0");
        return at == std::string::npos ? text.str() : text.str().substr(at + 10);
    }

    /// What message matching adds to the text.
    void CheckMatchPrint()
    {
        auto item = Item::Create(FabricPacketType::DATA);
        item->data.offset = 4096;
        item->data.messageBytes = 9000;
        item->data.msn = 7;
        item->data.epoch = 2;
        NS_TEST_ASSERT_MSG_EQ(PrintMessage(*item), "", "not matched");
        item->flags = Item::FLAG_MATCH;
        NS_TEST_ASSERT_MSG_EQ(PrintMessage(*item), " msn 7 epoch 2 offset 4096 of 9000", "matched");
        item->flags |= Item::FLAG_VOID;
        NS_TEST_ASSERT_MSG_EQ(PrintMessage(*item),
                              " msn 7 epoch 2 offset 4096 of 9000 void",
                              "given up");
        auto answer = Item::Create(FabricPacketType::ACK);
        answer->flags = Item::FLAG_COMPLETE;
        answer->ack.msn = 7;
        answer->ack.epoch = 2;
        NS_TEST_ASSERT_MSG_EQ(PrintMessage(*answer), " complete", "all there");
        for (const auto type : {FabricPacketType::RTW, FabricPacketType::RNR})
        {
            answer->type = type;
            answer->flags = 0;
            NS_TEST_ASSERT_MSG_EQ(PrintMessage(*answer), " refused msn 7 epoch 2", "refused");
        }
        auto request = Item::Create(FabricPacketType::RTS);
        request->As<RtsFields>() = {4096, 7, 2};
        NS_TEST_ASSERT_MSG_EQ(PrintMessage(*request), " wanted msn 7 epoch 2 from 4096", "request");
    }
};

/**
 * @ingroup dcfabric
 * @brief Items come back from the free list clean.
 */
class PacketItemReuseTest : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const void* first;
        {
            auto item = Item::Create(FabricPacketType::ACK);
            first = PeekPointer(item);
            item->src = item->dst = item->pdc = item->psn = item->size = item->bufferBytes = ~0U;
            item->sendTimePs = -1;
            item->ds = item->flags = item->intCount = 0xff;
            item->ingressPort = item->entropy = item->foreignProtocol = 0xffff;
            item->exactInt = std::make_unique<std::array<IntSample, Item::MAX_HOPS>>();
            item->ack = {~0ULL, ~0U, ~0U, ~0U, ~0U, ~0U, 0xffff, 0xff, NackCode::TRIMMED, ~0U};
        }
        auto item = Item::Create(FabricPacketType::DATA);
        if (POOLED)
        {
            NS_TEST_ASSERT_MSG_EQ((PeekPointer(item) == first), true, "last freed, first reused");
        }
        NS_TEST_ASSERT_MSG_EQ(item->src + item->dst + item->pdc + item->psn + item->size +
                                  item->bufferBytes,
                              0,
                              "words");
        NS_TEST_ASSERT_MSG_EQ(item->sendTimePs, 0, "times");
        NS_TEST_ASSERT_MSG_EQ(item->ds + item->flags + item->intCount, 0, "bytes");
        NS_TEST_ASSERT_MSG_EQ(item->ingressPort + item->entropy + item->foreignProtocol,
                              0,
                              "ports");
        NS_TEST_ASSERT_MSG_EQ((item->exactInt == nullptr), true, "pointers");
        NS_TEST_ASSERT_MSG_EQ((item->type == FabricPacketType::DATA), true, "type");
        NS_TEST_ASSERT_MSG_EQ(item->GetReferenceCount(), 1, "one owner");
        NS_TEST_ASSERT_MSG_EQ(item->data.offset + item->data.tag + item->data.epoch,
                              0,
                              "fields of data");
        NS_TEST_ASSERT_MSG_EQ(item->ack.sackBitmap + item->ack.epoch + item->ack.msn,
                              0,
                              "fields of an ACK, which are more");

        // all timing-only items share one packet, a payload of one's own stays one's own
        auto other = Item::Create(FabricPacketType::DATA);
        NS_TEST_ASSERT_MSG_EQ((other->GetPacket() == item->GetPacket()), true, "shared");
        Ptr<Packet> payload = Create<Packet>(10);
        {
            Ptr<Item> real(new Item(payload), false);
            NS_TEST_ASSERT_MSG_EQ((real->GetPacket() == payload), true, "own");
        }
        NS_TEST_ASSERT_MSG_EQ(payload->GetReferenceCount(), 1, "released with its item");

        // many at once, freed in another order: no block is handed out twice
        std::vector<Ptr<Item>> many;
        for (int i = 0; i < 1000; ++i)
        {
            many.push_back(Item::Create(FabricPacketType::DATA));
        }
        std::mt19937 random(1);
        std::shuffle(many.begin(), many.end(), random);
        many.resize(500);
        for (int i = 0; i < 500; ++i)
        {
            many.push_back(Item::Create(FabricPacketType::DATA));
        }
        std::vector<const Item*> blocks;
        for (const auto& one : many)
        {
            blocks.push_back(PeekPointer(one));
        }
        std::sort(blocks.begin(), blocks.end());
        NS_TEST_ASSERT_MSG_EQ((std::unique(blocks.begin(), blocks.end()) == blocks.end()),
                              true,
                              "distinct");
    }
};

/**
 * @ingroup dcfabric
 * @brief What a hop touches lies in two cache lines, and an item in flight is small.
 */
class PacketItemLayoutTest : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param item the item
     * @param field one of its fields
     * @return offset of a field in an item
     */
    template <typename T>
    static size_t OffsetOf(const Item& item, const T& field)
    {
        // offsetof is only conditionally supported for a class with virtual functions
        return reinterpret_cast<const char*>(&field) - reinterpret_cast<const char*>(&item);
    }

    void DoRun() override
    {
        constexpr size_t CACHE_LINE = 64;
        auto item = Item::Create(FabricPacketType::DATA);
        const size_t ends[] = {
            OffsetOf(*item, item->src) + sizeof(item->src),
            OffsetOf(*item, item->dst) + sizeof(item->dst),
            OffsetOf(*item, item->flowHash) + sizeof(item->flowHash),
            OffsetOf(*item, item->size) + sizeof(item->size),
            OffsetOf(*item, item->bufferBytes) + sizeof(item->bufferBytes),
            OffsetOf(*item, item->ingressPort) + sizeof(item->ingressPort),
            OffsetOf(*item, item->type) + sizeof(item->type),
            OffsetOf(*item, item->ds) + sizeof(item->ds),
            OffsetOf(*item, item->flags) + sizeof(item->flags),
            OffsetOf(*item, item->intCount) + sizeof(item->intCount),
            OffsetOf(*item, item->intRecords[3]) + sizeof(item->intRecords[3]),
        };
        for (const size_t end : ends)
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(end, 2 * CACHE_LINE, "hot field");
        }
        if (POOLED)
        {
            NS_TEST_ASSERT_MSG_EQ(reinterpret_cast<uintptr_t>(PeekPointer(item)) % CACHE_LINE,
                                  0,
                                  "starts a cache line");
        }
        std::cout << "dcfabric-packet-item: " << sizeof(Item) << " bytes" << std::endl;
        // the packet itself is shared; architecture: under 400 bytes per packet in flight
        NS_TEST_ASSERT_MSG_LT(sizeof(Item), 400, "per packet in flight");
        // an item with a payload of its own adds its Packet
        NS_TEST_ASSERT_MSG_LT(sizeof(Item) + sizeof(Packet), 400, "with a Packet of its own");
    }
};

/// @ingroup dcfabric Suite of the packet item.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new PacketItemHashTest("flow hash: free of direction, spread by entropy and address"));
    suite.AddTestCase(new PacketItemMarkTest("marking, size, DS field and kind"));
    suite.AddTestCase(new PacketItemReuseTest("free list: reused and clean"));
    suite.AddTestCase(
        new PacketItemLayoutTest("layout: hot fields in two cache lines, size bound"));
});

} // namespace ns3::tests::packet_item_test
