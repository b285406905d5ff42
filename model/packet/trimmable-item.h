// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRIMMABLE_ITEM_H
#define TRIMMABLE_ITEM_H

#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A packet of which a queue without room for it may keep the headers alone.
 *
 * What is left goes on to the receiver, which tells the sender. Items of ns-3's own stack are none:
 * no protocol there knows of trimming.
 */
class TrimmableItem : public QueueDiscItem
{
  public:
    using QueueDiscItem::QueueDiscItem;

    /// @return true if it has a payload to lose, and has not lost it yet
    virtual bool CanTrim() const = 0;

    /**
     * @brief Cut off what is beyond a number of bytes; only if CanTrim().
     * @param bytes most that are left of the frame
     * @param dscp from now on, 0 to 63
     * @param lastHop the port that cuts leads to the receiver
     */
    virtual void Trim(uint32_t bytes, uint8_t dscp, bool lastHop) = 0;
};

} // namespace ns3

#endif /* TRIMMABLE_ITEM_H */
