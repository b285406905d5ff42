// SPDX-License-Identifier: GPL-2.0-only
#include "back-to-sender-queue.h"

namespace ns3
{

namespace
{

constexpr uint8_t ECN_MASK = 0x03; //!< of the DS field (RFC 3168)
constexpr uint8_t ECN_CE = 0x03;   //!< congestion experienced

/// @return the ECN codepoint of a packet, 0 if it has none
uint8_t
GetEcn(const QueueDiscItem& item)
{
    uint8_t ds = 0;
    return item.GetUint8Value(QueueItem::IP_DSFIELD, ds) ? ds & ECN_MASK : 0;
}

} // namespace

BackToSenderQueue::BackToSenderQueue(const BackToSenderNotifier& settings, const QueueView& view)
    : m_settings(settings),
      m_view(view),
      m_measure(settings.GetMeasure().Fork()),
      m_scales(m_measure->ScalesWithRate()),
      m_sharesProfile(settings.SharesProfile()),
      m_signals(settings.GetSignals()),
      m_gradient(settings.GetGradientIntervalPs()),
      m_flows(settings.GetFlowWindowPs())
{
    if (view.GetRateBps() == 0)
    {
        m_signals &= ~BackToSenderSignals::RATE;
    }
}

bool
BackToSenderQueue::IsEcnCapable(const QueueDiscItem& item)
{
    return GetEcn(item) != 0;
}

bool
BackToSenderQueue::IsMarked(const QueueDiscItem& item)
{
    return GetEcn(item) == ECN_CE;
}

void
BackToSenderQueue::OnArrival(const QueueDiscItem& item)
{
    m_measure->OnArrival(m_view, item);
    if (m_signals & BackToSenderSignals::FLOWS)
    {
        m_flows.Enter(m_view.GetNowPs(), m_view.GetFlow(item));
    }
    if (m_signals & BackToSenderSignals::GRADIENT)
    {
        m_gradient.Update(m_view.GetNowPs(), m_view.GetQueueBytes());
    }
}

void
BackToSenderQueue::OnDeparture(const QueueDiscItem& item)
{
    m_measure->OnDeparture(m_view, item);
    if (m_signals & BackToSenderSignals::GRADIENT)
    {
        m_gradient.Update(m_view.GetNowPs(), m_view.GetQueueBytes());
    }
}

double
BackToSenderQueue::AtReferenceRate(uint64_t bytes) const
{
    const uint64_t reference = m_settings.GetReferenceRateBps();
    const uint64_t rate = m_view.GetRateBps();
    return reference == 0 || rate == 0 || reference == rate
               ? static_cast<double>(bytes)
               : static_cast<double>(bytes) * static_cast<double>(reference) /
                     static_cast<double>(rate);
}

double
BackToSenderQueue::GetProbability(const QueueDiscItem& item)
{
    if (!IsEcnCapable(item))
    {
        return 0;
    }
    const uint64_t level = m_measure->GetLevel(m_view, item);
    m_level = m_scales ? CongestionMeasure::ToLevel(AtReferenceRate(level)) : level;
    const MarkingProfile* ofMarks = m_sharesProfile ? m_view.GetMarkingProfile() : nullptr;
    const double probability = ofMarks ? ofMarks->GetProbability(level) // made for this link
                                       : GetProfile().GetProbability(m_level);
    m_counters.subjects += probability > 0;
    m_counters.expected += probability;
    return IsMarked(item) ? 0 : probability;
}

bool
BackToSenderQueue::Pass(const QueueDiscItem& item)
{
    const TimingProfile* timing = m_settings.GetTimingProfile();
    if (!timing)
    {
        return true;
    }
    const int64_t nowPs = m_view.GetNowPs();
    const auto [last, isFirst] = m_lastToldPs.try_emplace(m_view.GetSource(item), nowPs);
    if (!isFirst && nowPs - last->second < timing->GetSpacingPs(m_level))
    {
        ++m_counters.heldBack;
        return false;
    }
    last->second = nowPs;
    return true;
}

BackToSenderNotice
BackToSenderQueue::MakeEarlyNotice(Ptr<const QueueDiscItem> item)
{
    ++m_counters.early;
    return {item, m_view.GetPriority(), false, false, ReadSignals()};
}

BackToSenderNotice
BackToSenderQueue::MakeDropNotice(Ptr<const QueueDiscItem> item)
{
    ++m_counters.drops;
    return {item, m_view.GetPriority(), true, IsMarked(*item), ReadSignals()};
}

BackToSenderSignals
BackToSenderQueue::ReadSignals()
{
    BackToSenderSignals signals;
    signals.present = m_signals;
    if (m_signals & BackToSenderSignals::QUEUE)
    {
        signals.relativeQueue = AtReferenceRate(m_view.GetQueueBytes()) /
                                static_cast<double>(m_settings.GetFullQueueBytes());
    }
    if (m_signals & BackToSenderSignals::FLOWS)
    {
        signals.activeFlows = m_flows.GetCount(m_view.GetNowPs());
    }
    if (m_signals & BackToSenderSignals::GRADIENT)
    {
        signals.gradientBps = m_gradient.GetPerSecond();
    }
    if (m_signals & BackToSenderSignals::RATE)
    {
        signals.rateBps = m_view.GetRateBps();
    }
    if (m_signals & BackToSenderSignals::SENT)
    {
        signals.portSentBytes = m_view.GetPortSentBytes();
        signals.queueSentBytes = m_view.GetQueueSentBytes();
        signals.timePs = m_view.GetNowPs();
    }
    if (m_signals & BackToSenderSignals::OCCUPANCY)
    {
        signals.portBytes = m_view.GetPortBytes();
        signals.bufferBytes = m_view.GetBufferBytes();
        signals.groupBytes = m_view.GetGroupBytes(m_settings.GetGroupClasses());
    }
    return signals;
}

} // namespace ns3
