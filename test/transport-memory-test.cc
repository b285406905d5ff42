// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-memory.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/test.h"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Memory: under 400 bytes for a packet in flight, under 4 KB for an idle pair of PDCs.
 */

namespace ns3::tests::transport_memory_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A packet in flight.
 */
class PacketMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_LT(sizeof(FabricPacketItem), 400, "descriptor");
        std::vector<Ptr<FabricPacketItem>> items;
        constexpr std::size_t N = 100000;
        items.reserve(N);
        const std::size_t before = AllocatedBytes();
        for (std::size_t i = 0; i < N; ++i)
        {
            items.push_back(FabricPacketItem::Create(FabricPacketType::DATA));
        }
        const std::size_t each = (AllocatedBytes() - before) / N;
        std::cout << "dcfabric-transport-memory: " << each << " B per packet in flight"
                  << std::endl;
        NS_TEST_EXPECT_MSG_LT(each, 400, "all that a packet takes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Idle PDCs, both ends, with what belongs to them.
 */
class PdcMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t N = 500;
        const std::vector<std::pair<std::string, std::string>> controls{
            {"ns3::NoCongestionControl", ""},
            {"ns3::HpccCongestionControl", "ns3::HpccIntFeature"},
            {"ns3::FnccCongestionControl", "ns3::FnccIntFeature"},
            {"ns3::DcqcnCongestionControl", ""}};
        for (const auto& [control, feature] : controls)
        {
            FabricHelper helper;
            helper.SetCongestionControl(control);
            if (!feature.empty())
            {
                helper.AddSwitchFeature(feature);
            }
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
            helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(2000000000));
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
            TestNetwork network(MakeStar(N + 1), helper);
            // a first round fills pools, calendars and queues, but for the PDCs of host 0
            for (uint32_t i = 1; i <= N; ++i)
            {
                network.MessagesOf(i).SendAt(0, i % N + 1, 20000, i);
            }
            Simulator::Run();
            network.delivered = {};
            network.completed = {};
            const std::size_t before = AllocatedBytes();
            const int64_t startPs = network.Nic(0).GetNowPs() + US;
            for (uint32_t i = 1; i <= N; ++i)
            {
                network.MessagesOf(0).SendAt(startPs + i * US, i, 20000, i);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), N, "all sent");
            network.delivered = {};
            network.completed = {};
            const auto more = static_cast<int64_t>(AllocatedBytes() - before);
            const int64_t each = more / N;
            std::cout << "dcfabric-transport-memory: " << each << " B per idle PDC pair, "
                      << control << std::endl;
            NS_TEST_EXPECT_MSG_LT(each, 4096, control);
        }
    }
};

/// Memory of the transport.
const SuiteCases g_cases("dcfabric-pdc-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new PacketMemoryTestCase("a packet in flight"));
    suite.AddTestCase(new PdcMemoryTestCase("an idle pair of PDCs"));
});

} // namespace ns3::tests::transport_memory_test
