// SPDX-License-Identifier: GPL-2.0-only
#include "job-link-feature.h"

#include "job-links.h"

#include "ns3/fabric-net-device.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(JobLinkFeature);

TypeId
JobLinkFeature::GetTypeId()
{
    static TypeId tid = TypeId("ns3::JobLinkFeature")
                            .SetParent<SwitchFeature>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<JobLinkFeature>();
    return tid;
}

void
JobLinkFeature::SetLinks(JobLinks* links, uint32_t node)
{
    m_links = links;
    m_node = node;
}

uint32_t
JobLinkFeature::GetHooks() const
{
    return ADMIT | TRANSMIT | DROP;
}

bool
JobLinkFeature::Counts(const FabricPacketItem& item) const
{
    return m_links && item.type == FabricPacketType::DATA;
}

void
JobLinkFeature::OnAdmit(FabricNetDevice& /* ingress */,
                        FabricNetDevice& egress,
                        FabricPacketItem& item)
{
    if (Counts(item))
    {
        m_links->OnAdmit(m_node, egress.GetPort(), item);
    }
}

void
JobLinkFeature::OnTransmit(FabricNetDevice& egress, const FabricPacketItem& item)
{
    if (Counts(item))
    {
        const double bits = 8.0 * (item.GetSize() + egress.GetGapBytes());
        const auto wirePs =
            static_cast<int64_t>(bits * 1e12 / static_cast<double>(egress.GetRateBps()));
        m_links->OnTransmit(m_node, egress.GetPort(), item, wirePs);
    }
}

void
JobLinkFeature::OnDrop(FabricPacketItem& item,
                       DropReason /* reason */,
                       const FabricNetDevice* /* egress */)
{
    if (Counts(item))
    {
        m_links->OnDrop(item);
    }
}

} // namespace ns3
