// SPDX-License-Identifier: GPL-2.0-only
#include "entropy-store.h"

#include "ns3/fabric-time.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EntropyStore);

TypeId
EntropyStore::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EntropyStore").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

void
EntropyStore::Configure(uint64_t /* acksPerRtt */)
{
}

uint32_t
EntropyStore::Open(int64_t expiryPs)
{
    uint32_t fifo = m_nFifos;
    if (m_closed.empty())
    {
        ++m_nFifos;
    }
    else
    {
        fifo = m_closed.back();
        m_closed.pop_back();
    }
    Prepare(fifo, expiryPs);
    return fifo;
}

uint32_t
EntropyStore::OpenRecurrent(uint64_t connection)
{
    const auto known = m_recurrent.find(connection);
    if (known != m_recurrent.end())
    {
        return known->second;
    }
    const uint32_t fifo = Open(FabricTime::NEVER);
    m_recurrent.emplace(connection, fifo);
    return fifo;
}

std::map<uint64_t, std::vector<uint16_t>>
EntropyStore::ListRecurrent() const
{
    std::map<uint64_t, std::vector<uint16_t>> held;
    for (const auto& [connection, fifo] : m_recurrent)
    {
        held[connection] = List(fifo);
    }
    return held;
}

void
EntropyStore::Close(uint32_t fifo)
{
    Clear(fifo);
    m_closed.push_back(fifo);
}

} // namespace ns3
