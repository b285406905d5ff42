// SPDX-License-Identifier: GPL-2.0-only
#include "sim-folder.h"

#include "sim-previous.h"
#include "sim-signals.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* SUMMARY = "summary.json";
constexpr const char* RUNNING = ".dcfabric-running";   // files of this run
constexpr const char* COMPLETE = ".dcfabric-complete"; // the same, when they are whole
constexpr const char* MOVING = ".dcfabric-moving";     // the same, when the old ones have gone
constexpr const char* PARTIAL = "partial";             // for what must not replace complete results

/// @return true for the name of a result file, or of one that an older version left half written
bool
IsOurs(const std::string& name)
{
    static const std::set<std::string> names{"flows.csv",
                                             "queues.csv",
                                             "rates.csv",
                                             "windows.csv",
                                             "links.csv",
                                             "pfc.csv",
                                             "messages.csv",
                                             "marks.csv",
                                             "collectives.csv",
                                             "fct.txt",
                                             "entropies.txt",
                                             SUMMARY};
    const fs::path path(name);
    const std::string whole = path.extension() == ".tmp" ? path.stem().string() : name;
    int length = 0;
    std::sscanf(whole.c_str(), "pcap-%*[0-9]-%*[0-9].pcap%n", &length);
    return names.count(whole) > 0 || (length > 0 && whole.size() == static_cast<size_t>(length));
}

/// @return names of the result files in a folder, summary.json not among them
std::vector<std::string>
ListOurs(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        const std::string name = entry.path().filename().string();
        if (name != SUMMARY && IsOurs(name))
        {
            names.push_back(name);
        }
    }
    return names;
}

/// Remove the results in a folder; without a summary they look incomplete at once.
void
RemoveResults(const fs::path& folder)
{
    fs::remove(folder / SUMMARY);
    for (const auto& name : ListOurs(folder))
    {
        fs::remove(folder / name);
    }
}

/// Move results into a folder that has none, the summary last; what has been moved may be missing.
/// The folder that they were in is removed.
void
MoveResults(const fs::path& from, const fs::path& to)
{
    for (const auto& name : ListOurs(from))
    {
        fs::rename(from / name, to / name);
    }
    if (fs::exists(from / SUMMARY))
    {
        fs::rename(from / SUMMARY, to / SUMMARY);
    }
    fs::remove(from);
}

/**
 * @brief Call a function that does something in the folder.
 * @throws FabricError in place of the library's exception
 */
template <typename Function>
void
Guard(Function function)
{
    try
    {
        function();
    }
    catch (const fs::filesystem_error& error)
    {
        throw FabricError("--out: cannot change " + QuoteFabricText(error.path1().string()) + ": " +
                          error.code().message());
    }
}

} // namespace

SimFolder::SimFolder(const ScenarioOptions& options, bool force)
    : m_path(options.Get("out"))
{
    try
    {
        Make();
        m_lock = std::make_unique<SimLock>(m_path);
        Guard([this] { Recover(); });
        CheckPrevious(options, force);
        Guard([this] { fs::create_directory(GetPlace(RUNNING)); });
    }
    catch (const FabricError&)
    {
        Leave();
        throw;
    }
}

SimFolder::~SimFolder()
{
    Leave();
}

void
SimFolder::Leave()
{
    std::error_code error;
    if (m_lock)
    {
        fs::remove_all(GetPlace(RUNNING), error);
    }
    m_lock.reset();
    if (m_kept || m_made.empty())
    {
        return;
    }
    // upwards, as long as folders are ours and empty
    for (fs::path p = fs::absolute(m_path);; p = p.parent_path())
    {
        if (!fs::remove(p, error) || p == fs::path(m_made))
        {
            return;
        }
    }
}

void
SimFolder::Make()
{
    std::error_code error;
    fs::path first;
    for (fs::path p = fs::absolute(m_path); !fs::exists(p, error) && p.has_relative_path();
         p = p.parent_path())
    {
        first = p;
    }
    fs::create_directories(m_path, error);
    if (std::error_code other; !fs::is_directory(m_path, other))
    {
        throw FabricError("--out: cannot make the folder " + QuoteFabricText(m_path) +
                          (error ? ": " + error.message() : ""));
    }
    m_made = first.string();
    if (access(m_path.c_str(), W_OK) != 0)
    {
        throw FabricError("--out: cannot write to the folder " + QuoteFabricText(m_path));
    }
}

void
SimFolder::Recover()
{
    const SimSignals::Held held;
    if (fs::exists(GetPlace(COMPLETE)) || fs::exists(GetPlace(MOVING)))
    {
        Replace();
    }
    fs::remove_all(GetPlace(RUNNING));
}

void
SimFolder::CheckPrevious(const ScenarioOptions& options, bool force)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(m_path, error))
    {
        if (IsOurs(entry.path().filename().string()) && entry.is_directory(error))
        {
            throw FabricError("--out: " + QuoteFabricText(entry.path().string()) +
                              " is a folder, but a result file has that name; name another folder");
        }
    }
    const std::string summary = GetPlace(SUMMARY);
    if (force)
    {
        // whatever it is, partial results do not replace it
        m_hasComplete = fs::exists(summary, error) && !SimPrevious::IsPartial(summary);
        return;
    }
    const SimPrevious previous(summary);
    const std::string different =
        previous.Exists() ? previous.DescribeDifference(options) : std::string();
    if (!different.empty())
    {
        throw FabricError("--out: the folder " + QuoteFabricText(m_path) +
                          " holds results of other options (" + different +
                          "); name another folder, or overwrite them with --force");
    }
    m_hasComplete = previous.IsComplete();
}

std::string
SimFolder::GetPath(const std::string& name) const
{
    return GetPlace(RUNNING) + "/" + name;
}

void
SimFolder::Replace()
{
    if (fs::exists(GetPlace(COMPLETE)))
    {
        RemoveResults(m_path);
        fs::rename(GetPlace(COMPLETE), GetPlace(MOVING));
    }
    MoveResults(GetPlace(MOVING), m_path);
    // partial results of an earlier try
    if (fs::exists(GetPlace(PARTIAL) + "/" + SUMMARY))
    {
        std::error_code error;
        RemoveResults(GetPlace(PARTIAL));
        fs::remove(GetPlace(PARTIAL), error); // stays if others have files in it
    }
}

std::string
SimFolder::PutAside()
{
    const std::string place = GetPlace(PARTIAL);
    if (fs::exists(place))
    {
        RemoveResults(place);
        MoveResults(GetPlace(RUNNING), place);
    }
    else
    {
        fs::rename(GetPlace(RUNNING), place);
    }
    std::cerr << "dcfabric-sim: note: " << QuoteFabricText(m_path)
              << " keeps its complete results; those of the interrupted run are in "
              << QuoteFabricText(place) << "\n";
    return place;
}

std::string
SimFolder::Finish(bool partial)
{
    const SimSignals::Held held;
    std::string place = m_path;
    Guard([this, partial, &place] {
        if (partial && m_hasComplete)
        {
            place = PutAside();
            return;
        }
        fs::rename(GetPlace(RUNNING), GetPlace(COMPLETE));
        Replace();
    });
    m_kept = true;
    return place;
}

} // namespace ns3
