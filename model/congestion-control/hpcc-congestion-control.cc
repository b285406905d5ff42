// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-congestion-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccCongestionControl);

TypeId
HpccCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HpccCongestionControl")
                            .SetParent<IntWindowCongestionControl>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<HpccCongestionControl>();
    return tid;
}

CongestionControlNeeds
HpccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.dataInt = true;
    return needs;
}

} // namespace ns3
