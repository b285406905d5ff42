// SPDX-License-Identifier: GPL-2.0-only
#ifndef DEADLOCK_PROOF_H
#define DEADLOCK_PROOF_H

#include "fabric.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Proves that routes cannot deadlock under a lossless flow control, where the module is
 * built with one that can (ChannelDependencies).
 */
class DeadlockProof
{
  public:
    virtual ~DeadlockProof();

    /**
     * @brief Refuse a network whose routes can deadlock.
     * @param fabric installed
     * @throws FabricError with the cycle, the routing, the flow control and the remedy
     */
    virtual void Check(const Fabric& fabric) const = 0;

    /**
     * @brief Look at routes after a repair of tables.
     * @param fabric installed
     * @param routing that its tables are of now
     * @return how packets can wait for one another in a circle, in words; empty if they cannot
     */
    virtual std::string FindCycle(const Fabric& fabric, const RoutingBuilder& routing) const = 0;

    /// @return the one of this build; null: it has none
    static const DeadlockProof* Get();

    /**
     * @brief Have networks proven by it, from when static objects are made.
     * @param proof it, which stays
     * @return true
     */
    static bool Set(const DeadlockProof& proof);
};

} // namespace ns3

#endif /* DEADLOCK_PROOF_H */
