// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-credits.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Credits as Ultra Ethernet counts and tells them.
 */

namespace ns3::tests::cbfc_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Units with an overhead, and ordered sets.
 */
class CbfcTestCase : public CreditTestCase
{
    using CreditTestCase::CreditTestCase;

    /**
     * @brief Send a packet, and count what it takes.
     * @param unit bytes of a credit
     * @param overhead bytes that are counted with it
     * @param bytes of the packet
     * @return credits
     */
    uint32_t Units(uint32_t unit, int32_t overhead, uint32_t bytes)
    {
        Create(100, 0, false, unit);
        for (const auto& credits : m_credits)
        {
            credits->SetAttribute("UnitOverhead", IntegerValue(overhead));
            credits->SetAttribute("ReturnBytes", UintegerValue(0));
            credits->SetMaxFrameBytes(4160);
        }
        m_credits[0]->LearnPeer(*m_credits[1]);
        m_credits[1]->LearnPeer(*m_credits[0]);
        NoteUsed();
        auto packet = MakeData(bytes);
        packet->dst = 1;
        CallIn(NanoSeconds(1), [this, packet]() { m_leftPort->Enqueue(packet); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_right->arrivals.size(), 1, "arrived");
        const uint32_t most = m_used.empty() ? 0 : *std::max_element(m_used.begin(), m_used.end());
        Clear();
        return most;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Units(64, 32, 64), 2, "96 of 64");
        NS_TEST_EXPECT_MSG_EQ(Units(256, 20, 4160), 17, "4180 of 256: 16.3");
        NS_TEST_EXPECT_MSG_EQ(Units(256, 0, 4096), 16, "exactly");
        NS_TEST_EXPECT_MSG_EQ(Units(256, 1, 4096), 17, "one byte more");
        NS_TEST_EXPECT_MSG_EQ(Units(64, -16, 80), 1, "less than its bytes");
        NS_TEST_EXPECT_MSG_EQ(Units(2048, 127, 64), 1, "the largest");
        NS_TEST_EXPECT_MSG_EQ(Units(1, -16, 64), 48, "byte by byte");

        // A credit comes back in an ordered set: 8 B, 640 ps, without a gap. Of one credit the
        // second packet begins when that has arrived: 80,000 + 1,000,000 + 640 + 1,000,000.
        Create(1, 0, true);
        for (const auto& credits : m_credits)
        {
            credits->SetAttribute("OrderedSets", BooleanValue(true));
        }
        Send(3);
        Simulator::Run();
        const std::vector<int64_t> begun = GetBegun();
        NS_TEST_ASSERT_MSG_EQ(begun.size(), 3, "arrived");
        NS_TEST_EXPECT_MSG_EQ(begun[1], 2080640, "the second");
        NS_TEST_EXPECT_MSG_EQ(m_rightPort->GetCounters().txLinkFrames, 3, "for each packet");
        Clear();

        // the buffer holds the smallest packets even if 16 B of each are not counted: 64 for 48
        Create(100, 0, false, 64);
        m_credits[0]->SetAttribute("UnitOverhead", IntegerValue(-16));
        m_credits[0]->SetMaxFrameBytes(980);
        const uint64_t bytes = m_credits[0]->GetBufferBytes();
        NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetHeadroomBytes(980), bytes * 64 / 48 + 64, "room");
        Clear();
    }
};

/// Credits of Ultra Ethernet.
const SuiteCases g_cases("dcfabric-credits", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CbfcTestCase("credits: as Ultra Ethernet counts and tells them"));
});

} // namespace ns3::tests::cbfc_test
