// SPDX-License-Identifier: GPL-2.0-only
#include "loss-episode.h"
#include "reliability-policy.h"
#include "send-window.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Selective repeat of IRN ([IRN]): recovery by episodes, a cap on what is ahead, and two
 * time-outs.
 *
 * The first packet that arrives out of order begins a recovery, which ends when all that had been
 * sent by then is acknowledged. In it each packet is sent again once, if one with a higher number
 * has arrived; a copy that is lost again is found by the time-out, as are losses at the end. A
 * time-out begins a recovery, too, and sends all again that is not acknowledged.
 *
 * Every packet out of order is answered at once: what is an ACK with a bitmap here is the NACK of
 * IRN, with the number of the packet that came.
 */
class IrnRepeat final : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    bool Start(SendWindow& window, int64_t baseRttPs, bool isLossless) const override;
    uint64_t OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const override;
    void OnTimeout(SendWindow& window, int64_t nowPs) const override;
    SendLimits GetLimits(uint64_t bdpBytes,
                         uint32_t payloadBytes,
                         int64_t baseRttPs,
                         bool isLossless) const override;

  private:
    uint64_t m_bdpBytes{0};     //!< attribute
    Time m_rtoHigh;             //!< attribute
    Time m_rtoLow;              //!< attribute
    uint32_t m_shortPackets{0}; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(IrnRepeat);

TypeId
IrnRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::IrnRepeat")
            .SetParent<ReliabilityPolicy>()
            .SetGroupName("Dcfabric")
            .AddConstructor<IrnRepeat>()
            .AddAttribute("BdpBytes",
                          "Nothing new is sent while so many bytes of payload or more are ahead of "
                          "what is acknowledged in order; 0: line rate x base RTT.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IrnRepeat::m_bdpBytes),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("RtoHigh",
                          "Time-out; 0: 40/3 base RTTs, and two smoothed RTTs if that is longer, "
                          "or where flow control keeps links from dropping the usual one.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&IrnRepeat::m_rtoHigh),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("RtoLow",
                          "Time-out while at most ShortPackets full packets are ahead; 0: 25/6 "
                          "base RTTs, and two smoothed RTTs if that is longer, or RtoHigh if that "
                          "is set.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&IrnRepeat::m_rtoLow),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("ShortPackets",
                          "Full packets ahead up to which RtoLow holds.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&IrnRepeat::m_shortPackets),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

SendLimits
IrnRepeat::GetLimits(uint64_t bdpBytes,
                     uint32_t payloadBytes,
                     int64_t baseRttPs,
                     bool isLossless) const
{
    SendLimits limits;
    limits.aheadBytes = m_bdpBytes > 0 ? m_bdpBytes : std::max<uint64_t>(bdpBytes, payloadBytes);
    limits.shortBytes = uint64_t{m_shortPackets} * payloadBytes;
    if (!m_rtoHigh.IsZero())
    {
        limits.timeoutPs = FabricTime::ToPs(m_rtoHigh);
        limits.shortTimeoutPs = m_rtoLow.IsZero() ? limits.timeoutPs : FabricTime::ToPs(m_rtoLow);
    }
    else if (!isLossless)
    {
        // 320 and 100 us of the paper over the 24 us of its network
        limits.timeoutPs = baseRttPs * 40 / 3;
        limits.shortTimeoutPs = m_rtoLow.IsZero() ? baseRttPs * 25 / 6 : FabricTime::ToPs(m_rtoLow);
        limits.leastSrtts = 2;
    }
    return limits;
}

bool
IrnRepeat::AcceptsOutOfOrder() const
{
    return true;
}

bool
IrnRepeat::Start(SendWindow& window, int64_t baseRttPs, bool /* isLossless */) const
{
    window.KeepEpisode();
    window.GetEpisode()->baseRttPs = baseRttPs;
    return false; // neither timers nor probes
}

uint64_t
IrnRepeat::OnAck(SendWindow& window, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    LossEpisode& episode = *window.GetEpisode();
    if (window.GetUnacked() >= episode.endSeq)
    {
        episode.endSeq = 0;
    }
    if (window.GetNSacked() == 0)
    {
        return 0;
    }
    if (episode.endSeq == 0)
    {
        episode.endSeq = window.GetEnd();
        episode.examined = window.GetUnacked();
    }
    uint64_t lost = 0;
    for (uint64_t seq = std::max(episode.examined, window.GetUnacked()); seq < window.GetHighest();
         ++seq)
    {
        lost += window.Lose(seq) ? 1 : 0;
    }
    episode.examined = std::max(episode.examined, window.GetHighest());
    return lost;
}

uint64_t
IrnRepeat::OnNack(SendWindow& /* window */, int64_t /* sentPs */, int64_t /* nowPs */) const
{
    return 0; // receivers answer by ACKs
}

uint64_t
IrnRepeat::OnDropNotice(SendWindow& window, uint64_t seq, int64_t /* nowPs */) const
{
    return window.Lose(seq) ? 1 : 0;
}

void
IrnRepeat::OnTimeout(SendWindow& window, int64_t /* nowPs */) const
{
    LossEpisode& episode = *window.GetEpisode();
    episode.endSeq = window.GetEnd();
    episode.examined = window.GetEnd();
    window.MarkAllLost();
}

} // namespace ns3
