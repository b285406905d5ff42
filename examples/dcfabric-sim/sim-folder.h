// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_FOLDER_H
#define SIM_FOLDER_H

#include <string>

namespace ns3
{

/**
 * @brief The result folder: made when needed, and gone again if the run fails before it has
 * results.
 */
class SimFolder
{
  public:
    /**
     * @brief Make the folder and remove what an earlier run left in it under our names, so that
     * files of two runs never mix.
     * @param path of the folder
     * @throws FabricError if it cannot be made or written to
     */
    explicit SimFolder(const std::string& path);

    /// Remove the folder if it was made here, was not kept and is empty.
    ~SimFolder();
    SimFolder(const SimFolder&) = delete;
    SimFolder& operator=(const SimFolder&) = delete;

    /// The folder has results.
    void Keep()
    {
        m_kept = true;
    }

    /// @return path of a file in it @param name of the file
    std::string GetPath(const std::string& name) const
    {
        return m_path + "/" + name;
    }

  private:
    std::string m_path; //!< of the folder
    std::string m_made; //!< first folder that did not exist; empty: all did
    bool m_kept{false}; //!< has results
};

} // namespace ns3

#endif /* SIM_FOLDER_H */
