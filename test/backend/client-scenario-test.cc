// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "../fabric-test-results.h"
#include "../fabric-test-suite.h"

#include "ns3/client-scenario.h"
#include "ns3/fabric-warning.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Ranks that a program drives: which call comes when, beside what, and how it ends.
 */

namespace ns3::tests::client_scenario_test
{

/// Words of a small network, and more.
std::vector<std::string>
Words(const std::string& out, std::vector<std::string> more = {})
{
    more.insert(more.end(),
                {"--topology=fat-tree:k=4", "--rate=100Gbps", "--delay=1us", "--out=" + out});
    return more;
}

/**
 * @ingroup dcfabric-tests
 * @brief What happens at one time is told in rounds: receives, sends, what was scheduled; each by
 * rank and order of the calls.
 */
class RoundsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ClientScenario scenario(Words(CreateTempDirFilename("rounds"), {"--per-host=4"}));
        ClientFlowSource& client = scenario.GetClient();
        NS_TEST_ASSERT_MSG_EQ(client.GetNRanks(), 64, "four on each of 16 hosts");
        std::string calls;
        const auto note = [&calls](char what) { return [&calls, what] { calls += what; }; };
        // within a host, in no time: all of it happens at 0
        client.Schedule(0, [&] {
            calls += 's';
            client.Schedule(0, note('z'));
            client.Receive(1, 1, 1, 0, note('y')); // its byte is there
        });
        client.Receive(3, 0, 5, 0, note('c'));
        client.Receive(2, 0, 5, 0, note('a'));
        client.Receive(2, 0, 5, 1, note('b'));
        client.Send(1, 2, 0, 9, note('f')); // counts as a byte
        client.Send(0, 3, 5, 0, note('d'));
        client.Send(0, 2, 5, 1, note('e'));
        client.Send(0, 2, 5, 0, {});
        client.Send(1, 1, 1, 0, {});
        client.Receive(2, 1, 0, 9, {});
        const auto end = scenario.Run();
        NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
        NS_TEST_EXPECT_MSG_EQ(calls, "abcdefsyz", "in this order");
        NS_TEST_EXPECT_MSG_EQ(scenario.GetNowPs(), 0, "in no time");
        NS_TEST_EXPECT_MSG_EQ(client.GetNUnreceivedBytes(), 0, "all of it");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Bytes match, not messages, and the report of a stuck run says which are missing.
 */
class BytesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ClientScenario scenario(Words(CreateTempDirFilename("bytes")));
        ClientFlowSource& client = scenario.GetClient();
        std::vector<uint64_t> times;
        const auto note = [&] { times.push_back(scenario.GetNowPs()); };
        client.Receive(1, 0, 100, 7, note);
        client.Receive(1, 0, 250, 7, note);
        client.Receive(1, 0, 300, 7, note);
        for (int i = 0; i < 4; ++i)
        {
            client.Send(0, 1, 100, 7, {});
        }
        client.Finish(5);
        client.Finish(5);
        const auto end = scenario.Run();
        NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::VIOLATION), true, "it is stuck");
        NS_TEST_ASSERT_MSG_EQ(times.size(), 2, "two of three are complete");
        NS_TEST_EXPECT_MSG_GT(times[1], times[0], "with the first message, and the fourth");
        const std::string& report = scenario.GetReport();
        for (const char* line :
             {"what ranks wait for (2):",
              "rank 1 receives 300 bytes from rank 0 with tag 7: 250 missing",
              "ranks that receive nothing and have not finished: 0, 2 to 4, 6 to 15"})
        {
            NS_TEST_EXPECT_MSG_NE(report.find(line), std::string::npos, report);
        }
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { scenario.Run(); }),
                              "the simulation has run already; it runs once",
                              "once");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A workload beside the client's: both have their labels, and the client hears of its own
 * flows only.
 */
class BackgroundTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string out = CreateTempDirFilename("background");
        ClientScenario scenario(Words(out, {"--workload=pairs:size=50kB"}));
        ClientFlowSource& client = scenario.GetClient();
        int calls = 0;
        client.Receive(1, 0, 20000, 0, [&] {
            ++calls;
            client.Send(1, 0, 10000, 0, [&calls] { ++calls; });
        });
        client.Send(0, 1, 20000, 0, [&calls] { ++calls; });
        client.Receive(0, 1, 10000, 0, [&calls] { ++calls; });
        const auto end = scenario.Run();
        NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
        NS_TEST_EXPECT_MSG_EQ(calls, 4, "each once");
        const FlowRecorder& recorder = scenario.GetScenario().GetRecorder();
        NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().size(), 10, "eight pairs and two messages");
        const std::string flows = ReadAll(out + "/flows.csv");
        NS_TEST_EXPECT_MSG_NE(flows.find(",pairs,"), std::string::npos, flows);
        NS_TEST_EXPECT_MSG_NE(flows.find(",client,"), std::string::npos, flows);
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is refused, and that it leaves no trace.
 */
class ClientRefusalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::string out = CreateTempDirFilename("refused");
        const auto open = [&out](const std::vector<std::string>& more) {
            return RefusalOf([&] { ClientScenario scenario(Words(out, more)); });
        };
        const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
            {{"--ranks=17"}, "17 ranks, of which 1 on each host, do not fit on 16 hosts"},
            {{"--ranks=33", "--per-host=2"}, "33 ranks, of which 2 on each host"},
            {{"--per-host=0"}, "--per-host: invalid value '0'"},
            {{"--ranks=2", "--ranks=3"}, "is given twice"},
            {{"--out"}, "needs a value"},
            {{"ranks=2"}, "is not an option"},
            {{"--no-such=2"}, "no-such"},
            {{"--messages=rtw"}, "has receives that are late"},
        };
        for (const auto& [words, reason] : cases)
        {
            const std::string said = open(words);
            NS_TEST_EXPECT_MSG_NE(said.find(reason), std::string::npos, words[0] + ": " + said);
        }
        ClientScenario scenario(Words(out, {"--ranks=2", "--cc=none"}));
        NS_TEST_EXPECT_MSG_NE(open({}).find("has a simulation already"), std::string::npos, "one");
        ClientFlowSource& client = scenario.GetClient();
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { client.Send(0, 2, 1, 0, {}); }),
                              "there is no rank 2; ranks are 0 to 1",
                              "no such rank");
        NS_TEST_EXPECT_MSG_NE(
            RefusalOf([&] { client.Receive(0, 1, UINT64_MAX, 0, {}); }).find("too long"),
            std::string::npos,
            "too long");
        NS_TEST_EXPECT_MSG_NE(
            RefusalOf([&] { client.Schedule(uint64_t{INT64_MAX}, {}); }).find("times end"),
            std::string::npos,
            "too late");
        NS_TEST_EXPECT_MSG_EQ(RefusalOf([&] { client.Finish(2); }),
                              "there is no rank 2; ranks are 0 to 1",
                              "no such rank");
        const auto end = scenario.Run();
        NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, "nothing is to be done");
        NS_TEST_EXPECT_MSG_EQ(scenario.GetRateBps(), uint64_t{100000000000}, "of a host's port");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The second scenario of a process does what the first one did, also where it draws; a
 * scenario that is not run leaves nothing behind.
 */
class AgainTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<std::string> flows;
        for (const char* seed : {"1", "1", "2"})
        {
            ClientScenario(Words(CreateTempDirFilename("unused"), {"--cc=dctcp"}));
            const std::string out = CreateTempDirFilename("again");
            ClientScenario scenario(Words(out,
                                          {"--workload=permutation:size=100kB",
                                           "--cc=dcqcn",
                                           std::string("--seed=") + seed}));
            ClientFlowSource& client = scenario.GetClient();
            for (uint32_t rank = 1; rank < 8; ++rank)
            {
                client.Send(rank, 0, 50000, 0, {});
                client.Receive(0, rank, 50000, 0, [rank, &client] { client.Finish(rank); });
            }
            for (uint32_t rank : {0, 8, 9, 10, 11, 12, 13, 14, 15})
            {
                client.Finish(rank);
            }
            const auto end = scenario.Run();
            NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
            flows.push_back(ReadAll(out + "/flows.csv"));
        }
        NS_TEST_EXPECT_MSG_EQ((flows[0] == flows[1]), true, "the same again");
        NS_TEST_EXPECT_MSG_EQ((flows[0] == flows[2]), false, "it draws");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All ranks have finished, but what they have sent is on its way: both ends are told of all
 * of it, and of what they send when they are told.
 */
class LastCallsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        {
            ClientScenario scenario(Words(CreateTempDirFilename("last-flow"), {"--ranks=2"}));
            ClientFlowSource& client = scenario.GetClient();
            std::string calls;
            client.Finish(0);
            client.Finish(1);
            client.Receive(1, 0, 5000, 0, [&calls] { calls += 'r'; });
            client.Send(0, 1, 5000, 0, [&] {
                calls += 's';
                client.Send(1, 0, 100, 1, [&calls] { calls += 't'; });
                client.Receive(0, 1, 100, 1, [&calls] { calls += 'u'; });
            });
            // nobody waits for a call that is far away
            client.Schedule(uint64_t{1000000000000}, [&calls] { calls += 'x'; });
            const auto end = scenario.Run();
            NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
            NS_TEST_EXPECT_MSG_EQ(calls, "rsut", "received before its sender is told, twice");
            NS_TEST_EXPECT_MSG_LT(scenario.GetNowPs(), uint64_t{1000000000}, "it ends then");
        }
        ClientScenario scenario(
            Words(CreateTempDirFilename("last-local"),
                  {"--ranks=2", "--per-host=2", "--ns3::ClientWorkload::LocalDelay=1us"}));
        ClientFlowSource& client = scenario.GetClient();
        std::string calls;
        client.Receive(1, 0, 5000, 0, [&calls] { calls += 'r'; });
        client.Send(0, 1, 5000, 0, [&calls] { calls += 's'; });
        client.Finish(0);
        client.Finish(1);
        const auto end = scenario.Run();
        NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
        NS_TEST_EXPECT_MSG_EQ(calls, "rs", "both ends of a message within a host");
        NS_TEST_EXPECT_MSG_EQ(scenario.GetNowPs(), 1000000, "after the delay");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A datagram has no ACK: its sender is told when its last packet has left, and the run waits
 * for what may arrive.
 */
class DatagramTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool finish : {false, true})
        {
            ClientScenario scenario(
                Words(CreateTempDirFilename("datagram"), {"--ranks=2", "--service=uud"}));
            ClientFlowSource& client = scenario.GetClient();
            std::string calls;
            client.Receive(1, 0, 1000, 0, [&calls] { calls += 'r'; });
            client.Send(0, 1, 1000, 0, [&calls] { calls += 's'; });
            if (finish)
            {
                client.Finish(0);
                client.Finish(1);
            }
            const auto end = scenario.Run();
            NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
            NS_TEST_EXPECT_MSG_EQ(calls, "sr", "it leaves before it arrives");
        }
        // lost: who receives it waits for ever, and nobody else does
        for (const bool receive : {false, true})
        {
            ClientScenario scenario(Words(CreateTempDirFilename("lost"),
                                          {"--ranks=2", "--service=uud", "--error-rate=0.999999"}));
            ClientFlowSource& client = scenario.GetClient();
            std::string calls;
            client.Send(0, 1, 1000, 0, [&calls] { calls += 's'; });
            if (receive)
            {
                client.Receive(1, 0, 1000, 0, [&calls] { calls += 'r'; });
            }
            const auto end = scenario.Run();
            NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::VIOLATION),
                                  receive,
                                  scenario.GetReport());
            NS_TEST_EXPECT_MSG_EQ(calls, "s", "it has left");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A workload that names the client has it once, with its label; a start of it is refused, as
 * its program decides when it sends.
 */
class NamedClientTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> cases = {
            {"--workload=client", "client"},
            {"--workload=client+pairs:size=50kB", "client+pairs:size=50kB"},
            {"--workload=pairs:size=50kB+client", "pairs:size=50kB+client"},
        };
        for (const auto& [word, workload] : cases)
        {
            const std::string out = CreateTempDirFilename("named");
            ClientScenario scenario(Words(out, {word}));
            ClientFlowSource& client = scenario.GetClient();
            int calls = 0;
            client.Receive(1, 0, 100, 0, [&calls] { ++calls; });
            client.Send(0, 1, 100, 0, [&calls] { ++calls; });
            const auto end = scenario.Run();
            NS_TEST_EXPECT_MSG_EQ((end == ClientScenario::End::DONE), true, scenario.GetReport());
            NS_TEST_EXPECT_MSG_EQ(calls, 2, word);
            NS_TEST_EXPECT_MSG_NE(ReadAll(out + "/summary.json").find("\"" + workload + "\""),
                                  std::string::npos,
                                  word);
            const bool isMix = workload != "client";
            NS_TEST_EXPECT_MSG_EQ(
                (ReadAll(out + "/flows.csv").find(",client,") != std::string::npos),
                isMix,
                word);
        }
        const auto open = [this](const std::string& workload) {
            return RefusalOf([&] {
                ClientScenario scenario(
                    Words(CreateTempDirFilename("refused"), {"--workload=" + workload}));
            });
        };
        for (const char* twice : {"client+client", "client+pairs:size=50kB+client"})
        {
            NS_TEST_EXPECT_MSG_EQ(open(twice),
                                  std::string("--workload=") + twice +
                                      " has more than one client; a process is one, so name "
                                      "it once",
                                  "one client");
        }
        for (const char* late : {"client@1us", "pairs:size=50kB+client@1us"})
        {
            NS_TEST_EXPECT_MSG_EQ(open(late),
                                  std::string("--workload=") + late +
                                      " gives the client a start, but its program decides when it "
                                      "sends; leave out what is behind the '@'",
                                  "no start");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Warnings and notes name options as long as there is a client, and go to who took them
 * before.
 */
class WordsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::string said;
        const auto take = [&said](const FabricText& text) { said += text.Say() + ";"; };
        const auto warnings = SetFabricWarningSink(take);
        const auto notes = SetFabricNoteSink(take);
        const FabricText text = FabricTerm::Class("ns3::DctcpCongestionControl") + ", " +
                                FabricTerm::Attribute("ns3::ClientWorkload", "PerHost", "2");
        {
            ClientScenario scenario(Words(CreateTempDirFilename("words"), {"--cc=dctcp"}));
            WarnFabric(text);
            NoteFabric(text);
        }
        WarnFabric(text);
        NoteFabric(text);
        const std::string options = "--cc=dctcp, --per-host=2;";
        const std::string classes = "ns3::DctcpCongestionControl, ns3::ClientWorkload::PerHost=2;";
        NS_TEST_EXPECT_MSG_EQ(said, options + options + classes + classes, "then as before");
        SetFabricWarningSink(warnings);
        SetFabricNoteSink(notes);
    }
};

const SuiteCases g_cases("dcfabric-backend", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new RoundsTestCase("calls at one time come in order"));
    suite.AddTestCase(new BytesTestCase("sends and receives match by bytes"));
    suite.AddTestCase(new BackgroundTestCase("a client beside a workload"));
    suite.AddTestCase(new LastCallsTestCase("the end waits for what is being sent"));
    suite.AddTestCase(new DatagramTestCase("messages without ACKs"));
    suite.AddTestCase(new NamedClientTestCase("a workload that names the client"));
    suite.AddTestCase(new AgainTestCase("one scenario after the other"));
    suite.AddTestCase(new WordsTestCase("warnings in the words of a client"));
    suite.AddTestCase(new ClientRefusalTestCase("what a client cannot have"));
});

} // namespace ns3::tests::client_scenario_test
