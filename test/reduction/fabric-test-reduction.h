// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_REDUCTION_H
#define FABRIC_TEST_REDUCTION_H

#include "../fabric-test-files.h"
#include "../fabric-test-suite.h"
#include "../fabric-test-transport.h"

#include "ns3/fabric-helper.h"
#include "ns3/flow-recorder.h"
#include "ns3/program-file.h"
#include "ns3/rank-runner.h"
#include "ns3/simulator.h"
#include "ns3/stuck-report.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What the suites of in-network reduction share.
 */

namespace ns3::tests
{

/// What became of a program.
struct ReductionRun
{
    bool complete{false};                               //!< all of it
    bool conserved{false};                              //!< no packet is missing
    uint64_t inFlight{0};                               //!< packets that are still on their way
    std::vector<CollectiveLog::Row> rows;               //!< collectives
    RankReductions::Totals totals;                      //!< what hosts and switches have done
    std::size_t flows{0};                               //!< messages between hosts
    int64_t endPs{0};                                   //!< when the run ended
    std::string stuck;                                  //!< report, if it is not complete
    std::vector<std::pair<std::string, int64_t>> marks; //!< in order
};

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases that run programs with in-network reduction. Inherit the constructor.
 */
class ReductionTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @param graph network
     * @param text program, as a file has it
     * @param look looks at the network before the run
     * @param configure chooses policies
     * @return what becomes of it
     */
    ReductionRun Run(const FabricGraph& graph,
                     const std::string& text,
                     const std::function<void(Fabric&)>& look = nullptr,
                     const std::function<void(FabricHelper&)>& configure = nullptr)
    {
        const std::string path = CreateTempDirFilename("job.txt");
        WriteText(path, text);
        FabricHelper helper;
        if (configure)
        {
            configure(helper);
        }
        ReductionRun run;
        {
            const Ptr<Fabric> fabric = helper.Install(graph);
            FlowRecorder recorder(fabric, {});
            const Ptr<RankRunner> runner = CreateObject<RankRunner>();
            runner->Install(recorder, std::make_shared<const RankJob>(ReadProgramFile(path)));
            if (look)
            {
                look(*fabric);
            }
            recorder.Start();
            Simulator::Run();
            run.complete = recorder.IsComplete();
            run.endPs = FabricTime::ToPs(Simulator::Now());
            run.rows = runner->GetCollectives().GetRows();
            run.totals = runner->GetReductions()->GetTotals();
            run.flows = recorder.GetFlows().size();
            run.stuck = run.complete ? "" : DescribeStuckFabric(recorder);
            run.conserved = fabric->CheckConservation().Holds();
            run.inFlight = fabric->CheckConservation().inFlight;
            for (const RankMarks::Row& row : runner->GetMarks().GetRows())
            {
                run.marks.emplace_back(runner->GetMarks().GetNames()[row.name], row.endPs);
            }
            runner->Dispose();
        }
        Simulator::Destroy();
        return run;
    }

    /**
     * @brief The same, of which all has to be complete.
     * @param graph,text,look,configure as for Run()
     * @return what becomes of it
     */
    ReductionRun RunAll(const FabricGraph& graph,
                        const std::string& text,
                        const std::function<void(Fabric&)>& look = nullptr,
                        const std::function<void(FabricHelper&)>& configure = nullptr)
    {
        ReductionRun run = Run(graph, text, look, configure);
        NS_TEST_EXPECT_MSG_EQ(run.complete, true, run.stuck);
        NS_TEST_EXPECT_MSG_EQ(run.conserved, true, "no packet is missing");
        NS_TEST_EXPECT_MSG_EQ(run.inFlight, 0, "nor left over");
        return run;
    }

    /**
     * @param n number of ranks
     * @param lines of all of them
     * @return a program
     */
    static std::string Program(uint32_t n, const std::string& lines)
    {
        return "ranks " + std::to_string(n) + "\nprogram all {\n" + lines + "\n}\n";
    }

    /**
     * @param row a collective
     * @return how long it took, in ps; -1: it is not complete
     */
    static int64_t GetPs(const CollectiveLog::Row& row)
    {
        return row.endPs < 0 ? -1 : row.endPs - row.startPs;
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_REDUCTION_H */
