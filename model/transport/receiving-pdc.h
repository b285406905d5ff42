// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVING_PDC_H
#define RECEIVING_PDC_H

#include "packet-sequence.h"
#include "receive-window.h"

#include "ns3/fabric-packet-item.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNic;

/**
 * @ingroup dcfabric
 * @brief The receiving end of a packet delivery context.
 *
 * Places packets, knows when messages are complete, and answers with ACKs, NACKs and CNPs.
 */
class ReceivingPdc
{
  public:
    /**
     * @param nic the NIC
     * @param number of this PDC at the NIC
     * @param src fabric address of the sender
     * @param sourcePdc number of the PDC at the sender
     */
    ReceivingPdc(FabricNic& nic, uint32_t number, uint32_t src, uint32_t sourcePdc);

    /// @brief A data packet has arrived. @param item the packet @param nowPs time
    void OnData(Ptr<FabricPacketItem> item, int64_t nowPs);

    /// @return true if a message has begun to arrive and is not complete
    bool IsActive() const
    {
        return !m_inbound.empty();
    }

  private:
    /// A message that has begun to arrive.
    struct Inbound
    {
        uint32_t msn;       //!< number within the PDC
        uint32_t tag;       //!< the sender's number
        uint64_t bytes;     //!< length
        uint64_t missing;   //!< bytes that have not arrived
        uint64_t reordered; //!< packets that came after a later one
    };

    /// @brief Enter the payload of a new packet. @param item the packet @param late a later one
    /// came before
    /// @return true if the message is complete, which is then the last of m_inbound
    bool Place(const FabricPacketItem& item, bool late);
    /// @brief Hand over the last of m_inbound. @param nowPs time
    void Deliver(int64_t nowPs);
    /// @brief Answer a data packet. @param item the packet, which becomes the answer if nobody else
    /// holds it
    /// @param type ACK or NACK @param seq its number
    void Answer(Ptr<FabricPacketItem> item, FabricPacketType type, uint64_t seq);

    FabricNic& m_nic;                 //!< the NIC
    ReceiveWindow m_window;           //!< packets
    std::vector<Inbound> m_inbound;   //!< incomplete messages
    uint32_t m_number;                //!< at the NIC
    uint32_t m_src;                   //!< sender
    uint32_t m_sourcePdc;             //!< at the sender
    uint32_t m_initialPsn;            //!< number of packet 0 on the wire
    uint32_t m_covered{0};            //!< data packets since the last answer
    uint32_t m_marked{0};             //!< of these, marked
    int64_t m_lastCnpPs;              //!< when the last CNP was sent
    uint64_t m_nackedFor{UINT64_MAX}; //!< expected packet that a NACK was sent for
    uint64_t m_lastEarly{0};          //!< last packet dropped for being early
};

} // namespace ns3

#endif /* RECEIVING_PDC_H */
