// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_CCM_H
#define FABRIC_TEST_CCM_H

#include "../fabric-test-units.h"

#include "ns3/ccm-feature.h"
#include "ns3/ccm-packet.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-switch.h"
#include "ns3/no-congestion-control.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of coordinated congestion management share: tagged packets without hosts
 * that send them, loads that stay, and what switches say.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief No congestion control, but one that reads what the switches tell: goes with
 * CcmFeature in networks whose hosts take no part.
 */
class CcmReader : public NoCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::CcmReader")
                                .SetParent<NoCongestionControl>()
                                .AddConstructor<CcmReader>();
        return tid;
    }

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.features.push_back({"ns3::CcmFeature", nullptr});
        return needs;
    }
};

/// Data of a flow with a tag.
struct TaggedFlow
{
    uint32_t src;        //!< source
    uint32_t dst;        //!< receiver
    uint16_t entropy{1}; //!< of all its packets
    uint32_t pdc{0};     //!< PDC number at the source
    uint32_t size{1000}; //!< frame bytes
    uint8_t priority{3}; //!< class

    /**
     * @param cc CC indicator
     * @param arPoint AR indicator
     * @return a packet
     */
    Ptr<FabricPacketItem> Make(bool cc = false,
                               uint32_t arPoint = FabricPacketItem::NO_AR_POINT) const
    {
        auto item = FabricPacketItem::Create(FabricPacketType::DATA);
        item->src = src;
        item->dst = dst;
        item->entropy = entropy;
        item->size = size;
        item->ds = FabricPacketItem::MakeDs(priority, FabricPacketItem::ECN_ECT0);
        item->bufferClass = priority;
        item->data.sourcePdc = pdc;
        item->flags = FabricPacketItem::FLAG_TAG;
        item->flags |= cc ? FabricPacketItem::FLAG_CC : 0;
        item->arPoint = arPoint;
        item->UpdateFlowHash();
        return item;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A network whose switches have the feature; packets come from the test, at the ports of
 * switches. One at a time: it resets the simulator when it goes.
 */
class CcmNetwork
{
  public:
    /// A notification as its switch sent it.
    struct Told
    {
        int64_t timePs;   //!< when
        uint32_t by;      //!< switch
        uint8_t kind;     //!< type
        uint32_t to;      //!< who is told
        uint32_t src;     //!< flow: source
        uint32_t dst;     //!< flow: receiver
        uint16_t entropy; //!< flow: entropy
        uint32_t pdc;     //!< flow: PDC
    };

    /// A tagged packet as it left a switch.
    struct Tagged
    {
        uint32_t by;               //!< switch
        CcmFeature::TagReport tag; //!< what it made of it
    };

    /**
     * @param args attributes of the feature
     * @return policies without flow control
     */
    template <typename... Args>
    static FabricHelper MakeHelper(Args&&... args)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::tests::CcmReader");
        helper.SetFlowControl("none");
        helper.AddClass(5); // of loads
        helper.AddSwitchFeature("ns3::CcmFeature", std::forward<Args>(args)...);
        return helper;
    }

    /**
     * @param graph plan
     * @param helper policies
     */
    CcmNetwork(const FabricGraph& graph, FabricHelper helper)
        : fabric(helper.Install(graph))
    {
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            if (!graph.IsHost(node))
            {
                m_ears.push_back({this, node});
            }
        }
        for (Ear& ear : m_ears)
        {
            Ptr<CcmFeature> feature = FeatureOf(ear.node);
            feature->TraceConnectWithoutContext("Tag", MakeCallback(&Ear::OnTag, &ear));
            feature->TraceConnectWithoutContext("Tell", MakeCallback(&Ear::OnTell, &ear));
        }
        Simulator::Stop(Seconds(0)); // all is initialized, and it is still 0
        Simulator::Run();
    }

    ~CcmNetwork()
    {
        Simulator::Destroy();
    }

    CcmNetwork(const CcmNetwork&) = delete;
    CcmNetwork& operator=(const CcmNetwork&) = delete;

    /**
     * @param node its number
     * @return the feature of a switch
     */
    Ptr<CcmFeature> FeatureOf(uint32_t node) const
    {
        return fabric->GetSwitch(node)->GetFeature<CcmFeature>();
    }

    /**
     * @param node its number
     * @param name of it
     * @return a counter of the feature of a switch
     */
    uint64_t Count(uint32_t node, const std::string& name) const
    {
        for (const auto& [known, value] : FeatureOf(node)->GetCounters())
        {
            if (name == known)
            {
                return value;
            }
        }
        return UINT64_MAX;
    }

    /**
     * @param node which
     * @param peer neighbor
     * @return the port of a node that leads to another
     */
    uint16_t PortTo(uint32_t node, uint32_t peer) const
    {
        const FabricGraph& graph = fabric->GetGraph();
        for (uint32_t port = 0; port < graph.GetDegree(node); ++port)
        {
            if (graph.GetPort(node, port).peer == peer)
            {
                return static_cast<uint16_t>(port);
            }
        }
        return FabricPacketItem::NO_PORT;
    }

    /**
     * @brief A packet comes to a switch, as if from a neighbor.
     * @param node the switch
     * @param from neighbor
     * @param item the packet
     */
    void Arrive(uint32_t node, uint32_t from, Ptr<FabricPacketItem> item) const
    {
        Ptr<FabricSwitch> sw = fabric->GetSwitch(node);
        sw->Receive(*sw->GetPort(PortTo(node, from)), item);
    }

    /**
     * @brief A packet comes to a switch.
     * @param node the switch
     * @param from neighbor
     * @param item the packet
     * @return what the switch made of it
     */
    CcmFeature::TagReport Pass(uint32_t node, uint32_t from, Ptr<FabricPacketItem> item)
    {
        tagged.clear();
        Arrive(node, from, item);
        return tagged.empty() ? CcmFeature::TagReport{} : tagged.front().tag;
    }

    /**
     * @brief Fill an output with data of class 5, which stays.
     * @param node switch
     * @param peer neighbor behind the output
     * @param dst receiver to which the output leads
     * @param bytes how much
     */
    void Block(uint32_t node, uint32_t peer, uint32_t dst, uint32_t bytes) const
    {
        Ptr<FabricSwitch> sw = fabric->GetSwitch(node);
        const uint16_t port = PortTo(node, peer);
        FabricNetDevice* device = sw->GetPort(port);
        device->SetPausedClasses(device->GetPausedClasses() | 1U << 5);
        const uint32_t other = PortTo(node, 0) == 0 ? 0 : fabric->GetGraph().GetPort(node, 0).peer;
        for (uint32_t sent = 0; sent < bytes; sent += 1000)
        {
            TaggedFlow load{0, dst};
            load.priority = 5;
            auto item = load.Make();
            item->flags = 0;
            item->src = 0;
            do // one that goes there without being moved
            {
                ++item->entropy;
                item->UpdateFlowHash();
            } while (sw->ChoosePort(*item) != port);
            Arrive(node, other, item);
        }
    }

    /**
     * @brief Let an output send what it was filled with.
     * @param node switch
     * @param peer neighbor
     */
    void Unblock(uint32_t node, uint32_t peer) const
    {
        fabric->GetSwitch(node)->GetPort(PortTo(node, peer))->SetPausedClasses(0);
    }

    Ptr<Fabric> fabric;         //!< the network
    std::vector<Told> told;     //!< notifications so far
    std::vector<Tagged> tagged; //!< packets so far

  private:
    /// Listens to a switch.
    struct Ear
    {
        CcmNetwork* network; //!< takes what is heard
        uint32_t node;       //!< of the switch

        /// @param report of a packet
        void OnTag(const CcmFeature::TagReport& report)
        {
            network->tagged.push_back({node, report});
        }

        /// @param item notification
        void OnTell(Ptr<const FabricPacketItem> item)
        {
            network->told.push_back({network->fabric->GetSwitch(node)->GetNowPs(),
                                     node,
                                     item->As<CcmFields>().kind,
                                     item->dst,
                                     item->As<CcmFields>().flowSrc,
                                     item->As<CcmFields>().flowDst,
                                     item->As<CcmFields>().entropy,
                                     item->pdc});
        }
    };

    std::vector<Ear> m_ears; //!< one for each switch
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_CCM_H */
