// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RANKS_H
#define FABRIC_TEST_RANKS_H

#include "../fabric-test-files.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-recorder.h"
#include "ns3/program-file.h"
#include "ns3/rank-runner.h"
#include "ns3/simulator.h"
#include "ns3/stuck-report.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What the suites of programs of ranks share.
 */

namespace ns3::tests
{

/// What became of a job.
struct RankRun
{
    bool complete{false};          //!< all programs have ended and all flows are complete
    int64_t endPs{0};              //!< when
    uint64_t unreceived{0};        //!< messages that no rank received
    std::vector<FabricFlow> flows; //!< messages between hosts
    std::string stuck;             //!< report, if it is not complete
    /// Starts and ends of marks, by name and rank, in order.
    std::map<std::pair<std::string, uint32_t>, std::vector<std::pair<int64_t, int64_t>>> marks;

    /**
     * @param name mark
     * @param rank rank
     * @param nth which
     * @return end of a mark, -1 if there is none
     */
    int64_t End(const std::string& name, uint32_t rank, std::size_t nth = 0) const
    {
        const auto found = marks.find({name, rank});
        return found == marks.end() || nth >= found->second.size() ? -1 : found->second[nth].second;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases that run jobs. Inherit the constructor.
 */
class RankTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @param graph network
     * @param job it
     * @param protocol of messages whose receives the ranks post; empty: receives count as posted
     * @param set sets attributes of the runner
     * @param look looks at it after the run
     * @return what becomes of a job
     */
    RankRun RunJob(const FabricGraph& graph,
                   RankJob job,
                   const std::string& protocol = "",
                   const std::function<void(RankRunner&)>& set = nullptr,
                   const std::function<void(RankRunner&)>& look = nullptr)
    {
        FabricHelper helper;
        if (!protocol.empty())
        {
            helper.SetMessageProtocol(protocol);
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
        }
        RankRun run;
        {
            Ptr<Fabric> fabric = helper.Install(graph);
            FlowRecorder recorder(fabric, {});
            recorder.SetStopWhenComplete(true);
            Ptr<RankRunner> runner = CreateObject<RankRunner>();
            if (set)
            {
                set(*runner);
            }
            runner->Install(recorder, std::make_shared<const RankJob>(std::move(job)));
            if (!protocol.empty())
            {
                runner->SetPostsReceives();
            }
            recorder.Start();
            Simulator::Run();
            if (look)
            {
                look(*runner);
            }
            run.complete = recorder.IsComplete();
            run.endPs = FabricTime::ToPs(Simulator::Now());
            run.unreceived = runner->GetNUnreceived();
            run.flows = recorder.GetFlows();
            run.stuck = run.complete ? "" : DescribeStuckFabric(recorder);
            for (const RankMarks::Row& row : runner->GetMarks().GetRows())
            {
                run.marks[{runner->GetMarks().GetNames()[row.name], row.rank}].emplace_back(
                    row.startPs,
                    row.endPs);
            }
            runner->Dispose();
        }
        Simulator::Destroy();
        return run;
    }

    /**
     * @param graph network
     * @param text as a file has it
     * @param protocol as for RunJob()
     * @param set as for RunJob()
     * @param look as for RunJob()
     * @return what becomes of the programs in a text
     */
    RankRun RunText(const FabricGraph& graph,
                    const std::string& text,
                    const std::string& protocol = "",
                    const std::function<void(RankRunner&)>& set = nullptr,
                    const std::function<void(RankRunner&)>& look = nullptr)
    {
        const std::string path = CreateTempDirFilename("job.txt");
        WriteText(path, text);
        return RunJob(graph, ReadProgramFile(path), protocol, set, look);
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_RANKS_H */
