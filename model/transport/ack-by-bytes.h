// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACK_BY_BYTES_H
#define ACK_BY_BYTES_H

#include "receive-window.h"

#include "ns3/fabric-packet-item.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When a receiver that acknowledges by bytes (FabricNic::AckBytes) sends an ACK.
 *
 * Ultra Ethernet's rules, as the consortium's simulator uet-htsim (commit 40ccb05) and the drafts
 * of a Linux driver have them. An ACK is due
 * - when as many bytes have come since the last answer;
 * - for the first packet of a PDC;
 * - for a packet whose sender asks for it, and once more when nothing is missing any more after
 *   that: packets that were overtaken by it would else wait for others that may not come.
 *
 * Duplicates are answered anyway, and marked packets with FabricNic::AckMarked.
 *
 * A gap alone is no reason, as sprayed packets overtake one another all the time. One rule is our
 * own: a packet that is so far behind the highest one that no later ACK would show it (64 packets)
 * is answered at once, since senders here learn from bitmaps what is still on its way.
 */
class AckByBytes
{
  public:
    /// A frame counts as at least so many bytes.
    static constexpr uint32_t LEAST_BYTES = 1024;

    /**
     * @brief A new packet has arrived.
     * @param item the packet
     * @param seq its number
     * @param window in which it has been entered
     * @param ackBytes bytes for an ACK, above 0
     * @return true if an ACK is due
     */
    bool IsDue(const FabricPacketItem& item,
               uint64_t seq,
               const ReceiveWindow& window,
               uint32_t ackBytes)
    {
        m_bytes += std::max(item.size, LEAST_BYTES);
        const bool asks =
            item.flags & (FabricPacketItem::FLAG_LAST | FabricPacketItem::FLAG_ACK_REQUEST);
        const bool complete = window.GetNEarly() == 0;
        const bool completes = m_asked && complete;
        m_asked = (m_asked || asks) && !complete;
        const bool first = window.GetExpected() + window.GetNEarly() == 1;
        const bool behind = seq >= window.GetExpected() && seq + 64 < window.GetHighest();
        return m_bytes >= ackBytes || asks || completes || first || behind;
    }

    /// An answer is being sent, whatever the reason.
    void OnAnswer()
    {
        m_bytes = 0;
    }

  private:
    uint64_t m_bytes{0}; //!< since the last answer
    bool m_asked{false}; //!< for an answer, while packets are missing
};

} // namespace ns3

#endif /* ACK_BY_BYTES_H */
