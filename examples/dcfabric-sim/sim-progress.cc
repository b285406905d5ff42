// SPDX-License-Identifier: GPL-2.0-only
#include "sim-progress.h"

#include "sim-signals.h"

#include "ns3/fabric-spec.h"
#include "ns3/fabric-time.h"
#include "ns3/json-writer.h"
#include "ns3/scenario-schema.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr int64_t MAX_INTERVAL_PS = 10000000; //!< after idle times, load may come at once
constexpr int64_t MIN_INTERVAL_PS = 10000;
constexpr double LOOK_SECONDS = 0.05; //!< of wall clock between looks, aimed at
constexpr double TELL_SECONDS = 0.5;

} // namespace

bool
IsSimProgressDrawn(const std::string& progress)
{
    std::vector<std::string> known;
    for (const ScenarioValue& value : ListScenarioValues(*FindScenarioOption("progress")))
    {
        known.push_back(value.text);
        if (progress == value.text.substr(0, value.text.find(':')))
        {
            return progress == "on" || (progress == "auto" && isatty(STDERR_FILENO));
        }
    }
    RefuseFabricName(progress, known, "--progress");
}

SimProgress::SimProgress(const FlowRecorder& recorder, int64_t stopPs, bool draw, SimEvents& events)
    : m_recorder(recorder),
      m_stopPs(stopPs),
      m_draw(draw),
      m_events(events)
{
}

int64_t
SimProgress::Look(int64_t nowPs)
{
    const bool active = m_recorder.IsActive(nowPs); // all ranks ask, whatever else holds
    if (SimSignals::Get() != 0)
    {
        Simulator::Stop();
        return FabricTime::NEVER;
    }
    const double wall = m_wall.GetSeconds();
    if (wall - m_lastLook > 2 * LOOK_SECONDS)
    {
        m_intervalPs = std::max(m_intervalPs / 2, MIN_INTERVAL_PS);
    }
    else if (wall - m_lastLook < LOOK_SECONDS / 2)
    {
        m_intervalPs = std::min(m_intervalPs * 2, MAX_INTERVAL_PS);
    }
    m_lastLook = wall;
    if ((m_draw || m_events.IsOpen()) && wall - m_lastTold > TELL_SECONDS)
    {
        m_lastTold = wall;
        const State state = GetState(nowPs);
        Draw(state);
        Tell(state);
    }
    if (!active)
    {
        // nothing costs time until the next flow starts
        const int64_t nextPs = m_recorder.GetNextStartPs(nowPs);
        return nextPs == FabricTime::NEVER ? nowPs + m_intervalPs : nextPs;
    }
    return nowPs + m_intervalPs;
}

double
SimProgress::GetFraction(int64_t nowPs) const
{
    uint64_t delivered = 0;
    for (const uint32_t host : m_recorder.GetFabric()->GetHosts())
    {
        delivered += m_recorder.GetFabric()->GetNic(host)->GetCounters().bytesDelivered;
    }
    // how far flows without end, and a source that makes more, have come only the time tells
    const double bytes =
        m_recorder.GetNEndless() > 0 || m_recorder.GetSource()
            ? 0
            : static_cast<double>(delivered) / static_cast<double>(m_recorder.GetTotalBytes());
    const double time = m_stopPs == FabricTime::NEVER
                            ? 0
                            : static_cast<double>(nowPs) / static_cast<double>(m_stopPs);
    return std::min(1.0, std::max(bytes, time));
}

SimProgress::State
SimProgress::GetState(int64_t nowPs) const
{
    const double fraction = GetFraction(nowPs);
    const double wall = m_wall.GetSeconds();
    // how much is left of programs and of sources of flows nobody knows
    const double eta =
        fraction > 0 ? wall * (1 - fraction) / fraction : std::numeric_limits<double>::infinity();
    return {fraction, static_cast<double>(nowPs) / 1e12, wall, eta};
}

void
SimProgress::Draw(const State& state) const
{
    if (!m_draw)
    {
        return;
    }
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
                 m_recorder.GetNCompleted(),
                 m_recorder.GetFlows().size(),
                 state.simSeconds * 1e3,
                 state.wallSeconds,
                 eta.c_str());
    std::fflush(stderr);
}

void
SimProgress::Tell(const State& state)
{
    if (!m_events.IsOpen())
    {
        return;
    }
    JsonWriter json(JsonWriter::Layout::ONE_LINE);
    json.BeginObject();
    json.StringMember("event", "progress");
    json.DoubleMember("fraction",
                      state.fraction > 0 ? state.fraction
                                         : std::numeric_limits<double>::quiet_NaN());
    json.UintMember("flows_completed", m_recorder.GetNCompleted());
    json.UintMember("flows", m_recorder.GetFlows().size());
    json.DoubleMember("sim_seconds", state.simSeconds);
    json.DoubleMember("wall_seconds", state.wallSeconds);
    json.DoubleMember("eta_seconds", state.etaSeconds);
    json.EndObject();
    m_events.TellProgress(json);
}

void
SimProgress::Clear()
{
    if (m_draw)
    {
        std::fputs("\r\033[K", stderr);
    }
}

} // namespace ns3
