// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_STEPS_H
#define JOB_STEPS_H

#include "rank-runner.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What jobs did, step by step: their marks, each of all ranks that have it, and their
 * collectives; and how long each took where the job was alone.
 */
class JobSteps
{
  public:
    /// A step.
    struct Step
    {
        uint32_t part;      //!< index of the job
        std::string kind;   //!< `mark` or `collective`
        std::string name;   //!< of the mark, or operation, algorithm and group with slashes between
        uint32_t first;     //!< of a collective: first rank of its group; of a mark: 0
        uint32_t iteration; //!< how many of that name came before
        uint32_t ranks;     //!< that took part
        int64_t startPs;    //!< when the first rank began it
        int64_t endPs;      //!< when the last rank ended it; negative: some have not
        double busGbyteS{0}; //!< bus bandwidth of a collective; 0: it has none
    };

    /// Times in ps by job, kind, name, first rank and iteration.
    using Times =
        std::map<std::tuple<std::string, std::string, std::string, uint32_t, uint32_t>, int64_t>;

    /**
     * @brief Learn how long steps took where jobs were alone.
     * @param folder of results with a `steps.csv`
     * @param times are added
     * @throws FabricError if there is none, or if it has other columns
     */
    static void ReadTimes(const std::string& folder, Times& times);

    /**
     * @param runner of the jobs, whose run is over; must outlive this object
     * @param alone what ReadTimes() gave
     */
    explicit JobSteps(const RankRunner& runner, Times alone = {});

    /// @return all, by job and start
    const std::vector<Step>& Get() const
    {
        return m_steps;
    }

    /**
     * @param step a step
     * @return how long it took alone, in ps; negative: that is not known
     */
    int64_t GetAlonePs(const Step& step) const;

    /**
     * @param part index of a job
     * @return how long all of it took alone, in ps; negative: that is not known
     */
    int64_t GetAlonePs(uint32_t part) const;

    /**
     * @brief Write steps.csv.
     * @param path file to write
     * @throws ResultFileError if it cannot be written
     */
    void WriteCsv(const std::string& path) const;

  private:
    /// Add the marks.
    void AddMarks();
    /// Add the collectives.
    void AddCollectives();

    const RankRunner& m_runner; //!< of the jobs
    std::vector<Step> m_steps;  //!< see Get()
    Times m_alone;              //!< where jobs were alone
};

} // namespace ns3

#endif /* JOB_STEPS_H */
