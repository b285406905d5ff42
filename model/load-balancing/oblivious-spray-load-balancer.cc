// SPDX-License-Identifier: GPL-2.0-only
#include "oblivious-spray-load-balancer.h"

#include "ns3/assert.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ObliviousSprayLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(ObliviousSprayLoadBalancer);

TypeId
ObliviousSprayLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ObliviousSprayLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ObliviousSprayLoadBalancer>()
            .AddAttribute("EntropyBits",
                          "A connection goes through 2 to the power of this entropies (0 to 16).",
                          UintegerValue(6),
                          MakeUintegerAccessor(&ObliviousSprayLoadBalancer::m_bits),
                          MakeUintegerChecker<uint8_t>(0, 16));
    return tid;
}

void
ObliviousSprayLoadBalancer::Start(uint16_t entropy)
{
    m_upper = static_cast<uint16_t>(entropy & ~(GetNEntropies() - 1));
    m_turn = 0;
    m_order = DrawOrder();
}

uint32_t
ObliviousSprayLoadBalancer::Take()
{
    const uint32_t place = Peek();
    if (++m_turn == GetNEntropies())
    {
        m_turn = 0;
        m_order = DrawOrder();
    }
    return place;
}

uint32_t
ObliviousSprayLoadBalancer::DrawOrder()
{
    NS_ASSERT_MSG(m_random, "SetRandomVariable() comes first");
    return m_random->GetInteger(0, GetNEntropies() - 1);
}

void
ObliviousSprayLoadBalancer::DoDispose()
{
    m_random = nullptr;
    LoadBalancer::DoDispose();
}

} // namespace ns3
