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
        m_links->OnTransmit(
            m_node,
            egress.GetPort(),
            item,
            egress.GetLink().TransmissionPs(uint64_t{item.GetSize()} + egress.GetGapBytes()));
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
