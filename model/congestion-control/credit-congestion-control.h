// SPDX-License-Identifier: GPL-2.0-only
#ifndef CREDIT_CONGESTION_CONTROL_H
#define CREDIT_CONGESTION_CONTROL_H

#include "receiver-driven-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The sender of schemes in which receivers grant credit.
 *
 * Credit is in bytes of frames, as they come onto the wire; it may go below zero by one packet,
 * which the next credit makes good. A PDC begins with some. What it wants is told as a total since
 * it began: granted + what waits - credit. Trimmed and lost packets wait again, and a lost grant is
 * made good by the next, or by a demand without payload that asks for it: after a base RTT without
 * any news, twice as long each time up to 64 of them, or four times as long as grants took so far
 * if that is more (they count as 256 base RTTs at most); and at once where the receiver does not
 * know that something waits, but at most once in a base RTT.
 *
 * Subclasses say how much there is to begin with, whether that lasts, and how much may be wanted.
 * No modifier has a say in credit.
 */
class CreditCongestionControl : public ReceiverDrivenControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void AddBacklog(int64_t nowPs, uint64_t payloadBytes) override;
    uint32_t TellDemand(uint64_t windowBytes = UNLIMITED) override;
    void OnAck(const AckInfo& ack) override;
    void OnNotice(const FabricPacketItem& item, int64_t nowPs) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTrim(const TrimInfo& trim) override;
    void OnTimeout(int64_t nowPs) override;
    void OnSend(int64_t nowPs, uint32_t frameBytes) override;
    void OnTimer(uint8_t timer, int64_t nowPs) override;

    /// @return credit left, in bytes of frames
    int64_t GetCredit() const
    {
        return m_credit;
    }

    /// @return granted so far, in CreditUnits
    uint64_t GetGranted() const
    {
        return m_granted;
    }

    /// @return demands without payload
    uint64_t GetNAsks() const
    {
        return m_asks;
    }

  protected:
    /// What a scheme is like.
    struct Terms
    {
        uint64_t firstBytes{0};        //!< credit of a new PDC
        bool firstEnds{false};         //!< what is left of it is void once an answer has come
        uint64_t messageBytes{0};      //!< credit that each message brings with it, at most
        uint64_t mostBytes{UNLIMITED}; //!< wanted at a time, by all PDCs of a host together
    };

    /// @return what the scheme is like; GetPath() is valid
    virtual Terms MakeTerms() const = 0;

    /// @return class for the packets to come that the receiver named, or GrantFields::OWN_PRIORITY
    uint8_t GetGrantedClass() const
    {
        return m_class;
    }

    void DoStart() override;
    void DoDispose() override;

  private:
    /// @return payload bytes that wait, to be sent for the first time or again
    uint64_t GetBacklog() const;
    /// @return bytes of frames with so much payload
    uint64_t ToFrames(uint64_t payloadBytes) const;
    /// An answer has come.
    void EndFirst(int64_t nowPs);
    /// Credit has changed: may anything be sent?
    void Apply();
    /// See that somebody asks if there is neither credit nor news.
    void Watch(int64_t nowPs);
    /// Something waits of which the receiver may not know.
    void WantMore(int64_t nowPs);
    /// @return when to ask, if no news comes
    int64_t GetAskPs() const;
    /// Tell the PDC whether something waits.
    void UpdateDemand();

    static constexpr uint8_t ASK_TIMER = 0; //!< see Watch()

    Terms m_terms;               //!< of the scheme
    int64_t m_credit{0};         //!< bytes of frames
    uint64_t m_granted{0};       //!< units
    uint64_t m_told{0};          //!< units wanted in all, as last told
    uint64_t m_addedBytes{0};    //!< payload of all messages
    uint64_t m_ackedBytes{0};    //!< of that, acknowledged
    uint64_t m_asks{0};          //!< demands without payload
    int64_t m_rttPs{0};          //!< base RTT
    int64_t m_newsPs{0};         //!< when the last credit came, or was used up
    int64_t m_gapPs{0};          //!< how long grants take: rises at once, and falls slowly
    int64_t m_watchPs{0};        //!< when the timer is due
    int64_t m_askedPs{0};        //!< when a demand without payload was last wanted
    uint32_t m_overheadBytes{0}; //!< frame beyond its payload
    uint32_t m_unanswered{0};    //!< demands without payload since the last credit
    uint8_t m_class{0};          //!< see GetGrantedClass()
    bool m_first{false};         //!< no answer has come, and what is left will be void
    bool m_demands{false};       //!< as the PDC knows
};

} // namespace ns3

#endif /* CREDIT_CONGESTION_CONTROL_H */
