// SPDX-License-Identifier: GPL-2.0-only
#include "folder-lock.h"

#include "fabric-warning.h"
#include "inherited-descriptor.h"

#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ns3
{

namespace
{

constexpr const char* LOCK_NAME = ".dcfabric-lock";
constexpr const char* LOCK_VARIABLE = "DCFABRIC_LOCK";
constexpr int MAX_ATTEMPTS = 100;

} // namespace

FolderLock::FolderLock(const std::string& folder)
    : m_path(folder + "/" + LOCK_NAME)
{
    if (Inherit())
    {
        return;
    }
    for (int attempt = 0;; ++attempt)
    {
        m_descriptor = open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        std::error_code error;
        if (m_descriptor < 0 && errno == ENOENT && attempt < MAX_ATTEMPTS)
        {
            // a run that failed has just taken the folder away that it had made
            std::filesystem::create_directories(folder, error);
            continue;
        }
        if (m_descriptor < 0)
        {
            throw FabricError(FabricTerm::Option("out") + ": cannot lock the folder " +
                              QuoteFabricText(folder) + ": " + std::strerror(errno));
        }
        if (flock(m_descriptor, LOCK_EX | LOCK_NB) != 0)
        {
            if (errno == EWOULDBLOCK)
            {
                Refuse(folder);
            }
            NoteFabric("the folder " + QuoteFabricText(folder) + " cannot be locked (" +
                       std::strerror(errno) + "): make sure that no other run uses it");
            return;
        }
        if (IsInPlace(m_descriptor))
        {
            break;
        }
        close(m_descriptor); // who had it has removed the file
    }
    const std::string holder = std::to_string(getpid()) + "\n";
    // for people only: the lock holds without it
    if (ftruncate(m_descriptor, 0) != 0 ||
        pwrite(m_descriptor, holder.data(), holder.size(), 0) < 0)
    {
        errno = 0;
    }
}

FolderLock::~FolderLock()
{
    if (m_descriptor >= 0)
    {
        unlink(m_path.c_str()); // before others can have the lock
        close(m_descriptor);
    }
}

bool
FolderLock::IsInPlace(int descriptor) const
{
    struct stat ours = {};
    struct stat named = {};
    return fstat(descriptor, &ours) == 0 && stat(m_path.c_str(), &named) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

bool
FolderLock::Inherit() const
{
    struct stat status = {};
    const int descriptor = FindInheritedDescriptor(LOCK_VARIABLE, status);
    // of the same file, and of the same opening: else the lock is another's
    return descriptor >= 0 && IsInPlace(descriptor) && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

void
FolderLock::Refuse(const std::string& folder) const
{
    char text[32] = {};
    const ssize_t size = pread(m_descriptor, text, sizeof(text) - 1, 0);
    close(m_descriptor);
    const std::string holder(text, size > 0 ? std::strcspn(text, "\n") : 0);
    throw FabricError(FabricTerm::Option("out") + ": the folder " + QuoteFabricText(folder) +
                      " is in use by " +
                      (holder.empty() ? "another process" : "process " + holder) +
                      "; wait until it ends, or choose another folder");
}

} // namespace ns3
