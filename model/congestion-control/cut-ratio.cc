// SPDX-License-Identifier: GPL-2.0-only
#include "cut-ratio.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CutRatio);
NS_OBJECT_ENSURE_REGISTERED(RateCutRatio);
NS_OBJECT_ENSURE_REGISTERED(WindowCutRatio);
NS_OBJECT_ENSURE_REGISTERED(ProductCutRatio);

namespace
{

/// @return rate over line rate @param proposal with the rate in force @param path the connection
double
GetRateRatio(const CongestionProposal& proposal, const PathInfo& path)
{
    return proposal.oldRate / static_cast<double>(path.lineRateBps);
}

/// @return window over Wmax @param proposal with the window in force @param maxWindow Wmax
double
GetWindowRatio(const CongestionProposal& proposal, uint64_t maxWindow)
{
    return proposal.oldWindow < maxWindow
               ? static_cast<double>(proposal.oldWindow) / static_cast<double>(maxWindow)
               : 1;
}

} // namespace

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

double
RateCutRatio::Get(const CongestionProposal& proposal,
                  const PathInfo& path,
                  uint64_t /* maxWindow */) const
{
    return GetRateRatio(proposal, path);
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
WindowCutRatio::Get(const CongestionProposal& proposal,
                    const PathInfo& /* path */,
                    uint64_t maxWindow) const
{
    return GetWindowRatio(proposal, maxWindow);
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
    return GetRateRatio(proposal, path) * GetWindowRatio(proposal, maxWindow);
}

} // namespace ns3
