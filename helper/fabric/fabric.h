// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_H
#define FABRIC_H

#include "ideal-time-provider.h"
#include "pair-rtt.h"
#include "path-latency.h"
#include "policy-context.h"
#include "routing-builder.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-nic.h"
#include "ns3/fabric-switch.h"
#include "ns3/node-container.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A network that FabricHelper has built: its plan, its nodes, and what follows from the
 * plan.
 *
 * Nodes are named by their numbers in the plan, which are also their fabric addresses. Made by
 * FabricHelper::Install().
 */
class Fabric : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    Fabric();
    ~Fabric() override;

    /// @return the plan
    const FabricGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return addresses of all hosts in the order of host numbers
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_graph.GetHosts();
    }

    /// @return all nodes in the order of their numbers
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /**
     * @param node its number
     * @return the NIC of a host
     * @throws FabricError if it is no host
     */
    Ptr<FabricNic> GetNic(uint32_t node) const;

    /**
     * @param node its number
     * @return the switch of a node
     * @throws FabricError if it is no switch
     */
    Ptr<FabricSwitch> GetSwitch(uint32_t node) const;

    /**
     * @param node its number
     * @return true if this process simulates the node; false only where there are several ranks
     */
    bool IsHere(uint32_t node) const;

    /**
     * @param node its number
     * @return the actor of a node, NIC or switch
     */
    FabricActor* GetActor(uint32_t node) const
    {
        return m_actors[node];
    }

    /**
     * @param node number of the node
     * @param port number of the port
     * @return a port
     */
    FabricNetDevice* GetPort(uint32_t node, uint32_t port) const
    {
        return m_actors[node]->GetPort(static_cast<uint16_t>(port));
    }

    /**
     * @param link number of a link of the plan
     * @return the link
     */
    Ptr<FabricChannel> GetChannel(uint32_t link) const;

    /**
     * @param port a port
     * @return the random stream that is set apart for faults of the wire towards it
     */
    int64_t GetFaultStream(const FabricNetDevice& port) const;

    /**
     * @brief Frames of the flow whose times are computed below.
     */
    struct FrameSizes
    {
        uint32_t payloadBytes; //!< payload of a full packet
        uint32_t overhead;     //!< frame bytes beyond the payload, without INT
        uint32_t ackBytes;     //!< frame of an ACK, without INT
        uint32_t gapBytes;     //!< preamble and gap
    };

    /// @return the sizes the NICs were installed with
    const FrameSizes& GetFrameSizes() const
    {
        return m_sizes;
    }

    /**
     * @brief Round-trip time of a full-size packet and its ACK on an empty path, the fastest of the
     * shortest ones.
     * @param src address of a host
     * @param dst address of another host
     * @return ps
     */
    int64_t GetBaseRttPs(uint32_t src, uint32_t dst) const;

    /**
     * @brief The base RTT that NICs are told for a pair: as GetBaseRttPs(), but with spanning trees
     * that of the longest way in any of them. Cheap when asked again.
     * @param src address of a host
     * @param dst address of another host
     * @return ps
     */
    int64_t GetPairRttPs(uint32_t src, uint32_t dst) const
    {
        return m_pairRtt->GetPs(src, dst);
    }

    /// @return time in ps that the shortest queue takes to drain of which a switch may mark a
    /// packet, computed once, when first asked for; 0: no switch marks by profile
    int64_t GetMarkPs() const;

    /**
     * @brief The same with other sizes.
     * @param src address of a host
     * @param dst address of another host
     * @param dataBytes bytes of a data packet on the wire, gap included
     * @param ackBytes bytes of an ACK on the wire, gap included
     * @return ps
     */
    int64_t ComputeBaseRttPs(uint32_t src,
                             uint32_t dst,
                             uint64_t dataBytes,
                             uint64_t ackBytes) const
    {
        return m_paths->GetLatencyPs(src, dst, dataBytes) +
               m_paths->GetLatencyPs(dst, src, ackBytes);
    }

    /// @return the largest base RTT of all host pairs in ps, computed once
    int64_t GetMaxBaseRttPs() const;

    /**
     * @brief The same with other sizes.
     * @param dataBytes bytes of a data packet on the wire, gap included
     * @param ackBytes bytes of an ACK on the wire, gap included
     * @return the largest over all host pairs in ps
     */
    int64_t ComputeMaxBaseRttPs(uint64_t dataBytes, uint64_t ackBytes) const
    {
        return m_paths->GetMaxRttPs(dataBytes, ackBytes);
    }

    /**
     * @brief The least time that a message can take alone, from its first bit to the arrival of its
     * last, without INT, store and forward.
     *
     * On the path that is fastest for it; where its packets may take different paths (by the load
     * balancer or the path selectors), on all of them together (IdealTimeProvider).
     * @param src address of a host
     * @param dst address of another host
     * @param bytes length, at least 1
     * @param priority class of the message, 0 to 7, where load balancers of classes differ
     * @return ps, exact for rates with whole picoseconds per byte, at most
     * IdealTimeProvider::BEYOND_PS; negative if the module is built without the wing that knows it
     */
    int64_t GetIdealFctPs(uint32_t src,
                          uint32_t dst,
                          uint64_t bytes,
                          uint8_t priority = PdcPolicies::ANY_CLASS) const;

    /**
     * @param src host
     * @param dst host
     * @param wireBytes bytes of the packet on the wire
     * @return the shortest path that is fastest for a single packet
     */
    std::vector<FabricHop> GetBestPath(uint32_t src, uint32_t dst, uint64_t wireBytes) const
    {
        return m_paths->GetBestPath(src, dst, wireBytes);
    }

    /**
     * @brief The links that packets of a flow take, by the table of the host and the path selectors
     * of the switches.
     * @param src address of a host
     * @param dst address of another host
     * @param entropy UDP source port
     * @return the path; ends early if a switch has no way
     */
    std::vector<FabricHop> TracePath(uint32_t src, uint32_t dst, uint16_t entropy) const
    {
        return TraceFrom(src, dst, entropy, GetNic(src)->ChoosePort(dst, entropy));
    }

    /**
     * @param src host
     * @param dst host
     * @param entropy UDP source port
     * @return true if packets of a flow and their answers use the same links
     */
    bool IsPathSymmetric(uint32_t src, uint32_t dst, uint16_t entropy) const;

    /// @return bit mask of the classes set apart for packets of ns-3's IP stack
    uint8_t GetStackClasses() const
    {
        return m_stackClasses;
    }

    /// @return bit mask of the classes that are never dropped for want of room; 0 if the flow
    /// control is none, or not lossless
    uint8_t GetLosslessClasses() const
    {
        return m_losslessClasses;
    }

    /// @return true if packets wait for room in the queue to which they will go at the next switch
    /// (EgressGate)
    bool HasGates() const;

    /// @return the routes
    const RoutingBuilder& GetRouting() const
    {
        return *m_routing;
    }

    /// @return by way of which switches packets may go; null: they all go straight
    const ViaPlan* GetVias() const
    {
        return m_vias.get();
    }

    /// @return which ways packets may go
    const RoutingAlgorithm& GetRoutingAlgorithm() const
    {
        return *m_algorithm;
    }

    /// @return what PDCs find around them
    const PolicyContext& GetPolicyContext() const
    {
        return m_policyContext;
    }

    // Totals over all nodes.

    /// @return dropped packets by reason, of NICs, switches and wires
    DropCounts GetDrops() const;

    /// Where all packets are.
    struct Conservation
    {
        uint64_t created{0};  //!< data, ACKs, CNPs, packets of switches and of ns-3's IP stack
        uint64_t consumed{0}; //!< that reached a NIC and were handled there, or by a feature
        uint64_t dropped{0};  //!< that were dropped, for a reason that is counted
        uint64_t inFlight{0}; //!< in queues and on wires

        /// @return true if no packet is missing
        bool Holds() const
        {
            return created == consumed + dropped + inFlight;
        }
    };

    /// @return where all packets are now
    Conservation CheckConservation() const;

    /// @return when something happened last in a node that this process simulates, in ps
    int64_t GetLastPs() const;

  protected:
    void DoDispose() override;

  private:
    friend class FabricHelper;
    friend class PdcPolicyHelper;

    /// @return a path from a port of its source on
    std::vector<FabricHop> TraceFrom(uint32_t src,
                                     uint32_t dst,
                                     uint16_t entropy,
                                     uint16_t first) const;

    /// Streams set apart for each node: its NIC or ports, their error models, faults, features.
    static constexpr int64_t STREAMS_PER_NODE = 4096;
    static constexpr int64_t STREAMS_PER_KIND = 1024; //!< of them for what each port has one of
    static constexpr int64_t THROTTLE_STREAMS = 1024; //!< of throttles, by port
    static constexpr int64_t ERROR_STREAMS = 2048;    //!< of error models, by port
    static constexpr int64_t FAULT_STREAMS = 3072;    //!< of faults, by port
    static constexpr int64_t FEATURE_STREAMS = 4032;  //!< of switch features
    static constexpr int64_t GRANT_STREAM = 4094;     //!< of a host's ReceiverControl
    static constexpr int64_t OWN_STREAM = 4095;       //!< of a switch's buffer, or a host's clock
    /// Ports of a node that have their streams there; those of others are behind all nodes.
    static constexpr int64_t NEAR_PORTS = FEATURE_STREAMS - FAULT_STREAMS;

    /**
     * @brief Set streams apart.
     * @param first the first one
     * @return how many
     */
    int64_t PlaceStreams(int64_t first);
    /**
     * @param node its number
     * @param port of it
     * @param begin of the streams of a kind among those of a node
     * @return the stream of that kind of a port
     */
    int64_t GetPortStream(uint32_t node, uint16_t port, int64_t begin) const;

    FabricGraph m_graph;                            //!< plan
    Ptr<RoutingAlgorithm> m_algorithm;              //!< which ways are permitted
    int64_t m_firstStream{0};                       //!< of FabricHelper::AssignStreams()
    std::map<uint32_t, int64_t> m_farStreams;       //!< of ports beyond NEAR_PORTS, by node
    std::unique_ptr<RoutingBuilder> m_routing;      //!< routes
    std::shared_ptr<const ViaPlan> m_vias;          //!< of packets that do not go straight; or null
    std::unique_ptr<PathLatency> m_paths;           //!< latencies
    std::unique_ptr<IdealTimeProvider> m_idealTime; //!< of messages; null: not known
    std::unique_ptr<PairRtt> m_pairRtt;             //!< base RTTs
    NodeContainer m_nodes;                          //!< by number
    std::vector<FabricActor*> m_actors;             //!< by number; the nodes own them
    FrameSizes m_sizes{};                           //!< of packets
    mutable int64_t m_maxBaseRttPs{0};              //!< see GetMaxBaseRttPs(); 0: not asked for
    mutable int64_t m_markPs{-1};                   //!< see GetMarkPs(); negative: not asked for
    PolicyContext m_policyContext;                  //!< of PDCs
    bool m_selectorSprays{false};                   //!< switches send packets of one entropy apart
    uint8_t m_stackClasses{0};                      //!< for packets of ns-3's IP stack
    uint8_t m_losslessClasses{0};                   //!< see GetLosslessClasses()
    bool m_deadlockCheck{true}; //!< refuse routes that can deadlock under a lossless flow control
};

} // namespace ns3

#endif /* FABRIC_H */
