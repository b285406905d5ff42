// SPDX-License-Identifier: GPL-2.0-only
#ifndef CREDIT_FLOW_CONTROL_H
#define CREDIT_FLOW_CONTROL_H

#include "fabric-time.h"
#include "lazy-trace.h"
#include "link-flow-control.h"

#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Credit-based flow control: a class is sent only as long as the peer has promised room.
 *
 * A credit is a unit of the peer's ingress buffer (UnitBytes); a packet takes as many as it fills
 * or begins. Each end tells the other, for each class, how many units it has sent since the
 * beginning and up to which unit the other may send: units released so far + size of the buffer,
 * modulo 2^32. Totals instead of differences make a lost frame harmless: the next one says all.
 *
 * *Begin*: with InitialCredits both ends know each other's buffer (LearnPeer()) and may fill it at
 * once. Else the first frame goes out when the simulation begins, and before it has arrived nothing
 * is sent.
 *
 * *Return*: released units are told when ReturnBytes of a class have come together.
 *
 * *Repair*: an end that lacks the credits for a full packet asks after Timeout, and again, until it
 * has them, as does one of which somebody waits for credits (SetAwaited()); the answer comes at
 * once. What the total of sent units exceeds the units received was
 * lost on the wire and counts as released. An end tells its total at least once for each two
 * buffers full that it has sent. While the link is down nobody asks; when it comes up both ends
 * tell and ask at once.
 *
 * A class waits until there are credits for the largest packet, whatever the size of its next one.
 *
 * With UnitOverhead and OrderedSets this is the credit-based flow control (CBFC) of Ultra Ethernet,
 * whose counters are shorter and go by virtual channels instead of classes.
 */
class CreditFlowControl : public LinkFlowControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CreditFlowControl();

    /// Size of a credit frame in bytes, without preamble and gap.
    static constexpr uint32_t FRAME_BYTES = 88;

    /// Size of an ordered set, which tells of two classes or queues (OrderedSets).
    static constexpr uint32_t ORDERED_SET_BYTES = 8;

    /// Bytes of the smallest packet.
    static constexpr uint32_t LEAST_BYTES = 64;

    /// Most units of a buffer: half of what totals modulo 2^32 can tell apart.
    static constexpr uint64_t MAX_UNITS = uint64_t{1} << 31;

    // from LinkFlowControl
    void SetMaxFrameBytes(uint32_t maxFrameBytes) override;
    void LearnPeer(const LinkFlowControl& peer) override;
    void Start() override;
    bool IsLossless() const override;
    uint64_t GetHeadroomBytes(uint32_t maxFrameBytes) const override;
    Ptr<FabricPacketItem> MakeFrame() override;
    void ReceiveFrame(const FabricPacketItem& frame) override;
    bool WantsPackets() const override;
    void OnReceive(const FabricPacketItem& item) override;
    void OnBufferReleased(const FabricPacketItem& item, uint32_t bytes) override;
    void OnTransmit(const FabricPacketItem& item) override;
    void HandleTimer(int64_t nowPs) override;
    void OnLinkUp() override;
    bool IsHoldingBack(uint8_t priority, uint16_t output) const override;

    /**
     * @param priority class
     * @return units that the peer has promised and this end has not used
     */
    virtual uint32_t GetAvailableUnits(uint8_t priority) const
    {
        return m_egress[priority].limit - m_egress[priority].sent;
    }

    /**
     * @param priority class, 0 to 7
     * @return units that this end has used and the peer not given back (c of [PFT])
     */
    virtual uint32_t GetUsedUnits(uint8_t priority) const
    {
        return m_peerUnits - GetAvailableUnits(priority);
    }

    /**
     * @brief Say whether somebody else waits for credits of a class to come back, though there may
     * be enough for a packet.
     * @param priority class, 0 to 7
     * @param awaited false: no longer
     */
    void SetAwaited(uint8_t priority, bool awaited);

    /// @return units of the ingress buffer of each class (or virtual queue) at this end
    uint32_t GetBufferUnits() const
    {
        return m_bufferUnits;
    }

    /// @return bytes of that buffer
    uint64_t GetBufferBytes() const
    {
        return uint64_t{m_bufferUnits} * m_unit;
    }

    /// @return frames in which this end asked for credits
    uint64_t GetNRequests() const
    {
        return m_requests;
    }

    /// @return how often a class, or a virtual queue with a packet that waits for it, ran out of
    /// credits for a full packet
    uint64_t GetNStalls() const
    {
        return m_stalls;
    }

    /// @return units of this end's peer that were lost on the wire
    uint64_t GetNLostUnits() const
    {
        return m_lostUnits;
    }

    /**
     * @brief Buffer with which a link carries full packets without a pause.
     *
     * The credits of a packet come back when it has been received and sent on; the frame that
     * brings them may wait for a packet of this end and for further packets until ReturnBytes are
     * together; and the sender needs credits for a full packet. With all gaps:
     *
     *     rate x 2 delay + frame (received) + own (in the way) + credit frame + frame (to be sent)
     *
     * of which the gaps take no room, and the bytes that are released before they are told on top.
     *
     * @param rateBps rate of the link in bit/s
     * @param delayPs propagation delay in ps, one way
     * @param maxFrameBytes largest frame in this direction
     * @param maxOwnFrameBytes largest frame in the other direction
     * @param gapBytes preamble and inter-frame gap
     * @param returnBytes bytes that are released before they are told
     * @param creditFrameBytes size of a credit frame
     * @return bytes
     */
    static uint64_t ComputeBuffer(uint64_t rateBps,
                                  int64_t delayPs,
                                  uint32_t maxFrameBytes,
                                  uint32_t maxOwnFrameBytes,
                                  uint32_t gapBytes,
                                  uint64_t returnBytes,
                                  uint32_t creditFrameBytes = FRAME_BYTES);

    /**
     * @brief Signature of the UsedCredits trace source.
     * @param device the port
     * @param priority class
     * @param units used credits
     */
    typedef void (*UsedTracedCallback)(Ptr<const FabricNetDevice> device,
                                       uint8_t priority,
                                       uint32_t units);

  protected:
    /// What this end may send.
    struct Egress
    {
        uint32_t sent{0};                 //!< units since the beginning
        uint32_t told{0};                 //!< of these, what the peer has been told
        uint32_t limit{0};                //!< up to which unit the peer lets us send
        uint32_t calm{0};                 //!< fewer may be sent before there is something to do
        int64_t askPs{FabricTime::NEVER}; //!< when to ask for credits
    };

    /// What this end has received.
    struct Ingress
    {
        uint32_t received{0}; //!< units since the beginning, lost ones included
        uint32_t released{0}; //!< of these, no longer in the buffer
        uint32_t told{0};     //!< of these, what the peer has been told
    };

    /**
     * @param bytes its size, at least #LEAST_BYTES where UnitOverhead is below 0
     * @return credits that a packet takes
     */
    uint32_t ToUnits(uint64_t bytes) const
    {
        return static_cast<uint32_t>((bytes + m_rounding) / m_unit);
    }

    /**
     * @brief Compute the sizes that do not change.
     * @param maxFrameBytes largest frame
     * @param creditFrameBytes size of a credit frame, unless OrderedSets
     * @throws FabricError if an attribute does not fit
     */
    void ComputeSizes(uint32_t maxFrameBytes, uint32_t creditFrameBytes);

    /// @throws FabricError if the sizes have not been computed
    void CheckSizes() const
    {
        if (m_maxUnits == 0)
        {
            RefuseSizes();
        }
    }

    /**
     * @brief Note the number of used credits.
     * @param priority class
     */
    void TraceUsed(uint8_t priority)
    {
        if (m_usedTrace.IsUsed() && m_peerUnits > 0)
        {
            m_usedTrace(m_device, priority, GetUsedUnits(priority));
        }
    }

    /// Ask for a frame.
    void Tell();
    /**
     * @brief The link is up: wait from now on before asking again.
     * @param egress a class or queue
     */
    void RestartAsking(Egress& egress);
    /// @return a frame without totals, to be told now
    Ptr<FabricPacketItem> StartFrame();
    /**
     * @brief Set what a frame takes on the wire.
     * @param frame the frame
     * @param bytes size of one that is no ordered set
     * @param told how many classes or queues it tells of
     */
    void SetSize(FabricPacketItem& frame, uint32_t bytes, std::size_t told) const;

    /**
     * @param egress totals
     * @return true if what has been sent since the last frame has to be told
     */
    bool IsSentWorthTelling(const Egress& egress) const
    {
        return m_peerUnits > 0 && (egress.sent - egress.told) / 2 >= m_peerUnits;
    }

    /**
     * @param ingress totals
     * @return true if what has been released since the last frame has to be told
     */
    bool IsReleaseWorthTelling(const Ingress& ingress) const
    {
        return ingress.released - ingress.told >= m_returnUnits;
    }

    /**
     * @param egress ours
     * @param ingress ours
     * @return the totals, told now
     */
    FabricPacketItem::CreditTotals TakeTotals(Egress& egress, Ingress& ingress) const
    {
        egress.told = egress.sent;
        ingress.told = ingress.released;
        return {egress.sent, ingress.released + m_bufferUnits};
    }

    /**
     * @param ingress totals
     * @return true if there is no room for a full packet, told or not
     */
    bool IsFull(const Ingress& ingress) const
    {
        return m_bufferUnits - (ingress.received - ingress.released) < m_maxUnits;
    }

    /**
     * @brief Learn how much the peer has sent before a frame.
     * @param ingress ours
     * @param sent the peer's total
     */
    void NoteSent(Ingress& ingress, uint32_t sent)
    {
        // the wire keeps the order: what was sent before this frame has arrived or is lost
        const uint32_t lost = sent - ingress.received;
        ingress.received += lost;
        ingress.released += lost;
        m_lostUnits += lost;
    }

    uint32_t m_initialTotal{0}; //!< where the totals of units begin
    Time m_timeout; //!< time without credits for a full packet after which the peer is asked
    uint32_t m_maxUnits{0};    //!< of a full packet
    uint32_t m_bufferUnits{0}; //!< of each class or virtual queue at this end
    uint32_t m_peerUnits{0};   //!< of each class or queue at the other end; 0: not known yet
    bool m_request{false};     //!< the next frame asks
    bool m_tell{false};        //!< the next frame is wanted
    uint64_t m_stalls{0};      //!< how often credits ran out

  private:
    static LogComponent g_log; //!< of this class

    /// Refuse a use before the sizes have been computed.
    [[noreturn]] void RefuseSizes() const;
    /// Ask for credits after Timeout, unless that is going on.
    void BeginAsking(Egress& egress);
    /// The peer lets us send up to another unit. @return true if Update() is wanted
    bool SetLimit(uint8_t priority, uint32_t limit);
    /// A packet has been sent: do what there may be to do now.
    void LookAfter(uint8_t priority);
    /// @return of Egress::calm, now
    uint32_t CountCalm(uint8_t priority) const;
    /// Let the classes go that have credits for a full packet, and no others.
    void Update();

    /**
     * @param priority class that has sent something since
     * @return false if Update() would find all as it has left it
     */
    bool CanUpdate(uint8_t priority) const
    {
        const Egress& egress = m_egress[priority];
        return egress.limit - egress.sent < m_maxUnits || egress.askPs != FabricTime::NEVER ||
               ((m_blocked >> priority) & 1) != 0 || m_awaitedLess;
    }

    uint32_t m_unitBytes{0};          //!< bytes of buffer of a credit
    uint32_t m_unit{1};               //!< bytes of a unit, since SetMaxFrameBytes()
    int32_t m_overhead{0};            //!< bytes that are counted with each packet
    uint64_t m_rounding{0};           //!< of ToUnits(), with the overhead, modulo 2^64
    bool m_orderedSets{false};        //!< no frames
    bool m_initialCredits{true};      //!< links begin with full credits
    uint64_t m_bufferBytes{0};        //!< attribute; 0: computed
    uint64_t m_returnBytes{0};        //!< attribute; 0: a quarter of what is away
    uint32_t m_returnUnits{1};        //!< released units that are worth a frame
    uint8_t m_awaited{0};             //!< classes of which somebody waits for credits
    bool m_awaitedLess{false};        //!< of one nobody waits any more, as Update() has not seen
    uint8_t m_blocked{0xff};          //!< classes without credits for a full packet
    std::array<Egress, 8> m_egress;   //!< by class
    std::array<Ingress, 8> m_ingress; //!< by class
    uint64_t m_requests{0};           //!< frames that asked
    uint64_t m_lostUnits{0};          //!< of the peer
    LazyTrace<Ptr<const FabricNetDevice>, uint8_t, uint32_t> m_usedTrace; //!< used credits
};

} // namespace ns3

#endif /* CREDIT_FLOW_CONTROL_H */
