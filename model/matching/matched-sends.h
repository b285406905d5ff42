// SPDX-License-Identifier: GPL-2.0-only
#ifndef MATCHED_SENDS_H
#define MATCHED_SENDS_H

#include "ns3/message-timers.h"
#include "ns3/outgoing-messages.h"

#include <cstdint>

namespace ns3
{

class FabricNic;
class SendingPdc;

/**
 * @ingroup dcfabric
 * @brief The matched messages of a sending PDC and their states ([Patent] (60)): sending, waiting
 * after a refusal, sending again after a request, complete.
 *
 * A message is complete when its packets are acknowledged and its target has said that it has
 * everything. The latter does not follow from the former: if a refusal is lost, a later cumulative
 * acknowledgement covers the refused packets. Whoever is not told in time asks with the last
 * packet; if that does not tell either, and the target will never ask for the message, it is sent
 * again.
 */
class MatchedSends final : public OutgoingMessages
{
  public:
    /**
     * @param nic the NIC
     * @param pdc the PDC
     */
    MatchedSends(FabricNic& nic, SendingPdc& pdc);

    // from OutgoingMessages
    void Add(const OutgoingMessage& message, uint64_t bdpBytes) override;
    void OnAnswer(const FabricPacketItem& item) override;
    void OnRequest(const FabricPacketItem& item) override;
    void OnRangeAcked(OutgoingMessage& message) override;
    void OnTimer(uint64_t key, int64_t nowPs) override;
    void Abandon(uint64_t key, MessageStatus status) override;

  private:
    /// Set a timer.
    void SetTimer(const OutgoingMessage& message, MessageTimers::Kind kind, int64_t atPs);
    /// Enter a state.
    void Enter(OutgoingMessage& message, MessageState state);
    /// Stop sending.
    void Stop(OutgoingMessage& message);
    /// Send again, as another attempt, from a byte on.
    void Restart(OutgoingMessage& message, uint8_t epoch, uint64_t offset);
    /// Complete a message if all is there.
    void CheckComplete(OutgoingMessage& message);
    /// End a message; it is gone then.
    void Finish(OutgoingMessage& message, MessageStatus status);

    FabricNic& m_nic;  //!< the NIC
    SendingPdc& m_pdc; //!< the PDC
};

} // namespace ns3

#endif /* MATCHED_SENDS_H */
