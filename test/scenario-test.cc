// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/config.h"
#include "ns3/fabric-engine.h"
#include "ns3/fabric-scenario.h"
#include "ns3/fabric-text-file.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-warning.h"
#include "ns3/json-writer.h"
#include "ns3/parse-units.h"
#include "ns3/scenario-description.h"
#include "ns3/scenario-schema.h"
#include "ns3/scenario-speaker.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A run from its options to its results, in a program.
 */

namespace ns3::tests::scenario_test
{

/**
 * @ingroup dcfabric-tests
 * @brief What is set, what stands below it, and what is refused.
 */
class ScenarioOptionsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ScenarioOptions options;
        for (const ScenarioOption& option : GetScenarioSchema())
        {
            NS_TEST_EXPECT_MSG_EQ(options.Get(option.name), option.defaultValue, option.name);
        }
        const std::string routing = FindScenarioOption("routing")->help;
        const bool hasDirect = routing.find("dragonflies") != std::string::npos;
        NS_TEST_EXPECT_MSG_EQ(hasDirect, HasTopology("dragonfly"), "a wing says what it adds");
        const auto set = [&options](const char* name, const char* value) {
            return [&options, name, value] { options.Set(name, value); };
        };
        DCFABRIC_EXPECT_REFUSAL(set("topologie", "x")(),
                                "there is no option 'topologie'; the nearest is topology");
        DCFABRIC_EXPECT_REFUSAL(
            set("ns3::FabricNic::AckEvry", "2")(),
            "ns3::FabricNic::AckEvry: ns3::FabricNic has no attribute \"AckEvry\"");
        DCFABRIC_EXPECT_REFUSAL(set("ns3::FabricNic::AckEvery", "x")(), "invalid value 'x'");

        options.Set("cc", "hpcc");
        options.Set("cc", "dctcp"); // the last word counts
        options.Set("preset", "fncc24");
        options.Set("lb", "ecmp");
        options.Set("ns3::HpccCongestionControl::Eta", "0.8");
        options.Set("ns3::IntWindowCongestionControl::Eta", "0.9"); // the same one
        options.Apply();
        options.Apply(); // nothing more
        NS_TEST_EXPECT_MSG_EQ(options.Get("cc"), "dctcp", "as said last");
        NS_TEST_EXPECT_MSG_EQ(options.Get("lb"), "ecmp", "over the preset");
        NS_TEST_EXPECT_MSG_EQ(options.Get("payload"), "1456", "of the preset");
        NS_TEST_EXPECT_MSG_EQ(options.Get("rate"), "100Gbps", "by default");
        NS_TEST_EXPECT_MSG_EQ(options.IsGiven("lb") && !options.IsGiven("payload"), true, "given");
        NS_TEST_EXPECT_MSG_EQ(options.IsSet("payload") && !options.IsSet("rate"), true, "set");
        const ScenarioOptions::Values all = options.GetResolved();
        NS_TEST_ASSERT_MSG_EQ(all.size(), GetScenarioSchema().size() + 1, "one attribute");
        NS_TEST_EXPECT_MSG_EQ(all.front().first, GetScenarioSchema().front().name, "in order");
        NS_TEST_EXPECT_MSG_EQ(all.back().first,
                              "ns3::IntWindowCongestionControl::Eta",
                              "its owner");
        NS_TEST_EXPECT_MSG_EQ(all.back().second, "0.9", "the last word counts");
        DCFABRIC_EXPECT_REFUSAL(set("cc", "hpcc")(), "cc is set too late");
        Config::Reset();

        ScenarioOptions empty;
        empty.Set("cc", "");
        DCFABRIC_EXPECT_REFUSAL(empty.Apply(), "cc needs a value");
        if (HasClass("--config"))
        {
            ScenarioOptions both;
            both.Set("preset", "fncc24");
            both.Set("config", "config.txt");
            DCFABRIC_EXPECT_REFUSAL(both.Apply(), "config brings the preset of its simulator");
        }
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What runs fastest: the scheduler of ns-3's, and then what the engine brings, if it is
 * there.
 */
class ScenarioEngineTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<std::string> globals;
        for (const auto& [global, type] : FabricEngine::GetGlobals())
        {
            TypeId tid;
            NS_TEST_EXPECT_MSG_EQ(TypeId::LookupByNameFailSafe(type, &tid), true, type);
            globals.push_back(global + std::string("=") + type);
        }
        const std::size_t expected = HasClass("ns3::FabricSimulatorImpl") ? 3 : 1;
        NS_TEST_ASSERT_MSG_EQ(globals.size(), expected, "the engine, if it is there");
        NS_TEST_EXPECT_MSG_EQ(globals.front(),
                              "SchedulerType=ns3::PriorityQueueScheduler",
                              "others override it");
        std::sort(globals.begin(), globals.end());
        if (globals.size() == 3)
        {
            NS_TEST_EXPECT_MSG_EQ(globals[0], "SchedulerType=ns3::LookAheadScheduler", "its own");
            NS_TEST_EXPECT_MSG_EQ(globals[2],
                                  "SimulatorImplementationType=ns3::FabricSimulatorImpl",
                                  "its own");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Runs in one process.
 */
class ScenarioRunTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A small run. @param scenario is set up
    static void Set(FabricScenario& scenario)
    {
        scenario.Set("topology", "fat-tree:k=4");
        scenario.Set("workload", "permutation:size=20kB");
    }

    /// @return flows.csv of a run with a seed, checked
    std::string RunSeed(const std::string& seed, const std::string& cc)
    {
        const std::string folder = CreateTempDirFilename("scenario-" + seed + cc);
        FabricScenario scenario;
        Set(scenario);
        scenario.Set("seed", seed);
        scenario.Set("cc", cc);
        const RunSummary& summary = scenario.Run(folder);
        NS_TEST_EXPECT_MSG_EQ(summary.status, "complete", "all is sent");
        NS_TEST_EXPECT_MSG_EQ(summary.flowsCompleted, 16, "of each host");
        NS_TEST_EXPECT_MSG_EQ(summary.seed, std::stoul(seed), "as set");
        NS_TEST_EXPECT_MSG_EQ(scenario.ListViolations().size(), 0, "nothing is wrong");
        NS_TEST_EXPECT_MSG_EQ(scenario.GetStopPs(), FabricTime::NEVER, "runs until all is sent");
        NS_TEST_EXPECT_MSG_EQ(ReadFabricFile(folder + "/summary.json").empty(), false, "written");
        Simulator::Destroy();
        Config::Reset();
        return ReadFabricFile(folder + "/flows.csv");
    }

    void DoRun() override
    {
        const std::string first = RunSeed("3", "hpcc");
        NS_TEST_EXPECT_MSG_NE(RunSeed("4", "hpcc"), first, "another permutation");
        NS_TEST_EXPECT_MSG_NE(RunSeed("3", "none"), first, "another algorithm");
        NS_TEST_EXPECT_MSG_EQ(RunSeed("3", "hpcc"), first, "nothing is left of the others");

        // from outside, after 2 us
        FabricScenario scenario;
        Set(scenario);
        scenario.SetInterrupt([] { return Simulator::Now() < MicroSeconds(2) ? 0 : 7; });
        const RunSummary& summary = scenario.Run(CreateTempDirFilename("scenario-interrupted"));
        NS_TEST_EXPECT_MSG_EQ(summary.status, "partial", "ended early");
        NS_TEST_EXPECT_MSG_EQ(scenario.GetInterrupt(), 7, "by what");
        NS_TEST_EXPECT_MSG_LT(summary.flowsCompleted, 16, "not all");
        NS_TEST_EXPECT_MSG_EQ(scenario.ListViolations().size(), 0, "that is nothing wrong");
        Simulator::Destroy();
        Config::Reset();

        // told twice a second, and this one takes longer
        FabricScenario slow;
        Set(slow);
        std::vector<ScenarioProgress::State> states;
        uint32_t asked = 0;
        slow.SetInterrupt([&asked] {
            if (++asked <= 2)
            {
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
            }
            return 0;
        });
        slow.SetProgress(
            [&states](const ScenarioProgress::State& state) { states.push_back(state); });
        slow.Run(CreateTempDirFilename("scenario-slow"));
        NS_TEST_ASSERT_MSG_EQ(states.size(), 1, "told once");
        NS_TEST_EXPECT_MSG_EQ(states[0].flows, 16, "that there are");
        NS_TEST_EXPECT_MSG_EQ((states[0].fraction >= 0 && states[0].fraction < 1), true, "a part");
        NS_TEST_EXPECT_MSG_GT(states[0].wallSeconds, 0.5, "since the beginning");
        NS_TEST_EXPECT_MSG_GT(states[0].simSeconds, 0, "something has happened");
        NS_TEST_EXPECT_MSG_EQ(slow.GetSummary().status, "complete", "all the same");
        Simulator::Destroy();
        Config::Reset();

        FabricScenario refused;
        Set(refused);
        refused.Set("stop", "0s");
        DCFABRIC_EXPECT_REFUSAL(refused.Build(), "stop must be above zero");
        Simulator::Destroy();
        Config::Reset();

        if (!HasClass("--link-down"))
        {
            return;
        }
        // a network that is planned and not built, and what is told of one that is
        std::vector<std::string> notes;
        const auto before =
            SetFabricNoteSink([&notes](const FabricText& text) { notes.push_back(text.Say()); });
        FabricScenario late;
        Set(late);
        late.Set("link-down", "1s,16,24");
        NS_TEST_EXPECT_MSG_EQ(late.Plan().GetNHosts(), 16, "planned");
        late.Run(CreateTempDirFilename("scenario-late"));
        SetFabricNoteSink(before);
        NS_TEST_ASSERT_MSG_EQ(notes.size(), 1, "one note");
        NS_TEST_EXPECT_MSG_EQ(notes[0], "the run ended before 1 of the 1 fault", "what was not");
        Simulator::Destroy();
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What programs ask, in the words of C++.
 */
class ScenarioDescriptionTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ScenarioOptions options;
        options.Set("workload", "flows:some.txt");
        options.Apply();
        JsonWriter json(JsonWriter::Layout::ONE_LINE);
        DescribeScenario(json, options, GetScenarioSchema());
        const std::string& text = json.GetText();
        for (const char* part : {
                 "{\"version\": \"",
                 "{\"name\": \"policies\", \"kind\": \"file\", ",
                 "{\"type\": \"ns3::HpccCongestionControl\", \"kind\": \"Congestion control "
                 "(cc)\", "
                 "\"chosen_by\": [\"cc=hpcc\", \"cc=hpcc-rate\"], \"attributes\": [{\"name\": ",
                 "\"kind\": \"Stores of recycled entropies (lb=reps)\", ",
                 "\"kind\": \"NIC\", \"chosen_by\": [], ",
             })
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(text, part), true, part);
        }
        const std::string inputs = "\"inputs\": [\"some.txt\"]}";
        NS_TEST_EXPECT_MSG_EQ(text.substr(text.size() - inputs.size()), inputs, "what it reads");
        JsonWriter few(JsonWriter::Layout::ONE_LINE);
        DescribeScenarioInputs(few, options);
        NS_TEST_EXPECT_MSG_EQ(few.GetText(), "{" + inputs, "nothing else");
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Runs in one folder, whose results belong together.
 */
class ScenarioFolderTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// Run for some time, into a folder. @return why it is refused, or `(accepted)`
    std::string Run(const std::string& folder,
                    const std::vector<std::pair<std::string, std::string>>& options,
                    bool force,
                    bool interrupted = false)
    {
        FabricScenario scenario;
        scenario.Set("topology", "dumbbell:switches=2,senders=1");
        scenario.Set("workload", "pairs:size=10kB");
        for (const auto& [name, value] : options)
        {
            scenario.Set(name, value);
        }
        scenario.SetForce(force);
        scenario.SetInterrupt([interrupted] { return interrupted ? 2 : 0; });
        const std::string refusal = RefusalOf([&] { scenario.Run(folder); });
        m_folder = scenario.GetFolder();
        Simulator::Destroy();
        Config::Reset();
        return refusal;
    }

    /// @return text of a file of results
    static std::string Read(const std::string& folder)
    {
        return ReadFabricFile(folder + "/summary.json");
    }

    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("scenario-folder");
        NS_TEST_EXPECT_MSG_EQ(Run(folder, {{"cc", "hpcc"}}, false), "(accepted)", "new");
        NS_TEST_EXPECT_MSG_EQ(m_folder, folder, "where the results are");
        NS_TEST_EXPECT_MSG_EQ(Run(folder, {{"cc", "hpcc"}}, false), "(accepted)", "the same");
        const std::string before = Read(folder);
        const std::string refusal = Run(folder, {{"cc", "fncc"}, {"payload", "500"}}, false);
        NS_TEST_EXPECT_MSG_EQ(refusal,
                              "out: the folder " + QuoteFabricText(folder) +
                                  " holds results of other options (cc was 'hpcc', is 'fncc'; "
                                  "payload was '1000', is '500'); name another folder, or "
                                  "overwrite them with force",
                              "both sides");
        NS_TEST_EXPECT_MSG_EQ(Read(folder), before, "they stay");
        NS_TEST_EXPECT_MSG_EQ(Run(folder, {{"cc", "fncc"}}, true), "(accepted)", "by force");
        const std::string after = Read(folder);
        NS_TEST_EXPECT_MSG_NE(after, before, "replaced");

        std::string note;
        const auto sink = SetFabricNoteSink([&note](const FabricText& text) { note = text.Say(); });
        NS_TEST_EXPECT_MSG_EQ(Run(folder, {{"cc", "fncc"}}, true, true), "(accepted)", "cut short");
        SetFabricNoteSink(sink);
        NS_TEST_EXPECT_MSG_EQ(Contains(note, "keeps its complete results"), true, note);
        NS_TEST_EXPECT_MSG_EQ(m_folder, folder + "/partial", "beside");
        NS_TEST_EXPECT_MSG_EQ(Read(folder), after, "complete ones stay");

        // summaries of others, and one with a value that JSON escapes
        std::string changed = after;
        changed.replace(changed.find("fncc"), 4, "a \\\"b\\\" \\\\ \\u0007");
        std::ofstream(folder + "/summary.json") << changed;
        const std::string said = Run(folder, {{"cc", "hpcc"}}, false);
        NS_TEST_EXPECT_MSG_EQ(Contains(said, "cc was 'a \"b\" \\ \\u0007', is 'hpcc'"), true, said);
        for (const std::string& text : {std::string(),
                                        std::string("{"),
                                        std::string("[1, 2]"),
                                        std::string("{\n  \"status\": \"complete\"\n}\n"),
                                        after.substr(0, after.size() / 2)})
        {
            std::ofstream(folder + "/summary.json") << text;
            const std::string reason = Run(folder, {{"cc", "fncc"}}, false);
            NS_TEST_EXPECT_MSG_EQ(Contains(reason, "was not written by dcfabric-sim"),
                                  true,
                                  reason);
            NS_TEST_EXPECT_MSG_EQ(Read(folder), text, "it stays");
        }
    }

    std::string m_folder; //!< of the last results
};

/**
 * @ingroup dcfabric-tests
 * @brief Classes and attributes in the words of a command line, as the user wrote them.
 */
class SpeakerTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ScenarioOptions options;
        options.Resolve("topology", "fat-tree:k=4");
        options.Resolve("lb", "path-set:paths=16");
        const ScenarioSpeaker speaker(options, {"plan"});
        const std::vector<std::pair<FabricTerm, std::string>> cases = {
            {FabricTerm::Class("ns3::PriorityFlowControl"), "--flow-control=pfc"},
            {FabricTerm::Class("ns3::HpccCongestionControl"), "--cc=hpcc"},
            {FabricTerm::Class("ns3::RoundRobinSprayLoadBalancer"), "--lb=path-set:paths=16"},
            {FabricTerm::Class("ns3::Node"), "ns3::Node"},
            {FabricTerm::Class("ns3::NoSuch"), "ns3::NoSuch"},
            {FabricTerm::Attribute("ns3::FabricNic", "AckEvery", "2"),
             "--ns3::FabricNic::AckEvery=2"},
            {FabricTerm::Attribute("ns3::FabricNic", "NoSuch"), "ns3::FabricNic::NoSuch"},
            {FabricTerm::Any("ns3::LinkFlowControl", "another", "flow control"),
             "another --flow-control"},
            {FabricTerm::None("ns3::LinkFlowControl", "flow control"), "--flow-control=none"},
            {FabricTerm::Option("topology", options.Get("topology")), "--topology=fat-tree:k=4"},
            {FabricTerm::Option("RngRun"), "--RngRun"},
            {FabricTerm::Option("plan"), "--plan"},       // of the program
            {FabricTerm::Option("describe"), "describe"}, // of another program
            {FabricTerm::Option("key size"), "key size"},
        };
        for (const auto& [term, said] : cases)
        {
            NS_TEST_EXPECT_MSG_EQ(speaker.Name(term), said, said);
        }
    }
};

const SuiteCases g_cases("dcfabric-scenario", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new ScenarioOptionsTestCase("options of a scenario"));
    suite.AddTestCase(new ScenarioEngineTestCase("the engine that runs fastest"));
    suite.AddTestCase(new ScenarioRunTestCase("runs of scenarios"));
    suite.AddTestCase(new ScenarioDescriptionTestCase("descriptions of scenarios"));
    suite.AddTestCase(new SpeakerTestCase("texts in the words of a command line"));
    suite.AddTestCase(new ScenarioFolderTestCase("folders of scenarios"));
});

} // namespace ns3::tests::scenario_test
