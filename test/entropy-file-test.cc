// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-files.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/entropy-file.h"
#include "ns3/list-spray-load-balancer.h"
#include "ns3/pdc-policy.h"
#include "ns3/private-entropy-store.h"
#include "ns3/reps-load-balancer.h"
#include "ns3/shared-entropy-store.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <sstream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Entropies of a list, of stores that groups of connections share, and of an earlier run.
 */

namespace ns3::tests::entropy_file_test
{

/**
 * @param balancer asked
 * @param n how many
 * @return the next entropies as text
 */
std::string
Next(LoadBalancer& balancer, uint32_t n)
{
    std::string text;
    for (uint32_t i = 0; i < n; ++i)
    {
        text += (i == 0 ? "" : " ") + std::to_string(balancer.ChooseEntropy(0, false));
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief Entropies of a list.
 */
class ListSprayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // 7 modulo 4 places is place 3: the last one, and then from the beginning
        const auto list =
            CreateObjectWithAttributes<ListSprayLoadBalancer>("Entropies", StringValue("9,3,5-6"));
        NS_TEST_EXPECT_MSG_EQ(list->GetMaxPaths(), 4, "a path set");
        NS_TEST_EXPECT_MSG_EQ(list->NeedsRandomVariable(), false, "in turn");
        list->Start(7);
        NS_TEST_EXPECT_MSG_EQ(Next(*list, 6), "6 9 3 5 6 9", "in turn");

        const auto one =
            CreateObjectWithAttributes<ListSprayLoadBalancer>("Entropies", StringValue("65535"));
        one->Start(12345);
        NS_TEST_EXPECT_MSG_EQ(Next(*one, 2), "65535 65535", "a list of one");
        const auto all = CreateObject<ListSprayLoadBalancer>();
        all->Start(65535);
        NS_TEST_EXPECT_MSG_EQ(Next(*all, 2), "65535 0", "by default all");
        NS_TEST_EXPECT_MSG_EQ(all->GetMaxPaths(), UINT32_MAX, "no bound");

        const auto drawn =
            CreateObjectWithAttributes<ListSprayLoadBalancer>("Entropies",
                                                              StringValue("40,20,30"),
                                                              "Random",
                                                              BooleanValue(true));
        const auto stream = [](Ptr<UniformRandomVariable> random) {
            random->SetStream(5);
            return random;
        };
        drawn->SetRandomVariable(stream(CreateObject<UniformRandomVariable>()));
        const auto expected = stream(CreateObject<UniformRandomVariable>());
        drawn->Start(0);
        constexpr uint16_t LIST[] = {40, 20, 30};
        for (uint32_t i = 0; i < 50; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(drawn->ChooseEntropy(0, false),
                                  LIST[expected->GetInteger(0, 2)],
                                  "draw " << i);
        }

        for (const auto& [text, part] :
             std::vector<std::pair<std::string, std::string>>{{"", "'' in '' is no entropy"},
                                                              {"1,", "'' in '1,' is no entropy"},
                                                              {"65536", "'65536' in"},
                                                              {"-1", "'' in '-1'"},
                                                              {"1 2", "'1 2' in"},
                                                              {"5-3", "'5-3' in '5-3' ends before"},
                                                              {"1-4,3", "3 is twice in '1-4,3'"}})
        {
            DCFABRIC_EXPECT_REFUSAL(list->SetAttribute("Entropies", StringValue(text)), part);
        }
        NS_TEST_EXPECT_MSG_EQ(Next(*list, 1), "3", "unchanged");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Stores of groups.
 */
class StoreGroupTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // To hosts 1 and 2 in group 5, to host 3 in group 6; all others in none, as are those to
        // host 4, with a policy of their own.
        PdcPolicies policies;
        const auto set = [&policies](uint32_t dst, uint32_t group, const std::string& store) {
            PdcPolicy policy;
            policy.congestionControl.SetTypeId("ns3::NoCongestionControl");
            policy.loadBalancer.SetTypeId("ns3::RepsLoadBalancer");
            policy.loadBalancer.Set("Group", UintegerValue(group));
            policy.loadBalancer.Set("Store", StringValue(store));
            policies.Set(policy, dst);
        };
        const auto share = [&policies](uint32_t dst) {
            PdcPolicies::Installed& installed = policies.Find(dst, 0);
            const auto reps = installed.policy.loadBalancer.Create<LoadBalancer>();
            return policies.Share(installed, *reps, 10);
        };
        const std::string shared = "ns3::SharedEntropyStore";
        set(PdcPolicies::ANY_DESTINATION, 0, shared);
        set(1, 5, shared);
        set(2, 5, shared);
        set(3, 6, shared);
        set(4, 0, shared);
        const Ptr<Object> common = share(7);
        NS_TEST_EXPECT_MSG_EQ(share(8), common, "of one policy");
        NS_TEST_EXPECT_MSG_NE(share(4), common, "of another");
        NS_TEST_EXPECT_MSG_EQ(share(1), share(2), "of two policies of a group");
        NS_TEST_EXPECT_MSG_NE(share(1), common, "a group");
        NS_TEST_EXPECT_MSG_NE(share(1), share(3), "another group");
        set(9, 6, "ns3::PrivateEntropyStore");
        PdcPolicies::Installed& other = policies.Find(9, 0);
        const auto reps = other.policy.loadBalancer.Create<LoadBalancer>();
        DCFABRIC_EXPECT_REFUSAL(reps->Join(policies.Share(other, *reps, 10), 0),
                                "Group 6 has ns3::SharedEntropyStore, but another policy of it "
                                "ns3::PrivateEntropyStore");
        policies.Clear();
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<SharedEntropyStore>(share(1))->GetTotal(), 0, "anew");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Entropies of an earlier run.
 */
class EntropyFileTestCase : public FileTestCase
{
    using FileTestCase::FileTestCase;

    /**
     * @param recurrent connections come back
     * @return a helper of recycled entropies
     */
    static FabricHelper MakeRepsHelper(bool recurrent = true)
    {
        FabricHelper helper;
        helper.SetLoadBalancer("ns3::RepsLoadBalancer", "Recurrent", BooleanValue(recurrent));
        return helper;
    }

    /**
     * @param path where
     * @return contents of a file
     */
    static std::string ReadText(const std::string& path)
    {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }

    void DoRun() override
    {
        const std::string first = CreateTempDirFilename("first");
        const std::string second = CreateTempDirFilename("second");
        WriteText(first, "# of yesterday\n2 0 3 40000\n0 1 3 5 9 5 # twice\n0 2 3\n");
        {
            // Three packets take the three entropies, and as nothing is marked their ACKs bring
            // them back in the same order. The other connections are as they were.
            const TestNetwork network(MakeStar(3), MakeRepsHelper());
            const auto file = CreateObject<EntropyFile>();
            file->Load(*network.fabric);
            NS_TEST_EXPECT_MSG_EQ(EntropyFile::Write(*network.fabric, second), 0, "no file");
            file->SetAttribute("From", StringValue(first));
            file->Load(*network.fabric);
            NS_TEST_EXPECT_MSG_EQ(EntropyFile::Write(*network.fabric, second), 3, "connections");
            NS_TEST_EXPECT_MSG_EQ(ReadText(second),
                                  "# host destination class entropies\n"
                                  "0 1 3 5 9 5\n0 2 3\n2 0 3 40000\n",
                                  "what was read");
            std::string taken;
            AddTap(network, 3)->SetRule([&taken](FabricPacketItem& item) {
                taken += item.type == FabricPacketType::DATA ? std::to_string(item.entropy) + " "
                                                             : std::string();
                return true;
            });
            network.MessagesOf(0).SendAt(0, 1, 3000, 0);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(taken, "5 9 5 ", "used from the first packet on");
            EntropyFile::Write(*network.fabric, second);
            NS_TEST_EXPECT_MSG_EQ(ReadText(second),
                                  "# host destination class entropies\n"
                                  "0 1 3 5 9 5\n0 2 3\n2 0 3 40000\n",
                                  "they came back");
        }
        Simulator::Destroy();
        {
            const TestNetwork network(MakeStar(3), MakeRepsHelper());
            ExpectRefusals(
                [&network](const std::string& path) { EntropyFile::Read(*network.fabric, path); },
                {{"0 1\n", "1: expected host, destination, class and entropies"},
                 {"\n0 3 0 5\n", "2: node 3 is a switch"},
                 {"0 4 0 5\n", "1: destination"},
                 {"0 1 8 5\n", "1: class"},
                 {"0 1 0 65536\n", "1: entropy"}});
        }
        Simulator::Destroy();
        {
            const TestNetwork network(MakeStar(3), MakeRepsHelper(false));
            DCFABRIC_EXPECT_REFUSAL(EntropyFile::Read(*network.fabric, first),
                                    "connections from host 2 to host 0 keep no entropies; use "
                                    "ns3::RepsLoadBalancer with Recurrent");
        }
        Simulator::Destroy();
    }
};

/// Where entropies come from.
const SuiteCases g_cases("dcfabric-reps", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ListSprayTestCase("a list of entropies, in turn and at random"));
    suite.AddTestCase(new StoreGroupTestCase("policies of a group share a store"));
    suite.AddTestCase(new EntropyFileTestCase("entropies are kept from run to run"));
});

} // namespace ns3::tests::entropy_file_test
