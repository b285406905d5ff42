// SPDX-License-Identifier: GPL-2.0-only
#include "no-congestion-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);
DCFABRIC_OBJECT_CLONABLE(NoCongestionControl);

TypeId
NoCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NoCongestionControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<NoCongestionControl>();
    return tid;
}

} // namespace ns3
