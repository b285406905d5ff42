// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRIORITY_FLOW_CONTROL_H
#define PRIORITY_FLOW_CONTROL_H

#include "link-flow-control.h"

#include <array>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Priority-based flow control (IEEE 802.1Qbb).
 *
 * A class that the buffer declares congested is paused with a frame that carries Quanta; the frame
 * is repeated after half of that time for as long as the class stays congested, so that a lost or
 * expired pause is renewed. A class that is no longer congested is resumed with a frame of zero
 * quanta. The receiver of a pause stops the class after the packet on the wire, until the resume or
 * until the quanta have run out.
 *
 * When a link comes up, both ends tell all that they have ever told of, so that neither a lost
 * pause nor a lost resume lasts; what an end has been told holds until then, or until the quanta
 * run out. When the rate changes they do so, too: quanta mean another time then. When it rises, the
 * peer may still be sending a frame that it began at a low rate, and cannot say stop before that
 * has ended: an end sends nothing for as long as the headroom could not take what comes meanwhile.
 */
class PriorityFlowControl : public LinkFlowControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool IsLossless() const override;
    void SetMaxFrameBytes(uint32_t maxFrameBytes) override;
    uint64_t GetHeadroomBytes(uint32_t maxFrameBytes) const override;
    Ptr<FabricPacketItem> MakeFrame() override;
    void ReceiveFrame(const FabricPacketItem& frame) override;
    void SetCongested(uint8_t priority, bool congested) override;
    bool CanStorm() const override;
    void SetStorm(uint8_t classes) override;
    void HandleTimer(int64_t nowPs) override;
    void OnLinkUp() override;
    void OnRateChange() override;
    void CheckPeerRate(uint64_t rateBps) const override;
    bool IsHoldingBack(uint8_t priority, uint16_t output) const override;
    uint64_t GetNPauseFrames() const override;

    /**
     * @param priority class, 0 to 7
     * @return true if the peer has been told to stop
     */
    bool IsPausingPeer(uint8_t priority) const
    {
        return (GetPausing() >> priority) & 1;
    }

    /// @return the pause time asked for in ps
    int64_t GetPausePs() const
    {
        return QuantaToPs(m_quanta);
    }

    /**
     * @brief Buffer needed above the pause threshold so that nothing is lost.
     *
     * The pause is decided when a packet has arrived. It may have to wait for a packet of our own
     * that has just begun (own), then takes its own time (pause) and the delay of the link; until
     * then the peer sends at line rate, and what it has begun it finishes. With X = rate x (2 delay
     * + own + pause), all with gaps:
     *
     *     headroom = X x frame / (frame + gap), rounded up, + frame (begun by the peer) + frame
     * (crossed the threshold)
     *
     * The bound holds for any mix of frame sizes, and back-to-back full frames come within one
     * frame of it.
     *
     * @param rateBps rate of the link in bit/s
     * @param delayPs propagation delay in ps, one way
     * @param maxFrameBytes largest frame of the class, INT included
     * @param maxOwnFrameBytes largest frame of any class in the other direction
     * @param pauseFrameBytes size of a PFC frame
     * @param gapBytes preamble and inter-frame gap
     * @return bytes
     */
    static uint64_t ComputeHeadroom(uint64_t rateBps,
                                    int64_t delayPs,
                                    uint32_t maxFrameBytes,
                                    uint32_t maxOwnFrameBytes,
                                    uint32_t pauseFrameBytes,
                                    uint32_t gapBytes);

  private:
    static LogComponent g_log; //!< of this class

    /// @return bit mask of the classes that the peer is to stop
    uint8_t GetPausing() const
    {
        return m_congested | m_storm;
    }

    /// See that the peer learns the state of some classes.
    void Announce(uint8_t classes);

    /// @return the time that @p quanta of 512 bit times mean on this link in ps
    int64_t QuantaToPs(uint16_t quanta) const;

    /// Arm the port's timer for the next renewal or expiry.
    void ArmNext();

    /// Let the port know which classes it may not send.
    void Obey();

    /**
     * @brief Send nothing for a while after the rate has risen, if need be.
     * @param formerBps rate before, in bit/s
     */
    void HoldBack(uint64_t formerBps);

    uint64_t m_pauseFrames{0};           //!< sent, with a pause in them
    uint64_t m_plannedBps{0};            //!< rate that the headroom is made for; 0: not known
    uint64_t m_rateBps{0};               //!< present rate, if that is known
    int64_t m_endedPs{0};                //!< when what began at former rates has ended
    int64_t m_heldPs{0};                 //!< until when nothing is sent; 0: no such time
    uint32_t m_maxFrameBytes{0};         //!< that either end may send, if that is known
    uint16_t m_quanta{65535};            //!< pause time asked for, in units of 512 bit times
    uint32_t m_frameBytes{64};           //!< size of a PFC frame
    uint8_t m_congested{0};              //!< classes that the buffer has declared so
    uint8_t m_storm{0};                  //!< classes that are paused whatever the buffer says
    uint8_t m_announce{0};               //!< classes that the next frame has to tell of
    uint8_t m_told{0};                   //!< classes that any frame has told of
    uint8_t m_paused{0};                 //!< classes that the peer has stopped
    std::array<int64_t, 8> m_renewPs{};  //!< when to repeat a pause
    std::array<int64_t, 8> m_expirePs{}; //!< when a received pause runs out
};

} // namespace ns3

#endif /* PRIORITY_FLOW_CONTROL_H */
