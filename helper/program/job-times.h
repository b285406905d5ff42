// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_TIMES_H
#define JOB_TIMES_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief When a job or a step of it was, how fast, and what it lost to others: the last columns of
 * jobs.csv and steps.csv.
 */
struct JobTimes
{
    /// Names of the columns.
    static constexpr const char* HEAD = "start_ns,end_ns,busbw_gbyte_s,time_ns,alone_ns,slowdown";

    int64_t startPs{-1}; //!< when it began; negative: it has not
    int64_t endPs{-1};   //!< when it ended; negative: it has not
    double busGbyteS{0}; //!< bus bandwidth; 0: it has none
    int64_t alonePs{-1}; //!< time of the same alone; negative: that is not known

    /**
     * @brief Append the columns to a line; what is not known is empty.
     * @param text the line, which ends with a comma
     */
    void Append(std::string& text) const;
};

} // namespace ns3

#endif /* JOB_TIMES_H */
