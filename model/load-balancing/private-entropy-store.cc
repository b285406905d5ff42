// SPDX-License-Identifier: GPL-2.0-only
#include "private-entropy-store.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PrivateEntropyStore);

TypeId
PrivateEntropyStore::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PrivateEntropyStore")
            .SetParent<EntropyStore>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PrivateEntropyStore>()
            .AddAttribute("Capacity",
                          "Most entropies that a PDC keeps (1 to 65536); more push out the oldest.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&PrivateEntropyStore::m_capacity),
                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

void
PrivateEntropyStore::Prepare(uint32_t fifo, int64_t expiryPs)
{
    if (fifo == m_rings.size())
    {
        m_rings.push_back({{}, expiryPs, 0, 0});
    }
    m_rings[fifo].expiryPs = expiryPs;
}

void
PrivateEntropyStore::DropHead(Ring& ring)
{
    ++ring.head;
    ring.head = ring.head == ring.entries.size() ? 0 : ring.head;
    --ring.count;
}

void
PrivateEntropyStore::Save(uint32_t fifo, uint16_t entropy, int64_t nowPs)
{
    Ring& ring = m_rings[fifo];
    if (ring.entries.empty())
    {
        ring.entries.resize(m_capacity);
    }
    if (ring.count == ring.entries.size())
    {
        DropHead(ring);
    }
    std::size_t place = std::size_t{ring.head} + ring.count;
    place -= place >= ring.entries.size() ? ring.entries.size() : 0;
    ring.entries[place] = {nowPs, entropy};
    ++ring.count;
}

bool
PrivateEntropyStore::Take(uint32_t fifo, int64_t nowPs, uint16_t& entropy)
{
    Ring& ring = m_rings[fifo];
    while (ring.count > 0)
    {
        const Entry oldest = ring.entries[ring.head];
        DropHead(ring);
        if (nowPs - oldest.savedPs < ring.expiryPs)
        {
            entropy = oldest.entropy;
            CountTaken();
            return true;
        }
    }
    return false;
}

void
PrivateEntropyStore::Clear(uint32_t fifo)
{
    m_rings[fifo].head = 0;
    m_rings[fifo].count = 0;
}

std::vector<uint16_t>
PrivateEntropyStore::List(uint32_t fifo) const
{
    const Ring& ring = m_rings[fifo];
    std::vector<uint16_t> entropies;
    for (uint32_t i = 0; i < ring.count; ++i)
    {
        entropies.push_back(
            ring.entries[(std::size_t{ring.head} + i) % ring.entries.size()].entropy);
    }
    return entropies;
}

} // namespace ns3
