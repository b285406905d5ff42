// SPDX-License-Identifier: GPL-2.0-only
#include "sim-programs.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <iostream>

namespace ns3
{

void
ConfigureSimPrograms(SimNetwork& network, const SimOptions& options)
{
    if (!network.programs)
    {
        return;
    }
    if (options.IsGiven("post-delay"))
    {
        throw FabricError("--post-delay=" + options.Get("post-delay") +
                          " contradicts --workload=" + options.Get("workload") +
                          ", whose ranks post receives themselves; let them compute before");
    }
    if (network.poster && options.Get("messages") != "preposted")
    {
        network.poster = nullptr;
        network.ranksPostReceives = true;
    }
}

Ptr<RankRunner>
MakeSimRunner(const SimNetwork& network, FlowRecorder& recorder)
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
FinishSimRunner(Ptr<RankRunner> runner, const SimFolder& folder)
{
    if (!runner)
    {
        return;
    }
    runner->GetMarks().WriteCsv(folder.GetPath("marks.csv"));
    if (!runner->GetCollectives().GetRows().empty())
    {
        runner->GetCollectives().WriteCsv(folder.GetPath("collectives.csv"),
                                          runner->GetJob().GetGroups());
    }
    const uint64_t unreceived = runner->GetNUnreceived();
    if (unreceived > 0 && runner->IsFinished())
    {
        std::cerr << "dcfabric-sim: note: " << FormatFabricCount(unreceived, "message")
                  << " arrived that no rank received\n";
    }
}

} // namespace ns3
