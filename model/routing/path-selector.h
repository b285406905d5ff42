// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SELECTOR_H
#define PATH_SELECTOR_H

#include "ns3/object.h"
#include "ns3/policy-default.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricPacketItem;
class PortLoads;
struct PortGroup;

/**
 * @ingroup dcfabric
 * @brief What a path selector needs of the forwarding tables and of switches.
 */
struct RouteNeeds
{
    bool spanningTrees{false};     //!< groups hold the port of each spanning tree, in their order,
                                   //!< instead of all ports on shortest paths
    uint32_t nTrees{0};            //!< number of trees; 0: as many as switches of the highest tier
    bool weights{false};           //!< a port stands in a group as often as the capacity behind it
                                   //!< is of what there is, in place of once
    const char* feature{nullptr};  //!< class of the switch feature that does it, which every switch
                                   //!< gets; null: none
    const char* misleads{nullptr}; //!< class of a congestion control that takes delays of packets
                                   //!< for those of one path; null: it works with all
};

/**
 * @ingroup dcfabric
 * @brief Chooses one port of an equal-cost group at a switch. One instance serves one switch.
 */
class PathSelector : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Learn which switch this is.
     * @param address fabric address of the switch
     * @param tier distance from the nearest host: 1 for an edge switch
     */
    virtual void Attach(uint32_t address, uint8_t tier);

    /**
     * @brief Choose; by default what Predict() says, which is enough for one that remembers
     * nothing.
     * @param group at least two ports
     * @param item the packet to forward
     * @return one of the ports of the group
     */
    virtual uint16_t Select(const PortGroup& group, const FabricPacketItem& item)
    {
        return Predict(group, item);
    }

    /**
     * @brief What Select() would return, without any effect on later choices. Where packets wait
     * for credits of each queue of the next switch, what it has said is done, without Select().
     * @param group at least two ports
     * @param item a packet that will arrive soon
     * @return one of the ports of the group, or FabricPacketItem::NO_PORT if it is not known yet
     */
    virtual uint16_t Predict(const PortGroup& group, const FabricPacketItem& item) const;

    /**
     * @brief Choose again: the port that was chosen is known to be down.
     *
     * The first choice is made among all ports, so that what goes elsewhere stays where it is. The
     * second one must not depend on the first, or all that is moved would go to the same port.
     * @param rest the group without the ports that are down, at least one
     * @param item the packet to forward
     * @return one of the ports of the rest, or FabricPacketItem::NO_PORT if none of them will do;
     * the default is Select()
     */
    virtual uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item);

    /// The table of the switch has changed: ports that are remembered may lead elsewhere.
    virtual void OnTableChange();

    /// @return what the groups have to hold; the default is all ports on shortest paths
    virtual RouteNeeds GetRouteNeeds() const
    {
        return {};
    }

    /// @return true if a packet and its answer meet the same links on a symmetric topology
    virtual bool IsSymmetric() const
    {
        return false;
    }

    /**
     * @brief Learn where to look up the state of the switch.
     * @param loads outlives this object
     */
    virtual void SetPortLoads([[maybe_unused]] const PortLoads* loads)
    {
    }

    /**
     * @brief Make draws independent of others.
     * @param stream first stream to use
     * @return how many are used
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is what holds where packets overtake, unless it keeps
     * order
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /// @return in how many ways at most packets of one entropy go; UINT32_MAX if there is no bound
    virtual uint32_t GetMaxPaths() const
    {
        return 1;
    }

    /// @return true if packets of one entropy do not overtake one another as a rule
    virtual bool KeepsOrder() const
    {
        return true;
    }

    /**
     * @param hash the hash
     * @param salt the salt
     * @return well-mixed bits of a hash and a salt
     */
    static uint32_t Mix(uint32_t hash, uint32_t salt);

  protected:
    /**
     * @param hash uniform bits
     * @param count at least 1
     * @return hash scaled to 0 .. count - 1
     */
    static uint16_t Scale(uint32_t hash, uint16_t count)
    {
        return static_cast<uint16_t>((uint64_t{hash} * count) >> 32);
    }
};

} // namespace ns3

#endif /* PATH_SELECTOR_H */
