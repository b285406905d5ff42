// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROMISED_COUNT_H
#define PROMISED_COUNT_H

#include "fabric-warning.h"

#include "ns3/parse-units.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Warn of a file in whose first line fewer things are promised than follow. The public
 * simulators, among them the quick start of HPCC's, take the first ones and never see the others.
 * @param path the file
 * @param what one of them
 * @param promised how many the first line promises
 * @param follow how many follow
 */
inline void
WarnOfMoreThanPromised(const std::string& path,
                       const std::string& what,
                       uint64_t promised,
                       uint64_t follow)
{
    if (follow > promised)
    {
        const std::string taken = promised == 0 ? "none is"
                                  : promised == 1
                                      ? "the first is"
                                      : "the first " + std::to_string(promised) + " are";
        WarnFabric(path + " promises " + FormatFabricCount(promised, what) + ", " +
                   std::to_string(follow) + (follow == 1 ? " follows: " : " follow: ") + taken +
                   " taken, as the HPCC simulator does");
    }
}

} // namespace ns3

#endif /* PROMISED_COUNT_H */
