// SPDX-License-Identifier: GPL-2.0-only
#ifndef EDGE_PATH_FEATURE_H
#define EDGE_PATH_FEATURE_H

#include "switch-feature.h"

#include "ns3/edge-tag.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What switches may know of the edge switches of a network.
 */
struct EdgePlan
{
    static constexpr uint32_t NONE = 0xffffffff; //!< no edge switch

    std::vector<uint32_t> edgeOf;  //!< by fabric address: the switch of that host; NONE: no host
    std::vector<int64_t> accessPs; //!< by fabric address: of a full packet over the link of that
                                   //!< host and a short one back
    uint32_t dataBytes{0};         //!< of a full packet on the wire, with all headers and the gap
    uint32_t answerBytes{0};       //!< of a short control packet on the wire
};

/**
 * @ingroup dcfabric
 * @brief Base of features by which the switch where packets enter the network chooses their whole
 * way to the switch where they leave it, and tells that switch something.
 *
 * The choice is carried in a tag (EdgeTag), which the first switch adds and the last one takes off.
 * Networks are of tiers: ways lead up and then down, and only switches that lead up have a choice.
 * Where the port that the tag names is down or no longer leads to the receiver, the switch takes
 * the port of its path selector and writes it into the tag. All that is known of other switches is
 * of the network as it was planned, so that it is the same in all processes; which ports of its own
 * are up a switch sees.
 */
class EdgePathFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    // from SwitchFeature
    uint32_t GetHooks() const override;
    Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also beside another one
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnChoosePath(const PortGroup& group, FabricPacketItem& item, uint16_t& port) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;

    /**
     * @brief Learn the ways to all other edge switches; all switches have their tables.
     * @param plan of the network
     * @throws FabricError if ways do not lead up and then down, or the tag cannot name them
     */
    void LearnEdges(std::shared_ptr<const EdgePlan> plan);

  protected:
    /// What is known of another edge switch.
    struct Edge
    {
        const std::vector<uint32_t>* paths{nullptr}; //!< ways to it, at least one
        int64_t rttPs{0}; //!< of a full packet there and a short one back, on the longest of them
    };

    /**
     * @param ingress port
     * @param item a packet that has arrived there
     * @return true if it comes from a host here and goes to one of another edge switch
     */
    bool EntersHere(const FabricNetDevice& ingress, const FabricPacketItem& item) const;

    /**
     * @param ingress port
     * @param item a packet that has arrived there
     * @return true if it has a tag and goes to a host here
     */
    bool LeavesHere(const FabricNetDevice& ingress, const FabricPacketItem& item) const;

    /**
     * @param host address of a host
     * @return its edge switch, EdgePlan::NONE if it is no host
     */
    uint32_t GetEdgeOf(uint32_t host) const
    {
        return host < m_plan->edgeOf.size() ? m_plan->edgeOf[host] : EdgePlan::NONE;
    }

    /**
     * @param edge another edge switch
     * @return what is known of it; null: there is no way to it
     */
    const Edge* FindEdge(uint32_t edge) const;

    /**
     * @param host a host of another edge switch
     * @param own a host here that the table leads to
     * @return from when a full packet leaves the own host until its answer is back here, without
     * queues, on the longest of the ways, in ps
     */
    int64_t GetHostRttPs(uint32_t host, uint32_t own) const;

    /**
     * @param path a way to a host
     * @param host its address
     * @return true if its port here is up and leads there
     */
    bool IsUsable(uint32_t path, uint32_t host) const;

    /**
     * @brief Give a packet that enters here its way; the frame grows in OnEnqueue().
     * @param item the packet
     * @param path of it
     * @return the tag, to be filled
     */
    static EdgeTag& Tag(FabricPacketItem& item, uint32_t path);

    void DoDispose() override;

  private:
    /// Add the ways from a switch on, whose ports so far are those of a path.
    void Walk(const FabricSwitch& sw, uint32_t edge, uint32_t host, uint32_t path);
    /// @return Edge::rttPs of a way
    int64_t ComputeRttPs(uint32_t edge, uint32_t host, uint32_t path) const;

    std::shared_ptr<const EdgePlan> m_plan;     //!< of the network
    std::vector<bool> m_toHost;                 //!< by port: the neighbor is no switch
    std::unordered_map<uint32_t, Edge> m_edges; //!< other edge switches, by address
    std::vector<std::unique_ptr<const std::vector<uint32_t>>>
        m_lists;                   //!< of Edge::paths, once each
    std::vector<uint32_t> m_found; //!< scratch of LearnEdges()
};

} // namespace ns3

#endif /* EDGE_PATH_FEATURE_H */
