// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_REQUESTS_H
#define RANK_REQUESTS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The operations that ranks have started under names, and the tasks that wait for them.
 *
 * Many operations may have one name. A task waits for those that have the name when it comes: they
 * form a set, and what gets the name later belongs to the next one. So no task waits for itself or
 * for a later one, and no circle can arise. A set is complete when its operations are, and the
 * set before it. Each step takes the same time, however many operations there are.
 */
class RankRequests
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no set

    /// @param ranks how many there are
    explicit RankRequests(uint32_t ranks);

    /**
     * @brief An operation gets a name.
     * @param rank whose it is
     * @param name index of the name
     * @param names how many the rank's program has
     * @return the set that it is in, below 2^31
     */
    uint32_t Open(uint32_t rank, uint32_t name, std::size_t names);

    /**
     * @brief An operation is complete.
     * @param rank whose it is
     * @param set what Open() gave
     * @param tasks those that had waited for the sets that are complete now are appended
     */
    void Close(uint32_t rank, uint32_t set, std::vector<uint32_t>& tasks);

    /**
     * @brief Let a task wait for all that has a name now.
     * @param rank whose it is
     * @param name index of the name
     * @param task told by Close()
     * @return false if nothing has the name that is not complete: it does not wait
     */
    bool Await(uint32_t rank, uint32_t name, uint32_t task);

    /**
     * @param rank a rank
     * @param name index of a name
     * @return true if something has the name that is not complete
     */
    bool IsOpen(uint32_t rank, uint32_t name) const
    {
        return name < m_latest[rank].size() && m_latest[rank][name] != NONE;
    }

    /**
     * @param set one that is not complete
     * @return index of its name
     */
    uint32_t GetName(uint32_t set) const
    {
        return m_sets[set].name;
    }

  private:
    /// Operations with one name between which no task came.
    struct Set
    {
        uint32_t name;  //!< index of the name
        uint32_t open;  //!< operations, and the set before, that are not complete
        uint32_t next;  //!< set behind it; of a free one: another free one
        uint32_t first; //!< of those that wait for it
    };

    /// A task that waits.
    struct Waiter
    {
        uint32_t task; //!< number
        uint32_t next; //!< another one
    };

    std::vector<Set> m_sets;                     //!< by number
    std::vector<Waiter> m_waiters;               //!< by number
    uint32_t m_freeSet{NONE};                    //!< first
    uint32_t m_freeWaiter{NONE};                 //!< first
    std::vector<std::vector<uint32_t>> m_latest; //!< by rank and name: set, NONE if all is complete
};

} // namespace ns3

#endif /* RANK_REQUESTS_H */
