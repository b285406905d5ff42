// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/config.h"
#include "ns3/fabric-scenario.h"
#include "ns3/fabric-text-file.h"
#include "ns3/json-writer.h"
#include "ns3/named-table.h"
#include "ns3/scenario-part.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How wings join a scenario: tables to which they add, and parts.
 */

namespace ns3::tests::scenario_part_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Entries stand where they belong, in whatever order they are added.
 */
class NamedTableTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Something with a name.
    struct Entry
    {
        std::string name; //!< what it is called
    };

    /// @return the first entries
    static std::vector<Entry> List()
    {
        return {{"b"}, {"e"}};
    }

    /// @return what is in a table
    static std::string Read(NamedTable<Entry>& table)
    {
        std::string names;
        for (const Entry& entry : table.Get())
        {
            names += entry.name;
        }
        return names;
    }

    void DoRun() override
    {
        using Additions = std::vector<std::pair<std::string, std::vector<Entry>>>;
        const Additions additions = {{"c", {{"d"}}}, // behind what comes later
                                     {"b", {{"c"}}},
                                     {"", {{"a"}}},
                                     {"nothing", {{"g"}, {"h"}}},
                                     {"e", {{"f"}}}};
        NamedTable<Entry> forth(&List);
        NamedTable<Entry> back(&List);
        for (std::size_t i = 0; i < additions.size(); ++i)
        {
            const auto& [after, entries] = additions[i];
            NS_TEST_EXPECT_MSG_EQ(forth.Add(after, entries), true, "for a static object");
            const auto& [afterBack, entriesBack] = additions[additions.size() - 1 - i];
            back.Add(afterBack, entriesBack);
        }
        NS_TEST_EXPECT_MSG_EQ(Read(forth), "abcdefgh", "in their places");
        NS_TEST_EXPECT_MSG_EQ(Read(back), "abcdefgh", "whichever comes first");
        NS_TEST_EXPECT_MSG_EQ(Read(back), "abcdefgh", "read again");
        back.Add("h", {{"i"}});
        NS_TEST_EXPECT_MSG_EQ(Read(back), "abcdefghi", "added later");

        NamedTable<Entry> alike(&List);
        alike.Add("b", {{"d"}});
        alike.Add("b", {{"c"}});
        NS_TEST_EXPECT_MSG_EQ(Read(alike), "bcde", "at one place in the order of names");

        NamedTable<Entry> byName(&List, [](const Entry& entry) { return "x" + entry.name; });
        byName.Add("xb", {{"c"}});
        NS_TEST_EXPECT_MSG_EQ(Read(byName), "bce", "by another name");

        NamedTable<Entry> changed(&List);
        changed.Change("c", [](Entry& entry) { entry.name = "C"; }); // before it is there
        changed.Add("b", {{"c"}});
        changed.Change("nothing", [](Entry& entry) { entry.name = "N"; });
        changed.Change("", [](Entry& entry) { entry.name = "N"; });
        NS_TEST_EXPECT_MSG_EQ(Read(changed), "bCe", "changed, if it is there");
        changed.Change("e", [](Entry& entry) { entry.name += "E"; });
        NS_TEST_EXPECT_MSG_EQ(Read(changed), "bCeE", "later");
        NS_TEST_EXPECT_MSG_EQ(Read(changed), "bCeE", "once");

        NamedTable<Entry> empty([] { return std::vector<Entry>(); });
        NS_TEST_EXPECT_MSG_EQ(Read(empty), "", "nothing");
    }
};

/// What parts are asked, in order; null: nobody wants to know.
std::vector<std::string>* g_asked = nullptr;

/**
 * @ingroup dcfabric-tests
 * @brief A part that notes what it is asked, and has something to say of everything.
 */
class TalkingPart : public ScenarioPart
{
  public:
    void Begin(const ScenarioOptions& /* options */) override
    {
        Note("begin");
    }

    void Divide(const FabricGraph& graph,
                const ScenarioNetwork& network,
                const ScenarioOptions& /* options */) override
    {
        Note(graph.GetNNodes() == 0 || network.fabric ? "late" : "divide");
    }

    void Read(const ScenarioOptions& /* options */, std::vector<TypeId>& /* used */) override
    {
        Note("read");
    }

    void Configure(FabricHelper& /* helper */,
                   const ScenarioOptions& /* options */,
                   ScenarioNetwork& network,
                   std::vector<TypeId>& used) override
    {
        Note(network.fabric || used.empty() ? "wrong" : "configure");
    }

    void TakeWorkload(const Ptr<FabricWorkload>& /* workload */,
                      const ScenarioOptions& /* options */,
                      ScenarioNetwork& network,
                      std::vector<TypeId>& /* used */) override
    {
        Note(network.flows.empty() ? "workload" : "late");
    }

    void Prepare(ScenarioNetwork& network, const ScenarioOptions& /* options */) override
    {
        Note(network.flows.empty() || network.fabric ? "late" : "prepare");
    }

    void Install(ScenarioNetwork& network, const ScenarioOptions& /* options */) override
    {
        Note(network.fabric ? "install" : "early");
    }

    bool LosesPackets() const override
    {
        return g_asked != nullptr;
    }

    void Record(FlowRecorder& recorder, const ScenarioNetwork& network) override
    {
        Note(recorder.GetFlows().size() == network.flows.size() ? "record" : "other");
    }

    void Watch(RunLoop& loop) override
    {
        Note("watch");
        if (g_asked)
        {
            loop.Add([this](int64_t nowPs) { return Look(nowPs); }, RunLoop::Idle::KEEP, 1000000);
        }
    }

    void End(int64_t endPs) override
    {
        Note(endPs > 1000000 ? "end" : "early");
    }

    std::function<void(JsonWriter&)> Summarize() const override
    {
        return [](JsonWriter& json) {
            if (g_asked)
            {
                json.StringMember("said", "by a part");
            }
        };
    }

    void Write(const std::string& folder) override
    {
        Note(folder.empty() ? "" : "write");
    }

    void ListViolations(std::vector<std::string>& violations) const override
    {
        if (g_asked)
        {
            violations.emplace_back("a part is not content");
        }
    }

  private:
    /// Note a call.
    static void Note(const std::string& what)
    {
        if (g_asked)
        {
            g_asked->push_back(what);
        }
    }

    /// @return when to look again, in ps
    static int64_t Look(int64_t nowPs)
    {
        Note("look");
        return nowPs + 1000000000;
    }
};

[[maybe_unused]] const bool g_hasTalkingPart =
    GetScenarioPartTable().Add("", {{"test", &MakeScenarioPart<TalkingPart>}});

/**
 * @ingroup dcfabric-tests
 * @brief A part is asked in the order that ScenarioPart promises.
 */
class PartOrderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<std::string> names;
        for (const ScenarioPartKind& kind : GetScenarioPartTable().Get())
        {
            NS_TEST_EXPECT_MSG_EQ(names.empty() || names.back() < kind.name, true, "in order");
            names.emplace_back(kind.name);
        }

        std::vector<std::string> asked;
        g_asked = &asked;
        const std::string folder = CreateTempDirFilename("scenario-parts");
        FabricScenario scenario;
        scenario.Set("topology", "fat-tree:k=4");
        scenario.Set("workload", "permutation:size=20kB");
        scenario.Run(folder);
        const std::vector<std::string> violations = scenario.ListViolations();
        g_asked = nullptr;
        const std::vector<std::string> expected = {"begin",
                                                   "read",
                                                   "configure",
                                                   "workload",
                                                   "prepare",
                                                   "divide",
                                                   "install",
                                                   "record",
                                                   "watch",
                                                   "look",
                                                   "end",
                                                   "write"};
        NS_TEST_ASSERT_MSG_EQ(asked.size(), expected.size(), "so many");
        for (std::size_t i = 0; i < asked.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(asked[i], expected[i], "in turn");
        }
        NS_TEST_EXPECT_MSG_EQ(scenario.GetNetwork().lossless, false, "it loses packets");
        NS_TEST_ASSERT_MSG_EQ(violations.size(), 1, "nothing else is wrong");
        NS_TEST_EXPECT_MSG_EQ(violations[0], "a part is not content", "its own");
        NS_TEST_EXPECT_MSG_NE(
            ReadFabricFile(folder + "/summary.json").find("\"said\": \"by a part\""),
            std::string::npos,
            "in the summary");
        Simulator::Destroy();
        Config::Reset();
    }
};

const SuiteCases g_cases("dcfabric-scenario", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new NamedTableTestCase("tables to which others add"));
    suite.AddTestCase(new PartOrderTestCase("parts of a scenario are asked in order"));
});

} // namespace ns3::tests::scenario_part_test
