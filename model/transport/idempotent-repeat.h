// SPDX-License-Identifier: GPL-2.0-only
#ifndef IDEMPOTENT_REPEAT_H
#define IDEMPOTENT_REPEAT_H

#include "rack-repeat.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Delivery at least once of messages that may arrive twice, without a PDC at the receiver
 * (RUDI of Ultra Ethernet).
 *
 * The receiver answers each packet by itself and remembers none (StatelessReceiver): the answer
 * acknowledges that packet and no other, and a packet that comes again is taken again. Losses are
 * found as RackRepeat does, since the packets need no order.
 */
class IdempotentRepeat : public RackRepeat
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetDataFlags() const override;
};

} // namespace ns3

#endif /* IDEMPOTENT_REPEAT_H */
