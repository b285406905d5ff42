// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_FLOW_CONTROL_H
#define LINK_FLOW_CONTROL_H

#include "ns3/fabric-packet-item.h"
#include "ns3/object.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class FabricNetDevice;

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
     * @param egress port to which it went (FabricActor::ForeseePort() for one that was not
     * forwarded)
     * @param priority class, 0 to 7
     * @param bytes what it had been charged
     */
    virtual void OnBufferReleased(uint16_t egress, uint8_t priority, uint32_t bytes);

    /**
     * @brief A packet goes out through this port.
     * @param item the packet
     */
    virtual void OnTransmit(const FabricPacketItem& item);

    /// @return true if packets need MayPass() before they enter this port's queue (asked once)
    virtual bool IsGate() const;

    /**
     * @brief Ask for a packet that wants to enter the port's queue.
     *
     * A refusal is remembered: FabricActor::OnGateOpen() is called when another packet for the same
     * queue of the peer may pass.
     * @param item the packet
     * @return true if it may
     */
    virtual bool MayPass(const FabricPacketItem& item);

    /**
     * @brief A packet, for which MayPass() holds, enters the port's queue.
     * @param item the packet
     */
    virtual void Pass(const FabricPacketItem& item);

    /**
     * @brief A packet that had passed was thrown away by the port's queue.
     * @param item the packet
     */
    virtual void Forgo(const FabricPacketItem& item);

    /**
     * @brief Keep a packet that may not pass; FabricActor::OnPass() gets it when it may.
     * @param item the packet
     * @param owner number for the actor
     */
    virtual void Park(Ptr<FabricPacketItem> item, uint32_t owner);

    /// Parked packets and their owners.
    using Parked = std::vector<std::pair<Ptr<FabricPacketItem>, uint32_t>>;

    /// @return all parked packets, which are not kept any longer; those of a queue in their order
    virtual Parked TakeParked();

    /// @return packets that are kept here
    virtual uint64_t GetNParkedPackets() const;

    /**
     * @brief A time asked for with FabricNetDevice::ArmTimer() has come.
     * @param nowPs time in ps
     */
    virtual void HandleTimer(int64_t nowPs);

    /// The link has come up again: what was told before or meanwhile may have been lost.
    virtual void OnLinkUp();

    /// The link has another rate.
    virtual void OnRateChange();

    /// @return frames sent so far that stop a class of the peer
    virtual uint64_t GetNPauseFrames() const;

  protected:
    void DoDispose() override;

    FabricNetDevice* m_device{nullptr}; //!< the port
};

} // namespace ns3

#endif /* LINK_FLOW_CONTROL_H */
