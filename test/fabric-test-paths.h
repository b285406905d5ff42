// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_PATHS_H
#define FABRIC_TEST_PATHS_H

#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/sending-pdc.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What flows make of the ways that there are, and whether those of a flow and of its ACKs
 * are the same.
 */

namespace ns3::tests
{

/**
 * @brief Hosts 0 and 1 send to hosts 2 and 3 for 2 ms.
 * @param fabric installed, with nothing under way; it remains to be destroyed
 * @return payload in Gb/s that is acknowledged in the second half
 */
inline double
MeasureTwoFlows(const Ptr<Fabric>& fabric)
{
    fabric->GetNic(0)->GetMessages().Send(2, 100000000, 0);
    fabric->GetNic(1)->GetMessages().Send(3, 100000000, 1);
    uint64_t before = 0;
    uint64_t after = 0;
    const auto acked = [&fabric]() {
        return fabric->GetNic(0)->GetSendingPdcs().GetBusy().at(0)->GetAckedBytes() +
               fabric->GetNic(1)->GetSendingPdcs().GetBusy().at(0)->GetAckedBytes();
    };
    CallIn(MilliSeconds(1), [&]() { before = acked(); });
    CallIn(MilliSeconds(2), [&]() { after = acked(); });
    Simulator::Stop(MilliSeconds(2) + NanoSeconds(1));
    Simulator::Run();
    return static_cast<double>(after - before) * 8 / 1e6;
}

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
