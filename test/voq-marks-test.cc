// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/port-state.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/voq-buffer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Virtual output queues count where a queue is measured.
 */

namespace ns3::tests::voq_marks_test
{

constexpr uint32_t FRAME = 1062;       //!< bytes of a full packet
constexpr int64_t SLOT_PS = 86560;     //!< of a full packet on the wire
constexpr uint32_t SENDERS = 4;        //!< hosts 0 to 3, which send to host 4
constexpr uint32_t RECEIVER = SENDERS; //!< and port of the switch

/// What a run showed.
struct Seen
{
    std::vector<uint64_t> bytes; //!< in the middle of each slot, as INT tells
    uint64_t marked;             //!< packets
};

/**
 * @brief Four hosts send ten packets each at once.
 * @param buffer TypeId
 * @param flowControl TypeId
 * @return what was seen
 */
Seen
Burst(const std::string& buffer, const std::string& flowControl)
{
    FabricHelper helper;
    helper.SetBuffer(buffer);
    if (buffer == "ns3::VoqBuffer")
    {
        // two packets; the rest waits at the inputs
        helper.SetBuffer(buffer, "OutputBytes", UintegerValue(2 * FRAME));
    }
    helper.SetFlowControl(flowControl);
    helper.SetQueueDisc("ns3::CongestionAwareQueueDisc", "MarkAtDequeue", BooleanValue(true));
    helper.SetMarkingProfile("ns3::WredMarkingProfile",
                             "Kmin",
                             UintegerValue(10 * FRAME + FRAME / 2),
                             "Kmax",
                             UintegerValue(10 * FRAME + FRAME / 2));
    TestNetwork network(MakeStar(SENDERS + 1), helper);
    for (uint32_t i = 0; i < SENDERS; ++i)
    {
        network.MessagesOf(i).SendAt(10 * US, RECEIVER, 10000, i);
    }
    const FabricNetDevice* port = network.fabric->GetSwitch(SENDERS + 1)->GetPort(RECEIVER);
    Seen seen{{}, 0};
    for (uint32_t slot = 0; slot < 44; ++slot)
    {
        // the first packets are there after one time on the wire and 1 us
        CallIn(PicoSeconds(11 * US + SLOT_PS + slot * SLOT_PS + SLOT_PS / 2),
               [&]() { seen.bytes.push_back(PortState::Read(*port, 3).queueBytes); });
    }
    Simulator::Run();
    seen.marked = DynamicCast<CongestionAwareQueueDisc>(port->GetQueue().GetDisc())
                      ->GetClassCounters(3)
                      .markedPackets;
    return seen;
}

/**
 * @ingroup dcfabric-tests
 * @brief The same length of a queue, wherever its packets wait.
 *
 * In slot j = 0, 1, ... four packets come and one leaves, while there are any: in its middle
 * 4 (j + 1) - (j + 1) = 3 (j + 1) wait up to j = 9, then one less each slot: 30 - (j - 9), 0 from
 * j = 39 on.
 *
 * A packet that leaves at the begin of slot j > 0, before the next four come, leaves 3 j - 1 behind
 * up to j = 10, then one less each: 29 - (j - 10). More than 10.5 are left behind from j = 4
 * (11 packets) to j = 28 (11): 25 packets are marked.
 */
class VoqLengthTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const auto& [buffer, flowControl] :
             {std::pair{"ns3::SharedBuffer", "ns3::PriorityFlowControl"},
              std::pair{"ns3::VoqBuffer", "ns3::PriorityFlowControl"},
              std::pair{"ns3::VoqBuffer", "ns3::CreditFlowControl"},
              std::pair{"ns3::VoqBuffer", "ns3::VoqCreditFlowControl"}})
        {
            const std::string what = std::string(buffer) + ", " + flowControl;
            const Seen seen = Burst(buffer, flowControl);
            NS_TEST_ASSERT_MSG_EQ(seen.bytes.size(), 44, what);
            for (uint64_t j = 0; j < seen.bytes.size(); ++j)
            {
                const uint64_t packets = j < 10 ? 3 * (j + 1) : j < 39 ? 39 - j : 0;
                NS_TEST_EXPECT_MSG_EQ(seen.bytes[j], packets * FRAME, what << ", slot " << j);
            }
            NS_TEST_EXPECT_MSG_EQ(seen.marked, 25, what << ": marks");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief DCTCP and DCQCN with default thresholds: an incast is marked, and rates are cut.
 */
class VoqIncastTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const char* control : {"ns3::DctcpCongestionControl", "ns3::DcqcnCongestionControl"})
        {
            for (const char* flowControl :
                 {"ns3::PriorityFlowControl", "ns3::VoqCreditFlowControl"})
            {
                const std::string what = std::string(control) + ", " + flowControl;
                FabricHelper helper;
                helper.SetBuffer("ns3::VoqBuffer");
                helper.SetFlowControl(flowControl);
                helper.SetCongestionControl(control);
                helper.SetMarkingProfile("ns3::WredMarkingProfile");
                TestNetwork network(MakeStar(17), helper);
                for (uint32_t i = 0; i < 16; ++i)
                {
                    network.MessagesOf(i).SendAt(0, 16, 2000000, i);
                }
                Simulator::Run();
                const auto disc = DynamicCast<CongestionAwareQueueDisc>(
                    network.fabric->GetSwitch(17)->GetPort(16)->GetQueue().GetDisc());
                NS_TEST_EXPECT_MSG_GT(disc->GetClassCounters(3).markedPackets, 0, what);
                uint64_t reductions = 0;
                for (uint32_t i = 0; i < 16; ++i)
                {
                    reductions += network.Nic(i).GetSendingPdcs().GetTotals().reductions;
                }
                NS_TEST_EXPECT_MSG_GT(reductions, 15, what << ": all cut");
                NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 16, what << ": complete");
                NS_TEST_EXPECT_MSG_EQ(network.fabric->GetDrops().empty(), true, what << ": drops");
            }
        }
    }
};

/// Measures of virtual output queues.
const SuiteCases g_cases("dcfabric-buffer", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new VoqLengthTestCase(
        "INT and marks see the output's queue and what waits for it in virtual queues"));
    suite.AddTestCase(
        new VoqIncastTestCase("controls by marks work with virtual queues at their defaults"));
});

} // namespace ns3::tests::voq_marks_test
