// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_PREVIOUS_H
#define SIM_PREVIOUS_H

#include "ns3/scenario-options.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @brief The run whose results a folder holds, as its summary.json tells.
 */
class SimPrevious
{
  public:
    /**
     * @brief Read what there is.
     * @param path of summary.json, which need not exist
     * @throws FabricError if it is no summary of this program
     */
    explicit SimPrevious(const std::string& path);

    /// @return true if there are results
    bool Exists() const
    {
        return !m_status.empty();
    }

    /// @return true if there are results of a run that was not interrupted
    bool IsComplete() const
    {
        return Exists() && m_status != "partial";
    }

    /**
     * @param path of the file
     * @return true if a file is the summary of a run that was interrupted
     */
    static bool IsPartial(const std::string& path);

    /**
     * @brief Compare with another run. What does not change results does not count (`--out`,
     * `--progress`), nor does an option that the version which wrote the summary did not know, as
     * long as nobody sets it.
     * @param options of the other run
     * @return the first options that differ, with both values; empty if the runs are the same
     */
    std::string DescribeDifference(const ScenarioOptions& options) const;

  private:
    std::string m_status;                         //!< how the run ended; empty: there was none
    std::map<std::string, std::string> m_options; //!< all, resolved
};

} // namespace ns3

#endif /* SIM_PREVIOUS_H */
