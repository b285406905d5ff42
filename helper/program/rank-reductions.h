// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_REDUCTIONS_H
#define RANK_REDUCTIONS_H

#include "rank-job.h"

#include "ns3/reduction-session.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The collectives of a job that switches do (`algorithm=in-network`): a ReductionSession for
 * each group of ranks and number of channels.
 */
class RankReductions
{
  public:
    /// What all hosts and switches have done.
    struct Totals
    {
        uint32_t trees{0};         //!< how many there are
        uint32_t window{0};        //!< packets of a host under way in a tree, the largest
        uint64_t hostPackets{0};   //!< that hosts have sent
        uint64_t sentAgain{0};     //!< of these, not the first copy
        uint64_t timeouts{0};      //!< of hosts
        uint64_t sums{0};          //!< that switches have completed
        uint64_t repeats{0};       //!< contributions that came twice
        uint64_t sumsSentAgain{0}; //!< by switches
        uint64_t answers{0};       //!< results for single children
        uint32_t maxSlots{0};      //!< most packets without result at a time, of any switch
        uint64_t maxMemory{0};     //!< bytes that trees may keep, of any switch
    };

    /// Where a rank does a collective.
    struct Place
    {
        uint32_t session{0}; //!< number of the session
        uint32_t place{0};   //!< of the rank in the group
        uint64_t index{0};   //!< number of the collective there
    };

    /**
     * @brief Make the sessions that the programs of a job need.
     * @param fabric the network
     * @param job what the ranks do
     * @param groups by program and name: index of the group
     * @param hosts by rank
     * @param priority class of the packets
     * @throws FabricError if the network cannot do it
     */
    RankReductions(const Ptr<Fabric>& fabric,
                   const RankJob& job,
                   const std::vector<std::vector<uint32_t>>& groups,
                   const std::vector<uint32_t>& hosts,
                   uint8_t priority);

    /// @return true if a program of a job has such a collective
    static bool IsUsedBy(const RankJob& job);

    /**
     * @brief Be told and asked.
     * @param done called with the number that Begin() got
     * @param canMove see ReductionSession::SetCallbacks()
     */
    void SetCallbacks(const std::function<void(uint32_t number)>& done,
                      const std::function<bool()>& canMove);

    /**
     * @brief A rank has come to a collective.
     * @param rank it
     * @param group index of the group
     * @param plan how it is done
     * @param bytes length of the vector
     * @param root place of the root
     * @return where it does it
     * @throws FabricError if other ranks have something else there
     */
    Place Come(uint32_t rank,
               uint32_t group,
               const CollectivePlan& plan,
               uint64_t bytes,
               uint32_t root);

    /**
     * @brief A rank begins it.
     * @param place what Come() gave
     * @param number for the callback
     */
    void Begin(const Place& place, uint32_t number);

    /**
     * @param name of a collective
     * @param bytes of its vector
     * @param place of a rank in the group
     * @param root place of the root
     * @param ranks of the group
     * @return what that rank sends, in bytes
     */
    static uint64_t GetSentBytes(const std::string& name,
                                 uint64_t bytes,
                                 uint32_t place,
                                 uint32_t root,
                                 uint32_t ranks);

    /// @return true if something is under way for which all ranks are there
    bool IsMoving() const;

    /**
     * @param place what Come() gave, which has begun
     * @return what the rank waits for
     */
    std::string DescribeWait(const Place& place) const
    {
        return m_sessions[place.session]->DescribeWait(place.place, place.index);
    }

    /// @return what hosts and switches have done
    Totals GetTotals() const;

  private:
    /// Group, part of it, channels.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    Ptr<Fabric> m_fabric;                                             //!< network
    const RankJob& m_job;                                             //!< what the ranks do
    std::map<Key, uint32_t> m_numbers;                                //!< of the sessions
    std::vector<std::unique_ptr<ReductionSession>> m_sessions;        //!< by number
    std::vector<std::vector<std::map<uint64_t, uint32_t>>> m_running; //!< of a session and a place:
                                                                      //!< numbers of what has begun
};

} // namespace ns3

#endif /* RANK_REDUCTIONS_H */
