// SPDX-License-Identifier: GPL-2.0-only
#include "sim-programs.h"

#include "sim-format.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ns3
{

namespace
{

/// Of each file so many kinds have a line.
constexpr std::size_t MOST_LINES = 12;

/// A file of the results, read row by row, of which one is kept. No value has a comma in it.
class ResultRows
{
  public:
    /// @param path of the file, which may not be there
    explicit ResultRows(const std::string& path)
        : m_file(path)
    {
        if (Next())
        {
            m_names.assign(m_values.begin(), m_values.end());
        }
    }

    /// @return whether there is one more row, which is then the current one
    bool Next()
    {
        if (!std::getline(m_file, m_line))
        {
            return false;
        }
        m_values.clear();
        for (std::size_t begin = 0; begin < m_line.size();)
        {
            const std::size_t end = std::min(m_line.find(',', begin), m_line.size());
            m_values.emplace_back(m_line.data() + begin, end - begin);
            begin = end + 1;
        }
        return true;
    }

    /// @param name of a column @return its number, beyond all if there is none
    std::size_t Find(const std::string& name) const
    {
        return static_cast<std::size_t>(std::find(m_names.begin(), m_names.end(), name) -
                                        m_names.begin());
    }

    /// @param column its number @return the value there, until the next row; empty beyond all
    std::string_view Get(std::size_t column) const
    {
        return column < m_values.size() ? m_values[column] : std::string_view();
    }

    /// @param name of a column @return the same
    std::string Get(const std::string& name) const
    {
        return std::string(Get(Find(name)));
    }

    /// @param column its number @return the number there, 0 for none
    double GetNumber(std::size_t column) const
    {
        // a comma or the end of the line is behind it
        return Get(column).empty() ? 0.0 : std::strtod(Get(column).data(), nullptr);
    }

    /// @param name of a column @return the same
    double GetNumber(const std::string& name) const
    {
        return GetNumber(Find(name));
    }

  private:
    std::ifstream m_file;
    std::vector<std::string> m_names;       //!< of the columns
    std::string m_line;                     //!< the current row
    std::vector<std::string_view> m_values; //!< parts of it
};

/// Where a file has what is told of the things in it.
struct TallyColumns
{
    /// @param rows of the file
    explicit TallyColumns(const ResultRows& rows)
        : start(rows.Find("start_ns")),
          end(rows.Find("end_ns")),
          gbyteS(rows.Find("busbw_gbyte_s")),
          rank(rows.Find("rank")),
          job(rows.Find("job"))
    {
    }

    std::size_t start;  //!< when it began
    std::size_t end;    //!< when it ended
    std::size_t gbyteS; //!< its bus bandwidth
    std::size_t rank;   //!< whose it is
    std::size_t job;    //!< of the rank
};

/// What things of one kind have in common.
struct Tally
{
    std::string name;     //!< of the kind
    uint64_t count{0};    //!< of things
    uint64_t ended{0};    //!< of these
    double sumNs{0};      //!< times of those that ended
    double longestNs{0};  //!< of these
    uint64_t measured{0}; //!< that have a bus bandwidth
    double sumGbyteS{0};  //!< of bus bandwidths
    /// that have such a thing, where it is one of a rank
    std::set<std::string, std::less<>> ranks{};

    /// @param rows whose current row is such a thing @param columns of it
    void Add(const ResultRows& rows, const TallyColumns& columns)
    {
        ++count;
        if (!rows.Get(columns.end).empty())
        {
            const double timeNs = rows.GetNumber(columns.end) - rows.GetNumber(columns.start);
            ++ended;
            sumNs += timeNs;
            longestNs = std::max(longestNs, timeNs);
        }
        if (!rows.Get(columns.gbyteS).empty())
        {
            ++measured;
            sumGbyteS += rows.GetNumber(columns.gbyteS);
        }
        if (const auto rank = rows.Get(columns.rank);
            !rank.empty() && ranks.find(rank) == ranks.end())
        {
            ranks.emplace(rank);
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
     * @param columns of it
     */
    void Add(const std::string& name, const ResultRows& rows, const TallyColumns& columns)
    {
        const auto [found, isNew] = m_places.try_emplace(name, m_all.size());
        if (isNew)
        {
            m_all.push_back(Tally{name});
        }
        m_all[found->second].Add(rows, columns);
    }

    /// @param name of a kind @return whether there is such a thing
    bool Has(const std::string& name) const
    {
        return m_places.count(name) > 0;
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
    std::vector<Tally> m_all;                              //!< so far
    std::unordered_map<std::string, std::size_t> m_places; //!< in them by name
};

/// Append " of JOB" where there are jobs.
void
AppendJob(std::string& name, const ResultRows& rows, const TallyColumns& columns)
{
    if (const auto job = rows.Get(columns.job); !job.empty())
    {
        name.append(" of ").append(job);
    }
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
    ResultRows calls(folder + "/collectives.csv");
    const TallyColumns ofCalls(calls);
    while (calls.Next())
    {
        std::string name = calls.Get("operation") + " (" + calls.Get("algorithm") + ")";
        AppendJob(name, calls, ofCalls);
        collectives.Add(name, calls, ofCalls);
    }
    PrintLines(out, "Collectives", collectives.GetLines());
    const std::vector<std::string> jobs = ListJobs(folder);
    Tallies marks; // spans, and no moments
    ResultRows rows(folder + "/marks.csv");
    const TallyColumns ofRows(rows);
    std::string name; // one, of which there may be millions
    for (const std::size_t ofName = rows.Find("name"); rows.Next();)
    {
        if (rows.Get(ofRows.start) != rows.Get(ofRows.end))
        {
            name = rows.Get(ofName);
            AppendJob(name, rows, ofRows);
            marks.Add(name, rows, ofRows);
        }
    }
    Tallies steps; // of all ranks of a job together
    ResultRows together(folder + "/steps.csv");
    const TallyColumns ofTogether(together);
    while (together.Next())
    {
        name = together.Get("name");
        AppendJob(name, together, ofTogether);
        if (together.Get("kind") == "mark" && marks.Has(name))
        {
            steps.Add(name, together, ofTogether);
        }
    }
    PrintLines(out, "Steps", (jobs.empty() ? marks : steps).GetLines());
    PrintLines(out, "Jobs", jobs);
}

} // namespace ns3
