// SPDX-License-Identifier: GPL-2.0-only
#include "sim-programs.h"

#include "sim-format.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Of each file so many kinds have a line.
constexpr std::size_t MOST_LINES = 12;

/// A file of the results, read row by row. No value has a comma in it.
class ResultRows
{
  public:
    /// @param path of the file, which may not be there
    explicit ResultRows(const std::string& path)
        : m_file(path)
    {
        if (Next())
        {
            m_names = std::exchange(m_values, {});
        }
    }

    /// @return whether there is one more row, which is then the current one
    bool Next()
    {
        std::string line;
        if (!std::getline(m_file, line))
        {
            return false;
        }
        m_values.clear();
        std::istringstream row(line);
        for (std::string value; std::getline(row, value, ',');)
        {
            m_values.push_back(value);
        }
        return true;
    }

    /**
     * @param name of a column
     * @return the value there, empty also if there is no such column
     */
    std::string Get(const std::string& name) const
    {
        const auto at = static_cast<std::size_t>(std::find(m_names.begin(), m_names.end(), name) -
                                                 m_names.begin());
        return at < m_values.size() ? m_values[at] : "";
    }

    /// @param name of a column @return the number there, 0 for none
    double GetNumber(const std::string& name) const
    {
        return std::strtod(Get(name).c_str(), nullptr);
    }

  private:
    std::ifstream m_file;
    std::vector<std::string> m_names;  //!< of the columns
    std::vector<std::string> m_values; //!< of the current row
};

/// What things of one kind have in common.
struct Tally
{
    std::string name;              //!< of the kind
    uint64_t count{0};             //!< of things
    uint64_t ended{0};             //!< of these
    double sumNs{0};               //!< times of those that ended
    double longestNs{0};           //!< of these
    uint64_t measured{0};          //!< that have a bus bandwidth
    double sumGbyteS{0};           //!< of bus bandwidths
    std::set<std::string> ranks{}; //!< that have such a thing, where it is one of a rank

    /// @param rows whose current row is such a thing
    void Add(const ResultRows& rows)
    {
        ++count;
        if (!rows.Get("end_ns").empty())
        {
            const double timeNs = rows.GetNumber("end_ns") - rows.GetNumber("start_ns");
            ++ended;
            sumNs += timeNs;
            longestNs = std::max(longestNs, timeNs);
        }
        if (!rows.Get("busbw_gbyte_s").empty())
        {
            ++measured;
            sumGbyteS += rows.GetNumber("busbw_gbyte_s");
        }
        if (const std::string rank = rows.Get("rank"); !rank.empty())
        {
            ranks.insert(rank);
        }
    }

    /// @return it as a line of the report
    std::string ToText() const
    {
        std::string text = name + ": " + std::to_string(count);
        if (!ranks.empty())
        {
            text +=
                " on " + std::to_string(ranks.size()) + (ranks.size() == 1 ? " rank" : " ranks");
        }
        if (ended < count)
        {
            text += ", " + std::to_string(ended) + " complete";
        }
        if (ended > 0)
        {
            text += FormatSim(", mean %.3f us, longest %.3f us",
                              sumNs / static_cast<double>(ended) / 1e3,
                              longestNs / 1e3);
        }
        if (measured > 0)
        {
            text +=
                FormatSim(", bus bandwidth %.3f GB/s", sumGbyteS / static_cast<double>(measured));
        }
        return text;
    }
};

/// Things by their kind, in the order in which kinds came.
class Tallies
{
  public:
    /**
     * @param name of the kind
     * @param rows whose current row is such a thing
     */
    void Add(const std::string& name, const ResultRows& rows)
    {
        auto found = std::find_if(m_all.begin(), m_all.end(), [&name](const Tally& tally) {
            return tally.name == name;
        });
        if (found == m_all.end())
        {
            found = m_all.insert(found, Tally{name});
        }
        found->Add(rows);
    }

    /// @return a line for each
    std::vector<std::string> GetLines() const
    {
        std::vector<std::string> lines;
        for (const Tally& tally : m_all)
        {
            lines.push_back(tally.ToText());
        }
        return lines;
    }

  private:
    std::vector<Tally> m_all; //!< so far
};

/// @return " of JOB" where there are jobs
std::string
FormatJob(const ResultRows& rows)
{
    const std::string job = rows.Get("job");
    return job.empty() ? "" : " of " + job;
}

/// Print lines under a name of 13 letters at most.
void
PrintLines(std::ostream& out, const std::string& name, const std::vector<std::string>& lines)
{
    std::string head = name + std::string(14 - name.size(), ' ');
    for (std::size_t i = 0; i < std::min(lines.size(), MOST_LINES); ++i)
    {
        out << head << lines[i] << "\n";
        head.assign(14, ' ');
    }
    if (lines.size() > MOST_LINES)
    {
        out << head << "and " << lines.size() - MOST_LINES << " more kinds\n";
    }
}

/// @return a line for each job, and for what ran beside them
std::vector<std::string>
ListJobs(const std::string& folder)
{
    std::vector<std::string> lines;
    for (ResultRows rows(folder + "/jobs.csv"); rows.Next();)
    {
        const bool isTraffic = rows.Get("ranks") == "0";
        std::string line =
            rows.Get("job") + ": " +
            (isTraffic ? rows.Get("flows") + " flows" : rows.Get("ranks") + " ranks");
        line += rows.Get("time_ns").empty()
                    ? ", not complete"
                    : FormatSim(", %.3f us", rows.GetNumber("time_ns") / 1e3);
        if (!rows.Get("busbw_gbyte_s").empty())
        {
            line += FormatSim(", bus bandwidth %.3f GB/s", rows.GetNumber("busbw_gbyte_s"));
        }
        if (!rows.Get("slowdown").empty())
        {
            line += FormatSim(", %.3f times as long as alone", rows.GetNumber("slowdown"));
        }
        lines.push_back(line);
    }
    return lines;
}

} // namespace

void
PrintSimPrograms(std::ostream& out, const std::string& folder)
{
    Tallies collectives;
    for (ResultRows rows(folder + "/collectives.csv"); rows.Next();)
    {
        collectives.Add(rows.Get("operation") + " (" + rows.Get("algorithm") + ")" +
                            FormatJob(rows),
                        rows);
    }
    PrintLines(out, "Collectives", collectives.GetLines());
    const std::vector<std::string> jobs = ListJobs(folder);
    Tallies marks;
    std::set<std::string> spans; // and no moments
    for (ResultRows rows(folder + "/marks.csv"); rows.Next();)
    {
        if (rows.Get("start_ns") != rows.Get("end_ns"))
        {
            const std::string name = rows.Get("name") + FormatJob(rows);
            spans.insert(name);
            marks.Add(name, rows);
        }
    }
    Tallies steps; // of all ranks of a job together
    for (ResultRows rows(folder + "/steps.csv"); rows.Next();)
    {
        const std::string name = rows.Get("name") + FormatJob(rows);
        if (rows.Get("kind") == "mark" && spans.count(name))
        {
            steps.Add(name, rows);
        }
    }
    PrintLines(out, "Steps", (jobs.empty() ? marks : steps).GetLines());
    PrintLines(out, "Jobs", jobs);
}

} // namespace ns3
