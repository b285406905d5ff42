// SPDX-License-Identifier: GPL-2.0-only
#include "packet-spraying.h"

#include "ns3/assert.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RandomSprayLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(RandomSprayLoadBalancer);
NS_OBJECT_ENSURE_REGISTERED(RoundRobinSprayLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(RoundRobinSprayLoadBalancer);

TypeId
RandomSprayLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RandomSprayLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<RandomSprayLoadBalancer>();
    return tid;
}

void
RandomSprayLoadBalancer::Start(uint16_t /* entropy */)
{
    NS_ASSERT_MSG(m_random, "SetRandomVariable() comes first");
}

uint16_t
RandomSprayLoadBalancer::ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */)
{
    return static_cast<uint16_t>(m_random->GetInteger(0, UINT16_MAX));
}

void
RandomSprayLoadBalancer::DoDispose()
{
    m_random = nullptr;
    LoadBalancer::DoDispose();
}

TypeId
RoundRobinSprayLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoundRobinSprayLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RoundRobinSprayLoadBalancer>()
            .AddAttribute("Entropies",
                          "Number of entropies that a connection goes through (1 to 65536).",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&RoundRobinSprayLoadBalancer::m_entropies),
                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

void
RoundRobinSprayLoadBalancer::Start(uint16_t entropy)
{
    m_first = entropy;
    m_turn = 0;
}

uint16_t
RoundRobinSprayLoadBalancer::ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */)
{
    const auto entropy = static_cast<uint16_t>(m_first + m_turn);
    m_turn = m_turn + 1 == m_entropies ? 0 : m_turn + 1;
    return entropy;
}

} // namespace ns3
