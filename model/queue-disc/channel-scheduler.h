// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHANNEL_SCHEDULER_H
#define CHANNEL_SCHEDULER_H

#include "class-scheduler.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Shares what a class gets between its virtual channels, each of which is a class: by bytes,
 * and equally while several have packets.
 *
 * In strict order one channel would starve: on a busy link between groups packets that come from
 * other switches, or those that begin here. Which class goes first is a matter of another
 * scheduler, which sees the first channel of each list in place of all of them.
 *
 * Between channels goes first what would be the first to begin if each got its share bit by bit
 * (start-time fair queueing; Goyal, Vin and Cheng, IEEE/ACM Trans. Networking 5, 1997). Under
 * strict priority only what is sent while others wait counts: shares are of those times.
 */
class ChannelScheduler : public ClassScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ChannelScheduler();

    /**
     * @brief Say which classes are channels of one.
     * @param families lists of classes, 0 to 7; a class that is in none is a list of its own
     */
    void SetClasses(const std::vector<std::vector<uint8_t>>& families);

    // from ClassScheduler
    uint8_t Select(uint8_t eligible, const std::array<uint32_t, 8>& headBytes) override;
    bool NeedsHeadBytes() const override;
    bool IgnoresLoneClass() const override;
    void OnEmpty(uint8_t priority) override;

  protected:
    void DoDispose() override;

  private:
    /// @return of the eligible channels of a list the one that goes first
    uint8_t Choose(uint8_t channels) const;
    /// Count a packet that is sent. @return its class
    uint8_t Commit(uint8_t priority, uint32_t bytes);

    /// @return bytes at which the next packet of a class would begin: one that had nothing, or was
    /// paused, begins now, and has saved nothing
    uint64_t GetStart(uint8_t priority) const
    {
        return std::max(m_finish[priority], m_virtual[m_first[priority]]);
    }

    Ptr<ClassScheduler> m_scheduler;     //!< attribute; null: strict priority
    std::array<uint8_t, 8> m_first{};    //!< by class: the first one of its list
    std::array<uint8_t, 8> m_channels{}; //!< by first class: bit mask of its list
    std::array<uint64_t, 8> m_finish{};  //!< by class: bytes at which its last packet ended
    std::array<uint64_t, 8> m_virtual{}; //!< by first class: bytes at which the last one began
    uint8_t m_eligible{0};               //!< at the last choice
};

} // namespace ns3

#endif /* CHANNEL_SCHEDULER_H */
