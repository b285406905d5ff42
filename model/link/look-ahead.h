// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOOK_AHEAD_H
#define LOOK_AHEAD_H

namespace ns3
{

class FabricActor;
class FabricNetDevice;
class FabricPacketItem;

/**
 * @ingroup dcfabric
 * @brief Loads what the next event of a node will read, while other nodes run.
 *
 * The classes of the hot path name their hot lines (HotLines); the order in which one leads to the
 * other is here alone. Each step may read what the steps before it have loaded, and loads what that
 * leads to: the node, its calendar, the packet and the port, then for a packet that arrives the
 * route, the buffer and the port of egress, and at last that port's queue disc. Nothing changes,
 * and what comes may turn out to be something else.
 */
class LookAhead
{
  public:
    static constexpr int N_STEPS = 9; //!< steps of an event

    /**
     * @brief The next event of a node approaches.
     * @param actor the node
     * @param step 0 to N_STEPS - 1, in this order
     */
    void Step(const FabricActor& actor, int step);

  private:
    const FabricPacketItem* m_item{nullptr};  //!< the last packet whose egress was predicted
    const FabricNetDevice* m_egress{nullptr}; //!< where it will leave; null if unknown
};

} // namespace ns3

#endif /* LOOK_AHEAD_H */
