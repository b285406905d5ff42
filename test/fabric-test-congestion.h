// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_CONGESTION_H
#define FABRIC_TEST_CONGESTION_H

#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/boolean.h"
#include "ns3/congestion-control.h"
#include "ns3/congestion-modifier.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/int-format.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

/**
 * @file
 * @brief What the suites of congestion control share: a PDC without a network.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A PDC's services with timers that the test runs by hand.
 */
class ManualHost : public CongestionControl::Host
{
  public:
    /// No time.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    ManualHost()
    {
        m_at.fill(NEVER);
    }

    void SetTimer(uint8_t timer, int64_t atPs) override
    {
        m_at.at(timer) = atPs;
    }

    void CancelTimer(uint8_t timer) override
    {
        m_at.at(timer) = NEVER;
    }

    void RateChanged() override
    {
    }

    /**
     * @param timer which
     * @return when the timer expires, NEVER if it is not set
     */
    int64_t GetTimer(uint8_t timer) const
    {
        return m_at.at(timer);
    }

    /// @return true if no timer is set
    bool IsIdle() const
    {
        return Next(true) == m_at.size();
    }

    /**
     * @brief Let timers expire.
     * @param cc whom to tell
     * @param untilPs up to this time, including it
     * @param lowestFirst of two that expire together the lower number goes first
     */
    void RunUntil(CongestionControl& cc, int64_t untilPs, bool lowestFirst = true)
    {
        for (size_t next = Next(lowestFirst); next < m_at.size() && m_at[next] <= untilPs;
             next = Next(lowestFirst))
        {
            const int64_t nowPs = m_at[next];
            m_at[next] = NEVER;
            cc.TellTimer(static_cast<uint8_t>(next), nowPs);
        }
    }

  private:
    /**
     * @param lowestFirst see RunUntil()
     * @return the timer that expires next, N_TIMERS if none
     */
    size_t Next(bool lowestFirst) const
    {
        size_t next = m_at.size();
        for (size_t i = 0; i < m_at.size(); ++i)
        {
            const bool earlier = next == m_at.size() || m_at[i] < m_at[next] ||
                                 (!lowestFirst && m_at[i] == m_at[next]);
            next = m_at[i] != NEVER && earlier ? i : next;
        }
        return next;
    }

    std::array<int64_t, CongestionControl::N_TIMERS> m_at; //!< expiry of each
};

/**
 * @param lineRateBps rate of the sender's link in bit/s
 * @param baseRttPs T and base RTT of the pair in ps
 * @param format layout of INT records
 * @return a path with packets of 1000 B of payload; by default the BDP is 125,000 B
 */
inline PathInfo
MakePath(uint64_t lineRateBps = 100000000000,
         int64_t baseRttPs = 10 * US,
         Ptr<IntFormat> format = nullptr)
{
    PathInfo path;
    path.lineRateBps = lineRateBps;
    path.baseRttPs = baseRttPs;
    path.pairRttPs = baseRttPs;
    path.bdpBytes = static_cast<uint64_t>(static_cast<double>(lineRateBps) *
                                          static_cast<double>(baseRttPs) / 8e12);
    path.payloadBytes = 1000;
    path.packetBytes = 1062;
    path.intFormat = format;
    return path;
}

/// @return a layout of unpacked records
inline Ptr<IntFormat>
ExactFormat()
{
    return CreateObjectWithAttributes<IntFormat>("Exact", BooleanValue(true));
}

/**
 * @param nowPs when it arrives
 * @param packets that it answers
 * @param marked of these
 * @param rttPs round trip of the packet that triggered it
 * @return an ACK
 */
inline AckInfo
MakeAck(int64_t nowPs, uint32_t packets, uint32_t marked = 0, int64_t rttPs = 0)
{
    AckInfo ack;
    ack.nowPs = nowPs;
    ack.coveredPackets = packets;
    ack.markedPackets = marked;
    ack.rttPs = rttPs;
    return ack;
}

/**
 * @param nowPs when it arrives
 * @param marked the packet
 * @param cumulative,sent payload bytes
 * @param rttPs its round trip
 * @return an ACK of one packet of 1000 B; all that was sent and not acknowledged is in flight
 */
inline AckInfo
MakePacketAck(int64_t nowPs, bool marked, uint64_t cumulative, uint64_t sent, int64_t rttPs = 0)
{
    AckInfo ack = MakeAck(nowPs, 1, marked, rttPs);
    ack.ackedPayload = 1000;
    ack.cumulativeBytes = cumulative;
    ack.sentBytes = sent;
    ack.inFlightBytes = sent - cumulative;
    return ack;
}

/**
 * @param nowPs when
 * @param dropped it dropped the packet
 * @param repeated it is the second one of its packet
 * @return a notification of a queue that tells nothing else
 */
inline BtsNotice
MakeNotice(int64_t nowPs, bool dropped, bool repeated = false)
{
    BtsNotice notice;
    notice.nowPs = nowPs;
    notice.dropped = dropped;
    notice.repeated = repeated;
    notice.lostBytes = dropped ? 1000 : 0;
    notice.sentBytes = 125000;
    return notice;
}

/**
 * @ingroup dcfabric-tests
 * @brief A congestion control that proposes what a test says.
 */
class ProposingControl : public CongestionControl
{
  public:
    using CongestionControl::Propose;

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.ecn = ecn;
        return needs;
    }

    bool ecn{true};      //!< lives on marks; gates go by these
    uint32_t lowered{0}; //!< calls of OnModified() with LOWERED

  protected:
    void DoStart() override
    {
    }

    void OnModified(int64_t /* nowPs */, ModifierEffect effect) override
    {
        lowered += effect == ModifierEffect::LOWERED;
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A sender with a congestion control, and its timers.
 * @tparam T the congestion control
 */
template <typename T>
class ControlTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /// Begin with a new sender.
    void Create()
    {
        m_host = ManualHost();
        m_cc = CreateObject<T>();
    }

    /**
     * @brief Start the sender.
     * @param path to the receiver
     */
    void Start(const PathInfo& path = MakePath())
    {
        m_cc->Start(path, &m_host);
    }

    ManualHost m_host; //!< timers
    Ptr<T> m_cc;       //!< under test
};

/**
 * @ingroup dcfabric-tests
 * @brief Feeds ACKs with INT records to a congestion control.
 */
class IntAckSource
{
  public:
    /**
     * @param cc whom to feed
     * @param format layout of the records
     * @param reversed records come from the return path: last hop first
     */
    IntAckSource(Ptr<CongestionControl> cc, Ptr<IntFormat> format, bool reversed = false)
        : m_cc(cc),
          m_format(format),
          m_reversed(reversed)
    {
    }

    uint16_t entropy{7};     //!< of the ACKs to come
    uint16_t activeFlows{1}; //!< N of the ACKs to come
    uint16_t pathId{0};      //!< of the records to come

    /**
     * @brief An ACK arrives.
     * @param nowPs time of arrival
     * @param cumulativeBytes payload acknowledged in order
     * @param sentBytes payload sent
     * @param samples records, in the order of the ACK
     */
    void Feed(int64_t nowPs,
              uint64_t cumulativeBytes,
              uint64_t sentBytes,
              const std::vector<IntSample>& samples)
    {
        Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->entropy = entropy;
        item->pathId = pathId;
        item->intCount = static_cast<uint8_t>(samples.size());
        if (m_reversed)
        {
            item->flags |= FabricPacketItem::FLAG_INT_REVERSED;
        }
        if (m_format->IsExact())
        {
            item->exactInt = std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
        }
        for (size_t i = 0; i < samples.size(); ++i)
        {
            if (m_format->IsExact())
            {
                item->exactInt->at(i) = samples[i];
            }
            else
            {
                item->intRecords[i] =
                    m_format->Pack(samples[i], IntFormat::RateToCode(samples[i].rateBps));
            }
        }
        AckInfo ack;
        ack.nowPs = nowPs;
        ack.cumulativeBytes = cumulativeBytes;
        ack.sentBytes = sentBytes;
        ack.activeFlows = activeFlows;
        ack.item = PeekPointer(item);
        m_cc->Acknowledge(ack);
    }

  private:
    Ptr<CongestionControl> m_cc; //!< whom to feed
    Ptr<IntFormat> m_format;     //!< layout
    bool m_reversed;             //!< last hop first
};

/// Withholds all reductions, as far as a modifier can.
class WithholdingModifier : public CongestionModifier
{
  public:
    void Modify(CongestionProposal& proposal) override
    {
        proposal.window = std::max(proposal.window, proposal.oldWindow);
        proposal.rate = std::max(proposal.rate, proposal.oldRate);
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_CONGESTION_H */
