// SPDX-License-Identifier: GPL-2.0-only
#include "direct-collective.h"

#include "collective-blocks.h"

namespace ns3
{

void
DirectCollective::AddReduceScatter(uint32_t /* step */,
                                   uint32_t index,
                                   uint32_t size,
                                   uint64_t bytes,
                                   std::vector<RankExchange>& exchanges)
{
    for (uint32_t k = 1; k < size; ++k)
    {
        const uint32_t to = (index + k) % size;
        exchanges.push_back({to, true, GetBlockBytes(bytes, to, 1, size)});
        exchanges.push_back(
            {(index + size - k) % size, false, GetBlockBytes(bytes, index, 1, size)});
    }
}

void
DirectCollective::AddAllGather(uint32_t /* step */,
                               uint32_t index,
                               uint32_t size,
                               uint64_t bytes,
                               std::vector<RankExchange>& exchanges)
{
    for (uint32_t k = 1; k < size; ++k)
    {
        exchanges.push_back({(index + k) % size, true, GetBlockBytes(bytes, index, 1, size)});
        exchanges.push_back({(index + size - k) % size, false, 0});
    }
}

void
DirectCollective::AddAllReduce(uint32_t step,
                               uint32_t index,
                               uint32_t size,
                               uint64_t bytes,
                               std::vector<RankExchange>& exchanges)
{
    (step == 0 ? &AddReduceScatter : &AddAllGather)(step, index, size, bytes, exchanges);
}

void
DirectCollective::AddAllToAll(uint32_t /* step */,
                              uint32_t index,
                              uint32_t size,
                              uint64_t bytes,
                              std::vector<RankExchange>& exchanges)
{
    for (uint32_t k = 1; k < size; ++k)
    {
        exchanges.push_back({(index + k) % size, true, bytes});
        exchanges.push_back({(index + size - k) % size, false, 0});
    }
}

} // namespace ns3
