// SPDX-License-Identifier: GPL-2.0-only
#include "frame-loss.h"

#include "ns3/pointer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FrameLoss);

TypeId
FrameLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FrameLoss")
                            .SetParent<RateErrorModel>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<FrameLoss>();
    return tid;
}

FrameLoss::FrameLoss() = default;

FrameLoss::~FrameLoss() = default;

void
FrameLoss::FindDraw()
{
    PointerValue draw;
    GetAttribute("RanVar", draw);
    m_draw = draw.Get<RandomVariableStream>();
}

} // namespace ns3
