// SPDX-License-Identifier: GPL-2.0-only
#ifndef BACK_TO_SENDER_QUEUE_H
#define BACK_TO_SENDER_QUEUE_H

#include "back-to-sender-notice.h"
#include "back-to-sender-notifier.h"
#include "flow-counter.h"
#include "queue-slope.h"
#include "queue-view.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What back-to-sender notification remembers of one class of a queue disc.
 */
class BackToSenderQueue
{
  public:
    /// Counters.
    struct Counters
    {
        uint64_t subjects{0}; //!< ECN-capable packets whose probability was above 0, also marked
                              //!< ones
        double expected{0};   //!< sum of their probabilities: what the profile predicts at most
        uint64_t early{0};    //!< notifications of packets that went on
        uint64_t drops{0};    //!< notifications of dropped packets
        uint64_t heldBack{0}; //!< notifications that the timing profile held back
    };

    /**
     * @param settings outlive this object
     * @param view the class
     */
    BackToSenderQueue(const BackToSenderNotifier& settings, const QueueView& view);

    /**
     * @brief A packet arrives.
     * @param item the packet, not in the queue yet
     */
    void OnArrival(const QueueDiscItem& item);
    /**
     * @brief A packet has left.
     * @param item the packet
     */
    void OnDeparture(const QueueDiscItem& item);

    /**
     * @param item the packet of the last call of OnArrival() or OnDeparture()
     * @return the probability that a packet triggers: 0 if it cannot
     */
    double GetProbability(const QueueDiscItem& item);

    /**
     * @brief The draw was favorable.
     * @param item the packet that GetProbability() was asked for
     * @return false if the timing profile holds the notification back
     */
    bool Pass(const QueueDiscItem& item);

    /**
     * @param item the packet
     * @return what a packet that has passed makes the queue say
     */
    BackToSenderNotice MakeEarlyNotice(Ptr<const QueueDiscItem> item);
    /**
     * @param item the packet, ECN-capable
     * @return what a dropped packet makes the queue say
     */
    BackToSenderNotice MakeDropNotice(Ptr<const QueueDiscItem> item);

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /**
     * @param item the packet
     * @return true if a packet is ECN-capable
     */
    static bool IsEcnCapable(const QueueDiscItem& item);
    /**
     * @param item the packet
     * @return true if a packet carries an ECN mark
     */
    static bool IsMarked(const QueueDiscItem& item);

  private:
    /// @return the profile of the settings
    const MarkingProfile& GetProfile() const
    {
        const MarkingProfile* own = m_settings.GetProfile();
        return own ? *own : m_settings.GetLastProfile();
    }

    /// @return bytes as they would be at the reference rate
    double AtReferenceRate(uint64_t bytes) const;
    /// @return the congestion, as far as it is told
    BackToSenderSignals ReadSignals();

    const BackToSenderNotifier& m_settings; //!< attributes
    QueueView m_view;                       //!< the class
    Ptr<CongestionMeasure> m_measure;       //!< of this class alone
    bool m_scales;                          //!< the measure is taken at the reference rate
    bool m_sharesProfile;                   //!< the marking profile of the queue counts, if any
    uint8_t m_signals;                      //!< what is told
    QueueSlope m_gradient;                  //!< of the bytes that wait, if it is told
    FlowCounter m_flows;                    //!< if they are told
    uint64_t m_level{0};                    //!< of the last packet
    Counters m_counters;                    //!< statistics
    std::unordered_map<uint64_t, int64_t> m_lastToldPs; //!< by source, with a timing profile
};

} // namespace ns3

#endif /* BACK_TO_SENDER_QUEUE_H */
