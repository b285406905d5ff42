// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTING_ALGORITHM_H
#define ROUTING_ALGORITHM_H

#include "ns3/fabric-graph.h"
#include "ns3/object.h"
#include "ns3/policy-default.h"
#include "ns3/switch-feature.h"
#include "ns3/via-plan.h"
#include "ns3/virtual-channels.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Which ways packets may go through a network, and the virtual channels that these ways need
 * where nothing is dropped. One instance serves one network.
 *
 * Forwarding tables hold all shortest ways among those that an algorithm permits (RoutingBuilder).
 */
class RoutingAlgorithm : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Learn the network, before anything else.
     * @param graph validated, outlives the algorithm
     * @throws FabricError if the algorithm does not suit it
     */
    virtual void Attach(const FabricGraph& graph);

    /// @return true if Permits() is always true: it is not asked, and ways are shortest ones
    virtual bool PermitsAll() const;

    /**
     * @brief May a packet for a switch, or for a host there, leave another switch through a port?
     * Whether it does is a matter of length: of permitted ways the shortest are taken.
     * @param node number of a switch, not the destination
     * @param port its port to another switch
     * @param destination number of the last switch
     * @return true if it may; the default is that it may always
     */
    virtual bool Permits(uint32_t node, uint32_t port, uint32_t destination) const;

    /**
     * @param a,b numbers of switches
     * @return true if a way to one of them may go on to the other: a host may have links to both
     */
    virtual bool AreAlike(uint32_t a, uint32_t b) const;

    /**
     * @param node number of a switch
     * @return what changes the channels of packets there, without classes; null if one channel
     * will do
     */
    Ptr<VirtualChannels> MakeChannels(uint32_t node) const;

    /// @return what MakeChannels() makes for any switch, which are alike in what they need; null if
    /// one channel will do, or there is no switch
    Ptr<VirtualChannels> MakeAnyChannels() const;

    /**
     * @param plan what MakeVias() gave; null to see what the feature is like
     * @return what sends packets by way of other switches, one for a switch; null: all ways are
     * those of the tables, and routes lead to hosts only
     */
    virtual Ptr<SwitchFeature> MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const;

    /**
     * @param hops of the ways of the tables, outlives the plan
     * @return by way of which switches packets may go; null without MakeViaFeature()
     */
    virtual std::shared_ptr<const ViaPlan> MakeVias(const ViaPlan::HopCounter& hops) const;

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is what its channels and its detours need
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /// @return attribute: channels to be used; 0: as many as the algorithm needs
    uint8_t GetChannels() const
    {
        return m_channels;
    }

    /// @return attribute: classes of the channels of data, as a comma list; empty: free ones
    const std::string& GetDataClasses() const
    {
        return m_dataClasses;
    }

    /// @return attribute: likewise, of control packets
    const std::string& GetControlClasses() const
    {
        return m_controlClasses;
    }

  protected:
    /// @return see MakeChannels(); where hosts are is told later
    virtual Ptr<VirtualChannels> DoMakeChannels(uint32_t node) const;

    const FabricGraph* m_graph{nullptr}; //!< the network

  private:
    uint8_t m_channels{0}; //!< virtual channels under a lossless flow control
    /// Classes of the virtual channels of data, separated by commas, that of the senders first
    std::string m_dataClasses;
    std::string m_controlClasses; //!< likewise, of ACKs and other control packets
};

/**
 * @ingroup dcfabric
 * @brief All shortest ways, by number of hops.
 */
class ShortestPathRouting : public RoutingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool PermitsAll() const override;
};

} // namespace ns3

#endif /* ROUTING_ALGORITHM_H */
