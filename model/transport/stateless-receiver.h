// SPDX-License-Identifier: GPL-2.0-only
#ifndef STATELESS_RECEIVER_H
#define STATELESS_RECEIVER_H

#include "fabric-message.h"
#include "receive-window.h"

#include "ns3/fabric-packet-item.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The receiving end of packets for which a NIC keeps no PDC (FabricPacketItem::FLAG_NO_PDC):
 * datagrams, and packets of idempotent messages.
 *
 * What it sends depends on nothing that came before: a packet that asks for an answer gets an ACK
 * of itself alone, as often as it comes; any other gets none. What it keeps serves results only,
 * and no real receiver has it: which packets of a message have arrived, so that a message is told
 * to be complete once, and packets that come again are counted as duplicates.
 */
class StatelessReceiver
{
  public:
    /// @param nic the NIC
    explicit StatelessReceiver(FabricNic& nic);

    /**
     * @brief A data packet has arrived.
     * @param item the packet
     * @param nowPs time
     */
    void OnData(Ptr<FabricPacketItem> item, int64_t nowPs);

    /// @return for each message of which packets have arrived, but not all, what there is to tell
    /// of it, in the order of senders and of their PDCs
    std::vector<FabricMessageEvent> GetOpenMessages() const;

    /// Forget everything.
    void Clear();

  private:
    static LogComponent g_log; //!< of this class

    /// Sender, its number of the PDC, number of the message there.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    /// What has arrived of a message.
    struct Arrivals
    {
        uint64_t bytes{0};     //!< length of the message
        uint64_t missing{0};   //!< of these, not here
        uint64_t reordered{0}; //!< packets that came after a later one
        uint32_t tag{0};       //!< the sender's number
        ReceiveWindow packets; //!< that are here
    };

    /// Enter the payload of a packet. @return true if that completes its message
    bool Enter(const FabricPacketItem& item);
    /// Acknowledge a packet.
    void Answer(const FabricPacketItem& item);
    /// Tell that a packet came without its payload.
    void Refuse(const FabricPacketItem& item);
    /// @return what there is to tell of a message
    FabricMessageEvent MakeEvent(uint32_t src, const Arrivals& message) const;

    FabricNic& m_nic;                   //!< the NIC
    std::map<Key, Arrivals> m_arrivals; //!< of all messages that may still get packets
};

} // namespace ns3

#endif /* STATELESS_RECEIVER_H */
