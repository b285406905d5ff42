// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATCH_ENTRY_H
#define MATCH_ENTRY_H

#include "receive-window.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief An entry of a match table: a receive, or the canary "failed match" ([Patent] (57) to
 * (60)).
 */
struct MatchEntry
{
    /// Canary for an entry without PDC.
    static constexpr uint32_t NO_PDC = UINT32_MAX;

    /// State of the receive; one that is neither has no entry.
    enum class State : uint8_t
    {
        POSTED, //!< the receive is posted
        FAILED, //!< packets came before it: "failed match"
    };

    uint64_t handle{0};         //!< of the receive
    uint64_t capacity{0};       //!< bytes that the receive has room for
    uint8_t* buffer{nullptr};   //!< user memory; null: timing only
    uint64_t messageBytes{0};   //!< length of the message; 0 before its first packet
    uint64_t missing{0};        //!< bytes that have not arrived
    uint64_t reordered{0};      //!< packets that came after a later one
    uint64_t committed{0};      //!< bytes in user memory
    uint32_t pdc{NO_PDC};       //!< receiving PDC
    uint32_t tag{0};            //!< the sender's number of the message
    State state{State::POSTED}; //!< state
    uint8_t epoch{0};           //!< last attempt that was refused (FAILED) or asked for (POSTED)
    bool fetched{false};        //!< the rest has been asked for
    ReceiveWindow packets;      //!< packets of the message that have arrived
};

} // namespace ns3

#endif /* MATCH_ENTRY_H */
