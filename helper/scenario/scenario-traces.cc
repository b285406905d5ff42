// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-traces.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-time.h"
#include "ns3/link-sampler.h"
#include "ns3/message-recorder.h"
#include "ns3/parse-units.h"
#include "ns3/pause-recorder.h"
#include "ns3/pcap-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/rank-world.h"
#include "ns3/rate-sampler.h"
#include "ns3/window-recorder.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return a sampler
template <typename T>
std::unique_ptr<FabricSampler>
Make(const FlowRecorder& recorder, const std::string& path)
{
    return std::make_unique<T>(recorder.GetFabric(), path);
}

/// @return one that numbers flows
template <typename T>
std::unique_ptr<FabricSampler>
MakeOfFlows(const FlowRecorder& recorder, const std::string& path)
{
    return std::make_unique<T>(recorder.GetFabric(), path, &recorder);
}

/// A time series.
struct Series
{
    const char* name;   //!< on the command line
    const char* help;   //!< for users
    const char* ending; //!< NAME and this are the file, or the beginning of the names of several
    std::unique_ptr<FabricSampler> (*make)(const FlowRecorder&, const std::string&); //!< opens it
};

constexpr Series SERIES[] = {
    {"queues", "", ".csv", &Make<QueueSampler>},
    {"rates", "", ".csv", &MakeOfFlows<RateSampler>},
    {"windows",
     "every change of window, rate, RTT and state of senders",
     ".csv",
     &MakeOfFlows<WindowRecorder>},
    {"links", "", ".csv", &Make<LinkSampler>},
    {"pfc", "", ".csv", &Make<PauseRecorder>},
    {"messages", "their states, with ``--messages``", ".csv", &Make<MessageRecorder>},
    {"pcap",
     "captures of host ports, or of others by ``--ns3::PcapPorts::Ports``",
     "",
     &Make<PcapRecorder>},
};

} // namespace

std::vector<ScenarioValue>
ListScenarioTraces(const std::string& /* option */)
{
    return ListScenarioEntries(SERIES);
}

std::vector<std::string>
ListScenarioTraceFiles()
{
    std::vector<std::string> files;
    for (const Series& series : SERIES)
    {
        if (*series.ending)
        {
            files.push_back(std::string(series.name) + series.ending);
        }
    }
    return files;
}

ScenarioTraces::ScenarioTraces(const ScenarioOptions& options, const Fabric& fabric)
    : m_names(SplitFabricList(options.Get("trace"))),
      m_intervalPs(options.GetTimePs("trace-interval"))
{
    if (m_intervalPs == 0)
    {
        throw FabricError(FabricTerm::Option("trace-interval") + " must be above zero");
    }
    if (options.IsGiven("trace-interval") && m_names.empty())
    {
        throw FabricError(FabricTerm::Option("trace-interval") + " has no effect without " +
                          FabricTerm::Option("trace"));
    }
    for (const auto& name : m_names)
    {
        FindFabricName(SERIES, name, FabricTerm::Option("trace"));
        if (std::count(m_names.begin(), m_names.end(), name) > 1)
        {
            throw FabricError(FabricTerm::Option("trace") + " names " + name + " twice");
        }
        if (name == "messages" && options.Get("messages").empty())
        {
            throw FabricError(FabricTerm::Option("trace", name) + " needs " +
                              FabricTerm::Option("messages") +
                              ": without it messages are not matched and have no states");
        }
        if (name == "pcap")
        {
            PcapRecorder::Check(fabric);
        }
    }
}

void
ScenarioTraces::Start(const std::string& folder, const FlowRecorder& recorder, RunLoop& loop)
{
    const bool leads = RankWorld::GetRank() == 0;
    for (const auto& name : m_names)
    {
        const Series& series = FindFabricName(SERIES, name, FabricTerm::Option("trace"));
        m_samplers.push_back(
            series.make(recorder, leads ? folder + "/" + name + series.ending : ""));
    }
    if (!m_samplers.empty())
    {
        loop.Add([this, &recorder](int64_t nowPs) { return Sample(recorder, nowPs); },
                 RunLoop::Idle::KEEP,
                 m_intervalPs);
    }
}

int64_t
ScenarioTraces::Sample(const FlowRecorder& recorder, int64_t nowPs)
{
    SampleAll(nowPs);
    const bool active = recorder.IsActive(nowPs);
    int64_t nextPs = nowPs + m_intervalPs;
    if (!active && !m_wasActive)
    {
        const int64_t startPs = recorder.GetNextStartPs(nowPs);
        nextPs = startPs == FabricTime::NEVER
                     ? FabricTime::NEVER
                     : std::max(nextPs, startPs / m_intervalPs * m_intervalPs);
    }
    nextPs = RankWorld::Min(nextPs); // each rank knows when it starts flows
    m_wasActive = active;
    m_ended = nextPs == FabricTime::NEVER;
    return nextPs;
}

void
ScenarioTraces::SampleAll(int64_t nowPs)
{
    for (const auto& sampler : m_samplers)
    {
        sampler->Sample(nowPs);
    }
    m_lastPs = nowPs;
}

void
ScenarioTraces::Finish(int64_t endPs)
{
    if (!m_ended && endPs > m_lastPs)
    {
        SampleAll(endPs); // what is left of the last interval
    }
    for (const auto& sampler : m_samplers)
    {
        sampler->Finish(endPs);
    }
    m_samplers.clear();
}

} // namespace ns3
