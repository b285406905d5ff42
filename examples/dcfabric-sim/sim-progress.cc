// SPDX-License-Identifier: GPL-2.0-only
#include "sim-progress.h"

#include "ns3/fabric-spec.h"
#include "ns3/rank-world.h"
#include "ns3/scenario-schema.h"

#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{

/// @return the option `progress` without a descriptor
std::string
ReadKind(ScenarioOptions& options)
{
    if (options.Get("progress").compare(0, 5, "json:") == 0)
    {
        options.Resolve("progress", "json");
    }
    const std::string& kind = options.Get("progress");
    std::vector<std::string> known;
    for (const ScenarioValue& value : ListScenarioValues(*FindScenarioOption("progress")))
    {
        known.push_back(value.text);
        if (kind == value.text.substr(0, value.text.find(':')))
        {
            return kind;
        }
    }
    RefuseFabricName(kind, known, "--progress");
}

} // namespace

SimProgress::SimProgress(ScenarioOptions& options, SimEvents& events)
    : m_events(events)
{
    const std::string kind = ReadKind(options);
    m_draw =
        (kind == "on" || (kind == "auto" && isatty(STDERR_FILENO))) && RankWorld::GetRank() == 0;
}

void
SimProgress::Draw(const ScenarioProgress::State& state) const
{
    std::string done;
    std::string eta;
    if (state.fraction > 0)
    {
        char text[32];
        std::snprintf(text, sizeof(text), "%5.1f %%  ", 100 * state.fraction);
        done = text;
        std::snprintf(text, sizeof(text), "  ETA %.0f s", state.etaSeconds);
        eta = text;
    }
    std::fprintf(stderr,
                 "\r\033[K%sflows %u/%zu  simulated %.3f ms  wall %.0f s%s",
                 done.c_str(),
                 state.completed,
                 state.flows,
                 state.simSeconds * 1e3,
                 state.wallSeconds,
                 eta.c_str());
    std::fflush(stderr);
}

void
SimProgress::Tell(const ScenarioProgress::State& state)
{
    if (m_draw)
    {
        Draw(state);
    }
    m_events.TellProgress(state);
}

void
SimProgress::Clear() const
{
    if (m_draw)
    {
        std::fputs("\r\033[K", stderr);
    }
}

} // namespace ns3
