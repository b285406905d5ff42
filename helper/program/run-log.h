// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When RankRunner did something, in each process of a simulation.
 *
 * What processes do at one time is one simulator event in each of them, and one of a process that
 * simulates all. So that results tell the same number of events, this one is worked out.
 */
class RunLog
{
  public:
    /**
     * @brief Ranks have run.
     * @param timePs when, in ps; not before the last one
     * @param nextPs the next timer then, in ps; FabricTime::NEVER: none
     */
    void Add(int64_t timePs, int64_t nextPs);

    /**
     * @param endPs when the simulation ended, in ps
     * @return events of one process that did all of this: a run of ranks for each time, and those
     * that wake them for timers, which are set anew for earlier ones
     */
    uint64_t CountEvents(int64_t endPs) const;

    /// @param bytes takes it, for Join()
    void Pack(std::string& bytes) const;

    /**
     * @brief Learn the log of another process.
     * @param bytes where it is
     * @param at where it begins; then where it ends
     * @throws FabricError if the bytes end before
     */
    void Join(const std::string& bytes, std::size_t& at);

  private:
    /// A run.
    struct Entry
    {
        int64_t timePs; //!< when
        int64_t nextPs; //!< next timer then
    };

    std::vector<std::vector<Entry>> m_entries{1}; //!< by process, this one first
};

} // namespace ns3

#endif /* RUN_LOG_H */
