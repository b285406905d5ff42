// SPDX-License-Identifier: GPL-2.0-only
#include "result-folder.h"

#include "fabric-warning.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
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
constexpr int FOLDER_ATTEMPTS = 100;

/// Move results into a folder that has none, the summary last; what has been moved may be missing.
/// The folder that they were in is removed.
void
MoveResults(const fs::path& from, const fs::path& to)
{
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(from))
    {
        names.push_back(entry.path().filename());
    }
    std::partition(names.begin(), names.end(), [](const fs::path& name) {
        return name != SUMMARY;
    });
    for (const fs::path& name : names)
    {
        fs::rename(from / name, to / name);
    }
    fs::remove(from);
}

/// Keeps the signals that end a run waiting, as long as this object lives.
class HeldSignals
{
  public:
    HeldSignals()
    {
        sigset_t set;
        sigemptyset(&set);
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
        {
            sigaddset(&set, number);
        }
        sigprocmask(SIG_BLOCK, &set, &m_before);
    }

    ~HeldSignals()
    {
        sigprocmask(SIG_SETMASK, &m_before, nullptr);
    }

    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

  private:
    sigset_t m_before{}; //!< those that waited before
};

/**
 * @brief Change a folder, undisturbed by signals.
 * @param change does it
 * @throws FabricError in place of the library's exception
 */
template <typename F>
void
Change(F change)
{
    const HeldSignals held;
    try
    {
        change();
    }
    catch (const fs::filesystem_error& error)
    {
        throw FabricError(FabricTerm::Option("out") + ": cannot change " +
                          QuoteFabricText(error.path1().string()) + ": " + error.code().message());
    }
}

} // namespace

ResultFolder::ResultFolder(const std::string& path, std::set<std::string> names)
    : m_path(path),
      m_names(std::move(names))
{
    m_names.insert(SUMMARY);
    try
    {
        Make();
        m_lock = std::make_unique<FolderLock>(m_path);
        Change([this] { Recover(); });
        CheckNames();
    }
    catch (const FabricError&)
    {
        Leave();
        throw;
    }
}

ResultFolder::~ResultFolder()
{
    Leave();
}

void
ResultFolder::Leave()
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
ResultFolder::Make()
{
    std::error_code error;
    fs::path first;
    for (fs::path p = fs::absolute(m_path); !fs::exists(p, error) && p.has_relative_path();
         p = p.parent_path())
    {
        first = p;
    }
    std::error_code other;
    for (int attempt = 1; fs::create_directories(m_path, error), !fs::is_directory(m_path, other);
         ++attempt)
    {
        // where a run that failed has just taken a folder away that it had made, make it again
        if (error != std::errc::no_such_file_or_directory || attempt == FOLDER_ATTEMPTS)
        {
            throw FabricError(FabricTerm::Option("out") + ": cannot make the folder " +
                              QuoteFabricText(m_path) + (error ? ": " + error.message() : ""));
        }
    }
    m_made = first.string();
    // the lock makes the folder anew if it has gone
    if (access(m_path.c_str(), W_OK) != 0 && errno != ENOENT)
    {
        throw FabricError(FabricTerm::Option("out") + ": cannot write to the folder " +
                          QuoteFabricText(m_path));
    }
}

void
ResultFolder::Recover()
{
    if (fs::exists(GetPlace(COMPLETE)) || fs::exists(GetPlace(MOVING)))
    {
        Replace();
    }
    fs::remove_all(GetPlace(RUNNING));
}

bool
ResultFolder::IsOurs(const std::string& name) const
{
    const fs::path path(name);
    const std::string whole = path.extension() == ".tmp" ? path.stem().string() : name;
    int length = 0;
    std::sscanf(whole.c_str(), "pcap-%*[0-9]-%*[0-9].pcap%n", &length);
    return m_names.count(whole) > 0 || (length > 0 && whole.size() == static_cast<size_t>(length));
}

void
ResultFolder::RemoveResults(const std::string& folder) const
{
    fs::remove(folder + "/" + SUMMARY); // without it they look incomplete at once
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        if (IsOurs(entry.path().filename().string()))
        {
            paths.push_back(entry.path());
        }
    }
    for (const fs::path& path : paths)
    {
        fs::remove(path);
    }
}

void
ResultFolder::CheckNames() const
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(m_path, error))
    {
        if (IsOurs(entry.path().filename().string()) && entry.is_directory(error))
        {
            throw FabricError(FabricTerm::Option("out") + ": " +
                              QuoteFabricText(entry.path().string()) +
                              " is a folder, but a result file has that name; name another folder");
        }
    }
}

std::string
ResultFolder::Begin()
{
    Change([this] { fs::create_directory(GetPlace(RUNNING)); });
    return GetPlace(RUNNING);
}

void
ResultFolder::Replace()
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
ResultFolder::Finish()
{
    Change([this] {
        fs::rename(GetPlace(RUNNING), GetPlace(COMPLETE));
        Replace();
    });
    m_kept = true;
    return m_path;
}

std::string
ResultFolder::FinishAside()
{
    const std::string place = GetPlace(PARTIAL);
    Change([this, &place] {
        if (fs::exists(place))
        {
            RemoveResults(place);
            MoveResults(GetPlace(RUNNING), place);
        }
        else
        {
            fs::rename(GetPlace(RUNNING), place);
        }
    });
    m_kept = true;
    NoteFabric(QuoteFabricText(m_path) +
               " keeps its complete results; those of the interrupted run are in " +
               QuoteFabricText(place));
    return place;
}

} // namespace ns3
