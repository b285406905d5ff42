// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_HELPER_H
#define FABRIC_HELPER_H

#include "fabric.h"
#include "pdc-policy-helper.h"

#include "ns3/attribute.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-graph.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/packet-trimmer.h"
#include "ns3/prototype-factory.h"
#include "ns3/trace-helper.h"
#include "ns3/wire-format.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Builds a network from a plan and installs policies on its nodes.
 *
 * Policies are chosen by TypeId and attributes:
 *
 *     FabricHelper helper;
 *     helper.SetCongestionControl("ns3::HpccCongestionControl", "Eta", DoubleValue(0.95));
 *     helper.AddSwitchFeature("ns3::HpccIntFeature");
 *     Ptr<Fabric> fabric = helper.Install(topology->BuildGraph());
 *
 * What policies need of others where nothing is set, they declare themselves, as
 * LoadBalancer::ListDefaults() does for the reliability under spraying. Install() applies it, each
 * time anew; what is set, by functions of this class or for all objects of a class, stays.
 *
 * Install() refuses a combination that makes no sense with a FabricError that names both sides and
 * the remedy.
 */
class FabricHelper : public PcapHelperForDevice
{
  public:
    FabricHelper();

    /**
     * @brief Set the congestion control of hosts.
     * @param type TypeId name
     * @param args attribute names and values
     */
    template <typename... Args>
    void SetCongestionControl(const std::string& type, Args&&... args)
    {
        m_pdcPolicy.SetCongestionControl(type, std::forward<Args>(args)...);
    }

    /**
     * @brief Append a congestion-control modifier.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void AddModifier(const std::string& type, Args&&... args)
    {
        m_pdcPolicy.AddModifier(type, std::forward<Args>(args)...);
    }

    /**
     * @brief Coordinate hosts and switches: append a modifier, and to the switches the features
     * that it needs and that were not added before.
     *
     *     helper.AddCoordination("ns3::CoordinationGateModifier");
     * @param type TypeId name of the modifier
     * @param args attributes of the modifier; those of a feature with AddSwitchFeature(), before
     */
    template <typename... Args>
    void AddCoordination(const std::string& type, Args&&... args)
    {
        AddModifier(type, std::forward<Args>(args)...);
        AddNeededFeatures(m_pdcPolicy.Get().modifiers.back());
    }

    /**
     * @brief Set the load balancer of hosts.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetLoadBalancer(const std::string& type, Args&&... args)
    {
        m_pdcPolicy.SetLoadBalancer(type, std::forward<Args>(args)...);
    }

    /**
     * @brief Say that some PDCs will have other policies (PdcPolicyHelper::Install()): what these
     * declare holds for the network from the start.
     * @param others types and attributes
     */
    void Expect(const PdcPolicyHelper& others)
    {
        m_expected.push_back(others.Get());
    }

    /**
     * @param graph the plan
     * @return what the policies declare that others are to have where a user has set nothing
     * @throws FabricError if the routing does not suit the plan
     */
    DeclaredDefaults ListDefaults(const FabricGraph& graph) const;

    /**
     * @param graph the plan
     * @return class of the reliability that Install() will take
     * @throws FabricError if the routing does not suit the plan, or policies want different ones
     */
    TypeId FindReliability(const FabricGraph& graph) const;

    /**
     * @brief Set the path selector of switches.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetPathSelector(const std::string& type, Args&&... args)
    {
        m_pathSelector = MakeCheckedFactory("path selector",
                                            "ns3::PathSelector",
                                            type,
                                            std::forward<Args>(args)...);
    }

    /**
     * @brief Set the ways on which packets go, and with them the virtual channels that these need
     * under a lossless flow control. The default is what the plan says
     * (FabricGraph::GetUsualRouting()).
     * @param type TypeId name of a RoutingAlgorithm
     * @param args attributes
     */
    template <typename... Args>
    void SetRouting(const std::string& type, Args&&... args)
    {
        m_routing = MakeCheckedFactory("routing",
                                       "ns3::RoutingAlgorithm",
                                       type,
                                       std::forward<Args>(args)...);
        m_hasRouting = true;
    }

    /**
     * @brief Make the routing that Install() would make.
     * @param graph the plan, validated, outlives the routing
     * @return the routing, attached to the plan; without SetRouting() the usual one of the plan, or
     * shortest paths for a path selector that needs spanning trees
     * @throws FabricError if it does not suit the plan
     */
    Ptr<RoutingAlgorithm> MakeRouting(const FabricGraph& graph) const;

    /**
     * @brief Set the link-level flow control.
     * @param type TypeId name, or "none"
     * @param args attributes
     */
    template <typename... Args>
    void SetFlowControl(const std::string& type, Args&&... args)
    {
        if (type != "none")
        {
            m_flowControl = MakeCheckedFactory("flow control",
                                               "ns3::LinkFlowControl",
                                               type,
                                               std::forward<Args>(args)...);
        }
        m_hasFlowControl = type != "none";
    }

    /**
     * @brief Have ports send frames again that a wire loses or damages. The default is that they do
     * not.
     * @param type TypeId name of a LinkRetry, or "none"
     * @param args attributes
     */
    template <typename... Args>
    void SetLinkRetry(const std::string& type, Args&&... args)
    {
        if (type != "none")
        {
            m_linkRetry = MakeCheckedFactory("link-level retry",
                                             "ns3::LinkRetry",
                                             type,
                                             std::forward<Args>(args)...);
        }
        m_hasLinkRetry = type != "none";
    }

    /**
     * @brief Set what limits the data that each port of a host injects, whatever its PDCs may send.
     * @param type TypeId name of an InjectionThrottle, or "none"
     * @param args attributes
     */
    template <typename... Args>
    void SetThrottle(const std::string& type, Args&&... args)
    {
        if (type != "none")
        {
            m_throttle = MakeCheckedFactory("injection throttle",
                                            "ns3::InjectionThrottle",
                                            type,
                                            std::forward<Args>(args)...);
        }
        m_hasThrottle = type != "none";
    }

    /**
     * @brief Set what becomes of packets that a port has no room for, instead of being dropped.
     *
     * It is installed at all ports. Where no limit of queues is set, it declares one.
     * @param type TypeId name of a PacketTrimmer, or "none"
     * @param args attributes
     */
    template <typename... Args>
    void SetTrimmer(const std::string& type, Args&&... args)
    {
        if (type != "none")
        {
            m_trimmer = MakeCheckedFactory("packet trimmer",
                                           "ns3::PacketTrimmer",
                                           type,
                                           std::forward<Args>(args)...);
        }
        m_hasTrimmer = type != "none";
    }

    /**
     * @brief Set the reliability of hosts. The default is ns3::SelectiveRepeat, or what policies
     * declare.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetReliability(const std::string& type, Args&&... args)
    {
        m_choseReliability = true;
        m_reliability = MakeCheckedFactory("reliability",
                                           "ns3::ReliabilityPolicy",
                                           type,
                                           std::forward<Args>(args)...);
    }

    /**
     * @brief Let messages go through match tables: every message needs a receive.
     * @param type TypeId name of what happens without one, or "none"
     * @param args attributes
     */
    template <typename... Args>
    void SetMessageProtocol(const std::string& type, Args&&... args)
    {
        if (type != "none")
        {
            m_messageProtocol = MakeCheckedFactory("message protocol",
                                                   "ns3::MessageProtocol",
                                                   type,
                                                   std::forward<Args>(args)...);
        }
        m_matches = type != "none";
    }

    /**
     * @brief Set the match table of hosts.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetMatchTable(const std::string& type, Args&&... args)
    {
        m_matchTable =
            MakeCheckedFactory("match table", "ns3::MatchTable", type, std::forward<Args>(args)...);
    }

    /**
     * @brief Set the root queue disc of switch ports.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetQueueDisc(const std::string& type, Args&&... args)
    {
        m_queueDisc =
            MakeCheckedFactory("queue disc", "ns3::QueueDisc", type, std::forward<Args>(args)...);
    }

    /**
     * @brief Set the marking profile of switch ports. The default is none, or what policies
     * declare. Thresholds that are not set are scaled to the rate of each link
     * (InstallPortMarking()).
     * @param type TypeId name, or "none"
     * @param args attributes
     */
    template <typename... Args>
    void SetMarkingProfile(const std::string& type, Args&&... args)
    {
        if (type != "none")
        {
            m_markingProfile = MakeCheckedFactory("marking profile",
                                                  "ns3::MarkingProfile",
                                                  type,
                                                  std::forward<Args>(args)...);
        }
        m_hasMarkingProfile = type != "none";
        m_choseMarkingProfile = true;
    }

    /**
     * @brief Set the buffer of switches.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetBuffer(const std::string& type, Args&&... args)
    {
        m_buffer =
            MakeCheckedFactory("buffer", "ns3::SwitchBuffer", type, std::forward<Args>(args)...);
    }

    /**
     * @brief Append a feature of switches.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void AddSwitchFeature(const std::string& type, Args&&... args)
    {
        m_features.push_back(MakeCheckedFactory("switch feature",
                                                "ns3::SwitchFeature",
                                                type,
                                                std::forward<Args>(args)...));
    }

    /**
     * @brief Set the wire sizes.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetWireFormat(const std::string& type, Args&&... args)
    {
        m_wireFormat =
            MakeCheckedFactory("wire format", "ns3::WireFormat", type, std::forward<Args>(args)...);
    }

    /**
     * @brief Set the layout of INT records.
     * @param type TypeId name
     * @param args attributes
     */
    template <typename... Args>
    void SetIntFormat(const std::string& type, Args&&... args)
    {
        m_intFormat =
            MakeCheckedFactory("INT format", "ns3::IntFormat", type, std::forward<Args>(args)...);
    }

    /**
     * @brief Set an attribute of FabricNic.
     * @param name of the attribute
     * @param value its value
     */
    void SetNicAttribute(const std::string& name, const AttributeValue& value);
    /**
     * @brief Set an attribute of all switches.
     * @param name of FabricSwitch
     * @param value the value
     * @throws FabricError for an unknown attribute or an invalid value
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);
    /**
     * @brief Set an attribute of FabricNetDevice.
     * @param name of the attribute
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Set T.
     * @param baseRtt the same for all pairs, up to 24 h; zero: the largest base RTT of the network
     * @throws FabricError for another time
     */
    void SetBaseRtt(Time baseRtt);

    /**
     * @brief Use the base RTT of each host pair as T.
     * @param perPair true: each pair has its own
     */
    void SetBaseRttPerPair(bool perPair)
    {
        m_baseRttPerPair = perPair;
    }

    /**
     * @brief Compute base RTTs for packets of other sizes than a full one and its ACK.
     * @param dataBytes bytes of a data packet on the wire, above 0, up to 2 MB
     * @param ackBytes bytes of an ACK on the wire, possibly 0, up to 2 MB
     * @throws FabricError for larger ones
     */
    void SetBaseRttSizes(uint64_t dataBytes, uint64_t ackBytes);
    /**
     * @brief Choose the data and control classes instead of FabricNic's attributes.
     * @param data 0 to 7
     * @param control 0 to 7, the same for one service level
     */
    void SetClasses(uint8_t data, uint8_t control);
    /**
     * @brief Set room apart for a further class of messages.
     * @param priority 0 to 7
     */
    void AddClass(uint8_t priority);
    /**
     * @brief Set room apart for packets of ns-3's IP stack, such as TCP.
     *
     * The class of such a packet is the class selector of its DSCP: 0 for best effort.
     * @param priority class, 0 to 7
     * @param lossless true: under flow control, as the other classes; false: packets beyond
     * SharedBuffer::EgressAlpha are dropped, whatever the flow control
     * @throws FabricError for a class above 7, or one that is to be both at once
     */
    void AddStackClass(uint8_t priority = 0, bool lossless = false);

    /**
     * @brief Say whether routes that can deadlock under a lossless flow control are refused
     * (DeadlockProof), where the module is built with what finds them.
     * @param check false: never; true: unless the attribute ns3::Fabric::DeadlockCheck is false
     */
    void SetDeadlockCheck(bool check)
    {
        m_deadlockCheck = check;
    }

    /**
     * @brief Build a network on new nodes.
     * @param graph the plan
     * @return the network
     * @throws FabricError for an invalid plan or a combination of policies that makes no sense
     */
    Ptr<Fabric> Install(const FabricGraph& graph);

    /**
     * @brief Build a network on given nodes.
     * @param graph the plan
     * @param nodes one for each node of the plan, in the order of numbers; those with a system id
     * other than that of the simulator are simulated by other processes, and their ports have no
     * queues here
     * @return the network
     * @throws FabricError as above, or if the numbers of nodes differ
     */
    Ptr<Fabric> Install(const FabricGraph& graph, NodeContainer nodes);

    /**
     * @brief Fix all random streams, by node and port and not by order of creation.
     * @param fabric the network
     * @param stream first stream
     * @return how many are used
     */
    int64_t AssignStreams(Ptr<Fabric> fabric, int64_t stream);

    /**
     * @brief Capture what a port sends and receives; called by the functions EnablePcap() of
     * PcapHelperForDevice. Devices that are no ports of a fabric are left alone, as by other
     * helpers of ns-3.
     *
     * See FabricPcapFile for what the file holds.
     * @param prefix of the file name, `PREFIX-NODE-DEVICE.pcap`
     * @param nd the port
     * @param promiscuous false: of what arrives, only packets for this node and link-level frames
     * @param explicitFilename prefix is the whole file name
     * @throws FabricError if the file cannot be written, or sizes on the wire are not those of real
     * frames
     */
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;

  private:
    /// Install() with the policies that there are, of which defaults are set.
    Ptr<Fabric> Build(const FabricGraph& graph, NodeContainer nodes);
    /// @return what the policies declare
    DeclaredDefaults ListDefaults(const RoutingAlgorithm& routing,
                                  const PolicyNetwork& network) const;
    /// @return the policies whose class others may declare, as they are set
    DefaultedPolicies GetGiven() const;
    /// Set what policies declare and a user has left as it is.
    /// @return what PDCs will find around them then
    PolicyContext ApplyDefaults(const Fabric& fabric);
    /// Append the features that a modifier needs and that are not there.
    void AddNeededFeatures(const ObjectFactory& modifier);
    /// Append a feature that is not there.
    void AddFeatureUnlessThere(const std::string& type);
    /// @return what PDCs will find around them
    PolicyContext MakePolicyContext(const Fabric& fabric) const;
    /// Find out which classes are virtual channels.
    void ChooseChannels(const Fabric& fabric);
    /// @return bit mask: classes that the congestion control gives to packets
    uint8_t GetControlledClasses() const;
    /// @return bit mask: a class and its virtual channels
    uint8_t GetChannelMask(uint8_t priority) const;
    /// Tell a feature that reads the queue of data of its virtual channels.
    void ConfigureDataChannels(const Ptr<SwitchFeature>& feature) const;
    /// Have a queue disc treat virtual channels alike.
    void ConfigureChannels(const Ptr<QueueDisc>& disc) const;
    /// Refuse matched messages whose receivers keep no PDC.
    void CheckMatching(const PolicyContext& around) const;
    /// Refuse features whose messages nobody reads.
    void CheckMessages(const PolicyContext& around) const;
    /// Refuse switches that would have to hold packets at inputs without queues, or drop them.
    void CheckHeldPackets(const PolicyContext& around) const;
    /// Refuse combinations that make no sense.
    void CheckCombination(const PolicyContext& around) const;
    /// Refuse limits of queues that cannot hold.
    void CheckQueueLimits(const FabricGraph& graph) const;
    /// Refuse policies that have no effect beside others.
    void CheckEffects(const PolicyContext& around) const;
    /// Find the classes of data that is trimmed and of trimmed packets, which nothing else may use.
    void ChooseTrimmedClasses();
    /// Refuse to trim where nothing is dropped, or where queues cannot.
    void CheckTrimmer() const;
    /// Refuse a class of the transport that is lossy because of a stack.
    void CheckClasses() const;
    /// Refuse a pause time that runs out before it can be renewed.
    void CheckPauseTime(const FabricNetDevice& port, uint32_t maxFrame) const;
    /// Tell a feature what the whole network has in common, if it asks for it.
    void ConfigureFeature(const Ptr<SwitchFeature>& feature) const;
    /// @return value of an integer attribute of the NICs
    uint64_t GetNicUinteger(const std::string& name) const;
    /// Warn of a time-out that expires although nothing is lost.
    static void WarnOfTimeout(const Fabric& fabric);
    /// Warn of a limit of queues that must not drop.
    void WarnOfQueueLimit(const PolicyContext& around) const;
    /// Refuse path selection that flow control would have to know ahead and cannot.
    void CheckForesight(const Fabric& fabric) const;
    /// @return a queue disc of a switch, or of a NIC, like @p sample, which is made when first
    /// needed
    Ptr<QueueDisc> CreateQueueDisc(bool forSwitch, Ptr<QueueDisc>& sample) const;
    /// @return what trims at a port, null for nothing; @p lastHop: it leads to a host
    Ptr<PacketTrimmer> GetPortTrimmer(bool lastHop);
    /// Nodes of a refused network stay in the simulation: let their ports say nothing.
    static void Silence(const Fabric& fabric);
    /// Make nodes' actors and ports.
    void CreateNodes(Fabric& fabric);
    /// Lay the links.
    void CreateLinks(Fabric& fabric);
    /// Configure one switch.
    void ConfigureSwitch(Fabric& fabric, uint32_t node);
    /// Tell retry and flow control of all ports of a node.
    static void ConfigureFlowControl(const FabricActor& actor, uint32_t maxFrame);
    /// Tell the flow control of all ports of a node of that of their peers, all of which are
    /// configured.
    static void IntroducePeers(const FabricActor& actor);
    /// Tell features that lead packets between edge switches of these, all of which are configured.
    void IntroduceEdges(const Fabric& fabric) const;
    /// @return ACKs that can arrive within the largest base RTT at line rate, rounded up
    uint64_t GetAcksPerRtt(const FabricNic& nic) const;
    /// Configure one NIC.
    void ConfigureNic(Fabric& fabric, uint32_t node);
    /// Put throttles between the PDCs and the ports of a NIC; all ports are configured.
    void InstallThrottles(FabricNic& nic) const;
    /// Refuse a payload with whose longest frame a data packet would be longer than IP allows.
    void CheckPayload(uint32_t payload, uint32_t frame) const;
    /// @return largest frame of data packets and of any packet
    std::pair<uint32_t, uint32_t> GetMaxFrames(const Fabric& fabric) const;

    static constexpr uint8_t UNSET = 0xff; //!< class that FabricNic's attribute says

    PdcPolicyHelper m_pdcPolicy;           //!< of hosts
    std::vector<PdcPolicy> m_expected;     //!< of some PDCs, later
    ObjectFactory m_reliability;           //!< of hosts
    PrototypeFactory m_reliabilities;      //!< the same, while a network is built
    bool m_usesHostLinks{false};           //!< data passes to hosts by a link that takes time
    ObjectFactory m_messageProtocol;       //!< of hosts, where m_matches
    ObjectFactory m_matchTable;            //!< of hosts, where m_matches
    bool m_matches{false};                 //!< messages are matched
    bool m_deadlockCheck{true};            //!< see SetDeadlockCheck()
    ObjectFactory m_nic;                   //!< of hosts
    ObjectFactory m_switch;                //!< of switches
    ObjectFactory m_routing;               //!< of the network, where m_hasRouting
    bool m_hasRouting{false};              //!< not what the plan says
    ObjectFactory m_pathSelector;          //!< of switches
    ObjectFactory m_buffer;                //!< of switches
    ObjectFactory m_queueDisc;             //!< of switch ports
    ObjectFactory m_markingProfile;        //!< of switch ports
    std::vector<ObjectFactory> m_features; //!< of switches
    ObjectFactory m_flowControl;           //!< of all ports
    ObjectFactory m_linkRetry;             //!< of all ports, where m_hasLinkRetry
    bool m_hasLinkRetry{false};            //!< not "none"
    ObjectFactory m_throttle;              //!< of ports of hosts, where m_hasThrottle
    bool m_hasThrottle{false};             //!< not "none"
    ObjectFactory m_trimmer;               //!< of all ports, where m_hasTrimmer
    bool m_hasTrimmer{false};              //!< not "none"
    Ptr<PacketTrimmer> m_portTrimmers[2];  //!< at other ports, and at those to hosts
    ObjectFactory m_device;                //!< of all ports
    ObjectFactory m_wireFormat;            //!< of all nodes
    ObjectFactory m_intFormat;             //!< of all nodes
    bool m_hasFlowControl{true};           //!< not "none"
    bool m_hasMarkingProfile{false};       //!< not "none"
    bool m_choseReliability{false};        //!< a user has called SetReliability()
    bool m_choseMarkingProfile{false};     //!< a user has called SetMarkingProfile()
    Ptr<WireFormat> m_wire;                //!< shared
    Ptr<IntFormat> m_int;                  //!< shared
    int64_t m_commonBaseRttPs{0};          //!< T of the present network
    CongestionControlNeeds m_needs;        //!< of the congestion control and its modifiers
    Time m_baseRtt;                        //!< T; zero: computed
    bool m_baseRttPerPair{false};          //!< T of each pair
    uint64_t m_baseRttDataBytes{0};        //!< data packet of T; 0: a full one and its ACK
    uint64_t m_baseRttAckBytes{0};         //!< ACK of T
    uint8_t m_dataClass{UNSET};            //!< of data
    uint8_t m_controlClass{UNSET};         //!< of ACKs
    std::vector<std::vector<uint8_t>> m_presentChannels; //!< classes; none: no virtual channels
    bool m_choosesPorts{false};        //!< virtual channels are needed to choose ports
    uint32_t m_presentMaxFrame{0};     //!< of the present network, in bytes
    uint8_t m_presentDataClass{3};     //!< of the present network
    uint8_t m_presentControlClass{6};  //!< of the present network
    uint8_t m_usedClasses{0};          //!< of the present network
    uint8_t m_furtherClasses{0};       //!< bit mask
    uint8_t m_lossyStackClasses{0};    //!< bit mask
    uint8_t m_losslessStackClasses{0}; //!< bit mask
};

} // namespace ns3

#endif /* FABRIC_HELPER_H */
