// SPDX-License-Identifier: GPL-2.0-only
#ifndef BACK_TO_SENDER_NOTICE_H
#define BACK_TO_SENDER_NOTICE_H

#include "ns3/back-to-sender-signals.h"
#include "ns3/ptr.h"
#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A notification that a queue makes. Valid only during the call it is passed to.
 */
struct BackToSenderNotice
{
    Ptr<const QueueDiscItem> item; //!< the packet that triggered it, already marked
    uint8_t priority{0};           //!< its class
    bool dropped{false};           //!< the packet was dropped
    bool wasMarked{false};         //!< its ECN bit was set before: it has triggered earlier
    BackToSenderSignals signals;   //!< congestion
};

} // namespace ns3

#endif /* BACK_TO_SENDER_NOTICE_H */
