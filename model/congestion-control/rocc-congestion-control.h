// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROCC_CONGESTION_CONTROL_H
#define ROCC_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a switch tells a source about one of its flows: the rate that it finds fair.
 */
struct RateNotice
{
    int64_t nowPs{0};            //!< time of arrival
    double rateBps{0};           //!< fair rate in bit/s
    uint64_t congestionPoint{0}; //!< names the queue that found it: switch, port and class
};

/**
 * @ingroup dcfabric
 * @brief The reaction point of RoCC (CoNEXT 2020), algorithm 2: sends at the lowest fair rate that
 * the switches of the path tell.
 *
 * A message is accepted if its rate is not above the present one, or if it comes from the
 * congestion point whose message was accepted last; the rate becomes that of the message, and the
 * recovery timer begins anew. Each expiry of the timer doubles the rate; at the line rate the limit
 * is taken away with the congestion point that set it.
 *
 * There is no window, and no reaction to marks, losses or time-outs. A message may take
 * ReactionDelay to become effective; messages that wait do not overtake one another.
 */
class RoccCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnNotice(const FabricPacketItem& item, int64_t nowPs) override;
    void OnTimer(uint8_t timer, int64_t nowPs) override;

    /// Timers, as known to Host.
    enum Timers : uint8_t
    {
        REACTION = 0, //!< a message becomes effective
        RECOVERY = 1, //!< no message was accepted for a while
    };

    /// @return true while a switch's message limits the rate
    bool IsLimited() const
    {
        return m_limited;
    }

    /// @return messages that were accepted
    uint64_t GetNAccepted() const
    {
        return m_accepted;
    }

    /**
     * @brief A switch tells its fair rate.
     * @param notice what it tells
     */
    virtual void OnRateNotice(const RateNotice& notice);

  protected:
    /// @throws FabricError if RecoveryInterval is zero
    void DoStart() override;

  private:
    /// React to a message.
    void Process(const RateNotice& notice, int64_t nowPs);

    /// The rate has changed: wait for recovery, or end the limit.
    void Continue(int64_t nowPs);

    Time m_recoveryInterval; //!< time without an accepted message after which the rate doubles
    Time m_reactionDelay;    //!< time from the arrival of a message until it becomes effective

    std::deque<RateNotice> m_waiting; //!< messages that are not effective yet
    int64_t m_recoveryPs{0};          //!< m_recoveryInterval in ps
    int64_t m_delayPs{0};             //!< m_reactionDelay in ps
    uint64_t m_congestionPoint{0};    //!< that set the rate
    uint64_t m_accepted{0};           //!< messages
    bool m_limited{false};            //!< the rate is a switch's, or recovers from it
};

} // namespace ns3

#endif /* ROCC_CONGESTION_CONTROL_H */
