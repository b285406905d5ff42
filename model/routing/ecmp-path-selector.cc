// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-path-selector.h"

#include "forwarding-table.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcmpPathSelector);
NS_OBJECT_ENSURE_REGISTERED(SymmetricEcmpPathSelector);

namespace
{

/// Salt of the choice among parallel links, apart from that of any tier.
constexpr uint32_t PARALLEL_SALT = 0x70617261;

/// Salt of a choice among what is left when the port of the first choice is down.
constexpr uint32_t SECOND_CHOICE = 0x7365636f;

/// Tier of switches that hosts are attached to.
constexpr uint16_t LAST_HOP_TIER = 1;

/// @return what hosts choose one of their ports by; packets of other protocols have no entropy
uint32_t
GetHostBits(const FabricPacketItem& item)
{
    return item.type == FabricPacketType::FOREIGN ? item.flowHash : item.entropy;
}

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
EcmpPathSelector::Predict(const PortGroup& group, const FabricPacketItem& item) const
{
    const uint32_t hash = Mix(item.flowHash ^ (item.src * 0x9e3779b1U), m_salt);
    return group.ports[Scale(hash, group.nPorts)];
}

uint16_t
EcmpPathSelector::SelectAgain(const PortGroup& rest, const FabricPacketItem& item)
{
    const uint32_t hash = Mix(item.flowHash ^ (item.src * 0x9e3779b1U), Mix(m_salt, SECOND_CHOICE));
    return rest.ports[Scale(hash, rest.nPorts)];
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
    m_tier = tier;
    m_salts.fill(Mix(tier, m_seed));
    for (uint16_t below = 1; below < std::min<uint16_t>(tier, N_SALTS); ++below)
    {
        m_salts[below] = Mix(below - 1, m_seed);
    }
}

uint16_t
SymmetricEcmpPathSelector::Predict(const PortGroup& group, const FabricPacketItem& item) const
{
    const uint16_t tier = group.GetTier();
    uint16_t neighbor = 0;
    if (group.nNeighbors > 1)
    {
        neighbor =
            tier == LAST_HOP_TIER && m_tier > tier
                ? GetHostBits(item) % group.nNeighbors
                : Scale(Mix(item.flowHash, m_salts[std::min(tier, N_SALTS)]), group.nNeighbors);
    }
    const uint16_t first = group.neighbors[neighbor];
    const auto links = static_cast<uint16_t>(group.neighbors[neighbor + 1] - first);
    if (links == 1)
    {
        return group.ports[first];
    }
    if (tier == PortGroup::HOST_TIER)
    {
        return group.ports[first + group.ChooseHostLink(GetHostBits(item), links)];
    }
    return group.ports[first + Scale(Mix(item.flowHash, PARALLEL_SALT), links)];
}

uint16_t
SymmetricEcmpPathSelector::SelectAgain(const PortGroup& rest, const FabricPacketItem& item)
{
    // any of them: the other end of the path does not know of the failure
    return rest.ports[Scale(Mix(item.flowHash, Mix(m_salts[N_SALTS], SECOND_CHOICE)), rest.nPorts)];
}

} // namespace ns3
