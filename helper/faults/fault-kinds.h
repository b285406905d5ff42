// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAULT_KINDS_H
#define FAULT_KINDS_H

#include "fault-place.h"

#include "ns3/fabric.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a kind of faults is to a network: one entry for each FabricFault::Kind.
 */
struct FaultKind
{
    /// What of a link or a node changes: only one fault of an aspect at a time.
    enum Aspect : uint8_t
    {
        LINK_STATE, //!< up or down
        LINK_RATE,  //!< bit/s
        LINK_LOSS,  //!< probability
        LINK_WEAR,  //!< probability of damage
        POWER,      //!< of a switch
        PAUSES      //!< that a host sends
    };

    /// How it changes.
    enum Turn : uint8_t
    {
        SET,   //!< to any value
        BEGIN, //!< a state that only an END ends
        END    //!< of that state
    };

    FabricFault::Kind kind; //!< which
    Aspect aspect;          //!< what changes
    Turn turn;              //!< how
    const char* already;    //!< of BEGIN and END: what is wrong if it is so already
    bool loses;             //!< packets are lost, whatever the flow control

    /**
     * @brief Refuse what the network is not made for.
     * @param fabric the network
     * @param fault a fault of this kind
     * @throws FabricError that names the fault
     */
    void (*check)(const Fabric& fabric, const PlacedFault& fault);

    /**
     * @brief See that it happens; null: FabricFaults does, because several faults make up a state.
     * @param fabric the network
     * @param fault a fault of this kind
     */
    void (*schedule)(const Fabric& fabric, const PlacedFault& fault);
};

/**
 * @ingroup dcfabric
 * @param kind a kind of faults
 * @return what it is to a network
 */
const FaultKind& GetFaultKind(FabricFault::Kind kind);

} // namespace ns3

#endif /* FAULT_KINDS_H */
