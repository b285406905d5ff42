// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_PATHS_H
#define FABRIC_TEST_PATHS_H

#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Whether the ways of a flow and of its ACKs are the same.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases about the symmetry of paths.
 */
class PathSymmetryTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @param graph plan
     * @param helper with a path selector
     * @param entropies how many
     * @param what for messages
     * @return share of pairs and entropies whose ways there and back differ; paths are checked to
     * end at their hosts
     */
    double Asymmetry(const FabricGraph& graph,
                     FabricHelper helper,
                     uint32_t entropies,
                     const std::string& what)
    {
        Ptr<Fabric> fabric = helper.Install(graph);
        uint64_t all = 0;
        uint64_t differ = 0;
        for (const uint32_t src : fabric->GetHosts())
        {
            for (const uint32_t dst : fabric->GetHosts())
            {
                for (uint32_t e = 0; src != dst && e < entropies; ++e)
                {
                    const auto entropy = static_cast<uint16_t>(e * 9973 + src);
                    const FabricHop last = fabric->TracePath(src, dst, entropy).back();
                    NS_TEST_EXPECT_MSG_EQ(graph.GetPort(last.node, last.port).peer,
                                          dst,
                                          what << ": from " << src << " to " << dst << ", entropy "
                                               << entropy);
                    ++all;
                    differ += !fabric->IsPathSymmetric(src, dst, entropy);
                }
            }
        }
        Simulator::Destroy();
        return static_cast<double>(differ) / static_cast<double>(all);
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_PATHS_H */
