// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"
#include "fabric-test-wire.h"

#include "ns3/item-codec.h"
#include "ns3/packet-kind.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/wire-format.h"

#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A kind of packet of one's own: all that there is to write for it is in this file.
 */

namespace ns3::tests::packet_kind_test
{

constexpr auto HELLO = static_cast<FabricPacketType>(0xd0); //!< the own type

/// Its fields.
struct HelloFields
{
    uint32_t hops;   //!< so far
    uint16_t reason; //!< of it
};

/// Its layout, 8 bytes.
struct HelloPacket
{
    using Fields = HelloFields; //!< of the item

    /**
     * @brief Layout.
     * @tparam Wire direction
     * @tparam Item packet item
     * @param extensions where
     * @param item the packet
     */
    template <typename Wire, typename Item>
    static void Describe(Wire& /* transport */, Wire& extensions, Item& item)
    {
        auto& hello = item.template As<Fields>();
        extensions.Field(hello.hops, 4);
        extensions.Field(hello.reason, 2);
        extensions.Constant(0, 2);
    }

    /**
     * @brief Print.
     * @param os where
     * @param item the packet
     */
    static void Print(std::ostream& os, const FabricPacketItem& item)
    {
        os << " hops " << item.As<Fields>().hops;
    }
};

const RoceKind<HelloPacket> g_hello(HELLO, "HELLO"); //!< the own kind

/// @return such a packet
Ptr<Item>
MakeHello()
{
    auto item = Item::Create(HELLO);
    item->As<HelloFields>() = {7, 0x0102};
    item->src = 3;
    item->dst = 1;
    item->pdc = 5;
    item->entropy = 0xbeef;
    item->ds = Item::MakeDs(6, 0);
    item->size = CreateObject<RoceV2WireFormat>()->GetNoticeBytes(8);
    item->UpdateFlowHash();
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief Bytes of an own kind, to processes, to frames, to text, and back.
 */
class OwnKindTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare.
     * @param got a packet
     * @param what it came from
     */
    void Expect(Ptr<const Item> got, const std::string& what)
    {
        NS_TEST_ASSERT_MSG_EQ((got != nullptr), true, what);
        NS_TEST_EXPECT_MSG_EQ((got->type == HELLO), true, what);
        NS_TEST_EXPECT_MSG_EQ(got->As<HelloFields>().hops, 7, what);
        NS_TEST_EXPECT_MSG_EQ(got->As<HelloFields>().reason, 0x0102, what);
        NS_TEST_EXPECT_MSG_EQ(got->pdc, 5, what);
        NS_TEST_EXPECT_MSG_EQ(got->entropy, 0xbeef, what);
    }

    void DoRun() override
    {
        const auto item = MakeHello();
        // 62 bytes around each payload, and the 8 of the layout
        const Bytes frame = FrameOf(*item);
        NS_TEST_EXPECT_MSG_EQ(frame.size(), 70, "as long as it says");
        NS_TEST_EXPECT_MSG_EQ(item->size, 70, "it says so");
        // BTH begins behind Ethernet 14, IPv4 20 and UDP 8, and has 12 bytes
        NS_TEST_EXPECT_MSG_EQ(ToHex(frame, 42, 1), ToHex({0xd0}, 0, 1), "operation code");
        NS_TEST_EXPECT_MSG_EQ(ToHex(frame, 54, 8),
                              ToHex({0, 0, 0, 7, 1, 2, 0, 0}, 0, 8),
                              "its layout");
        Expect(ParseBytes(frame), "from a frame");

        std::string bytes;
        ItemCodec::Write(bytes, *item);
        std::size_t at = 0;
        Expect(ItemCodec::Read(bytes, at), "from another process");
        NS_TEST_EXPECT_MSG_EQ(at, bytes.size(), "no byte is left");

        std::ostringstream text;
        text << *item;
        NS_TEST_EXPECT_MSG_EQ(text.str().substr(0, 10), "HELLO 3->1", "by name");
        NS_TEST_EXPECT_MSG_NE(text.str().find(" hops 7"), std::string::npos, "with its fields");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Kinds that there are not, or that say too much.
 */
class KindRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        DCFABRIC_EXPECT_REFUSAL(Item::Create(static_cast<FabricPacketType>(0xd1)),
                                "there is no packet type 209");
        auto item = MakeHello();
        item->intCount = 1;
        DCFABRIC_EXPECT_REFUSAL(FrameOf(*item), "HELLO carries no INT");
        // a reserved bit of the layout
        Bytes frame = FrameOf(*MakeHello());
        frame[61] = 1;
        RepairCrcs(frame);
        NS_TEST_EXPECT_MSG_EQ((ParseBytes(frame) == nullptr), true, "two bytes are zero");
        // each type has a kind of that type, with a name of its own
        std::string names;
        for (const PacketKind* kind : PacketKinds::List())
        {
            NS_TEST_EXPECT_MSG_EQ((PacketKinds::Find(kind->type) == kind), true, kind->name);
            NS_TEST_EXPECT_MSG_EQ(names.find(std::string(" ") + kind->name + " "),
                                  std::string::npos,
                                  kind->name);
            names += std::string(" ") + kind->name + " ";
        }
        // of wings, types CCM and REDUCTION
        const std::size_t own = 17 + (HasClass("ns3::CcmFeature") ? 1 : 0) +
                                (HasClass("ns3::ReductionFeature") ? 1 : 0);
        NS_TEST_EXPECT_MSG_EQ(PacketKinds::List().size(), own + 1, "the module's, and HELLO");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A switch sends an own kind to the source of a flow.
 */
class OwnKindInNetworkTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // hosts 0 and 1, switches 2 and 3
        TestNetwork network(MakeChain({100 * GBPS, 100 * GBPS, 100 * GBPS}, {US, US, US}),
                            FabricHelper());
        Ptr<PacketTap> tap = CreateObject<PacketTap>();
        network.fabric->GetSwitch(2)->AddFeature(tap);
        bool told = false;
        tap->SetRule([&told, &tap](FabricPacketItem& item) {
            if (item.type == FabricPacketType::DATA && !told)
            {
                told = true;
                auto hello = MakeHello();
                hello->dst = item.src;
                hello->pdc = item.data.sourcePdc;
                tap->Repeat(*hello, Simulator::Now().GetPicoSeconds());
            }
            return true;
        });
        network.MessagesOf(0).SendAt(0, 1, 1000, 7);
        Simulator::Run();
        const auto& counters = network.Nic(0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.noticesArrived, 1, "goes to the PDC that it names");
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "and the message goes on");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
    }
};

/// Kinds of packets.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new OwnKindTestCase("a kind of one's own: frame, codec, text"));
    suite.AddTestCase(new KindRefusalTestCase("kinds that there are not are refused"));
    suite.AddTestCase(new OwnKindInNetworkTestCase("a kind of one's own reaches a PDC"));
});

} // namespace ns3::tests::packet_kind_test
