// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-modifier.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CongestionModifier);

TypeId
CongestionModifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CongestionModifier").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

std::vector<PolicyDefault>
CongestionModifier::ListDefaults(const PolicyNetwork& /* network */) const
{
    return GetNeeds().ecn ? PolicyDefault::WhereMarksAreRead() : std::vector<PolicyDefault>();
}

void
CongestionModifier::Modify(CongestionProposal& /* proposal */)
{
}

bool
CongestionModifier::Raise(int64_t /* nowPs */, uint64_t& /* window */, double& /* rate */)
{
    return false;
}

bool
CongestionModifier::Lower(int64_t /* nowPs */, uint64_t& /* window */, double& /* rate */)
{
    return false;
}

void
CongestionModifier::Withhold(CongestionProposal& proposal)
{
    if (proposal.IsSignalledReduction())
    {
        proposal.window = std::max(proposal.window, proposal.oldWindow);
        proposal.rate = std::max(proposal.rate, proposal.oldRate);
        if (proposal.IsNew())
        {
            ++m_withheld;
            CountAct();
        }
    }
}

} // namespace ns3
