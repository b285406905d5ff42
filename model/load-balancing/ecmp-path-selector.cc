// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-path-selector.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/forwarding-table.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcmpPathSelector);
NS_OBJECT_ENSURE_REGISTERED(SymmetricEcmpPathSelector);

namespace
{

/// Salt of the choice among parallel links, apart from that of any tier.
constexpr uint32_t PARALLEL_SALT = 0x70617261;

} // namespace

TypeId
EcmpPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EcmpPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<EcmpPathSelector>()
                            .AddAttribute("HashSeed",
                                          "Changes all choices; the same at every switch.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&EcmpPathSelector::m_seed),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
EcmpPathSelector::Attach(uint32_t address, uint8_t /* tier */)
{
    m_salt = Mix(address, m_seed);
}

uint16_t
EcmpPathSelector::Select(const PortGroup& group, const FabricPacketItem& item)
{
    return Foresee(group, item);
}

uint16_t
EcmpPathSelector::Foresee(const PortGroup& group, const FabricPacketItem& item) const
{
    const uint32_t hash = Mix(item.flowHash ^ (item.src * 0x9e3779b1U), m_salt);
    return group.ports[Scale(hash, group.nPorts)];
}

TypeId
SymmetricEcmpPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SymmetricEcmpPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<SymmetricEcmpPathSelector>()
                            .AddAttribute("HashSeed",
                                          "Changes all choices; the same at every switch.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&SymmetricEcmpPathSelector::m_seed),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
SymmetricEcmpPathSelector::Attach(uint32_t /* address */, uint8_t tier)
{
    m_salt = Mix(tier, m_seed);
}

uint16_t
SymmetricEcmpPathSelector::Select(const PortGroup& group, const FabricPacketItem& item)
{
    return Foresee(group, item);
}

uint16_t
SymmetricEcmpPathSelector::Foresee(const PortGroup& group, const FabricPacketItem& item) const
{
    const uint16_t neighbor = Scale(Mix(item.flowHash, m_salt), group.nNeighbors);
    const uint16_t first = group.neighbors[neighbor];
    const auto links = static_cast<uint16_t>(group.neighbors[neighbor + 1] - first);
    if (links == 1)
    {
        return group.ports[first];
    }
    return group.ports[first + Scale(Mix(item.flowHash, PARALLEL_SALT), links)];
}

bool
SymmetricEcmpPathSelector::IsSymmetric() const
{
    return true;
}

} // namespace ns3
