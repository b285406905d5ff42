// SPDX-License-Identifier: GPL-2.0-only
#include "sim-folder.h"

#include "ns3/fabric-error.h"

#include <filesystem>
#include <regex>
#include <unistd.h>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* NAMES[] =
    {"flows.csv", "summary.json", "queues.csv", "rates.csv", "links.csv", "pfc.csv", "fct.txt"};

/// @return true for the name of a capture file, pcap-NODE-PORT.pcap @param name of a file
bool
IsCapture(const std::string& name)
{
    static const std::regex form("pcap-[0-9]+-[0-9]+\\.pcap");
    return std::regex_match(name, form);
}

} // namespace

SimFolder::SimFolder(const std::string& path)
    : m_path(path)
{
    std::error_code error;
    fs::path first;
    for (fs::path p = fs::absolute(path); !fs::exists(p, error) && p.has_relative_path();
         p = p.parent_path())
    {
        first = p;
    }
    fs::create_directories(path, error);
    if (!fs::is_directory(path))
    {
        throw FabricError("--out: cannot make the folder '" + path + "'" +
                          (error ? ": " + error.message() : ""));
    }
    m_made = first.string();
    if (access(path.c_str(), W_OK) != 0)
    {
        throw FabricError("--out: cannot write to the folder '" + path + "'");
    }
    for (const char* name : NAMES)
    {
        fs::remove(GetPath(name), error);
    }
    for (const auto& entry : fs::directory_iterator(path, error))
    {
        if (IsCapture(entry.path().filename().string()))
        {
            fs::remove(entry.path(), error);
        }
    }
}

SimFolder::~SimFolder()
{
    std::error_code error;
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

} // namespace ns3
