// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_LOCK_H
#define SIM_LOCK_H

#include <string>

namespace ns3
{

/**
 * @brief The right to write into a result folder, for one process at a time.
 *
 * It is an advisory lock (flock) on the file `.dcfabric-lock` in the folder, which tells who has
 * it. The lock ends with the process, whatever ends that; the file alone locks nothing. A parent
 * that has locked the folder hands the lock down: the environment variable DCFABRIC_LOCK names its
 * descriptor. On a file system without locks the program says so and goes on.
 */
class SimLock
{
  public:
    /// Name of the file.
    static constexpr const char* NAME = ".dcfabric-lock";

    /**
     * @brief Lock a folder.
     * @param folder that exists
     * @throws FabricError if another process has locked it, or the file cannot be made
     */
    explicit SimLock(const std::string& folder);

    /// Unlock, and remove the file unless it is the parent's.
    ~SimLock();
    SimLock(const SimLock&) = delete;
    SimLock& operator=(const SimLock&) = delete;

  private:
    /// @return true if the parent has handed down the lock
    bool Inherit();
    /// @return true if the file that was opened is still the one of that name
    bool IsInPlace() const;
    /// Refuse a folder that another process has locked.
    [[noreturn]] void Refuse(const std::string& folder) const;

    std::string m_path;   //!< of the file
    int m_descriptor{-1}; //!< of the file; -1 if the lock is the parent's
};

} // namespace ns3

#endif /* SIM_LOCK_H */
