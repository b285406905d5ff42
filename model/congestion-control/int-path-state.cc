// SPDX-License-Identifier: GPL-2.0-only
#include "int-path-state.h"

#include "ns3/fabric-error.h"

#include <algorithm>

namespace ns3
{

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

} // namespace ns3
