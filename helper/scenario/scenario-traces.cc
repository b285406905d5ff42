// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-traces.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"

#include <algorithm>

namespace ns3
{

std::vector<ScenarioValue>
ListScenarioTraces(const std::string& /* option */)
{
    std::vector<ScenarioValue> values;
    for (const auto& [name, series] : TraceSeriesTable::Get())
    {
        values.push_back({name, series.help});
    }
    return values;
}

std::vector<std::string>
ListScenarioTraceFiles()
{
    std::vector<std::string> files;
    for (const auto& [name, series] : TraceSeriesTable::Get())
    {
        if (!series.columns.empty())
        {
            files.push_back(name + ".csv");
        }
    }
    return files;
}

std::vector<const TraceSeries*>
FindScenarioTraces(const ScenarioOptions& options)
{
    std::vector<const TraceSeries*> found;
    const std::vector<std::string> names = SplitFabricList(options.Get("trace"));
    for (const std::string& name : names)
    {
        const TraceSeries* series = TraceSeriesTable::Find(name);
        if (!series)
        {
            std::vector<std::string> known;
            for (const ScenarioValue& value : ListScenarioTraces("trace"))
            {
                known.push_back(value.text);
            }
            RefuseFabricName(name, known, FabricTerm::Option("trace"));
        }
        if (std::count(names.begin(), names.end(), name) > 1)
        {
            throw FabricError(FabricTerm::Option("trace") + " names " + name + " twice");
        }
        found.push_back(series);
    }
    return found;
}

ScenarioTraces::ScenarioTraces(const ScenarioOptions& options, const Fabric& fabric)
    : m_intervalPs(options.GetTimePs("trace-interval"))
{
    if (m_intervalPs == 0)
    {
        throw FabricError(FabricTerm::Option("trace-interval") + " must be above zero");
    }
    m_series = FindScenarioTraces(options);
    if (options.IsGiven("trace-interval") && m_series.empty())
    {
        throw FabricError(FabricTerm::Option("trace-interval") + " has no effect without " +
                          FabricTerm::Option("trace"));
    }
    for (const TraceSeries* series : m_series)
    {
        if (series->check)
        {
            series->check(fabric);
        }
    }
}

void
ScenarioTraces::Start(const std::string& folder, const FlowRecorder& recorder, RunLoop& loop)
{
    for (const TraceSeries* series : m_series)
    {
        m_samplers.push_back(series->Open(recorder, folder));
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
    const bool active = recorder.GetProgress().IsActive(nowPs);
    int64_t nextPs = nowPs + m_intervalPs;
    if (!active && !m_wasActive)
    {
        const int64_t startPs = recorder.GetStarter().GetNextStartPs(nowPs);
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
