// SPDX-License-Identifier: GPL-2.0-only
#ifndef VOQ_CREDIT_FLOW_CONTROL_H
#define VOQ_CREDIT_FLOW_CONTROL_H

#include "credit-flow-control.h"
#include "egress-gate.h"

#include <deque>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Credits for each virtual output queue (input, output, class) of the peer, so that a
 * congested output holds back only what goes there (VoqBuffer).
 *
 * Both ends keep the totals of CreditFlowControl for each output and class of the other side; a
 * host has one output. The sender knows the output from the tables of its neighbor
 * (FabricActor::PredictPort()): the choice must not depend on when the packet arrives there. A
 * packet gets its credits at the port's EgressGate: at a switch it waits for them in its virtual
 * output queue, at a NIC in its PDC, of which one packet at a time is parked at the gate; so is
 * what a switch itself sends.
 *
 * A frame tells the totals of up to eight queues: those of which ReturnBytes have been released,
 * those that the peer asks for, and those of which two buffers full have been sent. An end asks for
 * the queues for which a packet has waited for Timeout. The buffer is that of a queue: with the
 * computed one, each queue by itself can take the whole line.
 *
 * The attributes are those of CreditFlowControl.
 */
class VoqCreditFlowControl : public CreditFlowControl, private PeerRoom
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Size of a credit frame in bytes, without preamble and gap.
    static constexpr uint32_t QUEUES_FRAME_BYTES = FRAME_BYTES + 16;

    // from LinkFlowControl
    void SetMaxFrameBytes(uint32_t maxFrameBytes) override;
    void Start() override;
    uint64_t GetHeadroomBytes(uint32_t maxFrameBytes) const override;
    Ptr<FabricPacketItem> MakeFrame() override;
    void ReceiveFrame(const FabricPacketItem& frame) override;
    void OnReceive(const FabricPacketItem& item) override;
    void OnBufferReleased(const FabricPacketItem& item, uint32_t bytes) override;
    void OnTransmit(const FabricPacketItem& item) override;
    PeerRoom* GetPeerRoom() override;
    void HandleTimer(int64_t nowPs) override;
    void OnLinkUp() override;
    bool IsHoldingBack(uint8_t priority, uint16_t output) const override;

    // from CreditFlowControl
    /**
     * @param priority class
     * @return the least that a packet of a class finds at any output that has been used
     */
    uint32_t GetAvailableUnits(uint8_t priority) const override;
    uint32_t GetUsedUnits(uint8_t priority) const override;

    /**
     * @param output port of the peer
     * @param priority class
     * @return units that packets for one output of the peer may still use
     */
    uint32_t GetQueueUnits(uint16_t output, uint8_t priority) const;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    // from PeerRoom
    uint16_t PredictOutput(const FabricPacketItem& item) const override;
    uint32_t GetFreshUnits() const override;
    void OnWait(uint32_t queue) override;
    void OnOpen(uint32_t queue) override;

    /// One virtual queue: at the peer for what goes out, at this end for what comes in.
    struct Queue
    {
        Egress egress;      //!< its askPs is set while a packet waits
        Ingress ingress;    //!< totals
        bool untold{false}; //!< in m_untold
    };

    /// @return the queue
    Queue& At(uint32_t number)
    {
        if (number >= m_queues.size())
        {
            AddQueues(number);
        }
        return m_queues[number];
    }

    /// Have all queues up to one.
    void AddQueues(uint32_t number);
    /// @return number of the queue at this end of a packet that has come in with a class
    uint32_t FindOwnQueue(const FabricPacketItem& item, uint8_t priority) const;
    /// @return a queue nothing has gone through
    Queue MakeQueue() const;
    /// Have a queue's totals told.
    void TellOf(uint32_t number);

    std::vector<Queue> m_queues;      //!< by number
    std::deque<uint32_t> m_untold;    //!< queues of which the peer has to be told
    std::array<uint32_t, 8> m_used{}; //!< used units, by class
};

} // namespace ns3

#endif /* VOQ_CREDIT_FLOW_CONTROL_H */
