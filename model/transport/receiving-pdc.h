// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVING_PDC_H
#define RECEIVING_PDC_H

#include "ack-by-bytes.h"
#include "order-limits.h"
#include "packet-sequence.h"
#include "receive-window.h"
#include "vector-queue.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/matching-packets.h"
#include "ns3/pooled.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;
struct MatchEntry;

/**
 * @ingroup dcfabric
 * @brief The receiving end of a packet delivery context.
 *
 * Places packets, knows when messages are complete, and answers with ACKs, NACKs and CNPs.
 */
class ReceivingPdc : public Pooled<ReceivingPdc>
{
  public:
    /// Number at the sender of a PDC that waits for its first packet.
    static constexpr uint32_t NOT_BOUND = UINT32_MAX;

    /**
     * @param nic the NIC
     * @param number of this PDC at the NIC
     * @param src fabric address of the sender
     * @param sourcePdc number of the PDC at the sender, or NOT_BOUND
     * @param expected first packet that has not arrived
     */
    ReceivingPdc(FabricNic& nic,
                 uint32_t number,
                 uint32_t src,
                 uint32_t sourcePdc,
                 uint64_t expected);

    /**
     * @brief A data packet has arrived.
     * @param item the packet
     * @param entry what it matches, null if nothing or if it is not matched
     * @param nowPs time
     */
    void OnData(Ptr<FabricPacketItem> item, MatchEntry* entry, int64_t nowPs);

    /// @return number at the NIC
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return fabric address of the sender
    uint32_t GetSource() const
    {
        return m_src;
    }

    /// @return next packet expected in order
    uint64_t GetExpected() const
    {
        return m_window.GetExpected();
    }

    /// @return true if no message is arriving or asked for, and no packet is known to be missing
    bool IsIdle() const
    {
        return m_inbound.empty() && m_matched == 0 && m_requests.empty() && m_refused.empty() &&
               m_window.GetNEarly() == 0 && m_covered == 0 && m_nackedFor != m_window.GetExpected();
    }

    /// @return true if no packet has come yet
    bool IsEmpty() const
    {
        return m_sourcePdc == NOT_BOUND;
    }

    /**
     * @brief The first packet has come.
     * @param sourcePdc number of its PDC at the sender
     */
    void Bind(uint32_t sourcePdc)
    {
        m_sourcePdc = sourcePdc;
    }

    int64_t idleSincePs{FabricTime::NEVER}; //!< kept by ReceivingPdcs
    uint32_t entries{0};                    //!< of the match table that name it; likewise

    /// @return number at the sender
    uint32_t GetSourcePdc() const
    {
        return m_sourcePdc;
    }

    // For MessageMatcher.

    /**
     * @brief Ask for a message, or queue up behind others that are asked for: one request is under
     * way at a time.
     * @param request what to ask for
     */
    void RequestSend(const RtsFields& request);
    /**
     * @brief Do not ask for a message any more.
     * @param msn message
     */
    void CancelRequest(uint32_t msn);
    /**
     * @brief A packet of the attempt that was asked for has arrived.
     * @param msn message
     * @param epoch attempt of the packet
     */
    void EndRequest(uint32_t msn, uint8_t epoch);
    /**
     * @brief The request under way may have had no effect.
     * @param nowPs time
     */
    void OnRequestTimer(int64_t nowPs);

    /**
     * @brief A message was refused: the PDC stays until it is asked for.
     * @param msn message
     */
    void NoteRefusal(uint32_t msn)
    {
        m_refused.insert(msn);
    }

    /**
     * @brief A message that was refused will not be asked for.
     * @param msn message
     */
    void ForgetRefusal(uint32_t msn)
    {
        m_refused.erase(msn);
    }

    /// A matched message begins to arrive.
    void BeginMessage();
    /// A matched message does not arrive any more.
    void EndMessage();

  private:
    static LogComponent g_log; //!< of this class

    /// A message that has begun to arrive.
    struct Inbound
    {
        uint32_t msn;       //!< number within the PDC
        uint32_t tag;       //!< the sender's number
        uint64_t bytes;     //!< length
        uint64_t missing;   //!< bytes that have not arrived
        uint64_t reordered; //!< packets that came after a later one
    };

    /**
     * @brief Enter the payload of a new packet, after which a later one may have come (@p late).
     * @return true if the message is complete, which is then the last of m_inbound
     */
    bool Place(const FabricPacketItem& item, bool late);
    /// Hand over the last of m_inbound.
    void Deliver(int64_t nowPs);
    /// @return true if an ACK for a new packet may not wait; @p inOrder: none was missing
    bool IsAnswerDue(const FabricPacketItem& item, uint64_t seq, bool inOrder);
    /// Answer a data packet by ACK, NACK, RTW or RNR. The packet becomes the answer if nobody else
    /// holds it. @p complete: its message has arrived completely.
    void Answer(Ptr<FabricPacketItem> item,
                FabricPacketType type,
                uint64_t seq,
                bool complete = false);
    /// Answer a packet that came without its payload. @p seq is its number.
    void OnTrimmed(const FabricPacketItem& item, uint64_t seq);
    /// A packet that is to be matched has arrived. @p late: a later one came before; @p inOrder:
    /// none is missing.
    void OnMatched(Ptr<FabricPacketItem> item,
                   MatchEntry* entry,
                   uint64_t seq,
                   bool late,
                   bool inOrder,
                   int64_t nowPs);
    /// Send the first request of those that wait.
    void SendRequest();

    FabricNic& m_nic;                  //!< the NIC
    ReceiveWindow m_window;            //!< packets
    std::vector<Inbound> m_inbound;    //!< incomplete messages that are not matched
    uint32_t m_matched{0};             //!< incomplete messages that are
    VectorQueue<RtsFields> m_requests; //!< the first one is under way
    std::set<uint32_t> m_refused;      //!< messages that will be asked for
    uint32_t m_requestSent{0};         //!< how often it was sent
    int64_t m_requestPs{0};            //!< when it is sent again
    uint16_t m_port{0};                //!< port that the last packet came in by
    uint16_t m_entropy{0};             //!< its entropy
    uint32_t m_flowHash{0};            //!< its flow
    uint32_t m_number;                 //!< at the NIC
    uint32_t m_src;                    //!< sender
    uint32_t m_sourcePdc;              //!< at the sender
    uint32_t m_initialPsn;             //!< number of packet 0 on the wire
    uint32_t m_covered{0};             //!< data packets since the last answer
    uint32_t m_marked{0};              //!< of these, marked
    AckByBytes m_byBytes;              //!< whether an ACK is due by FabricNic::AckBytes
    int64_t m_lastCnpPs;               //!< last decision for a CNP
    uint64_t m_nackedFor{UINT64_MAX};  //!< expected packet that a NACK was sent for
    int64_t m_renackPs{0};             //!< when that NACK may be sent again
    uint64_t m_lastEarly{0};           //!< last packet dropped for being early
    uint32_t m_holes{0};               //!< in m_window, where OrderLimits::holes is set
};

} // namespace ns3

#endif /* RECEIVING_PDC_H */
