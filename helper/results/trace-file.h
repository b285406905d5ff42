// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include "ns3/result-file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A table that all processes (ranks) of a simulation write: rank 0 has the file, with the
 * rows of all in one order.
 *
 * Rows are put in order by time or part of a sample, then by place; those of one place stay in the
 * order in which they came. All ranks have to call Flush() and Commit() together.
 */
class TraceFile
{
  public:
    /**
     * @param path of the file; created by rank 0 only
     * @param header first line
     * @throws ResultFileError if it cannot be created
     */
    TraceFile(const std::string& path, const std::string& header);

    /**
     * @brief Begin a row.
     * @param when time, or part of the sample
     * @param where place, such as the number of a node
     * @return text to be appended to, without the end of the line
     */
    std::string& BeginRow(int64_t when, uint64_t where);

    /**
     * @brief Write all rows; those that follow come after them.
     * @throws ResultFileError if that fails
     */
    void Flush();

    /**
     * @brief Write all rows and complete the file.
     * @throws ResultFileError if that fails
     */
    void Commit();

  private:
    /// A row.
    struct Row
    {
        int64_t when;   //!< first key
        uint64_t where; //!< second key
        uint64_t begin; //!< in the text
        uint64_t size;  //!< in bytes

        /**
         * @param o another
         * @return true if this one comes first
         */
        bool operator<(const Row& o) const
        {
            return when != o.when ? when < o.when : where < o.where;
        }
    };

    /// End the row that was begun.
    void EndRow();
    /// Write the rows of this rank.
    void Write();

    std::unique_ptr<ResultFile> m_file; //!< null at other ranks
    std::string m_text;                 //!< of rows
    std::vector<Row> m_rows;            //!< not yet written
};

} // namespace ns3

#endif /* TRACE_FILE_H */
