// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-duration.h"
#include "../fabric-test-margin.h"
#include "../fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/fabric-faults.h"
#include "ns3/log.h"
#include "ns3/test.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Recycled entropies after a link has failed: what dents in goodput come from.
 */

namespace ns3::tests::reps_dents_test
{

NS_LOG_COMPONENT_DEFINE("DcfabricRepsDentsTest");

constexpr uint32_t HOSTS = 4;            //!< at each leaf
constexpr int64_t FAILURE_PS = 200 * US; //!< when the link goes down

/// Which way data goes across the link that fails, between the first leaf and a spine.
enum class Way
{
    NEAR, //!< from the first leaf, which sees that its port is down
    FAR,  //!< to the first leaf: only the spine sees it
    NONE, //!< the spine never was
};

/**
 * @brief Four hosts of a leaf send to the other without end.
 * @param cc congestion control
 * @param way where the link is that goes down at 200 us
 * @param fromUs begin of what is measured
 * @param bins of 50 us each
 * @param finds switches find out after 10 us
 * @param maxDecrease largest part of the window that a decrease of Swift takes away
 * @return goodput over what three links carry, 277.3 Gb/s: only ACKs go back
 */
std::vector<double>
MeasureOneWay(const std::string& cc,
              Way way,
              int64_t fromUs,
              uint32_t bins,
              bool finds = true,
              double maxDecrease = 0.5)
{
    RandomRun random(1);
    FabricHelper helper = MakeSprayHelper(cc);
    if (cc == "Swift")
    {
        helper.SetCongestionControl("ns3::SwiftCongestionControl",
                                    "MaxDecrease",
                                    DoubleValue(maxDecrease));
    }
    helper.SetLoadBalancer("ns3::RepsLoadBalancer");
    helper.SetNicAttribute("AckTimeout", TimeValue(PicoSeconds(4194304000)));
    helper.SetSwitchAttribute("DetectionTime", TimeValue(finds ? MicroSeconds(10) : Hours(24)));
    TestNetwork network(MakeTwoLeaves(HOSTS, way == Way::NONE ? 3 : 4), helper);
    FabricFaults faults;
    if (way != Way::NONE)
    {
        faults.AddDown(PicoSeconds(FAILURE_PS), 2 * HOSTS, 2 * HOSTS + 2);
    }
    faults.Install(network.fabric);
    std::vector<uint32_t> receivers;
    for (uint32_t i = 0; i < HOSTS; ++i)
    {
        const uint32_t sender = way == Way::FAR ? HOSTS + i : i;
        receivers.push_back((sender + HOSTS) % (2 * HOSTS));
        network.MessagesOf(sender).SendAt(0, receivers.back(), 1000000000, i);
    }
    SampleGoodput(network, receivers, fromUs * US, 1);
    std::vector<double> found = SumRows(SampleGoodput(network, receivers, 50 * US, bins));
    std::ostringstream text;
    for (double& bin : found)
    {
        bin /= 300.0 * 1000 / 1082;
        text << " " << bin;
    }
    NS_LOG_INFO(cc << ", way " << static_cast<int>(way) << ", finds " << finds << ", most "
                   << maxDecrease << ":" << text.str());
    return found;
}

/**
 * @ingroup dcfabric-tests
 * @brief What the dents after a failure come from.
 *
 * Swift adds a packet to its window in each RTT. Where that is more than what is stored, the packet
 * takes a fresh entropy; while one of four leads into the dead link, one in four of these steps is
 * lost, and halves the window when 1000 later packets have arrived. It takes 50 RTTs to grow back.
 * A leaf that leaves its port out has no such entropies: what it sends is whole from the first bin
 * that all have found their losses in.
 *
 * DCQCN takes no notice of losses: its dents are those that its cuts for marks make on three links.
 */
class RepsDentsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 1 ms after the failure and later, up to 3.2 ms
        const auto swift = [](Way way, bool finds, double most) {
            return GetLeast(MeasureOneWay("Swift", way, 1200, 40, finds, most));
        };
        NS_TEST_EXPECT_MSG_GT(swift(Way::NONE, true, 0.5), 0.95, "three links");
        NS_TEST_EXPECT_MSG_GT(swift(Way::NEAR, true, 0.5), 0.95, "the leaf leaves its port out");
        NS_TEST_EXPECT_MSG_LT(swift(Way::NEAR, false, 0.5), 0.9, "it does not find out");
        NS_TEST_EXPECT_MSG_LT(swift(Way::FAR, true, 0.5), 0.9, "it is not its port");
        NS_TEST_EXPECT_MSG_GT(swift(Way::FAR, true, 0.02), 0.95, "without large cuts for losses");

        // 1 to 4 ms after the failure
        const auto three = MeasureOneWay("Dcqcn", Way::NONE, 1200, 60);
        NS_TEST_EXPECT_MSG_LT(GetLeast(three), 0.9, "dents of DCQCN itself");
        for (const Way way : {Way::NEAR, Way::FAR})
        {
            const auto bins = MeasureOneWay("Dcqcn", way, 1200, 60);
            NS_TEST_EXPECT_MSG_GT(GetMean(bins), 0.98 * GetMean(three), "no more than on three");
        }
    }
};

/// Recycled entropies after a failure.
const SuiteCases g_cases("dcfabric-reps-network", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(
        new RepsDentsTestCase(
            "dents after a failure: cuts for the loss of fresh entropies, and none besides"),
        DurationOf<TestCase>::EXTENSIVE);
});

} // namespace ns3::tests::reps_dents_test
