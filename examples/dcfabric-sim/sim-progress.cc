// SPDX-License-Identifier: GPL-2.0-only
#include "sim-progress.h"

#include "sim-signals.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace ns3
{

namespace
{

constexpr int64_t MAX_INTERVAL_PS = 10000000; //!< after idle times, load may come at once
constexpr int64_t MIN_INTERVAL_PS = 10000;
constexpr double LOOK_SECONDS = 0.05; //!< of wall clock between looks, aimed at
constexpr double DRAW_SECONDS = 0.5;

} // namespace

SimProgress::SimProgress(const FlowRecorder& recorder, int64_t stopPs, bool draw)
    : m_recorder(recorder),
      m_stopPs(stopPs),
      m_draw(draw)
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
    if (m_draw && wall - m_lastDraw > DRAW_SECONDS)
    {
        m_lastDraw = wall;
        Draw(nowPs);
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

void
SimProgress::Draw(int64_t nowPs)
{
    const double fraction = GetFraction(nowPs);
    const double wall = m_wall.GetSeconds();
    std::string done;
    std::string eta;
    // how much is left of programs and of sources of flows nobody knows
    if (fraction > 0)
    {
        char text[32];
        std::snprintf(text, sizeof(text), "%5.1f %%  ", 100 * fraction);
        done = text;
        std::snprintf(text, sizeof(text), "  ETA %.0f s", wall * (1 - fraction) / fraction);
        eta = text;
    }
    std::fprintf(stderr,
                 "\r\033[K%sflows %u/%zu  simulated %.3f ms  wall %.0f s%s",
                 done.c_str(),
                 m_recorder.GetNCompleted(),
                 m_recorder.GetFlows().size(),
                 static_cast<double>(nowPs) / 1e9,
                 wall,
                 eta.c_str());
    std::fflush(stderr);
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
