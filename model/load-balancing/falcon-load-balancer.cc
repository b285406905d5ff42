// SPDX-License-Identifier: GPL-2.0-only
#include "falcon-load-balancer.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FalconLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(FalconLoadBalancer);

TypeId
FalconLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FalconLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<FalconLoadBalancer>()
            .AddAttribute("Paths",
                          "Paths of a connection.",
                          UintegerValue(MAX_PATHS),
                          MakeUintegerAccessor(&FalconLoadBalancer::m_nPaths),
                          MakeUintegerChecker<uint8_t>(1, MAX_PATHS))
            .AddAttribute("TargetDelay",
                          "Delay that a path may have above the base RTT of the pair of hosts.",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&FalconLoadBalancer::m_targetDelay),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("Multiplier",
                          "Multiple of both above which an ACK is late.",
                          DoubleValue(1.01),
                          MakeDoubleAccessor(&FalconLoadBalancer::m_multiplier),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("Threshold",
                          "Share of late ACKs from which on a round is congested.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&FalconLoadBalancer::m_threshold),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Rounds",
                          "Congested rounds in a row after which a path is left.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&FalconLoadBalancer::m_rounds),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

std::vector<PolicyDefault>
FalconLoadBalancer::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = LoadBalancer::ListDefaults(network);
    defaults.push_back({"ns3::FabricNic", "EchoDelay", "true"});
    return defaults;
}

void
FalconLoadBalancer::Start(uint16_t entropy)
{
    NS_ASSERT_MSG(m_random, "SetRandomVariable() comes first");
    m_paths[0].entropy = entropy;
    for (uint8_t i = 1; i < m_nPaths; ++i)
    {
        Move(m_paths[i]);
    }
    m_moves = 0;
}

uint16_t
FalconLoadBalancer::ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */)
{
    const uint16_t entropy = m_paths[m_turn].entropy;
    m_turn = static_cast<uint8_t>(m_turn + 1 == m_nPaths ? 0 : m_turn + 1);
    return entropy;
}

FalconLoadBalancer::Path*
FalconLoadBalancer::Find(uint16_t entropy)
{
    for (uint8_t i = 0; i < m_nPaths; ++i)
    {
        if (m_paths[i].entropy == entropy)
        {
            return &m_paths[i];
        }
    }
    return nullptr;
}

void
FalconLoadBalancer::OnDelay(int64_t nowPs, uint16_t entropy, int64_t rttPs, int64_t hostPs)
{
    Path* path = Find(entropy);
    if (!path)
    {
        return; // of a path that was left
    }
    path->isAlive = true;
    if (path->acks > 0 && nowPs >= path->roundPs + m_rttPs)
    {
        path->congested = path->late >= m_threshold * path->acks ? path->congested + 1 : 0;
        path->acks = 0;
        path->late = 0;
        if (path->congested >= m_rounds)
        {
            Move(*path);
            return;
        }
    }
    if (path->acks == 0)
    {
        path->roundPs = nowPs;
    }
    ++path->acks;
    const double targetPs = static_cast<double>(m_rttPs + FabricTime::ToPs(m_targetDelay));
    path->late += static_cast<double>(rttPs - hostPs) > m_multiplier * targetPs ? 1 : 0;
}

void
FalconLoadBalancer::OnTimeout(int64_t /* nowPs */)
{
    for (uint8_t i = 0; i < m_nPaths; ++i)
    {
        if (!m_paths[i].isAlive)
        {
            Move(m_paths[i]);
        }
        m_paths[i].isAlive = false;
    }
}

bool
FalconLoadBalancer::OnReroute(int64_t /* nowPs */)
{
    if (m_nPaths > 1)
    {
        return false;
    }
    Move(m_paths[0]);
    return true;
}

bool
FalconLoadBalancer::HasLeft(uint16_t entropy) const
{
    return m_nPaths == 1 && entropy != m_paths[0].entropy;
}

void
FalconLoadBalancer::Move(Path& path)
{
    uint16_t entropy = path.entropy;
    while (Find(entropy))
    {
        entropy = static_cast<uint16_t>(m_random->GetInteger(0, UINT16_MAX));
    }
    path = Path();
    path.entropy = entropy;
    ++m_moves;
}

void
FalconLoadBalancer::DoDispose()
{
    m_random = nullptr;
    LoadBalancer::DoDispose();
}

} // namespace ns3
