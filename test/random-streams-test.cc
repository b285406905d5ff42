// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"

#include "ns3/error-model.h"
#include "ns3/fabric-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/switch-feature.h"
#include "ns3/test.h"

#include <set>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Random streams of a switch with more ports than its 4096 streams provide for.
 */

namespace ns3::tests::random_streams_test
{

/// Tells which stream it was given.
class StreamFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::StreamFeature")
                                .SetParent<SwitchFeature>()
                                .AddConstructor<StreamFeature>();
        return tid;
    }

    uint32_t GetHooks() const override
    {
        return 0;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_stream = stream;
        return 1;
    }

    /// @return the stream
    int64_t GetStream() const
    {
        return m_stream;
    }

  private:
    int64_t m_stream{-1}; //!< given
};

NS_OBJECT_ENSURE_REGISTERED(StreamFeature);

/**
 * @ingroup dcfabric-tests
 * @brief No two draw from one stream.
 *
 * Switch 1101 has hosts 0 to 1099 at its ports and switch 1102 behind port 1100, which has host
 * 1100: 1103 nodes, and 141 ports beyond 960, each with four streams behind those of all nodes.
 */
class ManyPortsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return the stream of the errors of a port
    static int64_t GetErrorStream(const FabricNetDevice& port)
    {
        PointerValue model;
        port.GetAttribute("ReceiveErrorModel", model);
        PointerValue draw;
        model.Get<RateErrorModel>()->GetAttribute("RanVar", draw);
        return draw.Get<RandomVariableStream>()->GetStream();
    }

    void DoRun() override
    {
        PlanLinks links;
        for (uint32_t host = 0; host < 1100; ++host)
        {
            links.push_back({host, 1101});
        }
        links.push_back({1101, 1102});
        links.push_back({1100, 1102});
        FabricHelper helper;
        helper.SetFlowControl("none");
        helper.AddSwitchFeature("ns3::tests::StreamFeature");
        const auto fabric = helper.Install(WithErrors(PlanOfLinks(1101, 2, links), 0.001));
        NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(fabric, 0),
                              1103 * 4096 + 141 * 4,
                              "streams used");
        std::set<int64_t> seen;
        uint32_t given = 0;
        for (uint32_t node = 0; node < 1103; ++node)
        {
            for (uint16_t p = 0; p < fabric->GetActor(node)->GetNPorts(); ++p)
            {
                const FabricNetDevice& port = *fabric->GetPort(node, p);
                seen.insert(GetErrorStream(port));
                seen.insert(fabric->GetFaultStream(port));
                given += 2;
            }
        }
        for (const uint32_t node : {1101, 1102})
        {
            const auto feature = fabric->GetSwitch(node)->GetFeatures().at(0);
            seen.insert(DynamicCast<StreamFeature>(feature)->GetStream());
            seen.insert(node * int64_t{4096}); // path selection
            given += 2;
        }
        NS_TEST_EXPECT_MSG_EQ(given, 2 * 2 * 1102 + 4, "errors and faults of 1102 links");
        NS_TEST_EXPECT_MSG_EQ(seen.size(), given, "each has its own");
        NS_TEST_EXPECT_MSG_LT(*seen.rbegin(), 1103 * 4096 + 141 * 4, "and none is further");
        // up to port 959 as ever: 2048 and 3072 of the 4096
        const int64_t base = 1101 * int64_t{4096};
        NS_TEST_EXPECT_MSG_EQ(GetErrorStream(*fabric->GetPort(1101, 959)), base + 2048 + 959, "");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFaultStream(*fabric->GetPort(1101, 959)),
                              base + 3072 + 959,
                              "");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetFaultStream(*fabric->GetPort(1101, 961)),
                              1103 * 4096 + 4 + 3,
                              "the second one beyond, the fourth of its streams");
        Simulator::Destroy();
    }
};

/// Random streams.
const SuiteCases g_cases("dcfabric-helper", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ManyPortsTestCase("ports from 960 on have random streams of their own"));
});

} // namespace ns3::tests::random_streams_test
