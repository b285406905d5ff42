// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_LOG_H
#define COLLECTIVE_LOG_H

#include "ns3/flow-order.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RankGroup;
class RankJob;

/**
 * @ingroup dcfabric
 * @brief When the ranks of a group were in each of their collectives.
 */
class CollectiveLog
{
  public:
    /// One of them.
    struct Row
    {
        uint32_t collective;    //!< index of the collective
        uint32_t group;         //!< index of the group
        uint32_t part;          //!< of the group
        uint32_t iteration;     //!< how many of its kind the part has had before
        uint32_t ranks;         //!< in the part
        uint32_t left{0};       //!< of these, how many have left
        uint64_t bytes{0};      //!< largest size that a rank named
        uint64_t sentBytes{0};  //!< by all ranks
        int64_t startPs;        //!< when the first rank came
        int64_t lastStartPs{0}; //!< when the latest one so far came
        int64_t endPs{-1};      //!< when the last rank left; negative: not yet
        int64_t lastLeftPs{-1}; //!< when the latest one so far left
        FlowOrder order;        //!< of the first rank's coming, among all
    };

    /**
     * @brief The program of a rank has come to a collective, which may begin later.
     * @param rank it
     * @param collective index of the collective
     * @param groupIndex index of the group
     * @return how many of this kind the rank had before
     */
    uint32_t Count(uint32_t rank, uint32_t collective, uint32_t groupIndex);

    /**
     * @brief A rank begins a collective.
     * @param rank it
     * @param collective index of the collective
     * @param groupIndex index of the group
     * @param group it
     * @param iteration what Count() gave
     * @param order of this, with the time
     * @return number of the row
     */
    uint32_t Begin(uint32_t rank,
                   uint32_t collective,
                   uint32_t groupIndex,
                   const RankGroup& group,
                   uint32_t iteration,
                   const FlowOrder& order);

    /**
     * @brief A rank names the size of what it sends in all, or to one other.
     * @param row what Begin() gave
     * @param bytes it
     */
    void NoteSize(uint32_t row, uint64_t bytes);

    /**
     * @brief A rank sends something.
     * @param row what Begin() gave
     * @param bytes length
     */
    void NoteSent(uint32_t row, uint64_t bytes)
    {
        m_rows[row].sentBytes += bytes;
    }

    /**
     * @brief A rank leaves.
     * @param row what Begin() gave
     * @param nowPs time
     */
    void End(uint32_t row, int64_t nowPs);

    /**
     * @brief Learn the rows of another process, in which other ranks took part.
     * @param rows of collectives of the same groups
     */
    void Join(const std::vector<Row>& rows);

    /// @return all, in the order in which the first rank came
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    /**
     * @param row one that has ended
     * @return size over time, in bytes per second, as nccl-tests has it; the size of an all-to-all
     * is what a rank has for all, itself included
     */
    static double GetAlgorithmBandwidth(const Row& row);

    /**
     * @param row one that has ended
     * @return the same times the bus factor of the collective
     */
    static double GetBusBandwidth(const Row& row);

    /**
     * @brief Write collectives.csv. Jobs with names have a column `job` at the end.
     * @param path file to write
     * @param job of the groups
     * @throws ResultFileError if it cannot be written
     */
    void WriteCsv(const std::string& path, const RankJob& job) const;

  private:
    /// Collective, group, part and iteration.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    std::vector<Row> m_rows;                       //!< so far
    std::map<Key, uint32_t> m_open;                //!< rows that not all ranks have left
    std::unordered_map<uint64_t, uint32_t> m_done; //!< of a rank, by kind: how many it has begun
};

} // namespace ns3

#endif /* COLLECTIVE_LOG_H */
