// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Policies of single hosts and PDCs: which one a PDC gets, what receivers are told, and what
 * is refused.
 */

namespace ns3::tests::pdc_policy_test
{

/**
 * @param control congestion control without ns3:: and the rest
 * @param balancer load balancer likewise
 * @return a helper
 */
PdcPolicyHelper
MakePolicy(const std::string& control, const std::string& balancer = "PerFlow")
{
    PdcPolicyHelper policy;
    policy.SetCongestionControl("ns3::" + control + "CongestionControl");
    policy.SetLoadBalancer("ns3::" + balancer + "LoadBalancer");
    return policy;
}

/**
 * @param network with it
 * @param host its number
 * @return name of the congestion control of each PDC of a host that sends, by destination and class
 */
std::map<std::pair<uint32_t, uint32_t>, std::string>
GetControls(const TestNetwork& network, uint32_t host)
{
    std::map<std::pair<uint32_t, uint32_t>, std::string> controls;
    for (const SendingPdc* pdc : network.Nic(host).GetSendingPdcs().GetBusy())
    {
        const std::string name = pdc->GetCongestionControl()->GetInstanceTypeId().GetName();
        controls[{pdc->GetDestination(), pdc->GetPriority()}] =
            name.substr(5, name.size() - 5 - std::string("CongestionControl").size());
    }
    return controls;
}

/// Let messages begin, but not end.
void
RunBriefly()
{
    Simulator::Stop(NanoSeconds(1));
    Simulator::Run();
}

/**
 * @param network with it
 * @param number its number
 * @return one node as a container
 */
NodeContainer
NodeOf(const TestNetwork& network, uint32_t number)
{
    return NodeContainer(network.fabric->GetNodes().Get(number));
}

/**
 * @ingroup dcfabric-tests
 * @brief Which policy holds.
 */
class PdcPolicyRankTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool backwards : {false, true})
        {
            FabricHelper helper;
            helper.SetMarkingProfile("ns3::WredMarkingProfile");
            helper.AddClass(4);
            TestNetwork network(MakeStar(4), helper);
            const NodeContainer sender = NodeOf(network, 0);
            std::vector<std::function<void()>> installs{
                [&]() { MakePolicy("Dctcp").Install(network.fabric, sender); },
                [&]() { MakePolicy("Timely").Install(network.fabric, sender, 4); },
                [&]() { MakePolicy("Swift").Install(network.fabric, sender, NodeOf(network, 2)); },
                [&]() {
                    MakePolicy("Dcqcn").Install(network.fabric, sender, NodeOf(network, 2), 4);
                },
            };
            if (backwards)
            {
                std::reverse(installs.begin(), installs.end());
            }
            for (const auto& install : installs)
            {
                install();
            }
            for (const uint32_t dst : {1, 2, 3})
            {
                for (const int priority : {3, 4})
                {
                    network.MessagesOf(0).Send(dst, 1000, dst * 10 + priority, priority);
                }
            }
            network.MessagesOf(1).Send(0, 1000, 99);
            RunBriefly();
            const std::map<std::pair<uint32_t, uint32_t>, std::string> expected{
                {{1, 3}, "Dctcp"},  // all of the host
                {{1, 4}, "Timely"}, // its class
                {{2, 3}, "Swift"},  // its destination
                {{2, 4}, "Dcqcn"},  // destination and class
                {{3, 3}, "Dctcp"},
                {{3, 4}, "Timely"}};
            NS_TEST_EXPECT_MSG_EQ((GetControls(network, 0) == expected), true, "ranks");
            NS_TEST_EXPECT_MSG_EQ(GetControls(network, 1).begin()->second, "No", "another host");

            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 7, "all complete");
        }
        FabricHelper helper;
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
        helper.AddClass(4);
        TestNetwork network(MakeStar(3), helper);
        const NodeContainer sender = NodeOf(network, 0);
        MakePolicy("Swift").Install(network.fabric, sender, NodeOf(network, 2));
        MakePolicy("Timely").Install(network.fabric, sender, 4);
        network.MessagesOf(0).Send(2, 1000, 0, 4);
        RunBriefly();
        // a destination goes before a class
        NS_TEST_EXPECT_MSG_EQ((GetControls(network, 0)[{2, 4}]), "Swift", "destination first");
        // The later of two for the same PDCs holds, for PDCs to come.
        MakePolicy("Dctcp").Install(network.fabric, sender, NodeOf(network, 2));
        NS_TEST_EXPECT_MSG_EQ((GetControls(network, 0)[{2, 4}]), "Swift", "that one began");
        network.MessagesOf(0).Send(2, 1000, 1, 3);
        RunBriefly();
        NS_TEST_EXPECT_MSG_EQ((GetControls(network, 0)[{2, 3}]), "Dctcp", "this one is new");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Everything of a policy arrives, and so does what receivers have to do.
 */
class PdcPolicyPartsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        SetMarks(helper, 0);
        TestNetwork network(MakeStar(4), helper);
        PdcPolicyHelper parts;
        parts.SetCongestionControl("ns3::DcqcnCongestionControl");
        parts.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer", "Entropies", UintegerValue(8));
        parts.AddModifier("ns3::RttEcnRecoveryModifier");
        parts.AddModifier("ns3::MajorityGateModifier", "Majority", UintegerValue(8));
        parts.Install(network.fabric, NodeOf(network, 0));
        MakePolicy("Swift").Install(network.fabric, NodeOf(network, 1));

        network.MessagesOf(0).Send(3, 1000000, 0);
        network.MessagesOf(1).Send(3, 1000000, 1);
        network.MessagesOf(2).Send(3, 1000000, 2);
        RunBriefly();
        const SendingPdc* pdc = network.Nic(0).GetSendingPdcs().GetBusy().at(0);
        const auto& modifiers = pdc->GetCongestionControl()->GetModifiers();
        NS_TEST_ASSERT_MSG_EQ(modifiers.size(), 2, "modifiers");
        NS_TEST_EXPECT_MSG_EQ(modifiers[0]->GetInstanceTypeId().GetName(),
                              "ns3::RttEcnRecoveryModifier",
                              "first");
        UintegerValue majority;
        modifiers[1]->GetAttribute("Majority", majority);
        NS_TEST_EXPECT_MSG_EQ(majority.Get(), 8, "attribute of the second");
        NS_TEST_EXPECT_MSG_EQ(pdc->GetCongestionControl()->GetPath().paths, 8, "paths");
        NS_TEST_EXPECT_MSG_EQ(network.Nic(1)
                                  .GetSendingPdcs()
                                  .GetBusy()
                                  .at(0)
                                  ->GetCongestionControl()
                                  ->GetModifiers()
                                  .size(),
                              0,
                              "of another policy");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 3, "all complete");
        // every packet that waited is marked: CNPs come for DCQCN, from a receiver that was told
        NS_TEST_EXPECT_MSG_GT(network.Nic(0).GetCounters().cnpsReceived, 0, "CNPs");
        NS_TEST_EXPECT_MSG_GT(network.Nic(1).GetSendingPdcs().GetTotals().reductions,
                              0,
                              "Swift has cut");
        BooleanValue echoes;
        network.Nic(3).GetAttribute("EchoDelay", echoes);
        NS_TEST_EXPECT_MSG_EQ(echoes.Get(), true, "delays are echoed");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief On all hosts a policy does what FabricHelper's would do.
 */
class PdcPolicySameTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// When the messages were complete, and how often windows were cut.
    struct Outcome
    {
        std::map<uint32_t, int64_t> completed; //!< by tag, in ps
        uint64_t reductions{0};                //!< of all hosts
        uint64_t withheld{0};                  //!< by gates

        /**
         * @param other another
         * @return true if they are the same
         */
        bool operator==(const Outcome& other) const
        {
            return completed == other.completed && reductions == other.reductions &&
                   withheld == other.withheld;
        }
    };

    /**
     * @brief Set the policy.
     * @tparam T a helper
     * @param helper to be set
     */
    template <typename T>
    static void Choose(T& helper)
    {
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        helper.SetLoadBalancer("ns3::RepsLoadBalancer");
        helper.AddModifier("ns3::EwmaGateModifier");
        helper.AddModifier("ns3::RatioCutModifier");
    }

    /**
     * @param single true: by a PdcPolicyHelper
     * @return what a run gives
     */
    static Outcome RunOnce(bool single)
    {
        FabricHelper helper;
        SetMarks(helper, 10000, 20000);
        helper.SetPathSelector("ns3::EcmpPathSelector");
        PdcPolicyHelper policy;
        Choose(policy);
        if (!single)
        {
            Choose(helper);
        }
        TestNetwork network(MakeTwoLeaves(4, 3), helper);
        if (single)
        {
            NodeContainer hosts;
            for (const uint32_t host : network.fabric->GetHosts())
            {
                hosts.Add(network.fabric->GetNodes().Get(host));
            }
            policy.Install(network.fabric, hosts);
        }
        for (uint32_t host = 0; host < 8; ++host)
        {
            network.MessagesOf(host).Send((host + 4) % 8, 300000, host);
        }
        Simulator::Run();
        Outcome outcome;
        for (const FabricMessageEvent& event : network.completed)
        {
            outcome.completed[event.tag] = event.nowPs;
        }
        for (uint32_t host = 0; host < 8; ++host)
        {
            outcome.reductions += network.Nic(host).GetSendingPdcs().GetTotals().reductions;
        }
        outcome.withheld = network.GetNWithheld();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome whole = RunOnce(false);
        NS_TEST_EXPECT_MSG_EQ(whole.completed.size(), 8, "all complete");
        NS_TEST_EXPECT_MSG_GT(whole.reductions + whole.withheld, 0, "the policy has acted");
        NS_TEST_EXPECT_MSG_EQ((RunOnce(true) == whole), true, "the same run");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What cannot work is refused, and nothing is changed then.
 */
class PdcPolicyRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetMarkingProfile("ns3::WredMarkingProfile");
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        TestNetwork network(MakeStar(3), helper);
        const NodeContainer sender = NodeOf(network, 0);
        const auto refuse = [&](const PdcPolicyHelper& policy, const std::string& words) {
            DCFABRIC_EXPECT_REFUSAL(policy.Install(network.fabric, sender), words);
        };
        refuse(MakePolicy("Hpcc"),
               "ns3::HpccCongestionControl needs INT on data packets, but the switches have no "
               "ns3::HpccIntFeature");
        refuse(MakePolicy("Bts"), "the switches have no ns3::WrebFeature");
        PdcPolicyHelper gate = MakePolicy("Dctcp");
        gate.AddModifier("ns3::MajorityGateModifier");
        refuse(gate,
               "ns3::MajorityGateModifier counts congested paths of a small set, but "
               "ns3::PerFlowLoadBalancer sends packets over one path");
        PdcPolicyHelper often;
        often.SetCongestionControl("ns3::DcqcnCongestionControl",
                                   "CnpInterval",
                                   TimeValue(MicroSeconds(20)));
        refuse(often,
               "ns3::DcqcnCongestionControl needs CNPs each 20000 ns, but host 0 sends them "
               "each 50000 ns for another congestion control");

        const PdcPolicyHelper dctcp = MakePolicy("Dctcp");
        DCFABRIC_EXPECT_REFUSAL(dctcp.Install(network.fabric, NodeOf(network, 3)),
                                "is no host of the network");
        NodeContainer foreign;
        foreign.Create(1);
        DCFABRIC_EXPECT_REFUSAL(dctcp.Install(network.fabric, sender, foreign),
                                "is no host of the network");
        DCFABRIC_EXPECT_REFUSAL(dctcp.Install(network.fabric, sender, 8), "classes must be 0 to 7");
        PdcPolicyHelper wrong;
        DCFABRIC_EXPECT_REFUSAL(wrong.SetCongestionControl("ns3::Reno"),
                                "unknown congestion control \"ns3::Reno\"; known: ");
        DCFABRIC_EXPECT_REFUSAL(
            wrong.AddModifier("ns3::RatioCutModifier", "Size", UintegerValue(1)),
            "ns3::RatioCutModifier has no attribute \"Size\"");

        network.MessagesOf(0).Send(1, 1000, 0);
        RunBriefly();
        NS_TEST_EXPECT_MSG_EQ((GetControls(network, 0)[{1, 3}]), "Dcqcn", "nothing was installed");
    }
};

/// Policies of hosts and PDCs.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PdcPolicyRankTestCase(
        "the more special policy holds, in whatever order they were installed"));
    suite.AddTestCase(new PdcPolicyPartsTestCase(
        "modifiers in order with attributes, load balancer, CNPs and delays of receivers"));
    suite.AddTestCase(new PdcPolicySameTestCase(
        "installed on all hosts it gives the run of the same policy by FabricHelper"));
    suite.AddTestCase(new PdcPolicyRefusalTestCase(
        "policies that cannot work, and nodes that are no hosts, are refused"));
});

} // namespace ns3::tests::pdc_policy_test
