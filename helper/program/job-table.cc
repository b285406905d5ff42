// SPDX-License-Identifier: GPL-2.0-only
#include "job-table.h"

#include "job-times.h"

#include "ns3/result-file.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/// What a label's flows were.
struct Traffic
{
    uint64_t flows{0};        //!< how many started
    uint64_t open{0};         //!< of these, not arrived
    uint64_t bytes{0};        //!< of those that arrived
    int64_t startPs{-1};      //!< of the first one; negative: there is none
    int64_t endPs{-1};        //!< when the last one arrived; negative: none did
    std::set<uint32_t> hosts; //!< at their ends
};

/// @return what all labels' flows were, by FabricFlow::group
std::vector<Traffic>
CountTraffic(const FlowTable& table, std::size_t groups)
{
    std::vector<Traffic> all(groups);
    for (std::size_t i = 0; i < table.GetFlows().size(); ++i)
    {
        const FabricFlow& flow = table.GetFlows()[i];
        const FlowRecord& record = table.GetRecords()[i];
        if (flow.startPs == FabricFlow::ON_TRIGGER)
        {
            continue;
        }
        Traffic& traffic = all.at(flow.group);
        ++traffic.flows;
        traffic.hosts.insert({flow.src, flow.dst});
        traffic.startPs =
            traffic.startPs < 0 ? flow.startPs : std::min(traffic.startPs, flow.startPs);
        if (record.fctPs < 0)
        {
            ++traffic.open;
            continue;
        }
        traffic.bytes += flow.sizeBytes;
        traffic.endPs = std::max(traffic.endPs, flow.startPs + record.fctPs);
    }
    return all;
}

/// @return mean bus bandwidth of a job's collectives in GB/s, 0 if it has none
double
GetBusBandwidth(const JobSteps& steps, uint32_t part)
{
    double sum = 0;
    uint32_t count = 0;
    for (const JobSteps::Step& step : steps.Get())
    {
        if (step.part == part && step.busGbyteS > 0)
        {
            sum += step.busGbyteS;
            ++count;
        }
    }
    return count == 0 ? 0 : sum / count;
}

} // namespace

void
WriteJobTable(const FlowRecorder& recorder,
              const RankRunner& runner,
              const JobSteps& steps,
              const std::vector<std::string>& labels,
              const std::string& path)
{
    const std::vector<RankJob::Part>& parts = runner.GetJob().GetParts();
    const std::vector<uint32_t> hosts = runner.GetJob().GetHosts(recorder.GetFabric()->GetGraph());
    const std::vector<Traffic> traffic =
        CountTraffic(recorder.GetTable(), std::max<std::size_t>(labels.size(), 1));
    ResultFile file(path);
    std::string& text = file.Text();
    text += std::string("job,ranks,hosts,flows,size_bytes,") + JobTimes::HEAD;
    file.EndLine();
    for (std::size_t group = 0; group < traffic.size(); ++group)
    {
        const Traffic& own = traffic[group];
        const auto part = std::find_if(parts.begin(), parts.end(), [group](const auto& one) {
            return one.group == group;
        });
        if (part == parts.end() && own.flows == 0)
        {
            continue; // it did not run
        }
        const bool isJob = part != parts.end();
        std::set<uint32_t> places = own.hosts;
        if (isJob)
        {
            places = {hosts.begin() + part->first, hosts.begin() + part->first + part->ranks};
        }
        text += (isJob ? part->name : labels[group]) + ',' +
                std::to_string(isJob ? part->ranks : 0) + ',' + std::to_string(places.size()) +
                ',' + std::to_string(own.flows) + ',' + std::to_string(own.bytes);
        const auto index = static_cast<uint32_t>(part - parts.begin());
        JobTimes times;
        times.startPs = isJob ? part->startPs : own.startPs;
        times.endPs = isJob ? runner.GetEndPs(index) : own.open == 0 ? own.endPs : -1;
        times.busGbyteS = isJob ? GetBusBandwidth(steps, index) : 0;
        times.alonePs = isJob ? steps.GetAlonePs(index) : -1;
        text += ',';
        times.Append(text);
        file.EndLine();
    }
    file.Commit();
}

} // namespace ns3
