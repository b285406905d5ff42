// SPDX-License-Identifier: GPL-2.0-only
#include "cnp-sender.h"

#include "fabric-nic.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

LogComponent CnpSender::g_log("CnpSender", __FILE__);

CnpSender::CnpSender(FabricNic& nic)
    : m_nic(nic),
      m_settings(nic)
{
}

bool
CnpSender::IsDue(int64_t lastPs, int64_t nowPs) const
{
    if (m_settings.cnpInterval.IsStrictlyNegative())
    {
        return false;
    }
    int64_t intervalPs = FabricTime::ToPs(m_settings.cnpInterval);
    if (m_settings.cnpSpacing.IsStrictlyPositive())
    {
        const int64_t connections = m_nic.GetReceivingPdcs().GetNActive();
        intervalPs = std::max(intervalPs, FabricTime::ToPs(m_settings.cnpSpacing) * connections);
    }
    return nowPs - lastPs >= intervalPs;
}

bool
CnpSender::Meter(const FabricPacketItem& item, int64_t nowPs)
{
    if (m_buckets.empty())
    {
        m_buckets.resize(m_nic.GetNPorts());
    }
    Bucket& bucket = m_buckets[item.ingressPort];
    const double drained = static_cast<double>(m_settings.cnpMeterBps) *
                           static_cast<double>(nowPs - bucket.sincePs) / 8e12;
    bucket.bytes = std::max(0.0, bucket.bytes - drained);
    bucket.sincePs = nowPs;
    if (bucket.bytes + item.size > static_cast<double>(m_settings.cnpMeterBytes))
    {
        return true;
    }
    bucket.bytes += item.size;
    return false;
}

void
CnpSender::Send(const FabricPacketItem& data, uint32_t src, uint32_t pdc, int64_t nowPs)
{
    Notification what{nowPs, src, pdc, data.flowHash, data.entropy, data.ingressPort};
    if (!m_settings.cnpDelay.IsStrictlyPositive())
    {
        Leave(what);
        return;
    }
    what.duePs = nowPs + FabricTime::ToPs(m_settings.cnpDelay);
    if (m_waiting.empty())
    {
        m_nic.Arm(what.duePs, CalendarKind::TIMER, TIMER);
    }
    m_waiting.push_back(what);
}

void
CnpSender::OnTimer(int64_t nowPs)
{
    NS_LOG_FUNCTION(this << nowPs);
    while (!m_waiting.empty() && m_waiting.front().duePs <= nowPs)
    {
        const Notification what = m_waiting.front();
        m_waiting.pop_front();
        Leave(what);
    }
    if (!m_waiting.empty())
    {
        m_nic.Arm(m_waiting.front().duePs, CalendarKind::TIMER, TIMER);
    }
}

void
CnpSender::Leave(const Notification& what)
{
    Ptr<FabricPacketItem> cnp = FabricPacketItem::Create(FabricPacketType::CNP);
    cnp->dst = what.src;
    cnp->pdc = what.pdc;
    cnp->entropy = what.entropy;
    cnp->flowHash = what.flowHash;
    cnp->size = m_nic.wire->GetCnpBytes();
    NS_LOG_LOGIC(m_nic << " to " << what.src << " pdc " << what.pdc << ": CNP");
    ++m_nic.Count().cnpsSent;
    m_nic.SendControl(std::move(cnp), what.port);
}

void
CnpSender::Clear()
{
    m_waiting.clear();
}

} // namespace ns3
