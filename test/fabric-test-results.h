// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RESULTS_H
#define FABRIC_TEST_RESULTS_H

#include "ns3/fabric-graph.h"

#include <fstream>
#include <sstream>
#include <string>

/**
 * @file
 * @brief What the suites of results share.
 *
 * The network is hosts 0, 1 and 2 at switch 3, links of 100 Gb/s (80 ps a byte) and 1 us. Packets
 * carry 1000 bytes; on the wire a full one is 1000 + 62 + 20 = 1082 bytes or 86.56 ns.
 */

namespace ns3::tests
{

/// @return the network described above
inline FabricGraph
MakeStar()
{
    FabricGraph graph;
    for (int i = 0; i < 3; ++i)
    {
        graph.AddHost();
    }
    graph.AddSwitch();
    for (uint32_t host = 0; host < 3; ++host)
    {
        graph.AddLink(host, 3, 100000000000, 1000000, 0);
    }
    return graph;
}

/// @return contents of a file, `(none)` without it @param path the file
inline std::string
ReadAll(const std::string& path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? text.str() : "(none)";
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_RESULTS_H */
