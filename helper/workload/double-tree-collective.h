// SPDX-License-Identifier: GPL-2.0-only
#ifndef DOUBLE_TREE_COLLECTIVE_H
#define DOUBLE_TREE_COLLECTIVE_H

#include "rank-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief All-reduce in two complementary binary trees, half of the vector in each, up to the root
 * and down again. NCCL's `tree`.
 *
 * In the first tree the lowest bit of a place that is set tells its level: odd places are leaves,
 * place 0 is the root and has one child. The second one is the first in a mirror if the number of
 * ranks is even, else moved on by one place: (almost) nobody is inside of both. So a rank sends S/2
 * up in each, and S/2 down to two children in one of them: 2 S, as in a ring, but after a number of
 * messages that grows with log2 n.
 *
 * Source: Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and
 * scan", 2009; NCCL 2.4 and on.
 */
struct DoubleTreeCollective
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< no parent, no child

    /// The neighbors of a rank in a tree.
    struct Place
    {
        uint32_t parent{NONE};            //!< NONE: the root
        uint32_t children[2]{NONE, NONE}; //!< their places
    };

    /**
     * @param index place of a rank
     * @param size number of ranks
     * @param other the second tree
     * @return its neighbors
     */
    static Place Find(uint32_t index, uint32_t size, bool other);

    /**
     * @param size number of ranks
     * @return steps: from the children, to the parent and from it, to the children
     */
    static uint32_t GetNSteps(uint32_t size)
    {
        return size > 1 ? 3 : 0;
    }

    /**
     * @brief A step in the first tree.
     * @param step below GetNSteps()
     * @param index place of the rank
     * @param size number of ranks
     * @param bytes that go through this tree
     * @param exchanges what the rank does is appended
     */
    static void AddFirst(uint32_t step,
                         uint32_t index,
                         uint32_t size,
                         uint64_t bytes,
                         std::vector<RankExchange>& exchanges);

    /**
     * @brief The same in the second tree.
     * @param step below GetNSteps()
     * @param index place of the rank
     * @param size number of ranks
     * @param bytes that go through this tree
     * @param exchanges what the rank does is appended
     */
    static void AddSecond(uint32_t step,
                          uint32_t index,
                          uint32_t size,
                          uint64_t bytes,
                          std::vector<RankExchange>& exchanges);

    /**
     * @brief Into how many chunks the half of a tree is cut if the user does not say.
     * @param size number of ranks
     * @param bytes length of the vector
     * @return eight for each level, so that filling the trees takes about an eighth of the time,
     * but none below 32 KiB, the least that NCCL cuts
     */
    static uint32_t GetChunks(uint32_t size, uint64_t bytes);
};

} // namespace ns3

#endif /* DOUBLE_TREE_COLLECTIVE_H */
