// SPDX-License-Identifier: GPL-2.0-only
#include "int-path-state.h"

#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return a record
IntSample
Read(const FabricPacketItem& item, uint8_t i, const IntFormat& format)
{
    return item.exactInt ? (*item.exactInt)[i] : format.Unpack(item.intRecords[i]);
}

} // namespace

bool
IntPathState::Enter(const FabricPacketItem& item,
                    int64_t nowPs,
                    const IntFormat& format,
                    double inverseT,
                    Measurement& measured)
{
    if (item.intCount != m_nLinks || item.entropy != m_entropy || item.pathId != m_pathId ||
        item.ingressPort != m_port || nowPs - m_lastPs > m_halfWrapPs ||
        !Measure(item, format, inverseT, measured))
    {
        Record(item, nowPs, format);
        return false;
    }
    m_lastPs = nowPs;
    return true;
}

void
IntPathState::Record(const FabricPacketItem& item, int64_t nowPs, const IntFormat& format)
{
    m_nLinks = std::min(item.intCount, FabricPacketItem::MAX_HOPS);
    m_entropy = item.entropy;
    m_pathId = item.pathId;
    m_port = item.ingressPort;
    m_lastPs = nowPs;
    uint64_t fastest = 1;
    for (uint8_t i = 0; i < m_nLinks; ++i)
    {
        Link& link = m_links[i];
        link.last = Read(item, i, format);
        if (link.last.rateBps == 0)
        {
            throw FabricError("an INT record without a rate reached a sender; do switches and "
                              "senders use the same " +
                              FabricTerm::Class("ns3::IntFormat") + "?");
        }
        link.psPerByte = 8e12 / static_cast<double>(link.last.rateBps);
        link.utilization = 0;
        link.spanPs = 0;
        fastest = std::max(fastest, link.last.rateBps);
    }
    m_halfWrapPs = format.ShortestWrapPs(fastest) / 2; // the fastest link wraps first
}

bool
IntPathState::Measure(const FabricPacketItem& item,
                      const IntFormat& format,
                      double inverseT,
                      Measurement& measured)
{
    double most = -1;
    int64_t tau = 0;
    for (uint8_t i = 0; i < m_nLinks; ++i)
    {
        Link& link = m_links[i];
        const IntSample now = Read(item, i, format);
        if (now.rateBps != link.last.rateBps)
        {
            return false;
        }
        int64_t elapsed = format.TimeDelta(now, link.last);
        if (elapsed > 0 && elapsed <= m_halfWrapPs)
        {
            const auto sent = static_cast<double>(format.ByteDelta(now, link.last));
            const auto queued = static_cast<double>(std::min(now.queueBytes, link.last.queueBytes));
            // qlen / (B T) + txRate / B, where psPerByte is 1 / B
            link.utilization =
                link.psPerByte * (queued * inverseT + sent / static_cast<double>(elapsed));
            link.last = now;
        }
        else if (elapsed != 0)
        {
            link.last = now; // older than L: overtaken, so only the next can be compared
            elapsed = 0;
        }
        link.spanPs = elapsed;
        if (link.utilization > most)
        {
            most = link.utilization;
            m_mostLoaded = i;
            tau = elapsed;
        }
    }
    measured = {most, tau};
    return true;
}

} // namespace ns3
