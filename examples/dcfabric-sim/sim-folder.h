// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_FOLDER_H
#define SIM_FOLDER_H

#include "sim-lock.h"

#include "ns3/scenario-options.h"

#include <memory>
#include <string>

namespace ns3
{

/**
 * @brief The result folder: locked, made when needed, and as it was before if the run fails before
 * it has results.
 *
 * Files are written into the hidden folder `.dcfabric-running` within it. When all of them are
 * whole, it is renamed to `.dcfabric-complete`; from then on these are the results. The old ones
 * are removed, summary.json first, the folder is renamed to `.dcfabric-moving`, and its files move
 * up, summary.json last. So whoever finds a summary.json finds all files of one run, whenever the
 * program is killed; and what was cut short after the first renaming is completed by the next run.
 *
 * Results of a run that was interrupted do not take the place of complete ones, but go to the
 * folder `partial` within.
 */
class SimFolder
{
  public:
    /**
     * @brief Make and lock the folder, and finish or remove what a killed run left in it.
     * @param options of the run: `out`, and what it has in common with the one whose results are
     * there
     * @param force overwrite results of other options (`--force`)
     * @throws FabricError if it cannot be made, locked or written to, or, without `--force`, has
     * results of other options
     */
    SimFolder(const ScenarioOptions& options, bool force);

    /// Leave the folder as it was, but for what was finished.
    ~SimFolder();
    SimFolder(const SimFolder&) = delete;
    SimFolder& operator=(const SimFolder&) = delete;

    /**
     * @param name of the file
     * @return path to write a result file to
     */
    std::string GetPath(const std::string& name) const;

    /**
     * @brief The files are complete: let them take the place of the old ones.
     * @param partial the run was interrupted
     * @return the folder in which they are
     * @throws FabricError if that fails
     */
    std::string Finish(bool partial);

  private:
    /// @return path of something in the folder
    std::string GetPlace(const std::string& name) const
    {
        return m_path + "/" + name;
    }

    /// Remove what is not complete, unlock, and remove the folder if it was made here and is empty.
    void Leave();
    /// Make the folder.
    void Make();
    /// Finish or remove what a killed run left.
    void Recover();
    /// Refuse a folder with results of others.
    void CheckPrevious(const ScenarioOptions& options, bool force);
    /// Let the complete files take the place of the old ones.
    void Replace();
    /**
     * @brief Put the files beside the complete results.
     * @return the folder
     */
    std::string PutAside();

    std::string m_path;              //!< of the folder
    std::string m_made;              //!< first folder that did not exist; empty: all did
    std::unique_ptr<SimLock> m_lock; //!< of the folder
    bool m_hasComplete{false};       //!< there are results that partial ones must not replace
    bool m_kept{false};              //!< has results
};

} // namespace ns3

#endif /* SIM_FOLDER_H */
