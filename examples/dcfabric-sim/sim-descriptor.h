// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_DESCRIPTOR_H
#define SIM_DESCRIPTOR_H

#include <sys/stat.h>

namespace ns3
{

/**
 * @brief Find a file descriptor that the process which started the program handed down.
 * @param variable environment variable with its number
 * @param status filled in with what it is
 * @return the descriptor; -1 if the variable names none that is open
 */
int GetSimDescriptor(const char* variable, struct stat& status);

} // namespace ns3

#endif /* SIM_DESCRIPTOR_H */
