// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-errors.h"
#include "fabric-test-ranks.h"

#include "ns3/fabric-time.h"
#include "ns3/job-links.h"
#include "ns3/job-placement.h"
#include "ns3/job-steps.h"
#include "ns3/placed-jobs.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Several jobs in one run: their hosts, their starts, and what they do to one another.
 *
 * On MakeStar() a packet of 1000 bytes has 1082 on the wire, 86.56 ns, and takes two links of 1 us
 * each: 2173.12 ns. Its frame has 1062 bytes without preamble and gap.
 */

namespace ns3::tests::job_test
{

constexpr int64_t ARRIVES = 2173120; //!< ps that a lone packet of 1000 bytes takes
constexpr int64_t WIRE = 86560;      //!< ps of it on a wire

/// @return a job of two ranks, of which the first sends a packet and the second notes its arrival
RankJob
MakePair()
{
    RankJob job(2);
    RankProgram send{"test"};
    send.Send("1", 1000);
    RankProgram receive{"test"};
    receive.Recv("0").Mark("received");
    job.Assign({0}, send);
    job.Assign({1}, receive);
    return job;
}

/// @return two switches with three hosts each and a link between them
FabricGraph
MakeRacks()
{
    FabricGraph graph;
    for (uint32_t i = 0; i < 6; ++i)
    {
        graph.AddHost();
    }
    const uint32_t a = graph.AddSwitch();
    const uint32_t b = graph.AddSwitch();
    for (uint32_t i = 0; i < 6; ++i)
    {
        graph.AddLink(i, i < 3 ? a : b, 100000000000, 1000000);
    }
    graph.AddLink(a, b, 100000000000, 1000000);
    return graph;
}

/**
 * @ingroup dcfabric-tests
 * @brief In which order placements take hosts.
 */
class PlacementTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        using Places = std::vector<uint32_t>;
        const FabricGraph racks = MakeRacks();
        NS_TEST_EXPECT_MSG_EQ(
            (MakeJobPlacement("packed")->ListPlaces(racks) == Places{0, 1, 2, 3, 4, 5}),
            true,
            "in order");
        NS_TEST_EXPECT_MSG_EQ(
            (MakeJobPlacement("scattered")->ListPlaces(racks) == Places{0, 3, 1, 4, 2, 5}),
            true,
            "one of each switch in turn");

        // drawn: the same with the same stream, and all hosts
        std::vector<Places> drawn;
        for (const int64_t stream : {7, 7, 8})
        {
            const Ptr<JobPlacement> random = MakeJobPlacement("random");
            NS_TEST_EXPECT_MSG_EQ(random->AssignStreams(stream), 1, "one stream");
            drawn.push_back(random->ListPlaces(racks));
        }
        NS_TEST_EXPECT_MSG_EQ((drawn[0] == drawn[1]), true, "of one stream");
        NS_TEST_EXPECT_MSG_EQ((drawn[0] == drawn[2]), false, "of another stream");
        std::sort(drawn[0].begin(), drawn[0].end());
        NS_TEST_EXPECT_MSG_EQ((drawn[0] == Places{0, 1, 2, 3, 4, 5}), true, "each once");

        // two servers of three GPUs: hosts 0 to 2 and 3 to 5
        FabricGraph servers = MakeRacks();
        for (uint32_t server = 0; server < 2; ++server)
        {
            const uint32_t inside = servers.AddNvSwitch();
            for (uint32_t gpu = 0; gpu < 3; ++gpu)
            {
                servers.AddLink(3 * server + gpu, inside, 900000000000, 100000);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(
            (MakeJobPlacement("by-rail")->ListPlaces(servers) == Places{0, 3, 1, 4, 2, 5}),
            true,
            "the first GPU of each, then the second");
        NS_TEST_EXPECT_MSG_EQ(
            (MakeJobPlacement("scattered")->ListPlaces(servers) == Places{0, 3, 1, 4, 2, 5}),
            true,
            "the switch inside a server is none of the network");
        DCFABRIC_EXPECT_REFUSAL(MakeJobPlacement("by-rail")->ListPlaces(racks),
                                "is in no server with an NVSwitch");

        const std::string path = CreateTempDirFilename("hosts.txt");
        const auto read = [&path, &racks] {
            return MakeJobPlacement("file:" + path)->ListPlaces(racks);
        };
        WriteText(path, "5 0 # two\n3\n");
        NS_TEST_EXPECT_MSG_EQ((read() == Places{5, 0, 3}), true, "as listed");
        for (const auto& [text, reason] :
             {std::pair("1 2\n1\n", "hosts.txt:2: host 1 occurs twice"),
              std::pair("1\n6\n", "hosts.txt:2"),
              std::pair("first\n", "hosts.txt:1")})
        {
            WriteText(path, text);
            DCFABRIC_EXPECT_REFUSAL(read(), reason);
        }
        DCFABRIC_EXPECT_REFUSAL(MakeJobPlacement("paked"), "the nearest is packed");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which hosts jobs get beside one another.
 */
class PlacedJobsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return a request of a job of two ranks
    static JobRequest Ask(const std::string& name, const std::vector<uint32_t>& places, bool fixed)
    {
        JobRequest request;
        request.job = MakePair();
        request.job.SetName(name);
        request.places = places;
        request.fixed = fixed;
        return request;
    }

    void DoRun() override
    {
        const FabricGraph racks = MakeRacks();
        const std::vector<uint32_t> packed = {0, 1, 2, 3, 4, 5};
        // c is fixed and comes first: a gets 0 and 2, b gets 3 and 4
        RankJob all = PlaceJobs(
            {Ask("a", packed, false), Ask("b", packed, false), Ask("c", {1, 5, 2}, true)});
        NS_TEST_EXPECT_MSG_EQ((all.GetHosts(racks) == std::vector<uint32_t>{0, 2, 3, 4, 1, 5}),
                              true,
                              "those that no other has");
        NS_TEST_EXPECT_MSG_EQ(all.GetNRanks(), 6, "all");
        NS_TEST_EXPECT_MSG_EQ(all.GetParts().size(), 3, "three jobs");
        NS_TEST_EXPECT_MSG_EQ(all.GetPartOf(3).name, "b", "of its ranks");
        NS_TEST_EXPECT_MSG_EQ(all.DescribeRank(5), "rank 1 of job c", "counted from its first");
        NS_TEST_EXPECT_MSG_EQ(all.FindGroup("all", 2), 2, "each has its own group of all");
        NS_TEST_EXPECT_MSG_EQ(all.GetGroups()[2].GetMember(0, 1), 5, "by the numbers of all");
        NS_TEST_EXPECT_MSG_EQ(all.GetGroups()[2].GetIndex(5), 1, "and back");

        // a mute one keeps its hosts
        std::vector<JobRequest> requests = {Ask("a", packed, false), Ask("b", packed, false)};
        requests[0].isMute = true;
        all = PlaceJobs(requests);
        NS_TEST_EXPECT_MSG_EQ((all.GetHosts(racks) == std::vector<uint32_t>{2, 3}), true, "alone");

        // fixed jobs may share hosts
        all = PlaceJobs({Ask("a", {0, 1}, true), Ask("b", {1, 2}, true)});
        NS_TEST_EXPECT_MSG_EQ((all.GetHosts(racks) == std::vector<uint32_t>{0, 1, 1, 2}),
                              true,
                              "as asked");

        DCFABRIC_EXPECT_REFUSAL(PlaceJobs({Ask("a", {0, 1, 2}, false), Ask("b", {0, 1, 2}, false)}),
                                "job b needs 2 hosts, and there is 1 for it");
        DCFABRIC_EXPECT_REFUSAL(PlaceJobs({Ask("a", packed, false), Ask("a", packed, false)}),
                                "two jobs are called 'a'");
        for (const char* name : {"", "a b", "a,b"})
        {
            DCFABRIC_EXPECT_REFUSAL(Ask(name, packed, false), "a name has no blanks");
        }
        DCFABRIC_EXPECT_REFUSAL(MakePair().SetName("a", -1), "before the run");
        DCFABRIC_EXPECT_REFUSAL(MakePair().Append(MakePair()), "need names");

        // ranks of one place stay together, wherever that is
        RankJob job(4, 2);
        job.Move({5, 3});
        NS_TEST_EXPECT_MSG_EQ((job.GetHosts(racks) == std::vector<uint32_t>{5, 5, 3, 3}),
                              true,
                              "two on each");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Jobs that share nothing do not disturb one another; those that share a port wait there.
 */
class InterferenceTestCase : public RankTestCase
{
    using RankTestCase::RankTestCase;

    /// What becomes of two jobs.
    struct Outcome
    {
        std::vector<int64_t> receivedPs;   //!< when packets arrived, by job
        std::vector<int64_t> endPs;        //!< when jobs ended
        std::vector<JobLinks::Use> uses;   //!< of shared ports
        std::string link;                  //!< the first of these
        std::vector<JobSteps::Step> steps; //!< of all
    };

    /// @return outcome of two pairs at given hosts of a star. @param startPs of the second
    Outcome RunPairs(const std::vector<uint32_t>& hosts, int64_t startPs)
    {
        Outcome outcome;
        FabricHelper helper;
        helper.AddSwitchFeature("ns3::JobLinkFeature");
        {
            Ptr<Fabric> fabric = helper.Install(MakeStar(4));
            FlowRecorder recorder(fabric, {});
            recorder.SetStopWhenComplete(true);
            RankJob jobs = MakePair();
            jobs.SetName("a", 0, 0);
            RankJob other = MakePair();
            other.SetName("b", startPs, 1);
            jobs.Append(other);
            for (uint32_t rank = 0; rank < hosts.size(); ++rank)
            {
                jobs.Place(rank, hosts[rank]);
            }
            Ptr<RankRunner> runner = CreateObject<RankRunner>();
            runner->Install(recorder, std::make_shared<const RankJob>(jobs));
            recorder.GetLabels().Set({"a", "b"});
            JobLinks links(recorder.GetTable(), jobs, jobs.GetHosts(fabric->GetGraph()));
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, "all of it");
            outcome.steps = JobSteps(*runner).Get();
            for (uint32_t part = 0; part < 2; ++part)
            {
                outcome.endPs.push_back(runner->GetEndPs(part));
                outcome.receivedPs.push_back(outcome.steps.at(part).endPs);
            }
            outcome.uses = links.ListShared();
            const std::string known = links.Pack();
            JobLinks elsewhere(recorder.GetTable(), jobs, jobs.GetHosts(fabric->GetGraph()));
            NS_TEST_EXPECT_MSG_EQ(elsewhere.ListShared().size(), 0, "it has seen nothing");
            elsewhere.Join(known);
            NS_TEST_EXPECT_MSG_EQ(elsewhere.ListShared().size(),
                                  outcome.uses.size(),
                                  "what another process has seen");
            DCFABRIC_EXPECT_REFUSAL(elsewhere.Join(known + "x"), "cut short");
            if (!outcome.uses.empty())
            {
                outcome.link = links.DescribeLink(outcome.uses[0].node, outcome.uses[0].port);
            }
            runner->Dispose();
        }
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const auto tick = [](int64_t ps) { return FabricTime::ToPs(FabricTime::FromPs(ps)); };

        // hosts of their own: each as if it were alone
        Outcome run = RunPairs({0, 1, 2, 3}, 0);
        NS_TEST_EXPECT_MSG_EQ(run.receivedPs[0], tick(ARRIVES), "undisturbed");
        NS_TEST_EXPECT_MSG_EQ(run.receivedPs[1], tick(ARRIVES), "undisturbed");
        NS_TEST_EXPECT_MSG_EQ(run.uses.size(), 0, "nothing is shared");
        NS_TEST_EXPECT_MSG_EQ(run.steps.size(), 2, "a mark of each");
        NS_TEST_EXPECT_MSG_EQ(run.steps[1].part, 1, "of the second job");

        // one that begins later: 30 us and the same time
        run = RunPairs({0, 1, 2, 3}, 30000000);
        NS_TEST_EXPECT_MSG_EQ(run.receivedPs[1], tick(30000000 + ARRIVES), "later");
        NS_TEST_EXPECT_MSG_EQ((run.endPs[0] < run.endPs[1]), true, "each ends by itself");

        // One receiver: both packets are at the switch at 1086.56 ns, and one goes after the other.
        run = RunPairs({0, 3, 1, 3}, 0);
        const int64_t first = std::min(run.receivedPs[0], run.receivedPs[1]);
        const int64_t second = std::max(run.receivedPs[0], run.receivedPs[1]);
        NS_TEST_EXPECT_MSG_EQ(first, tick(ARRIVES), "the first");
        NS_TEST_EXPECT_MSG_EQ(second, tick(ARRIVES + WIRE), "the second, behind it");
        NS_TEST_ASSERT_MSG_EQ(run.uses.size(), 2, "two jobs at one port");
        NS_TEST_EXPECT_MSG_EQ(run.link, "switch-4 to host-3", "its name");
        NS_TEST_EXPECT_MSG_EQ(run.uses[0].bytes, 1062, "a frame");
        NS_TEST_EXPECT_MSG_EQ(run.uses[1].packets, 1, "one each");
        NS_TEST_EXPECT_MSG_EQ(run.uses[0].behindPs + run.uses[1].behindPs, WIRE, "one of them");
        NS_TEST_EXPECT_MSG_EQ(run.uses[0].waitPs + run.uses[1].waitPs, tick(WIRE), "and no more");

        // the same port at other times: shared, and nobody waits
        run = RunPairs({0, 3, 1, 3}, 30000000);
        NS_TEST_EXPECT_MSG_EQ(run.receivedPs[1], tick(30000000 + ARRIVES), "undisturbed");
        NS_TEST_ASSERT_MSG_EQ(run.uses.size(), 2, "two jobs at one port");
        NS_TEST_EXPECT_MSG_EQ(run.uses[0].behindPs + run.uses[1].behindPs, 0, "in no one's way");

        // Both jobs at one sender: the flow tells them apart. Its NIC sends one packet after the
        // other, so that none waits in the switch.
        run = RunPairs({0, 3, 0, 3}, 0);
        NS_TEST_ASSERT_MSG_EQ(run.uses.size(), 4, "two jobs at the ports of host and switch");
        NS_TEST_EXPECT_MSG_EQ(run.link, "host-0 to switch-4", "the first by its number");
        for (const JobLinks::Use& use : run.uses)
        {
            NS_TEST_EXPECT_MSG_EQ(use.packets, 1, "one each");
            NS_TEST_EXPECT_MSG_EQ(use.behindPs, 0, "not behind the other");
        }
    }
};

/// Adds the cases to their suite.
const SuiteCases g_cases("dcfabric-workload", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new PlacementTestCase("placements put hosts in order"));
    suite.AddTestCase(new PlacedJobsTestCase("jobs get hosts of their own"));
    suite.AddTestCase(new InterferenceTestCase("jobs in one another's way"));
});

} // namespace ns3::tests::job_test
