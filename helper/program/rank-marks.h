// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_MARKS_H
#define RANK_MARKS_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RankJob;

/**
 * @ingroup dcfabric
 * @brief The times that ranks write down under names.
 */
class RankMarks
{
  public:
    /// One of them.
    struct Row
    {
        uint32_t rank;      //!< rank
        uint32_t name;      //!< index of the name
        uint32_t iteration; //!< how many the rank has had under this name before
        uint32_t round;     //!< in which it began, of all at that time
        int64_t startPs;    //!< when it began
        int64_t endPs;      //!< when it ended, startPs for a moment; negative: not yet
    };

    /**
     * @param name a name
     * @return its index
     */
    uint32_t NameIndex(const std::string& name);

    /**
     * @brief Something begins.
     * @param rank rank
     * @param name index of its name
     * @param nowPs time
     * @param round of what ranks do at that time, see FlowOrder
     * @return number of the row
     */
    std::size_t Begin(uint32_t rank, uint32_t name, int64_t nowPs, uint32_t round);

    /**
     * @brief It ends.
     * @param row what Begin() gave
     * @param nowPs time
     */
    void End(std::size_t row, int64_t nowPs)
    {
        m_rows[row].endPs = nowPs;
    }

    /**
     * @brief Learn the rows of another process, of other ranks.
     * @param rows of marks of the same names
     */
    void Join(const std::vector<Row>& rows);

    /// @return all, in the order in which they began
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    /// @return names by their index
    const std::vector<std::string>& GetNames() const
    {
        return m_names;
    }

    /**
     * @brief Write marks.csv: `rank,name,iteration,start_ns,end_ns`, in the order in which they
     * began. What has not ended has an empty end. Jobs with names have a column `job` at the end.
     * @param path file to write
     * @param job of the ranks; null: their numbers are those of one job
     * @throws ResultFileError if it cannot be written
     */
    void WriteCsv(const std::string& path, const RankJob* job = nullptr) const;

  private:
    std::vector<Row> m_rows;                         //!< so far
    std::vector<std::string> m_names;                //!< by index
    std::unordered_map<uint64_t, uint32_t> m_counts; //!< rows by rank and name
};

} // namespace ns3

#endif /* RANK_MARKS_H */
