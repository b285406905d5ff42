// SPDX-License-Identifier: GPL-2.0-only
#ifndef BACK_TO_SENDER_NOTICES_H
#define BACK_TO_SENDER_NOTICES_H

#include "back-to-sender-notifier.h"
#include "back-to-sender-queue.h"

#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace ns3
{

class CongestionAwareQueueDisc;
class LogComponent;
class QueueContext;

/**
 * @ingroup dcfabric
 * @brief The notifications of one queue disc back to senders: what each class remembers for them,
 * and where they go.
 */
class BackToSenderNotices
{
  public:
    using Trace = TracedCallback<const BackToSenderNotice&>; //!< of the disc
    /// Takes notifications to their senders.
    using Callback = std::function<void(const BackToSenderNotice& notice)>;

    /**
     * @param disc owns this object
     * @param trace fires with each notification
     */
    BackToSenderNotices(const CongestionAwareQueueDisc& disc, const Trace& trace);

    /**
     * @brief Say when to notify, from now on; what was remembered is forgotten.
     * @param notifier null for never
     */
    void SetNotifier(Ptr<BackToSenderNotifier> notifier);
    /// @return when senders are notified, and of what; null for never
    Ptr<BackToSenderNotifier> GetNotifier() const;

    /**
     * @brief Tell of what surrounds the disc.
     * @param context outlives the disc; null for DiscContext
     */
    void SetContext(const QueueContext* context);

    /**
     * @brief Set who takes notifications to their senders, beside the trace source.
     * @param callback empty for none
     */
    void SetCallback(Callback callback)
    {
        m_callback = std::move(callback);
    }

    /**
     * @param item a packet that arrives
     * @param priority its class, notified
     * @return the probability that it triggers a notification now
     */
    double OnArrival(const QueueDiscItem& item, uint8_t priority);
    /**
     * @param item a packet that has left
     * @param priority its class, notified
     * @return the probability that it triggers a notification now
     */
    double OnDeparture(const QueueDiscItem& item, uint8_t priority);

    /**
     * @brief The draw was favorable.
     * @param item the packet of the last OnArrival() or OnDeparture()
     * @param priority its class
     * @return false if the timing profile holds the notification back
     */
    bool Pass(const QueueDiscItem& item, uint8_t priority);
    /**
     * @brief Tell the sender of a packet that has passed.
     * @param item the packet, marked
     * @param priority its class
     */
    void TellEarly(const Ptr<QueueDiscItem>& item, uint8_t priority);
    /**
     * @brief Tell the sender of a packet that was dropped, if it is ECN-capable.
     * @param item the packet
     * @param priority its class, notified
     */
    void TellDrop(const Ptr<const QueueDiscItem>& item, uint8_t priority);

    /**
     * @param priority class, 0 to 7
     * @return what has been notified of a class
     */
    BackToSenderQueue::Counters GetCounters(uint8_t priority) const
    {
        return m_queues[priority] ? m_queues[priority]->GetCounters()
                                  : BackToSenderQueue::Counters();
    }

  private:
    static LogComponent g_log; //!< of this class

    /// @return what is remembered of a class
    BackToSenderQueue& At(uint8_t priority);
    /// Tell a sender.
    void Tell(const BackToSenderNotice& notice) const;

    const CongestionAwareQueueDisc& m_disc;                     //!< the disc
    const Trace& m_trace;                                       //!< of the disc
    Ptr<BackToSenderNotifier> m_notifier;                       //!< null for none
    const QueueContext* m_context{nullptr};                     //!< null: m_ownContext
    std::unique_ptr<QueueContext> m_ownContext;                 //!< made when first needed
    std::array<std::unique_ptr<BackToSenderQueue>, 8> m_queues; //!< by class, likewise
    Callback m_callback;                                        //!< empty for none
};

} // namespace ns3

#endif /* BACK_TO_SENDER_NOTICES_H */
