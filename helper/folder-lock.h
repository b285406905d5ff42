// SPDX-License-Identifier: GPL-2.0-only
#ifndef FOLDER_LOCK_H
#define FOLDER_LOCK_H

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The right to write into a folder of results, for one process at a time.
 *
 * It is an advisory lock (flock) on the file `.dcfabric-lock` in the folder, which tells who has
 * it. The lock ends with the process, whatever ends that; the file alone locks nothing. A parent
 * that has locked the folder hands the lock down: the environment variable DCFABRIC_LOCK names its
 * descriptor. On a file system without locks a note says so, and nothing is locked.
 */
class FolderLock
{
  public:
    /**
     * @brief Lock a folder.
     * @param folder that exists
     * @throws FabricError if another process has locked it, or the file cannot be made
     */
    explicit FolderLock(const std::string& folder);

    /// Unlock, and remove the file unless it is the parent's.
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    /// @return true if a descriptor is open on the file that has the name now
    bool IsInPlace(int descriptor) const;
    /// @return true if the parent has handed down the lock
    bool Inherit() const;
    /// Refuse a folder that another process has locked.
    [[noreturn]] void Refuse(const std::string& folder) const;

    std::string m_path;   //!< of the file
    int m_descriptor{-1}; //!< of the file; -1 if the lock is the parent's
};

} // namespace ns3

#endif /* FOLDER_LOCK_H */
