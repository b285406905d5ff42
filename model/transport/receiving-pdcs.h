// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVING_PDCS_H
#define RECEIVING_PDCS_H

#include "receive-window.h"
#include "receiving-pdc.h"
#include "source-pdcs.h"

#include "ns3/fabric-packet-item.h"

#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;
struct MatchEntry;

/**
 * @ingroup dcfabric
 * @brief The receiving PDCs of a NIC: how packets and receives find theirs, and when they go.
 *
 * A PDC comes with the first packet (SYN) of its sender's PDC, or empty with a receive that is
 * posted before ([Patent] (58), figure 2H step 277); the first SYN packet of that receive binds it.
 * One that goes leaves four numbers, from which it comes back when a packet arrives for it.
 * Numbers are never used again.
 */
class ReceivingPdcs
{
  public:
    /**
     * @param nic the NIC, which has the limits
     */
    explicit ReceivingPdcs(FabricNic& nic);
    ~ReceivingPdcs();

    /**
     * @brief A data packet arrives: its PDC, which stays until End().
     *
     * The entry names it, at no cost; a packet without SYN names it too. Otherwise it is looked up
     * by its sender, which counts (MessageMatcher::Counters) if the packet is a matched message's.
     * @param item the packet
     * @param entry what it matches, null if nothing or if it is not matched
     * @return the PDC, a new one if need be; null if the packet names one that there never was
     */
    ReceivingPdc* Begin(const FabricPacketItem& item, const MatchEntry* entry);

    /**
     * @brief The packet of Begin() has been dealt with: the PDC may go.
     * @param pdc it
     * @param nowPs time
     */
    void End(ReceivingPdc& pdc, int64_t nowPs);

    /**
     * @param src fabric address
     * @return number of a new PDC that the source's next SYN packet will bind
     */
    uint32_t CreateEmpty(uint32_t src);

    /**
     * @brief An entry of the match table names a PDC from now on.
     * @param number of the PDC
     */
    void Attach(uint32_t number);

    /**
     * @brief An entry of the match table names a PDC no longer.
     * @param number of the PDC
     */
    void Detach(uint32_t number);

    /**
     * @param number its number
     * @return a PDC, brought back if it was evicted; null if there never was one, or it went
     * without ever being bound
     */
    ReceivingPdc* Get(uint32_t number);

    /**
     * @param number of one that there was
     * @return a PDC, null if it is evicted
     */
    ReceivingPdc* Peek(uint32_t number) const
    {
        return m_slots[number].pdc.get();
    }

    /**
     * @brief The sender of a PDC closes it: forget it, but for the packets that must not bring it
     * back. Where messages are matched it is evicted only.
     * @param number of the PDC
     * @param src fabric address of the sender
     * @param sourcePdc number of the PDC there
     * @return true if it is closed, now or before; false if there is still something to do, or it
     * is none of that sender
     */
    bool Close(uint32_t number, uint32_t src, uint32_t sourcePdc);

    /// @return PDCs, evicted ones not included
    uint32_t GetN() const
    {
        return m_count;
    }

    /// @return PDCs with an incomplete inbound message: N of [FNCC]
    uint32_t GetNActive() const
    {
        return m_active;
    }

    /**
     * @brief A PDC has begun or completed its only message.
     * @param active true if it has begun
     */
    void NoteActive(bool active)
    {
        m_active += active ? 1 : -1;
    }

    /**
     * @brief A PDC may have been idle for its time.
     * @param number of the PDC
     * @param nowPs time
     */
    void OnIdleTimer(uint32_t number, int64_t nowPs);

    /**
     * @brief A PDC asks for a message.
     * @param src fabric address of the sender
     * @param msn message
     * @param number of the PDC
     */
    void NoteRequest(uint32_t src, uint32_t msn, uint32_t number);

    /**
     * @brief A PDC does not ask for a message any more.
     * @param src fabric address of the sender
     * @param msn message
     * @param number of the PDC
     */
    void ForgetRequest(uint32_t src, uint32_t msn, uint32_t number);

    /**
     * @brief No PDC is to ask for a message any more.
     * @param src fabric address of the sender
     * @param msn message
     * @param epoch attempt that its packet tells of
     */
    void EndRequest(uint32_t src, uint32_t msn, uint8_t epoch);

    /// Remove all.
    void Clear();

  private:
    static LogComponent g_log; //!< of this class

    /// A PDC, or what is left of it.
    struct Slot
    {
        std::unique_ptr<ReceivingPdc> pdc;           //!< null: evicted
        uint64_t expected;                           //!< next packet, if it is evicted
        uint32_t src;                                //!< fabric address of the sender
        uint32_t sourcePdc{ReceivingPdc::NOT_BOUND}; //!< at the sender
    };

    /// @return the PDC of a packet that no entry names
    ReceivingPdc* Find(const FabricPacketItem& item);
    /// @return number of a new PDC that is not bound
    uint32_t Create(uint32_t src);
    /**
     * @brief Give an empty PDC to a PDC of its source.
     * @return false if that one has another PDC here
     */
    bool Bind(ReceivingPdc& pdc, uint32_t sourcePdc);
    /// Count a look-up of a context by its sender.
    void CountLookup(const FabricPacketItem& item);
    /// @return true if a sender has closed a PDC of it
    bool IsClosed(uint32_t src, uint32_t sourcePdc) const;
    /// @return how long a PDC may be idle, in ps; 0: for ever
    int64_t GetIdlePs() const;
    /// See whether a PDC may go, now or after its time.
    void NoteIdle(ReceivingPdc& pdc, int64_t nowPs);
    /// Keep of an idle PDC only what is needed to bring it back.
    void Evict(uint32_t number);

    FabricNic& m_nic;                                   //!< the NIC
    std::vector<Slot> m_slots;                          //!< by number
    SourcePdcs m_bound;                                 //!< by source and its PDC: number
    std::unordered_map<uint32_t, uint32_t> m_empty;     //!< by source: number, if messages share it
    std::set<std::pair<int64_t, uint32_t>> m_idle;      //!< since when, number
    std::set<std::pair<uint64_t, uint32_t>> m_requests; //!< message asked for, number
    const ReceivingPdc* m_busy{nullptr};                //!< between Begin() and End()
    uint32_t m_count{0};                                //!< not evicted
    uint32_t m_active{0};                               //!< N
    /// By source: which of its PDCs are closed.
    std::unordered_map<uint32_t, ReceiveWindow> m_closed;
};

} // namespace ns3

#endif /* RECEIVING_PDCS_H */
