// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-programs.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"

namespace ns3
{

void
ConfigureScenarioPrograms(ScenarioNetwork& network, const ScenarioOptions& options)
{
    if (!network.programs)
    {
        return;
    }
    if (options.IsGiven("post-delay"))
    {
        throw FabricError(options.Say("post-delay") + " contradicts " + options.Say("workload") +
                          ", whose ranks post receives themselves; let them compute before");
    }
    if (network.poster && options.Get("messages") != "preposted")
    {
        network.poster = nullptr;
        network.ranksPostReceives = true;
    }
}

Ptr<RankRunner>
MakeScenarioRunner(const ScenarioNetwork& network, FlowRecorder& recorder)
{
    if (!network.programs)
    {
        return nullptr;
    }
    if (network.lateReceives)
    {
        recorder.SetBegunElsewhere(
            [poster = network.poster, late = network.lateReceives](const FabricFlow& flow) {
                poster->PostFor(flow);
                late->OnPosted(flow.dst, flow.startPs);
            });
    }
    auto runner = CreateObject<RankRunner>();
    runner->Install(recorder, network.programs->GetJob(), network.programs->GetPriority());
    if (network.ranksPostReceives)
    {
        runner->SetPostsReceives();
    }
    return runner;
}

void
FinishScenarioRunner(Ptr<RankRunner> runner, const std::string& folder)
{
    if (!runner)
    {
        return;
    }
    runner->GetMarks().WriteCsv(folder + "/marks.csv");
    if (!runner->GetCollectives().GetRows().empty())
    {
        runner->GetCollectives().WriteCsv(folder + "/collectives.csv",
                                          runner->GetJob().GetGroups());
    }
    const uint64_t unreceived = runner->GetNUnreceived();
    if (unreceived > 0 && runner->IsFinished())
    {
        NoteFabric(FormatFabricCount(unreceived, "message") + " arrived that no rank received");
    }
}

} // namespace ns3
