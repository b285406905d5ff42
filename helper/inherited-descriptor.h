// SPDX-License-Identifier: GPL-2.0-only
#ifndef INHERITED_DESCRIPTOR_H
#define INHERITED_DESCRIPTOR_H

#include <sys/stat.h>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Find a file descriptor that the process which started this one handed down.
 * @param variable environment variable with its number
 * @param status filled in with what it is
 * @return the descriptor; -1 if the variable names none that is open
 */
int FindInheritedDescriptor(const char* variable, struct stat& status);

} // namespace ns3

#endif /* INHERITED_DESCRIPTOR_H */
