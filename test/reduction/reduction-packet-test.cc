// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-suite.h"
#include "../fabric-test-wire.h"

#include "ns3/reduction-frame.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Packets of in-network reduction as bytes.
 */

namespace ns3::tests::reduction_packet_test
{

/// A contribution or a result, with or without payload.
Ptr<Item>
MakeReduction(std::mt19937_64& random)
{
    const auto draw = [&random](uint32_t mask) { return static_cast<uint32_t>(random()) & mask; };
    ReductionFields fields{};
    fields.way = draw(1) == 0 ? ReductionFields::UP : ReductionFields::DOWN;
    fields.operation = static_cast<uint8_t>(draw(0xffff) % 3);
    fields.payloadBytes = static_cast<uint16_t>(draw(1) * draw(0x7ff));
    fields.group = draw(0xffffffff);
    fields.root = draw(MASK_24);
    fields.ranks = draw(0xffffffff);
    fields.number = random();
    const auto wire = CreateObject<RoceV2WireFormat>();
    auto item = MakeReductionItem(draw(MASK_24), draw(MASK_24), 3, *wire, fields);
    const uint32_t size = item->size;
    FillCommon(*item, random);
    item->size = size;
    return item;
}

/// @return true if the fields of two of them are the same
bool
IsSameReduction(const Item& a, const Item& b)
{
    const auto& x = a.As<ReductionFields>();
    const auto& y = b.As<ReductionFields>();
    return x.way == y.way && x.operation == y.operation && x.payloadBytes == y.payloadBytes &&
           x.group == y.group && x.root == y.root && x.ranks == y.ranks && x.number == y.number;
}

/// Takes part in what is checked of all types.
const bool g_entered =
    GetWingPackets()
        .emplace(ReductionFields::TYPE, WingPacket{&MakeReduction, &IsSameReduction})
        .second;

/**
 * @ingroup dcfabric-tests
 * @brief How many bytes such a packet takes.
 */
class ReductionSizeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(g_entered, true, "all types are checked");
        const auto wire = CreateObject<RoceV2WireFormat>();
        ReductionFields fields{};
        fields.way = ReductionFields::UP;
        // Ethernet 14, IPv4 20, UDP 8, BTH 12, extension 24, ICRC 4, FCS 4
        NS_TEST_EXPECT_MSG_EQ(MakeReductionItem(1, 2, 3, *wire, fields)->size, 86, "no payload");
        fields.payloadBytes = 65535;
        const auto item = MakeReductionItem(1, 2, 3, *wire, fields);
        NS_TEST_EXPECT_MSG_EQ(item->size, 65535 + 86, "with payload");
        NS_TEST_EXPECT_MSG_EQ(+item->GetPriority(), 3, "its class");
        NS_TEST_EXPECT_MSG_EQ(item->CanTrim(), false, "a sum is whole");
    }
};

const SuiteCases g_cases("dcfabric-reduction", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ReductionSizeTestCase("sizes of its packets"));
});

} // namespace ns3::tests::reduction_packet_test
