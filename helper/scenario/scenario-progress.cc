// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-progress.h"

#include "ns3/fabric-time.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

constexpr int64_t MAX_LOOK_PS = 10000000; //!< after idle times, load may come at once
constexpr int64_t MIN_LOOK_PS = 10000;
constexpr double LOOK_SECONDS = 0.05; //!< of wall clock between looks, aimed at
constexpr double TELL_SECONDS = 0.5;

} // namespace

ScenarioProgress::ScenarioProgress(const FlowRecorder& recorder,
                                   int64_t stopPs,
                                   Listener listener,
                                   Interrupt interrupt)
    : m_recorder(recorder),
      m_stopPs(stopPs),
      m_listener(std::move(listener)),
      m_interrupt(std::move(interrupt)),
      m_begin(std::chrono::steady_clock::now())
{
}

double
ScenarioProgress::GetWallSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
}

int64_t
ScenarioProgress::Look(int64_t nowPs)
{
    const bool active =
        m_recorder.GetProgress().IsActive(nowPs); // all ranks ask, whatever else holds
    if (m_interrupt() != 0)
    {
        Simulator::Stop();
        return FabricTime::NEVER;
    }
    const double wall = GetWallSeconds();
    if (wall - m_lastLook > 2 * LOOK_SECONDS)
    {
        m_intervalPs = std::max(m_intervalPs / 2, MIN_LOOK_PS);
    }
    else if (wall - m_lastLook < LOOK_SECONDS / 2)
    {
        m_intervalPs = std::min(m_intervalPs * 2, MAX_LOOK_PS);
    }
    m_lastLook = wall;
    if (m_listener && wall - m_lastTold > TELL_SECONDS)
    {
        m_lastTold = wall;
        m_listener(GetState(nowPs));
    }
    if (!active)
    {
        // nothing costs time until the next flow starts
        const int64_t nextPs = m_recorder.GetStarter().GetNextStartPs(nowPs);
        return nextPs == FabricTime::NEVER ? nowPs + m_intervalPs : nextPs;
    }
    return nowPs + m_intervalPs;
}

double
ScenarioProgress::GetFraction(int64_t nowPs) const
{
    uint64_t delivered = 0;
    for (const uint32_t host : m_recorder.GetFabric()->GetHosts())
    {
        delivered += m_recorder.GetFabric()->GetNic(host)->GetCounters().bytesDelivered;
    }
    // how far flows without end, and a source that makes more, have come only the time tells
    const double bytes =
        m_recorder.GetTable().GetNEndless() > 0 || m_recorder.GetStarter().GetSource()
            ? 0
            : static_cast<double>(delivered) /
                  static_cast<double>(m_recorder.GetTable().GetTotalBytes());
    const double time = m_stopPs == FabricTime::NEVER
                            ? 0
                            : static_cast<double>(nowPs) / static_cast<double>(m_stopPs);
    return std::min(1.0, std::max(bytes, time));
}

ScenarioProgress::State
ScenarioProgress::GetState(int64_t nowPs) const
{
    const double fraction = GetFraction(nowPs);
    const double wall = GetWallSeconds();
    // how much is left of programs and of sources of flows nobody knows
    const double eta =
        fraction > 0 ? wall * (1 - fraction) / fraction : std::numeric_limits<double>::infinity();
    return {fraction,
            static_cast<double>(nowPs) / 1e12,
            wall,
            eta,
            m_recorder.GetTable().GetNCompleted(),
            m_recorder.GetFlows().size()};
}

} // namespace ns3
