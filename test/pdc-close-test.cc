// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/close-packet.h"
#include "ns3/fabric-headers.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How PDCs are closed by both ends, and what comes late.
 */

namespace ns3::tests::pdc_close_test
{

using namespace by_hand;

constexpr auto CLOSE = FabricPacketType::CLOSE; //!< short name
constexpr int64_t SECOND = 1000000 * US;        //!< ps

/// @return policies of PDCs that are closed
FabricHelper
MakeClosing()
{
    FabricHelper helper;
    helper.SetNicAttribute("PdcClose", BooleanValue(true));
    helper.SetCongestionControl("ns3::NoCongestionControl");
    return helper;
}

/**
 * @ingroup dcfabric-tests
 * @brief A message, whose PDC closes behind it.
 */
class CloseTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ExpectClosed();
        for (const uint32_t requests : {1, 2, 3})
        {
            ExpectRequestsLost(requests);
        }
        ExpectAnswersLost();
        ExpectSynLost();
        ExpectShared();
        ExpectBytes();
    }

    /// Nothing is lost. What is not closed by a handshake says nothing.
    void ExpectClosed()
    {
        for (const bool closes : {true, false})
        {
            FabricHelper helper = MakeClosing();
            helper.SetNicAttribute("PdcClose", BooleanValue(closes));
            TestNetwork network(MakeStar(2), helper);
            const Ptr<PacketTap> tap = AddTap(network, 2);
            network.MessagesOf(0).Send(1, 3000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetSendingPdcs().GetN(), 0, "gone");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, "gone there");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCloses().GetN(), 0, "answered");
            NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE).size(), (closes ? 2 : 0), "request and answer");
            if (closes)
            {
                // the request leaves when the last ACK has come, 66 + 20 bytes at 80 ps
                const int64_t atPs = network.completed[0].nowPs + 86 * 80 + US;
                NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE)[0].nowPs, atPs, "at once");
                NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE)[0].src, 0, "by the sender");
                NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE)[1].src, 1, "by the receiver");
            }
        }
    }

    /// Requests are lost; after the third the sender gives up, and the receiver does by itself.
    void ExpectRequestsLost(uint32_t requests)
    {
        TestNetwork network(MakeStar(2), MakeClosing());
        const Ptr<PacketTap> tap = AddTap(network, 2);
        tap->SetRule([&tap, requests](const FabricPacketItem& item) {
            return item.type != CLOSE || tap->Of(CLOSE).size() >= requests;
        });
        network.MessagesOf(0).Send(1, 3000, 0);
        Simulator::Stop(MilliSeconds(500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCloses().GetN(), 1, "not answered");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 1, "half open");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCloses().GetN(), 0, "over");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, "gone");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        const auto closes = tap->Of(CLOSE);
        NS_TEST_ASSERT_MSG_EQ(closes.size(), (requests < 3 ? requests + 2 : 3), "at most three");
        for (uint32_t i = 1; i < std::min<uint32_t>(requests + 1, 3); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(closes[i].nowPs - closes[0].nowPs, i * SECOND, "each second");
        }
    }

    /// The answer is lost, twice: the receiver has forgotten the PDC, and says so again.
    void ExpectAnswersLost()
    {
        TestNetwork network(MakeStar(2), MakeClosing());
        const Ptr<PacketTap> tap = AddTap(network, 2);
        uint32_t answers = 0;
        tap->SetRule([&answers](const FabricPacketItem& item) {
            return item.type != CLOSE || item.src == 0 || ++answers > 2;
        });
        network.MessagesOf(0).Send(1, 3000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE).size(), 6, "three of each");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(0).GetCloses().GetN(), 0, "closed");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, "closed there");
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, "once");
    }

    /// The first packets, all of which carry SYN, are lost in part or all; then all goes on.
    void ExpectSynLost()
    {
        for (const uint32_t lost : {1, 2, 3, 5})
        {
            TestNetwork network(MakeStar(2), MakeClosing());
            const Ptr<PacketTap> tap = AddTap(network, 2);
            tap->SetRule([&tap, lost](const FabricPacketItem& item) {
                return item.type != DATA || tap->Of(DATA).size() >= lost;
            });
            network.MessagesOf(0).Send(1, 3000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 1, lost << " lost");
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, lost << " lost");
            NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE).size(), 2, lost << " lost: closed");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, "closed there");
        }
    }

    /// Messages of two hosts share a PDC, which goes when it has been idle, and comes again.
    void ExpectShared()
    {
        FabricHelper helper = MakeClosing();
        helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        helper.SetNicAttribute("PdcIdleTime", TimeValue(MicroSeconds(50)));
        TestNetwork network(MakeStar(2), helper);
        const Ptr<PacketTap> tap = AddTap(network, 2);
        network.MessagesOf(0).SendAt(0, 1, 3000, 0);
        network.MessagesOf(0).SendAt(20 * US, 1, 3000, 1); // the same one
        network.MessagesOf(0).SendAt(200 * US, 1, 3000, 2);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 3, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(tap->Of(CLOSE).size(), 4, "two PDCs");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, "closed there");
    }

    /// Bytes of the packets.
    void ExpectBytes()
    {
        const Ptr<FabricPacketItem> close = FabricPacketItem::Create(CLOSE);
        close->pdc = 0x123456;
        close->Begin<CloseFields>() = {0xfedcba, true};
        const RoceV2WireFormat wire;
        close->size = wire.GetNoticeBytes(4);
        Ptr<FabricPacketItem> back = FabricHeaders::Parse(FabricHeaders::Serialize(*close));
        NS_TEST_EXPECT_MSG_EQ(back->As<CloseFields>().otherPdc, 0xfedcba, "number");
        NS_TEST_EXPECT_MSG_EQ(back->As<CloseFields>().isAnswer, true, "answer");
        for (const auto code : {NackCode::OUT_OF_ORDER,
                                NackCode::TRIMMED,
                                NackCode::TRIMMED_LAST_HOP,
                                NackCode::NO_PDC})
        {
            const Ptr<FabricPacketItem> nack = FabricPacketItem::Create(NACK);
            nack->ack.code = code;
            nack->size = wire.GetNackBytes();
            back = FabricHeaders::Parse(FabricHeaders::Serialize(*nack));
            NS_TEST_EXPECT_MSG_EQ((back->ack.code == code), true, "code");
            NS_TEST_EXPECT_MSG_EQ((back->type == NACK), true, "a NACK");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Copies of packets come when their PDC is closed.
 */
class LateCopyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Packets carry SYN until the first ACK has come: 48 of them in a round trip. Copies of
        // both kinds come late, twice.
        for (const uint32_t psn : {0, 1, 90})
        {
            TestNetwork network(MakeStar(2), MakeClosing());
            const Ptr<PacketTap> tap = AddTap(network, 2);
            bool isFirst = true;
            tap->SetRule([&](const FabricPacketItem& item) {
                if (item.type == DATA && item.psn == psn && isFirst)
                {
                    isFirst = false;
                    tap->Repeat(item, 100 * US);
                    tap->Repeat(item, 200 * US);
                }
                return true;
            });
            network.MessagesOf(0).Send(1, 100000, 0);
            // the next message to that host is not disturbed
            network.MessagesOf(0).SendAt(150 * US, 1, 5000, 1);
            Simulator::Run();
            const std::string what = "packet " + std::to_string(psn) + ": ";
            NS_TEST_EXPECT_MSG_EQ(network.delivered.size(), 2, what << "each once");
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 2, what << "each once");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered), 105000, what);
            const auto nacks = tap->Of(NACK);
            NS_TEST_ASSERT_MSG_EQ(nacks.size(), 2, what << "refused twice");
            for (const PacketTap::Record& nack : nacks)
            {
                NS_TEST_EXPECT_MSG_EQ((nack.ack.code == NackCode::NO_PDC), true, what << "why");
                NS_TEST_EXPECT_MSG_EQ(nack.ack.triggerPsn, psn, what << "which");
            }
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetDrops().at(DropReason::UNKNOWN_PDC),
                                  2,
                                  what << "dropped");
            NS_TEST_EXPECT_MSG_EQ(network.Nic(1).GetReceivingPdcs().GetN(), 0, what << "none");
            NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, what);
        }
    }
};

/// Start and close of PDCs.
const SuiteCases g_cases("dcfabric-pdc-close", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CloseTestCase("request and answer, and what is lost of them"));
    suite.AddTestCase(new LateCopyTestCase("packets of a closed PDC"));
});

} // namespace ns3::tests::pdc_close_test
