// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-config.h"

#include "scenario-config-rules.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ns3
{

namespace
{

/// Folders above that of the file in which files may be: ConWeave's is mix/output/ID/config.txt.
constexpr int LEVELS = 3;

/// @return the file that a key means
std::string
FindFile(const ScenarioConfigReading& r, const char* key)
{
    namespace fs = std::filesystem;
    const fs::path name = r.file.GetText(key);
    std::error_code error;
    const fs::path folder = fs::absolute(r.file.GetPath(), error).parent_path();
    std::vector<fs::path> places = {folder / name, name};
    fs::path above = folder;
    for (int level = 0; level < LEVELS; ++level)
    {
        above = above.parent_path();
        places.push_back(above / name);
    }
    if (name.is_absolute())
    {
        places = {name};
    }
    std::vector<std::string> tried;
    for (const fs::path& place : places)
    {
        if (fs::is_regular_file(place, error))
        {
            return fs::proximate(place, error).string();
        }
        const std::string text = fs::absolute(place, error).lexically_normal().string();
        if (std::count(tried.begin(), tried.end(), text) == 0)
        {
            tried.push_back(text);
        }
    }
    r.file.Refuse(key, "there is no such file; tried " + JoinFabricNames(tried));
}

/// Network and flows.
void
MapFiles(const ScenarioConfigReading& r)
{
    constexpr const char* FILES[][3] = {{"TOPOLOGY_FILE", "topology", "file:"},
                                        {"FLOW_FILE", "workload", "flows:"}};
    std::string found;
    for (const auto& [key, option, prefix] : FILES)
    {
        if (r.isGiven(option))
        {
            continue;
        }
        if (!r.file.Has(key))
        {
            throw FabricError(r.file.GetPath() + ": has no " + key + "; give it there or " +
                              FabricTerm::Option(option) + " on the command line");
        }
        const std::string path = FindFile(r, key);
        r.SetOption(option, prefix + path);
        found += (found.empty() ? "" : ", ") + std::string(key) + " is " + path;
    }
    if (!found.empty())
    {
        r.config.notes.push_back(r.file.GetPath() + ": " + found);
    }
}

/// Keys without effect, and what there is instead.
struct Idle
{
    std::vector<const char*> keys; //!< names
    FabricText instead;            //!< what to do, or why
};

/// Tell which keys have no effect.
void
NoteIdle(const ScenarioConfigReading& r)
{
    static const std::vector<Idle> idle = {
        {{"ENABLE_TRACE", "TRACE_FILE", "TRACE_OUTPUT_FILE"},
         FabricTerm::Option("trace", "pcap") + " has packets"},
        {{"QLEN_MON_FILE", "QLEN_MON_START", "QLEN_MON_END"},
         FabricTerm::Option("trace", "queues")},
        {{"UPLINK_MON_FILE"}, FabricTerm::Option("trace", "links")},
        {{"CNP_OUTPUT_FILE", "CONN_MON_FILE", "FLOW_INPUT_FILE"}, "flows.csv and summary.json"},
        {{"VOQ_MON_FILE", "VOQ_MON_DETAIL_FILE", "EST_ERROR_MON_FILE"}, "of LB_MODE 9 alone"},
        {{"PINT_LOG_BASE"}, "of CC_MODE 10 alone; 1.05 here"},
        {{"L2_CHUNK_SIZE"}, "of L2_BACK_TO_ZERO 1 alone"},
        {{"DATA_RATE", "LINK_DELAY"}, "the topology has them"},
        {{"LOAD"}, "the flows have it"},
        {{"PAUSE_TIME"}, "a pause there lasts until its resume"},
    };
    FabricText text;
    for (const Idle& group : idle)
    {
        std::string names;
        for (const char* key : group.keys)
        {
            names += r.file.Has(key) ? (names.empty() ? "" : ", ") + std::string(key) : "";
        }
        if (!names.empty())
        {
            text += (text.IsEmpty() ? "" : "; ") + names + " (" + group.instead + ")";
        }
    }
    if (!text.IsEmpty())
    {
        r.config.notes.push_back(r.file.GetPath() + ": no effect here: " + text);
    }
}

} // namespace

ScenarioSettings
ReadScenarioConfig(const std::string& path, const ScenarioSettings::IsGiven& isGiven)
{
    const HpccConfigFile file(path);
    ScenarioSettings config;
    config.preset = file.IsConWeave() ? "conweave23" : "hpcc-sigcomm19";
    const ScenarioConfigReading reading{file, isGiven, config};
    MapFiles(reading);
    MapScenarioConfigControls(reading);
    MapScenarioConfigNetwork(reading);
    MapScenarioConfigRun(reading);
    NoteIdle(reading);
    return config;
}

} // namespace ns3
