// SPDX-License-Identifier: GPL-2.0-only
#include "job-steps.h"

#include "job-times.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"
#include "ns3/result-file.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t N_COLUMNS = 12;

/// @return the first line
std::string
GetHead()
{
    return std::string("job,kind,name,first_rank,iteration,ranks,") + JobTimes::HEAD;
}

/// @return the fields of a line of a table
std::vector<std::string>
SplitLine(const std::string& line)
{
    std::vector<std::string> fields(1);
    for (const char c : line)
    {
        if (c == ',')
        {
            fields.emplace_back();
        }
        else if (c != '\r')
        {
            fields.back() += c;
        }
    }
    return fields;
}

/// @return ps of a field in ns, negative for an empty one
int64_t
ReadNanoseconds(const std::string& text, const std::string& where)
{
    constexpr double MAX_NS = 9e15;
    return text.empty() ? -1 : std::llround(ParseFabricDouble(text, where, 0, MAX_NS) * 1e3);
}

} // namespace

JobSteps::JobSteps(const RankRunner& runner, Times alone)
    : m_runner(runner),
      m_alone(std::move(alone))
{
    AddMarks();
    AddCollectives();
    std::stable_sort(m_steps.begin(), m_steps.end(), [](const Step& a, const Step& b) {
        return std::tie(a.part, a.startPs) < std::tie(b.part, b.startPs);
    });
}

void
JobSteps::AddMarks()
{
    const RankMarks& marks = m_runner.GetMarks();
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::size_t> known;
    for (const RankMarks::Row& row : marks.GetRows())
    {
        const RankJob::Part& part = m_runner.GetJob().GetPartOf(row.rank);
        const auto index = static_cast<uint32_t>(&part - m_runner.GetJob().GetParts().data());
        const auto added =
            known.emplace(std::tuple(index, row.name, row.iteration), m_steps.size());
        if (added.second)
        {
            Step step{};
            step.part = index;
            step.kind = "mark";
            step.name = marks.GetNames()[row.name];
            step.iteration = row.iteration;
            step.startPs = row.startPs;
            step.endPs = row.endPs;
            m_steps.push_back(step);
        }
        Step& step = m_steps[added.first->second];
        ++step.ranks;
        step.startPs = std::min(step.startPs, row.startPs);
        step.endPs =
            step.endPs < 0 || row.endPs < 0 ? int64_t{-1} : std::max(step.endPs, row.endPs);
    }
}

void
JobSteps::AddCollectives()
{
    const RankJob& job = m_runner.GetJob();
    for (const CollectiveLog::Row& row : m_runner.GetCollectives().GetRows())
    {
        const RankCollective& collective = GetRankCollectives()[row.collective];
        const RankGroup& group = job.GetGroups()[row.group];
        Step step{};
        step.part = job.GetPartOfGroup(row.group);
        step.kind = "collective";
        step.name =
            std::string(collective.name) + '/' + collective.algorithm + '/' + group.GetName();
        step.first = group.GetMember(row.part, 0) - job.GetParts()[step.part].first;
        step.iteration = row.iteration;
        step.ranks = row.ranks;
        step.startPs = row.startPs;
        step.endPs = row.endPs;
        if (row.endPs > row.startPs && collective.getBusFactor(row.ranks) > 0)
        {
            step.busGbyteS = CollectiveLog::GetBusBandwidth(row) / 1e9;
        }
        m_steps.push_back(step);
    }
}

void
JobSteps::ReadTimes(const std::string& folder, Times& times)
{
    const std::string path = folder + "/steps.csv";
    std::istringstream in(ReadFabricFile(path));
    std::string line;
    const std::string show = ShowFabricPath(path);
    for (uint32_t number = 1; std::getline(in, line); ++number)
    {
        const std::string where = show + ":" + std::to_string(number);
        const std::vector<std::string> fields = SplitLine(line);
        if (number == 1 ? line != GetHead() : fields.size() != N_COLUMNS)
        {
            throw FabricError(where + ": this is no table of steps as a run with jobs writes it; "
                                      "name the folder of such a run");
        }
        if (number == 1)
        {
            continue;
        }
        const auto count = [&](std::size_t field) {
            return static_cast<uint32_t>(ParseFabricUint(fields[field], where, 0, UINT32_MAX));
        };
        const int64_t startPs = ReadNanoseconds(fields[6], where);
        const int64_t endPs = ReadNanoseconds(fields[7], where);
        if (startPs < 0 || endPs < startPs)
        {
            continue; // it has not ended
        }
        times[{fields[0], fields[1], fields[2], count(3), count(4)}] = endPs - startPs;
    }
    if (times.empty())
    {
        throw FabricError(show + ": it has no steps that ended");
    }
}

int64_t
JobSteps::GetAlonePs(const Step& step) const
{
    const auto found = m_alone.find({m_runner.GetJob().GetParts()[step.part].name,
                                     step.kind,
                                     step.name,
                                     step.first,
                                     step.iteration});
    return found == m_alone.end() ? -1 : found->second;
}

int64_t
JobSteps::GetAlonePs(uint32_t part) const
{
    const auto found = m_alone.find({m_runner.GetJob().GetParts()[part].name, "job", "all", 0, 0});
    return found == m_alone.end() ? -1 : found->second;
}

void
JobSteps::WriteCsv(const std::string& path) const
{
    ResultFile file(path);
    std::string& text = file.Text();
    text += GetHead();
    file.EndLine();
    const auto append = [&](const Step& step, int64_t alonePs) {
        text += m_runner.GetJob().GetParts()[step.part].name + ',' + step.kind + ',' + step.name;
        for (const uint32_t value : {step.first, step.iteration, step.ranks})
        {
            text += ',' + std::to_string(value);
        }
        text += ',';
        JobTimes{step.startPs, step.endPs, step.busGbyteS, alonePs}.Append(text);
        file.EndLine();
    };
    const std::vector<RankJob::Part>& parts = m_runner.GetJob().GetParts();
    for (uint32_t part = 0; part < parts.size(); ++part)
    {
        Step all{};
        all.part = part;
        all.kind = "job";
        all.name = "all";
        all.ranks = parts[part].ranks;
        all.startPs = parts[part].startPs;
        all.endPs = m_runner.GetEndPs(part);
        append(all, GetAlonePs(part));
        for (const Step& step : m_steps)
        {
            if (step.part == part)
            {
                append(step, GetAlonePs(step));
            }
        }
    }
    file.Commit();
}

} // namespace ns3
