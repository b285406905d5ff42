// SPDX-License-Identifier: GPL-2.0-only
#ifndef PDC_SCHEDULE_H
#define PDC_SCHEDULE_H

#include "vector-queue.h"

#include "ns3/fabric-time.h"

#include <cstdint>
#include <queue>
#include <vector>

namespace ns3
{

class SendingPdc;

/**
 * @ingroup dcfabric
 * @brief Whose turn it is at a port of a NIC: a queue of PDCs that may send, and a heap of those
 * that wait for their time.
 *
 * A PDC has at most one valid entry. An entry of the heap is void when its time is not the PDC's
 * queuedPs.
 */
class PdcSchedule
{
  public:
    /**
     * @brief Enter a PDC that can send, or move it forward.
     * @param pdc which
     * @param nowPs time
     */
    void Insert(SendingPdc& pdc, int64_t nowPs);

    /**
     * @brief Take the next PDC that may send.
     * @param nowPs time
     * @param pausedClasses bit mask of the classes that may not be sent
     * @return a PDC that waits nowhere now (SendingPdc::Withdraw()), or null
     */
    SendingPdc* Take(int64_t nowPs, uint8_t pausedClasses);

    /**
     * @param pausedClasses bit mask
     * @return when Take() could next return something, in ps
     */
    int64_t GetNextPs(uint8_t pausedClasses);

    /**
     * @brief Remove a PDC that is going away, or to another port.
     * @param pdc which
     */
    void Erase(SendingPdc& pdc);

    /// @return bit mask of the classes of all PDCs that have ever waited here
    uint8_t GetClasses() const
    {
        return m_classes;
    }

    /// @return all PDCs that wait here, removed, those that may send first
    std::vector<SendingPdc*> TakeAll();

  private:
    /// An entry of the heap.
    struct Paced
    {
        int64_t timePs;  //!< when
        uint32_t number; //!< of the PDC, decides ties
        SendingPdc* pdc; //!< which

        /// @return true if this one comes later
        bool operator<(const Paced& other) const
        {
            return timePs != other.timePs ? timePs > other.timePs : number > other.number;
        }
    };

    /// Move those whose time has come to the queue.
    void Promote(int64_t nowPs);
    /// Move those of classes that may be sent again to the queue; @p pausedClasses is a bit mask.
    void Unpause(uint8_t pausedClasses);
    /// Remove void entries from the top of the heap.
    void DropVoid();

    VectorQueue<SendingPdc*> m_ready;   //!< may send, in turn
    std::vector<SendingPdc*> m_paused;  //!< class may not be sent
    std::priority_queue<Paced> m_paced; //!< wait for their time
    uint8_t m_pausedClasses{0};         //!< for which m_paused was filled
    uint8_t m_classes{0};               //!< see GetClasses()
};

} // namespace ns3

#endif /* PDC_SCHEDULE_H */
