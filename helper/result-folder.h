// SPDX-License-Identifier: GPL-2.0-only
#ifndef RESULT_FOLDER_H
#define RESULT_FOLDER_H

#include "folder-lock.h"

#include <memory>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The folder of the results of a run: locked, made when needed, and as it was before if the
 * run fails before it has results.
 *
 * Files are written into the hidden folder `.dcfabric-running` within it. When all of them are
 * whole, it is renamed to `.dcfabric-complete`; from then on these are the results. The old ones
 * are removed, summary.json first, the folder is renamed to `.dcfabric-moving`, and its files move
 * up, summary.json last. So whoever finds a summary.json finds all files of one run, whenever the
 * process is killed; and what was cut short after the first renaming is completed by the next run.
 * Other files stay as they are. SIGINT, SIGTERM and SIGHUP wait while files move.
 */
class ResultFolder
{
  public:
    /**
     * @brief Make and lock the folder, and finish or remove what a killed run left in it.
     * @param path of the folder
     * @param names of all files that runs may write, of which old ones are removed; summary.json
     * and captures (`pcap-NODE-PORT.pcap`) are known
     * @throws FabricError if it cannot be made, locked or written to, or if something else has the
     * name of a result file
     */
    ResultFolder(const std::string& path, std::set<std::string> names);

    /// Leave the folder as it was, but for what was finished.
    ~ResultFolder();
    ResultFolder(const ResultFolder&) = delete;
    ResultFolder& operator=(const ResultFolder&) = delete;

    /**
     * @brief Begin new results; old ones stay until Finish().
     * @return path of a fresh folder to write them into
     * @throws FabricError if it cannot be made
     */
    std::string Begin();

    /**
     * @brief All files are written: let them take the place of the old ones, those in the subfolder
     * `partial` included.
     * @return the folder in which they are
     * @throws FabricError if that fails
     */
    std::string Finish();

    /**
     * @brief All files are written, but those that are there count for more: put the new ones into
     * the subfolder `partial`, and say so.
     * @return the folder in which they are
     * @throws FabricError if that fails
     */
    std::string FinishAside();

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
    /// @return true for the name of a result file, or of one that was left half written
    bool IsOurs(const std::string& name) const;
    /// Remove the results in a folder.
    void RemoveResults(const std::string& folder) const;
    /// Refuse a folder in the place of a result file.
    void CheckNames() const;
    /// Let the complete files take the place of the old ones.
    void Replace();

    std::string m_path;                 //!< of the folder
    std::set<std::string> m_names;      //!< of files that runs may write
    std::string m_made;                 //!< first folder that did not exist; empty: all did
    std::unique_ptr<FolderLock> m_lock; //!< of the folder
    bool m_kept{false};                 //!< has results
};

} // namespace ns3

#endif /* RESULT_FOLDER_H */
