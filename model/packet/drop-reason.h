// SPDX-License-Identifier: GPL-2.0-only
#ifndef DROP_REASON_H
#define DROP_REASON_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Why a packet was lost: all reasons there are, in the order of their texts.
 */
enum class DropReason : uint8_t
{
    NONE,               //!< it was not
    ABOVE_THRESHOLD,    //!< lossy class: its queue has its share of the switch's buffer
    BUFFER_FULL,        //!< lossy class: no room in the switch's buffer
    CORRUPTED,          //!< on the wire: the receiver found its check sequence wrong
    HEADROOM_EXHAUSTED, //!< lossless class: the peer sent more than the headroom takes
    LINK_DOWN,          //!< on the wire, when the link went down
    WIRE_ERROR,         //!< on the wire, by chance: a fault or the receive error model
    NO_ROUTE,           //!< to a destination that the switch does not know
    NOT_FOR_SWITCH,     //!< sent to a switch of which no feature took it
    OUT_OF_ORDER,       //!< one before it is missing: go-back-N, or the limits of a NIC
    PAUSED_TOO_LONG,    //!< by the PFC watchdog: its class was paused for too long
    PORT_DOWN,          //!< the link of its port is known to be down, and no other port will do
    QUEUE_DISC,         //!< the queue disc of the port refused it or threw it away
    STACK_TOO_LONG,     //!< from the host's stack: longer than the MTU of the port
    STACK_NO_HOST,      //!< from the host's stack: broadcast, or an address of no other host
    STACK_NO_HANDLER,   //!< for the host's stack, which has no handler for its protocol
    STACK_QUEUE_FULL,   //!< from the host's stack: the NIC's queue is full
    SWITCH_DOWN,        //!< in a switch when it failed
    TRIM_QUEUE_FULL,    //!< trimmed, but there was no room for what is left either
    UNKNOWN_PDC,        //!< answer to nobody, or the start of the connection was lost
    NOT_FOR_HOST,       //!< arrived at another host than it was sent to
};

/// Numbers of packets by reason.
using DropCounts = std::map<DropReason, uint64_t>;

/// Text of each DropReason, as results, logs and reports have it.
inline constexpr std::array<const char*, 21> DROP_REASON_TEXTS{
    "",
    "above buffer threshold",
    "buffer full",
    "corrupted on the wire",
    "headroom exhausted",
    "link went down",
    "lost on the wire",
    "no route",
    "not for a switch",
    "out of order",
    "paused too long",
    "port is down",
    "refused by queue disc",
    "stack: longer than MTU",
    "stack: no such host",
    "stack: protocol unknown",
    "stack: queue full",
    "switch is down",
    "trimmed: queue full",
    "unknown PDC",
    "wrong destination",
};

/**
 * @param reason a reason
 * @return its text
 */
constexpr const char*
ToText(DropReason reason)
{
    return DROP_REASON_TEXTS[static_cast<std::size_t>(reason)];
}

static_assert(DROP_REASON_TEXTS.size() == static_cast<std::size_t>(DropReason::NOT_FOR_HOST) + 1,
              "one text for each reason");

/**
 * @brief Where a packet was lost: no node has seen it.
 * @param reason why
 * @return true if on its way between two nodes
 */
constexpr bool
IsOnWire(DropReason reason)
{
    return reason == DropReason::LINK_DOWN || reason == DropReason::WIRE_ERROR ||
           reason == DropReason::CORRUPTED;
}

/**
 * @param os where to print
 * @param reason a reason
 * @return @p os
 */
inline std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    return os << ToText(reason);
}

} // namespace ns3

#endif /* DROP_REASON_H */
