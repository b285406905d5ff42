// SPDX-License-Identifier: GPL-2.0-only
#include "back-to-sender-notices.h"

#include "congestion-aware-queue-disc.h"

#include "ns3/log.h"

namespace ns3
{

LogComponent BackToSenderNotices::g_log("BackToSenderNotices", __FILE__);

BackToSenderNotices::BackToSenderNotices(const CongestionAwareQueueDisc& disc, const Trace& trace)
    : m_disc(disc),
      m_trace(trace)
{
}

void
BackToSenderNotices::SetNotifier(Ptr<BackToSenderNotifier> notifier)
{
    m_queues = {};
    m_notifier = notifier;
}

Ptr<BackToSenderNotifier>
BackToSenderNotices::GetNotifier() const
{
    return m_notifier;
}

void
BackToSenderNotices::SetContext(const QueueContext* context)
{
    m_queues = {};
    m_context = context;
}

BackToSenderQueue&
BackToSenderNotices::At(uint8_t priority)
{
    auto& queue = m_queues[priority];
    if (!queue)
    {
        if (!m_context && !m_ownContext)
        {
            m_ownContext = std::make_unique<DiscContext>(m_disc);
        }
        queue = std::make_unique<BackToSenderQueue>(
            *m_notifier,
            QueueView(m_disc, m_context ? *m_context : *m_ownContext, priority));
    }
    return *queue;
}

double
BackToSenderNotices::OnArrival(const QueueDiscItem& item, uint8_t priority)
{
    BackToSenderQueue& queue = At(priority);
    queue.OnArrival(item);
    return m_notifier->IsAtDeparture() ? 0 : queue.GetProbability(item);
}

double
BackToSenderNotices::OnDeparture(const QueueDiscItem& item, uint8_t priority)
{
    BackToSenderQueue& queue = At(priority);
    queue.OnDeparture(item);
    return m_notifier->IsAtDeparture() ? queue.GetProbability(item) : 0;
}

bool
BackToSenderNotices::Pass(const QueueDiscItem& item, uint8_t priority)
{
    return At(priority).Pass(item);
}

void
BackToSenderNotices::TellEarly(const Ptr<QueueDiscItem>& item, uint8_t priority)
{
    Tell(At(priority).MakeEarlyNotice(item));
}

void
BackToSenderNotices::TellDrop(const Ptr<const QueueDiscItem>& item, uint8_t priority)
{
    if (BackToSenderQueue::IsEcnCapable(*item))
    {
        Tell(At(priority).MakeDropNotice(item));
    }
}

void
BackToSenderNotices::Tell(const BackToSenderNotice& notice) const
{
    NS_LOG_LOGIC("class " << +notice.priority
                          << (notice.dropped ? " tells of the drop of " : " tells of ")
                          << *notice.item);
    m_trace(notice);
    if (m_callback)
    {
        m_callback(notice);
    }
}

} // namespace ns3
