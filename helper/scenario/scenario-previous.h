// SPDX-License-Identifier: GPL-2.0-only
#ifndef SCENARIO_PREVIOUS_H
#define SCENARIO_PREVIOUS_H

#include "scenario-options.h"

#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The run whose results a folder holds, as its summary.json tells.
 */
class ScenarioPrevious
{
  public:
    /**
     * @brief Read what there is.
     * @param folder of results; there may be none yet
     */
    explicit ScenarioPrevious(const std::string& folder);

    /// @return true if there are results, and not of a run that was interrupted
    bool IsComplete() const
    {
        return m_exists && m_status != "partial";
    }

    /**
     * @brief Refuse to replace the results of another run. What does not change results does not
     * count (`out`, `progress`), nor does an option that the version which wrote the summary did
     * not know, as long as nobody sets it.
     * @param options of the run that is to begin
     * @throws FabricError if the folder has a summary of other options, with the first ones that
     * differ and both values of each, or one that RunSummary did not write
     */
    void CheckSame(const ScenarioOptions& options) const;

  private:
    std::string m_folder;                         //!< of the results
    bool m_exists{false};                         //!< there is a summary.json
    std::string m_status;                         //!< how the run ended; empty: it does not tell
    std::map<std::string, std::string> m_options; //!< all, resolved, as JSON has them
};

} // namespace ns3

#endif /* SCENARIO_PREVIOUS_H */
