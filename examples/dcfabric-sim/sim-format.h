// SPDX-License-Identifier: GPL-2.0-only
#ifndef SIM_FORMAT_H
#define SIM_FORMAT_H

#include <string>

namespace ns3
{

/**
 * @brief Format text of the report.
 * @param format as of printf
 * @return the text, at most 255 letters of it
 */
__attribute__((format(printf, 1, 2))) std::string FormatSim(const char* format, ...);

} // namespace ns3

#endif /* SIM_FORMAT_H */
