// SPDX-License-Identifier: GPL-2.0-only
#include "cut-ratio.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CutRatio);
NS_OBJECT_ENSURE_REGISTERED(RateCutRatio);
NS_OBJECT_ENSURE_REGISTERED(WindowCutRatio);
NS_OBJECT_ENSURE_REGISTERED(ProductCutRatio);

TypeId
CutRatio::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CutRatio").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
RateCutRatio::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RateCutRatio")
                            .SetParent<CutRatio>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RateCutRatio>();
    return tid;
}

TypeId
WindowCutRatio::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WindowCutRatio")
                            .SetParent<CutRatio>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<WindowCutRatio>();
    return tid;
}

double
WindowCutRatio::Of(const CongestionProposal& proposal, uint64_t maxWindow)
{
    return proposal.oldWindow < maxWindow
               ? static_cast<double>(proposal.oldWindow) / static_cast<double>(maxWindow)
               : 1;
}

TypeId
ProductCutRatio::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ProductCutRatio")
                            .SetParent<CutRatio>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<ProductCutRatio>();
    return tid;
}

double
ProductCutRatio::Get(const CongestionProposal& proposal,
                     const PathInfo& path,
                     uint64_t maxWindow) const
{
    return RateCutRatio::Of(proposal, path) * WindowCutRatio::Of(proposal, maxWindow);
}

} // namespace ns3
