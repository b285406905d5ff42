// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_ORDER_H
#define COLLECTIVE_ORDER_H

#include "rank-job.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Sees to it that the ranks of a group come to the same collectives in the same order: they
 * would wait for one another for ever, or add up vectors of different lengths.
 *
 * Of several processes of a simulation each knows its own ranks only.
 */
class CollectiveOrder
{
  public:
    /// A collective that the program of a rank has come to.
    struct Call
    {
        const RankProgram* program;     //!< of the rank
        const RankOperation* operation; //!< the collective
        uint32_t rank;                  //!< whose
        uint32_t root;                  //!< place of the root in the group
        uint64_t bytes;                 //!< size; 0 if it is one for each peer
    };

    /**
     * @param job whose ranks and groups; must outlive this object
     */
    explicit CollectiveOrder(const RankJob& job);

    /**
     * @brief The program of a rank has come to a collective.
     * @param call which
     * @param groupIndex index of the group, of which the rank is
     * @throws FabricError that names another rank and its line if that has come to another
     * collective there, or to one of another algorithm, size, root or cut
     */
    void Come(const Call& call, uint32_t groupIndex);

  private:
    /// What the first rank did that came, and how many are to come.
    struct Turn
    {
        Call first;    //!< of the first rank
        uint32_t left; //!< ranks that have not come
    };

    /// Group, part, and number among the collectives of these.
    using Key = std::tuple<uint32_t, uint32_t, uint64_t>;

    const RankJob& m_job;                             //!< groups
    std::unordered_map<uint64_t, uint64_t> m_numbers; //!< by rank and group: how many it came to
    std::map<Key, Turn> m_open;                       //!< those that some have not come to
};

} // namespace ns3

#endif /* COLLECTIVE_ORDER_H */
