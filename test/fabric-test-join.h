// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_JOIN_H
#define FABRIC_TEST_JOIN_H

#include "fabric-test-schedule.h"
#include "fabric-test-transport.h"

#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/double.h"
#include "ns3/dumbbell-topology.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-net-device.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>

/**
 * @file
 * @brief What the suites of reactions share: the dumbbell of [FNCC], figure 10, where a flow joins
 * another.
 *
 * The parameters are those of preset fncc24: three switches, 1.5 us links, frames of 1518 bytes,
 * one service level.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A run.
 */
struct FlowJoin
{
    uint64_t gbps{100};         //!< of all links
    int64_t startNs{300000};    //!< when flow 1 starts, in ns
    uint64_t xoffBytes{500000}; //!< what an ingress queue holds before its peer is paused
    int64_t lastsNs{150000};    //!< of the first phase, which begins then, in ns
    int64_t laterNs{0};         //!< of the second phase, which ends the run, in ns
};

/**
 * @ingroup dcfabric-tests
 * @brief What a run shows.
 */
struct Reaction
{
    double meanGbps{0}; //!< rate of flow 0 in the 50 us before flow 1
    int64_t us{-1};     //!< when flow 0 was first 5 % below that, in us after flow 1's start
    int64_t halfUs{-1}; //!< when flow 0 was first 50 % below that
    uint64_t peak{0};   //!< longest queue of all ports of switch 1 in bytes
    double use{0};      //!< share of the shared link's rate that is sent in the first phase
    double laterUse{0}; //!< and in the second
    uint64_t pauses{0}; //!< pause frames of all switches
};

/**
 * @brief Installs one congestion control with what it needs
 * @param helper to build with
 * @param scale rate over 100 Gb/s: ECN thresholds grow with it
 */
using JoinInstaller = void (*)(FabricHelper& helper, double scale);

/// FNCC: see JoinInstaller
inline void
InstallFncc(FabricHelper& helper, double /* scale */)
{
    helper.SetCongestionControl("ns3::FnccCongestionControl");
    helper.AddSwitchFeature("ns3::FnccIntFeature");
}

/// HPCC: see JoinInstaller
inline void
InstallHpcc(FabricHelper& helper, double /* scale */)
{
    helper.SetCongestionControl("ns3::HpccCongestionControl", "InitialUtilization", DoubleValue(1));
    helper.AddSwitchFeature("ns3::HpccIntFeature");
}

/// DCQCN: see JoinInstaller
inline void
InstallDcqcn(FabricHelper& helper, double scale)
{
    helper.SetCongestionControl("ns3::DcqcnCongestionControl");
    SetMarks(helper, static_cast<uint64_t>(100000 * scale), static_cast<uint64_t>(400000 * scale));
}

/// RoCC: see JoinInstaller
inline void
InstallRocc(FabricHelper& helper, double /* scale */)
{
    helper.SetCongestionControl("ns3::RoccCongestionControl");
    helper.AddSwitchFeature("ns3::RoccFeature");
}

/**
 * @brief Flow 0 alone from 0, flow 1 later, over the first link between switches; both are too long
 * to end.
 * @param install the congestion control
 * @param join the run
 * @return what it shows
 */
inline Reaction
MeasureJoin(JoinInstaller install, const FlowJoin& join)
{
    Ptr<DumbbellTopology> topology = CreateObject<DumbbellTopology>();
    topology->SetAttribute("Switches", UintegerValue(3));
    topology->SetAttribute("Senders", UintegerValue(2));
    topology->SetAttribute("Rate", StringValue(std::to_string(join.gbps) + "Gbps"));
    topology->SetAttribute("Delay", StringValue("1500ns"));
    FabricHelper helper;
    helper.SetClasses(3, 3);
    helper.SetNicAttribute("PayloadBytes", UintegerValue(1456));
    helper.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(join.xoffBytes));
    install(helper, static_cast<double>(join.gbps) / 100);
    Ptr<Fabric> fabric = helper.Install(topology->BuildGraph());
    const uint64_t bytes = 4000000 * join.gbps;
    fabric->GetNic(0)->GetMessages().SendAt(0, 2, bytes, 0);
    fabric->GetNic(1)->GetMessages().SendAt(join.startNs * 1000, 3, bytes, 1);

    Reaction reaction;
    double sum = 0;
    for (int64_t us = -50; us < join.lastsNs / 1000; ++us)
    {
        CallIn(NanoSeconds(join.startNs + us * 1000), [&reaction, &sum, fabric, us]() {
            const auto pdcs = fabric->GetNic(0)->GetSendingPdcs().GetBusy();
            const double gbps = pdcs.at(0)->GetCongestionControl()->GetRate() / 1e9;
            if (us < 0)
            {
                sum += gbps;
                reaction.meanGbps = sum / static_cast<double>(us + 51);
                return;
            }
            if (reaction.us < 0 && gbps < 0.95 * reaction.meanGbps)
            {
                reaction.us = us;
            }
            if (reaction.halfUs < 0 && gbps < 0.5 * reaction.meanGbps)
            {
                reaction.halfUs = us;
            }
        });
    }
    const uint32_t firstSwitch = 4; // hosts 0 to 3 come first
    const uint16_t shared = 2;      // its port towards switch 2
    const Ptr<FabricNetDevice> link = fabric->GetPort(firstSwitch, shared);
    const int64_t relievedNs = join.startNs + join.lastsNs;
    const int64_t endNs = relievedNs + join.laterNs;
    uint64_t before = 0;
    uint64_t until = 0;
    CallIn(NanoSeconds(join.startNs),
           [&before, link, join]() { before = link->GetSentBytes(join.startNs * 1000); });
    CallIn(NanoSeconds(relievedNs),
           [&until, link, relievedNs]() { until = link->GetSentBytes(relievedNs * 1000); });
    Simulator::Stop(NanoSeconds(endNs));
    Simulator::Run();
    const auto share = [&join](uint64_t bytes, int64_t ns) {
        return static_cast<double>(bytes) * 8 / static_cast<double>(join.gbps) /
               static_cast<double>(ns);
    };
    reaction.use = share(until - before, join.lastsNs);
    if (join.laterNs > 0)
    {
        reaction.laterUse = share(link->GetSentBytes(endNs * 1000) - until, join.laterNs);
    }
    for (uint32_t node = firstSwitch; node < firstSwitch + 3; ++node)
    {
        for (uint16_t port = 0; port < fabric->GetActor(node)->GetNPorts(); ++port)
        {
            const Ptr<FabricNetDevice> device = fabric->GetPort(node, port);
            reaction.pauses += device->GetFlowControl()->GetNPauseFrames();
            if (node == firstSwitch)
            {
                const auto disc =
                    DynamicCast<CongestionAwareQueueDisc>(device->GetQueue().GetDisc());
                reaction.peak = std::max(reaction.peak, disc->GetClassCounters(3).maxBytes);
            }
        }
    }
    Simulator::Destroy();
    return reaction;
}

} // namespace ns3::tests

#endif // FABRIC_TEST_JOIN_H
