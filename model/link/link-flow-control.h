// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_FLOW_CONTROL_H
#define LINK_FLOW_CONTROL_H

#include "ns3/fabric-packet-item.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class FabricNetDevice;
class PeerRoom;

/**
 * @ingroup dcfabric
 * @brief Flow control of one end of a link: keeps the peer from overrunning the buffer behind this
 * port, and obeys the peer.
 *
 * Egress side: it forbids and allows classes with FabricNetDevice::SetPausedClasses(). Ingress
 * side: the owner of the buffer reports packets that enter and leave, and when a class has to stop.
 * Peers talk only through frames on the wire (FabricNetDevice::RequestLinkFrame()), never by
 * calling one another.
 *
 * A port without flow control has none of these objects.
 */
class LinkFlowControl : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Serve a port.
     * @param device the port, outlives this object
     */
    virtual void Attach(FabricNetDevice* device);

    /**
     * @brief Learn the largest frame that either end may send, before GetHeadroomBytes().
     * @param maxFrameBytes bytes
     * @throws FabricError if the buffer of the flow control's own cannot hold it
     */
    virtual void SetMaxFrameBytes(uint32_t maxFrameBytes);

    /**
     * @brief Learn what both ends know of each other before the first packet, by configuration or
     * from the training of the link; after SetMaxFrameBytes() at both.
     * @param peer the other end
     */
    virtual void LearnPeer(const LinkFlowControl& peer);

    /// The simulation begins.
    virtual void Start();

    /// @return true if packets are never lost for want of buffer
    virtual bool IsLossless() const = 0;

    /**
     * @brief Buffer that each class needs beyond the point at which SetCongested() is called.
     * @param maxFrameBytes largest frame that either end may send
     * @return bytes; 0 if the peer needs no time to stop
     */
    virtual uint64_t GetHeadroomBytes(uint32_t maxFrameBytes) const;

    /**
     * @brief The wire is free and RequestLinkFrame() of the port had been called: make the frame.
     *
     * Made at this moment and not before, so that it carries the latest state of every class and
     * requests that came meanwhile share one frame.
     * @return a frame, or null if there is nothing to say any more
     */
    virtual Ptr<FabricPacketItem> MakeFrame() = 0;

    /**
     * @brief A link-level frame arrived.
     * @param frame the frame
     */
    virtual void ReceiveFrame(const FabricPacketItem& frame) = 0;

    /**
     * @brief The buffer behind this port asks for the peer to stop or continue sending a class.
     * @param priority class, 0 to 7
     * @param congested true: stop
     */
    virtual void SetCongested(uint8_t priority, bool congested);

    /// @return true if SetStorm() can stop the peer
    virtual bool CanStorm() const;

    /**
     * @brief Stop classes of the peer for as long as it takes, as a host that is broken does,
     * whatever the buffer says.
     * @param classes bit mask of all such classes; 0: the storm is over
     */
    virtual void SetStorm(uint8_t classes);

    /// @return true if OnReceive(), OnBufferReleased() and OnTransmit() are wanted: they cost each
    /// packet (asked once)
    virtual bool WantsPackets() const;

    /**
     * @brief A packet has come in through this port.
     *
     * OnBufferReleased() follows for each of them, also if it is dropped or consumed at once.
     * @param item the packet
     */
    virtual void OnReceive(const FabricPacketItem& item);

    /**
     * @brief A packet that came in through this port left the buffer.
     * @param item the packet
     * @param bytes what it had been charged
     */
    virtual void OnBufferReleased(const FabricPacketItem& item, uint32_t bytes);

    /**
     * @brief A packet goes out through this port.
     * @param item the packet
     */
    virtual void OnTransmit(const FabricPacketItem& item);

    /// @return what decides which packets may enter the port's queue (EgressGate); null: all may
    virtual PeerRoom* GetPeerRoom();

    /**
     * @brief A time asked for with FabricNetDevice::ArmTimer() has come.
     * @param nowPs time in ps
     */
    virtual void HandleTimer(int64_t nowPs);

    /// The link has come up again: what was told before or meanwhile may have been lost.
    virtual void OnLinkUp();

    /// The link has another rate.
    virtual void OnRateChange();

    /**
     * @brief Refuse a rate of the peer that the buffer behind this port is not made for.
     * @param rateBps in bit/s
     * @throws FabricError if packets could be lost
     */
    virtual void CheckPeerRate(uint64_t rateBps) const;

    /**
     * @brief Say whether the peer has to wait, because there is no room behind this port.
     * @param priority class, 0 to 7
     * @param output port to which the peer's packet will go, where each output has room of its own
     * (GetPeerRoom()); else it does not matter
     * @return true if so; the default is that it never has to
     */
    virtual bool IsHoldingBack(uint8_t priority, uint16_t output) const;

    /// @return frames sent so far that stop a class of the peer
    virtual uint64_t GetNPauseFrames() const;

  protected:
    void DoDispose() override;

    FabricNetDevice* m_device{nullptr}; //!< the port
};

} // namespace ns3

#endif /* LINK_FLOW_CONTROL_H */
