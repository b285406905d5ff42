// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_CAPTURE_H
#define FABRIC_CAPTURE_H

#include "ns3/fabric-net-device.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a port sends and receives, as frames.
 *
 * Frames are those of FabricHeaders, PFC and credit frames included, from the Ethernet header to
 * the last byte before the FCS, which captures usually lack. They are whole: a payload that
 * exists only as a size is zeros. A packet that is sent has the time at which its first bit goes on
 * the wire, one that is received the time at which its last bit has arrived.
 */
class FabricCapture : public SimpleRefCount<FabricCapture>
{
  public:
    virtual ~FabricCapture();
    FabricCapture(const FabricCapture&) = delete;
    FabricCapture& operator=(const FabricCapture&) = delete;

    /**
     * @brief Be told of packets until the port is destroyed.
     * @param capture of the port
     * @param device the port
     */
    static void Connect(Ptr<FabricCapture> capture, Ptr<FabricNetDevice> device);
    /**
     * @brief Be told no longer.
     * @param capture of the port
     * @param device the port
     */
    static void Disconnect(Ptr<FabricCapture> capture, Ptr<FabricNetDevice> device);

    /**
     * @brief Take a packet that is sent.
     * @param item the packet
     */
    void OnTransmit(Ptr<const FabricPacketItem> item);
    /**
     * @brief Take a packet that is received.
     * @param item the packet
     */
    void OnReceive(Ptr<const FabricPacketItem> item);

    /**
     * @brief Refuse what cannot be captured.
     * @param device a port
     * @throws FabricError if the sizes on the wire are not those of real frames
     */
    static void CheckWireFormat(const FabricNetDevice& device);

  protected:
    /**
     * @param device port, which has to live as long as this object is told of packets
     * @param promiscuous false: of what arrives, only packets for this node and link-level frames
     */
    FabricCapture(const FabricNetDevice* device, bool promiscuous);

  private:
    /**
     * @brief A frame has passed.
     * @param nowPs when, in ps
     * @param frame its bytes
     */
    virtual void Take(int64_t nowPs, Ptr<const Packet> frame) = 0;

    /// Take a packet now.
    void TakeItem(const FabricPacketItem& item);

    const FabricNetDevice* m_device; //!< the port
    bool m_promiscuous;              //!< take all that arrives
};

} // namespace ns3

#endif /* FABRIC_CAPTURE_H */
