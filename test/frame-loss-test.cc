// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-network.h"
#include "fabric-test-suite.h"

#include "ns3/frame-loss.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Losses by a rate: a port that asks without a detour loses the same frames.
 */

namespace ns3::tests::frame_loss_test
{

/**
 * @ingroup dcfabric-tests
 * @brief FrameLoss against the RateErrorModel that it is.
 */
class FrameLossTest : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @tparam Errors the class
     * @param rate share of frames
     * @return one that draws from stream 7
     */
    template <typename Errors>
    static Ptr<Errors> Make(double rate)
    {
        Ptr<Errors> errors = CreateObject<Errors>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(rate);
        errors->AssignStreams(7);
        return errors;
    }

    void DoRun() override
    {
        auto own = Make<FrameLoss>(0.3);
        auto stock = Make<RateErrorModel>(0.3);
        const Ptr<Packet> frame = Create<Packet>(100);
        uint32_t lost = 0;
        for (int i = 0; i < 1000; ++i)
        {
            const bool loses = own->Loses();
            NS_TEST_ASSERT_MSG_EQ(loses, stock->IsCorrupt(frame), "frame " << i);
            lost += loses;
        }
        // 1000 x 0.3, with a standard deviation of sqrt(1000 x 0.3 x 0.7) = 14.5
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, 300.0, 75.0, "about three in ten");
        // neither draws while it is off, and a new rate counts from the next frame on
        own->Disable();
        stock->Disable();
        NS_TEST_EXPECT_MSG_EQ(own->Loses(), false, "off");
        NS_TEST_EXPECT_MSG_EQ(stock->IsCorrupt(frame), false, "off");
        own->Enable();
        stock->Enable();
        own->SetRate(0.8);
        stock->SetRate(0.8);
        for (int i = 0; i < 100; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(own->Loses(), stock->IsCorrupt(frame), "again " << i);
        }
        for (const double rate : {0.0, 1.0})
        {
            NS_TEST_EXPECT_MSG_EQ(Make<FrameLoss>(rate)->Loses(), (rate == 1), "rate " << rate);
        }

        // a port asks it, as long as it is the port's
        TestLink link(100 * GBPS, NanoSeconds(1));
        link.rightPort->SetAttribute("ReceiveErrorModel", PointerValue(Make<FrameLoss>(1)));
        link.leftPort->Enqueue(MakeData(980, 0));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().errorDrops, 1, "lost");
        link.rightPort->SetAttribute("ReceiveErrorModel",
                                     PointerValue(CreateObject<ReceiveListErrorModel>()));
        link.leftPort->Enqueue(MakeData(980, 1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(link.rightPort->GetCounters().errorDrops, 1, "no longer");
        NS_TEST_EXPECT_MSG_EQ(link.right->arrivals.size(), 1, "arrived");
        Simulator::Destroy();
    }
};

/// Losses.
const SuiteCases g_cases("dcfabric-link", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FrameLossTest("losses by a rate are those of ns-3"));
});

} // namespace ns3::tests::frame_loss_test
