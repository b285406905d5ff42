// SPDX-License-Identifier: GPL-2.0-only
#include "state-path-selector.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StatePathSelector);

TypeId
StatePathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::StatePathSelector").SetParent<PathSelector>().SetGroupName("Dcfabric");
    return tid;
}

StatePathSelector::StatePathSelector()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
StatePathSelector::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint32_t
StatePathSelector::Draw(uint32_t count)
{
    return m_random->GetInteger(0, count - 1);
}

} // namespace ns3
