// SPDX-License-Identifier: GPL-2.0-only
#include "double-tree-collective.h"

#include "collective-blocks.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// The first tree. @param index place in it
DoubleTreeCollective::Place
FindInFirstTree(uint32_t index, uint32_t size)
{
    DoubleTreeCollective::Place place;
    if (index == 0)
    {
        // the largest power of two that is a place
        place.children[0] =
            size > 1 ? 1U << (CeilLog2(size) - 1) : uint32_t{DoubleTreeCollective::NONE};
        return place;
    }
    const uint32_t level = index & (~index + 1);  // its lowest bit
    const uint32_t before = index - level;        // a place above, on the left
    const uint32_t behind = before | (2 * level); // and the one that is on the next level
    place.parent = behind < size ? behind : before;
    if (level > 1)
    {
        place.children[0] = index - level / 2;
        for (uint32_t step = level / 2; step > 0; step /= 2) // the highest that is there
        {
            if (index + step < size)
            {
                place.children[1] = index + step;
                break;
            }
        }
    }
    return place;
}

/// Step of one of the trees.
void
AddStepOfTree(bool other,
              uint32_t step,
              uint32_t index,
              uint32_t size,
              uint64_t bytes,
              std::vector<RankExchange>& exchanges)
{
    constexpr uint32_t NONE = DoubleTreeCollective::NONE;
    const DoubleTreeCollective::Place place = DoubleTreeCollective::Find(index, size, other);
    if (step == 1)
    {
        if (place.parent != NONE)
        {
            exchanges.push_back({place.parent, true, bytes});
            exchanges.push_back({place.parent, false, 0});
        }
        return;
    }
    for (const uint32_t child : place.children)
    {
        if (child != NONE)
        {
            exchanges.push_back({child, step == 2, bytes});
        }
    }
}

} // namespace

constexpr uint32_t DoubleTreeCollective::NONE;

DoubleTreeCollective::Place
DoubleTreeCollective::Find(uint32_t index, uint32_t size, bool other)
{
    if (!other)
    {
        return FindInFirstTree(index, size);
    }
    const bool mirrored = size % 2 == 0;
    Place place = FindInFirstTree(mirrored ? size - 1 - index : (index + size - 1) % size, size);
    for (uint32_t* one : {&place.parent, &place.children[0], &place.children[1]})
    {
        if (*one != NONE)
        {
            *one = mirrored ? size - 1 - *one : (*one + 1) % size;
        }
    }
    return place;
}

void
DoubleTreeCollective::AddFirst(uint32_t step,
                               uint32_t index,
                               uint32_t size,
                               uint64_t bytes,
                               std::vector<RankExchange>& exchanges)
{
    AddStepOfTree(false, step, index, size, bytes, exchanges);
}

void
DoubleTreeCollective::AddSecond(uint32_t step,
                                uint32_t index,
                                uint32_t size,
                                uint64_t bytes,
                                std::vector<RankExchange>& exchanges)
{
    AddStepOfTree(true, step, index, size, bytes, exchanges);
}

uint32_t
DoubleTreeCollective::GetChunks(uint32_t size, uint64_t bytes)
{
    constexpr uint64_t LEAST_BYTES = 32768;
    const uint64_t most = std::max<uint64_t>(8 * CeilLog2(size), 1);
    return static_cast<uint32_t>(std::clamp<uint64_t>(bytes / 2 / LEAST_BYTES, 1, most));
}

} // namespace ns3
