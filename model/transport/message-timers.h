// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_TIMERS_H
#define MESSAGE_TIMERS_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The timers of a NIC's messages, in the order of time, kind and number.
 *
 * None is ever cancelled: who set one looks at its expiry whether it still means anything.
 */
class MessageTimers
{
  public:
    /// What a timer is for.
    enum class Kind : uint8_t
    {
        RETRY,         //!< a refused message is tried again
        PROBE,         //!< nobody has said that a message is complete
        SEND_LIMIT,    //!< a message has not been completed in time
        RTS,           //!< an RTS had no effect
        RECEIVE_LIMIT, //!< a receive has not been completed in time
        IDLE_SENDER,   //!< a sending PDC may have been idle for long
        IDLE_RECEIVER, //!< a receiving PDC may have been idle for long
        POST,          //!< a receive is to be posted
        RESUME,        //!< messages before a refused one go on
        CLOSE,         //!< that a PDC is to be closed was not answered
        DEPARTURE,     //!< the last packet of a message that is not answered has left
    };

    /// A timer.
    struct Timer
    {
        int64_t atPs;    //!< when
        Kind kind;       //!< what for
        uint32_t pdc;    //!< number of the PDC, if it belongs to one; the source of a POST;
                         //!< the target of a RESUME
        uint64_t number; //!< of the message, or handle; of a DEPARTURE behind the packet

        /**
         * @param other another
         * @return true if this one is due later
         */
        bool operator<(const Timer& other) const
        {
            return std::tie(atPs, kind, pdc, number) >
                   std::tie(other.atPs, other.kind, other.pdc, other.number);
        }
    };

    /**
     * @brief Set a timer.
     * @param timer when and what
     * @return true if it is the next one
     */
    bool Set(const Timer& timer)
    {
        const bool next = timer.atPs < GetNextPs();
        m_timers.push(timer);
        return next;
    }

    /// @return when the next one is due, NEVER if there is none
    int64_t GetNextPs() const
    {
        return m_timers.empty() ? FabricTime::NEVER : m_timers.top().atPs;
    }

    /**
     * @param nowPs time
     * @param timer set to it
     * @return true if one was due
     */
    bool TakeDue(int64_t nowPs, Timer& timer)
    {
        if (GetNextPs() > nowPs)
        {
            return false;
        }
        timer = m_timers.top();
        m_timers.pop();
        return true;
    }

  private:
    std::priority_queue<Timer> m_timers; //!< next first
};

} // namespace ns3

#endif /* MESSAGE_TIMERS_H */
