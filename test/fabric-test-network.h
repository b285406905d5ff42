// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_NETWORK_H
#define FABRIC_TEST_NETWORK_H

#include "fabric-test-plan.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-actor.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <functional>
#include <vector>

/**
 * @file
 * @brief What the suites of links and switches share: nodes without a transport.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A node that writes down what arrives.
 */
class RecordingActor : public FabricActor
{
  public:
    /// A packet that arrived.
    struct Arrival
    {
        int64_t timePs;               //!< when
        Time now;                     //!< what the simulator's clock said
        uint16_t port;                //!< where
        Ptr<FabricPacketItem> packet; //!< what
    };

    std::vector<Arrival> arrivals;                                          //!< so far
    std::function<void(FabricNetDevice&, Ptr<FabricPacketItem>)> onReceive; //!< done next
    std::function<void(uint32_t)> onTimer;                                  //!< done at a timer

    void Receive(FabricNetDevice& port, Ptr<FabricPacketItem> item) override
    {
        arrivals.push_back({GetNowPs(), Simulator::Now(), port.GetPort(), item});
        if (onReceive)
        {
            onReceive(port, item);
        }
    }

  protected:
    void HandleTimer(uint32_t id) override
    {
        onTimer(id);
    }
};

/**
 * @param address its fabric address
 * @return a new node's actor
 */
inline Ptr<RecordingActor>
MakeActor(uint32_t address)
{
    Ptr<RecordingActor> actor = CreateObject<RecordingActor>();
    actor->Attach(CreateObject<Node>(), address);
    return actor;
}

/**
 * @param actor to which a port is added
 * @param rateBps rate of the port
 * @param gapBytes preamble and gap
 * @param disc root queue disc; null for the module's own
 * @return the new port
 */
inline Ptr<FabricNetDevice>
AddPort(Ptr<FabricActor> actor,
        uint64_t rateBps,
        uint32_t gapBytes = 20,
        Ptr<QueueDisc> disc = nullptr)
{
    Ptr<FabricNetDevice> port = CreateObject<FabricNetDevice>();
    port->SetAttribute("DataRate", DataRateValue(DataRate(rateBps)));
    port->SetAttribute("GapBytes", UintegerValue(gapBytes));
    port->SetQueueDisc(disc ? disc : Ptr<QueueDisc>(CreateObject<CongestionAwareQueueDisc>()));
    actor->AddPort(port);
    port->Initialize();
    return port;
}

/**
 * @brief Lay a link.
 * @param a one end
 * @param b other end
 * @param delay one way
 */
inline void
Join(Ptr<FabricNetDevice> a, Ptr<FabricNetDevice> b, Time delay)
{
    Ptr<FabricChannel> channel = CreateObject<FabricChannel>();
    channel->SetAttribute("Delay", TimeValue(delay));
    channel->Connect(a, b);
}

/**
 * @param size frame bytes
 * @param tag to know it by
 * @param priority class
 * @param src,dst fabric addresses
 * @param entropy of the flow
 * @return a data packet
 */
inline Ptr<FabricPacketItem>
MakeData(uint32_t size,
         uint32_t tag = 0,
         uint8_t priority = 3,
         uint32_t src = 0,
         uint32_t dst = 1,
         uint16_t entropy = 0)
{
    Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::DATA);
    item->size = size;
    item->src = src;
    item->dst = dst;
    item->ds = FabricPacketItem::MakeDs(priority, FabricPacketItem::ECN_ECT0);
    item->bufferClass = priority; // as a port that receives it says
    item->data.tag = tag;
    item->entropy = entropy;
    item->UpdateFlowHash();
    return item;
}

/**
 * @ingroup dcfabric-tests
 * @brief Two nodes and a link.
 */
struct TestLink
{
    /**
     * @param rateBps rate
     * @param delay one way
     * @param gapBytes preamble and gap
     */
    TestLink(uint64_t rateBps, Time delay, uint32_t gapBytes = 20)
        : left(MakeActor(0)),
          right(MakeActor(1)),
          leftPort(AddPort(left, rateBps, gapBytes)),
          rightPort(AddPort(right, rateBps, gapBytes))
    {
        Join(leftPort, rightPort, delay);
    }

    Ptr<RecordingActor> left;       //!< one node
    Ptr<RecordingActor> right;      //!< other node
    Ptr<FabricNetDevice> leftPort;  //!< its port
    Ptr<FabricNetDevice> rightPort; //!< its port
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_NETWORK_H */
