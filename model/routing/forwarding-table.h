// SPDX-License-Identifier: GPL-2.0-only
#ifndef FORWARDING_TABLE_H
#define FORWARDING_TABLE_H

#include "ns3/hot-lines.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The equal-cost ports towards a destination, grouped by neighbor.
 *
 * Neighbors are in ascending order of their addresses, the parallel links to one neighbor in the
 * order in which they were laid, which is the same at both ends. With spanning trees ports are
 * those of tree 0, 1, ..., whether equal or not, and count as links to one neighbor.
 */
struct PortGroup
{
    static constexpr uint16_t NO_TIER = 0xffff; //!< the tier of the neighbors is not known
    static constexpr uint16_t HOST_TIER = 0;    //!< the neighbor is a host

    const uint16_t* ports{nullptr};     //!< all ports, neighbor by neighbor
    const uint16_t* neighbors{nullptr}; //!< index in ports of the first link to each neighbor, then
                                        //!< nPorts, then their tier, then what GetWays() returns
    uint16_t nPorts{0};                 //!< number of ports
    uint16_t nNeighbors{0};             //!< number of neighbors

    /// @return tier of the neighbors, of the first one if they differ; HOST_TIER or NO_TIER
    uint16_t GetTier() const
    {
        return neighbors[nNeighbors + 1];
    }

    /// @return last-hop switches of the host whose links these are, at either end; 1 for links
    /// between switches
    uint16_t GetWays() const
    {
        return neighbors[nNeighbors + 2];
    }

    /**
     * @param bits of the packet
     * @param links their number
     * @return which of several links between a host and one of its last-hop switches to take, the
     * same at both ends: by what is left of the bits after the choice of the switch
     */
    uint16_t ChooseHostLink(uint32_t bits, uint16_t links) const
    {
        return static_cast<uint16_t>(bits / GetWays() % links);
    }
};

/**
 * @ingroup dcfabric
 * @brief Which destinations are alike: those behind the same last-hop switches share all routes.
 */
struct DestinationClasses
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< not a destination

    std::vector<uint32_t> classOf; //!< by fabric address; NONE if there is no way to it
    uint32_t nClasses{0};          //!< number of classes
};

/**
 * @ingroup dcfabric
 * @brief The forwarding table of one node, a switch or a host with several links: last-hop switch
 * to port group.
 *
 * Compact: a 16-bit group number for each class of destinations, and one for each host at this
 * node. Groups are kept once. Filled by RoutingBuilder.
 */
class ForwardingTable
{
  public:
    /**
     * @brief Start empty.
     * @param classes which destinations are alike
     */
    explicit ForwardingTable(std::shared_ptr<const DestinationClasses> classes = nullptr);

    /**
     * @brief Set the ports towards a class of destinations.
     * @param destinationClass the class
     * @param ports all ports, neighbor by neighbor
     * @param neighbors index of the first port of each neighbor
     * @param tier of the neighbors, see PortGroup::GetTier()
     * @param ways see PortGroup::GetWays()
     */
    void SetGroup(uint32_t destinationClass,
                  const std::vector<uint16_t>& ports,
                  const std::vector<uint16_t>& neighbors,
                  uint16_t tier = PortGroup::NO_TIER,
                  uint16_t ways = 1);

    /**
     * @brief Set the ports of a host that is attached to this node.
     * @param address of the host
     * @param ports its ports
     * @param ways its last-hop switches
     */
    void SetLocal(uint32_t address, const std::vector<uint16_t>& ports, uint16_t ways = 1)
    {
        SetLocalGroup(address, ports, {0}, PortGroup::HOST_TIER, ways);
    }

    /**
     * @brief Give a host the ports of its class, which is SetLocalClass() because of other hosts.
     * @param address of the host
     * @param ports,neighbors,tier,ways as for SetGroup()
     */
    void SetLocalGroup(uint32_t address,
                       const std::vector<uint16_t>& ports,
                       const std::vector<uint16_t>& neighbors,
                       uint16_t tier,
                       uint16_t ways);

    /**
     * @brief Say that hosts of a class of destinations are attached to this node: each of its hosts
     * needs ports of its own.
     * @param destinationClass the class
     */
    void SetLocalClass(uint32_t destinationClass)
    {
        m_groupOfClass[destinationClass] = LOCAL;
    }

    /**
     * @param address a fabric address
     * @return the ports towards an address; none if there is no way
     */
    PortGroup Lookup(uint32_t address) const
    {
        const uint16_t group = FindGroup(address);
        return group == NO_GROUP ? PortGroup{} : MakeGroup(m_groups[group], m_numbers);
    }

    /// @return fabric addresses that it may know, from 0 to this less 1
    uint32_t GetNAddresses() const
    {
        return m_classes ? static_cast<uint32_t>(m_classes->classOf.size()) : 0;
    }

    /**
     * @brief Tell which ports are known to be down.
     * @param down by port; those beyond are up
     */
    void SetDown(std::vector<bool> down);

    /**
     * @brief Tell that a port is known to be down or up.
     * @param port its number
     * @param down true: down
     */
    void SetDown(uint16_t port, bool down);

    /**
     * @brief Know the same ports to be down as another table does.
     * @param other a table of the same node
     */
    void CopyDown(const ForwardingTable& other)
    {
        if (other.m_hasDown)
        {
            SetDown(other.m_down);
        }
    }

    /**
     * @param port its number
     * @return true if a port is known to be down
     */
    bool IsDown(uint16_t port) const
    {
        return m_hasDown && port < m_down.size() && m_down[port];
    }

    /**
     * @param address a fabric address
     * @return what is left of Lookup() without the ports that are known to be down; none if there
     * is nothing left, or no way
     */
    PortGroup LookupUp(uint32_t address) const
    {
        const uint16_t group = FindGroup(address);
        return group >= m_upGroups.size() ? PortGroup{} : MakeGroup(m_upGroups[group], m_upNumbers);
    }

    /**
     * @brief Name what Lookup() will read.
     * @param lines takes it
     * @param address a fabric address
     */
    void NameHotLines(const HotLines& lines, uint32_t address) const
    {
        if (address < m_classes->classOf.size() &&
            m_classes->classOf[address] != DestinationClasses::NONE)
        {
            lines.Add<1>(m_groupOfClass.data() + m_classes->classOf[address]);
            lines.Add<1>(m_groups.data());
            lines.Add<1>(m_numbers.data());
            lines.Add<1>(m_groupOfLocal.data());
        }
    }

  private:
    static constexpr uint16_t NO_GROUP = 0xffff; //!< no way
    static constexpr uint16_t LOCAL = 0xfffe;    //!< look at the hosts of this switch

    /// A group as kept.
    struct Group
    {
        uint32_t first;      //!< in m_numbers: ports, neighbors, number of ports, tier, ways
        uint16_t nPorts;     //!< number of ports
        uint16_t nNeighbors; //!< number of neighbors
    };

    /// @return the number of the group of an address, or NO_GROUP
    uint16_t FindGroup(uint32_t address) const
    {
        if (address >= m_classes->classOf.size())
        {
            return NO_GROUP;
        }
        const uint32_t cls = m_classes->classOf[address];
        if (cls == DestinationClasses::NONE)
        {
            return NO_GROUP;
        }
        const uint16_t group = m_groupOfClass[cls];
        if (group != LOCAL)
        {
            return group;
        }
        return address - m_firstLocal < m_groupOfLocal.size()
                   ? m_groupOfLocal[address - m_firstLocal]
                   : NO_GROUP;
    }

    /// @return a group as kept, with pointers to its numbers
    static PortGroup MakeGroup(const Group& group, const std::vector<uint16_t>& numbers)
    {
        const uint16_t* ports = numbers.data() + group.first;
        return {ports, ports + group.nPorts, group.nPorts, group.nNeighbors};
    }

    /**
     * @brief Append a group to the numbers that MakeGroup() reads; its ports are by neighbor.
     * @return the group as kept
     */
    static Group Store(std::vector<uint16_t>& numbers,
                       const std::vector<uint16_t>& ports,
                       const std::vector<uint16_t>& neighbors,
                       uint16_t tier,
                       uint16_t ways);

    /// @return the number of a group, which is added if it is new
    uint16_t FindOrAdd(const std::vector<uint16_t>& ports,
                       const std::vector<uint16_t>& neighbors,
                       uint16_t tier,
                       uint16_t ways);

    std::shared_ptr<const DestinationClasses> m_classes; //!< shared by all nodes
    std::vector<uint16_t> m_groupOfClass;                //!< group of each class
    std::vector<uint16_t> m_groupOfLocal; //!< group of each host here, from m_firstLocal
    uint32_t m_firstLocal{0};             //!< lowest address of a host here
    std::vector<Group> m_groups;          //!< each once
    std::vector<uint16_t> m_numbers;      //!< ports, neighbors, tiers, ways of all groups
    bool m_hasDown{false};                //!< there is a port in m_down
    std::vector<Group> m_upGroups;        //!< what is left of m_groups
    std::vector<uint16_t> m_upNumbers;    //!< of m_upGroups
    std::vector<bool> m_down;             //!< by port: known to be down
};

} // namespace ns3

#endif /* FORWARDING_TABLE_H */
