// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-schedule.h"
#include "../fabric-test-suite.h"
#include "fabric-test-messages.h"

#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Deferrable sends: from where on a message is sent again.
 */

namespace ns3::tests::deferrable_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief The first packets of a message come late, after its receive is posted.
 */
class RestartTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What became of a message.
    struct Outcome
    {
        std::vector<uint64_t> offsets; //!< that were asked for
        uint64_t packets{0};           //!< sent of it
        uint64_t duplicates{0};        //!< that arrived
    };

    /**
     * @brief A message of five packets. The first of them are kept back at the switch until 50 us,
     * the others are refused. Its receive is posted at 30 us, and the first RTS is lost. The second
     * one leaves 100 us later.
     * @param protocol class
     * @param late how many are kept back
     * @return what became of it
     */
    Outcome Run(const std::string& protocol, uint32_t late)
    {
        MessageNetwork network(MakeStar(2), MessageNetwork::MakeHelper(protocol));
        const Ptr<PacketTap> tap = AddTap(network, 2);
        bool isFirst = true;
        tap->SetRule([&](FabricPacketItem& item) {
            const bool keep = item.type == DATA && item.psn < late && tap->Of(DATA).size() < 5;
            if (keep)
            {
                tap->Repeat(item, 50 * US + item.psn * F);
            }
            const bool lose = item.type == FabricPacketType::RTS && isFirst;
            isFirst = isFirst && !lose;
            return !keep && !lose;
        });
        const std::vector<uint8_t> data = MakeBytes(4500, 1);
        std::vector<uint8_t> buffer(data.size());
        network.endpoints[0]->Send(1, data.data(), data.size(), network.Note(0));
        CallIn(MicroSeconds(30), [&] {
            network.endpoints[1]->PostRecv(0, buffer.data(), buffer.size(), network.Note(1));
        });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        const std::string what = protocol + ", late: " + std::to_string(late);
        NS_TEST_EXPECT_MSG_EQ((buffer == data), true, what << ": each byte in its place");
        NS_TEST_EXPECT_MSG_EQ(network.Count(0, MessageStatus::COMPLETE), 1, what << ": sent");
        NS_TEST_EXPECT_MSG_EQ(network.Count(1, MessageStatus::COMPLETE), 1, what << ": received");
        Outcome outcome;
        for (const PacketTap::Record& record : tap->Of(FabricPacketType::RTS))
        {
            outcome.offsets.push_back(record.rts.offset);
        }
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, what << ": told once");
        for (const FabricMessageEvent& event : network.completed)
        {
            outcome.packets += event.packetsSent;
        }
        outcome.duplicates = network.Sum(&FabricNic::Counters::dataDuplicate);
        return outcome;
    }

    void DoRun() override
    {
        for (const uint32_t late : {0, 1, 2, 4})
        {
            const std::string what = std::to_string(late) + " late";
            const Outcome rtw = Run("ns3::RequestToWait", late);
            const Outcome deferrable = Run("ns3::DeferrableSend", late);
            NS_TEST_ASSERT_MSG_EQ(rtw.offsets.size(), 2, what << ": asked twice");
            NS_TEST_ASSERT_MSG_EQ(deferrable.offsets.size(), 2, what << ": asked twice");
            NS_TEST_EXPECT_MSG_EQ(rtw.offsets[0], 0, what << ": from the beginning");
            NS_TEST_EXPECT_MSG_EQ(rtw.offsets[1], 0, what << ": from the beginning again");
            NS_TEST_EXPECT_MSG_EQ(deferrable.offsets[0], 0, what << ": nothing has come");
            NS_TEST_EXPECT_MSG_EQ(deferrable.offsets[1], 1000 * late, what << ": behind these");
            NS_TEST_EXPECT_MSG_EQ(rtw.packets, 10, what << ": all twice");
            NS_TEST_EXPECT_MSG_EQ(deferrable.packets, 10 - late, what << ": what is missing");
            NS_TEST_EXPECT_MSG_EQ(rtw.duplicates, late, what << ": have been there");
            NS_TEST_EXPECT_MSG_EQ(deferrable.duplicates, 0, what << ": none has been there");
        }
    }
};

/// Deferrable sends.
const SuiteCases g_cases("dcfabric-messages", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RestartTestCase("deferrable sends restart behind what is there"));
});

} // namespace ns3::tests::deferrable_test
