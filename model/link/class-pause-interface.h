// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLASS_PAUSE_INTERFACE_H
#define CLASS_PAUSE_INTERFACE_H

#include "hot-lines.h"

#include "ns3/callback.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{

class DirectQueue;
class QueueDiscItem;

/**
 * @ingroup dcfabric
 * @brief A queue disc whose classes can be kept from leaving, as link-level flow control needs it.
 */
class ClassPauseInterface
{
  public:
    virtual ~ClassPauseInterface() = default;

    /// @return the shorter way into the same queue disc, once it is initialized; null if it has
    /// none
    virtual DirectQueue* GetDirectQueue() = 0;

    /**
     * @brief Let these classes wait and all others go.
     * @param classes bit mask
     */
    virtual void SetPausedClasses(uint8_t classes) = 0;

    /// @return true if a packet waits in a class that is not paused
    virtual bool HasEligiblePacket() const = 0;

    /**
     * @param priority class, 0 to 7
     * @return bytes waiting in a class
     */
    virtual uint64_t GetClassBytes(uint8_t priority) const = 0;

    /**
     * @brief Count what waits for this queue elsewhere, as in virtual output queues, where the
     * length of the queue decides on marks. It does not count for limits.
     * @param byClass bytes of each of the eight classes, which change; null: nothing
     */
    virtual void SetWaitingBytes(const uint64_t* byClass) = 0;

    /// @return true if it may cut packets that it is given or that wait (its trace source Trim);
    /// asked when the port starts
    virtual bool Trims() const
    {
        return false;
    }

    /// Told of a packet that the queue disc did not keep, and why.
    using DropSink = Callback<void, Ptr<const QueueDiscItem>, const char*>;

    /**
     * @brief Connect sinks to the trace sources DropBeforeEnqueue and DropAfterDequeue, in this
     * order, without a search by name, which takes longer than the rest of making a port.
     * @return false if it does not, so that the caller has to
     */
    virtual bool ConnectDropSinks(const DropSink& /* refused */, const DropSink& /* dropped */)
    {
        return false;
    }

    /**
     * @brief A packet of a class will enter or leave soon: name what that will read.
     * @param lines takes it
     * @param depth 0, then 1 and up when what depth 0 names has been loaded
     * @param priority class, 0 to 7; above: the class that would send next
     */
    virtual void NameHotLines(const HotLines& lines, int depth, uint8_t priority) const = 0;
};

} // namespace ns3

#endif /* CLASS_PAUSE_INTERFACE_H */
