// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Notifications of CongestionAwareQueueDisc back to senders.
 */
#include "congestion-aware-queue-disc.h"

#include "ns3/log.h"

namespace ns3
{

void
CongestionAwareQueueDisc::SetBackToSender(Ptr<BackToSenderNotifier> notifier)
{
    if (!notifier && !m_notifier)
    {
        return;
    }
    Notifying& notifying = MakeNotifying();
    if (!notifying.seesDrops)
    {
        // also tells of packets that a child drops; remains, as this may be called by the trace
        TraceConnectWithoutContext("Drop",
                                   MakeCallback(&CongestionAwareQueueDisc::NotifyDrop, this));
        notifying.seesDrops = true;
    }
    notifying.queues = {};
    m_notifier = notifier;
    m_notifiedClasses = notifier ? notifier->GetClasses() : 0;
}

Ptr<BackToSenderNotifier>
CongestionAwareQueueDisc::GetBackToSender() const
{
    return m_notifier;
}

void
CongestionAwareQueueDisc::SetContext(const QueueContext* context)
{
    MakeNotifying().queues = {};
    m_notifying->context = context;
}

void
CongestionAwareQueueDisc::SetBackToSenderCallback(BackToSenderCallback callback)
{
    MakeNotifying().callback = std::move(callback);
}

CongestionAwareQueueDisc::Notifying&
CongestionAwareQueueDisc::MakeNotifying()
{
    if (!m_notifying)
    {
        m_notifying = std::make_unique<Notifying>();
    }
    return *m_notifying;
}

BackToSenderQueue&
CongestionAwareQueueDisc::GetNotifying(uint8_t priority)
{
    auto& queue = m_notifying->queues[priority];
    if (!queue)
    {
        if (!m_notifying->context && !m_notifying->ownContext)
        {
            m_notifying->ownContext = std::make_unique<DiscContext>(*this);
        }
        const QueueContext* context = m_notifying->context;
        queue = std::make_unique<BackToSenderQueue>(
            *m_notifier,
            QueueView(*this, context ? *context : *m_notifying->ownContext, priority));
    }
    return *queue;
}

void
CongestionAwareQueueDisc::NotifyArrival(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    GetNotifying(priority).OnArrival(*item);
    if (!m_notifier->IsAtDeparture())
    {
        DrawNotice(item, priority);
    }
}

void
CongestionAwareQueueDisc::NotifyDeparture(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    GetNotifying(priority).OnDeparture(*item);
    if (m_notifier->IsAtDeparture())
    {
        DrawNotice(item, priority);
    }
}

void
CongestionAwareQueueDisc::DrawNotice(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    BackToSenderQueue& notifying = GetNotifying(priority);
    const double probability = notifying.GetProbability(*item);
    if (probability > 0 && (probability >= 1 || Draw() < probability) && notifying.Pass(*item))
    {
        MarkAndCount(item, priority);
        Tell(notifying.MakeEarlyNotice(item));
    }
}

void
CongestionAwareQueueDisc::NotifyDrop(Ptr<const QueueDiscItem> item)
{
    const uint8_t priority = GetClass(*item);
    if (((m_notifiedClasses >> priority) & 1) && BackToSenderQueue::IsEcnCapable(*item))
    {
        Tell(GetNotifying(priority).MakeDropNotice(item));
    }
}

void
CongestionAwareQueueDisc::Tell(const BackToSenderNotice& notice)
{
    NS_LOG_LOGIC("class " << +notice.priority
                          << (notice.dropped ? " tells of the drop of " : " tells of ")
                          << *notice.item);
    m_noticeTrace(notice);
    if (m_notifying->callback)
    {
        m_notifying->callback(notice);
    }
}

BackToSenderQueue::Counters
CongestionAwareQueueDisc::GetBackToSenderCounters(uint8_t priority) const
{
    const BackToSenderQueue* queue = m_notifying ? m_notifying->queues[priority].get() : nullptr;
    return queue ? queue->GetCounters() : BackToSenderQueue::Counters();
}

} // namespace ns3
