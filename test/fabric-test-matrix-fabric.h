// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MATRIX_FABRIC_H
#define FABRIC_TEST_MATRIX_FABRIC_H

#include "fabric-test-matrix.h"
#include "fabric-test-transport.h"

#include "ns3/back-to-sender-notifier.h"
#include "ns3/boolean.h"
#include "ns3/curved-profiles.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-helper.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @brief What the suites of combinations share: a small fabric on which everything has reason to
 * act.
 */

namespace ns3::tests
{
namespace matrix
{

constexpr uint32_t N_SPINES = 4; //!< of the small fabric

/**
 * @brief Two leaves with four hosts each under four spines, 10 Gb/s and 1 us: a packet of 1062 B
 * takes 866 ns, a base RTT between leaves 11.8 us, which is a BDP of 14.8 kB.
 * @return hosts 0 to 3 and 4 to 7, leaves 8 and 9, spines 10 to 13
 */
inline FabricGraph
MakeSmallFabric()
{
    return MakeTwoLeaves(4, N_SPINES, 10 * GBPS);
}

/// A message.
struct Message
{
    uint32_t src;     //!< host
    uint32_t dst;     //!< host
    uint32_t packets; //!< of 1000 B
    int64_t startUs;  //!< when it is handed over
};

/**
 * An incast of four to host 4, of which the one from host 0 goes on alone, and connections across
 * that pause for longer than a flowlet.
 */
constexpr Message TRAFFIC[] = {{0, 4, 200, 0},
                               {1, 4, 100, 0},
                               {2, 4, 100, 0},
                               {5, 4, 100, 0},
                               {6, 1, 40, 0},
                               {7, 2, 40, 0},
                               {3, 7, 30, 0},
                               {6, 1, 30, 150},
                               {7, 2, 30, 150},
                               {3, 7, 30, 150}};

/**
 * @brief Set the congestion control, with values for the small fabric.
 * @param helper to be told
 * @param cc which
 */
inline void
SetCc(FabricHelper& helper, const Cc& cc)
{
    const std::string name = cc.name;
    if (cc.flag)
    {
        helper.SetCongestionControl(cc.type, cc.flag, BooleanValue(cc.on));
    }
    if (cc.Is(PATH_DELAY))
    {
        // the paper's thresholds are several times the base RTT of its network, too
        helper.SetCongestionControl(cc.type,
                                    "LowThreshold",
                                    TimeValue(MicroSeconds(15)),
                                    "HighThreshold",
                                    TimeValue(MicroSeconds(60)),
                                    "MinRtt",
                                    TimeValue(MicroSeconds(12)),
                                    "SegmentBytes",
                                    UintegerValue(4000));
    }
    else if (name == "swift")
    {
        helper.SetCongestionControl(cc.type,
                                    "AddBaseRtt", // the paper's formula
                                    BooleanValue(false),
                                    "BaseTarget",
                                    TimeValue(MicroSeconds(12)),
                                    "HopTarget",
                                    TimeValue(NanoSeconds(1000)),
                                    "FlowRange",
                                    TimeValue(MicroSeconds(5)));
    }
    else if (name == "falcon")
    {
        helper.SetCongestionControl(cc.type,
                                    "BaseTarget",
                                    TimeValue(MicroSeconds(2)),
                                    "HopTarget",
                                    TimeValue(MicroSeconds(0)),
                                    "FlowRange",
                                    TimeValue(MicroSeconds(5)));
    }
    else if (!cc.flag)
    {
        helper.SetCongestionControl(cc.type);
    }
}

/**
 * @brief Set load balancing.
 * @param helper to be told
 * @param lb which
 */
inline void
SetLb(FabricHelper& helper, const Lb& lb)
{
    if (std::string(lb.selector) == "ns3::FlowletPathSelector")
    {
        helper.SetPathSelector(lb.selector, "Timeout", TimeValue(MicroSeconds(20)));
    }
    else
    {
        helper.SetPathSelector(lb.selector);
    }
    const std::string name = lb.name;
    if (name == "path-set")
    {
        helper.SetLoadBalancer(lb.balancer, "Entropies", UintegerValue(lb.hostPaths));
    }
    else if (name == "mixed")
    {
        helper.SetLoadBalancer(lb.balancer, "Fresh", StringValue("ns3::BitmapSprayLoadBalancer"));
    }
    else
    {
        helper.SetLoadBalancer(lb.balancer);
    }
}

/**
 * @brief Set flow control.
 * @param helper to be told
 * @param flow which
 */
inline void
SetFlowControl(FabricHelper& helper, const Flow& flow)
{
    if (flow.asUe)
    {
        helper.SetFlowControl(flow.type,
                              "UnitOverhead",
                              IntegerValue(20),
                              "OrderedSets",
                              BooleanValue(true));
    }
    else
    {
        helper.SetFlowControl(flow.type);
    }
}

/**
 * @brief Set flow control and memory.
 * @param helper to be told
 * @param c combination
 */
inline void
SetFlow(FabricHelper& helper, const Combination& c)
{
    SetFlowControl(helper, *c.flow);
    const uint32_t reserve = c.cc->Is(CLASSES) && !c.flow->lossless ? 250 : 1000; // of each class
    if (c.buffer->voq)
    {
        helper.SetBuffer(c.buffer->type,
                         "QueueBytes",
                         UintegerValue(6000),
                         "OutputBytes",
                         UintegerValue(8000),
                         "ResumeOffset",
                         UintegerValue(2000));
    }
    else if (c.buffer->threshold)
    {
        // of what eight ports do not reserve, or need as headroom; virtual channels need more
        const uint32_t scale = c.routing ? 10 : 1;
        helper.SetBuffer(c.buffer->type,
                         "Threshold",
                         StringValue(c.buffer->threshold),
                         "Size",
                         UintegerValue(scale * (c.flow->lossless ? 140000 : 30000)),
                         "PortReserve",
                         UintegerValue(reserve));
    }
    else if (c.flow->lossless)
    {
        helper.SetBuffer(c.buffer->type,
                         "XoffThreshold",
                         UintegerValue(4000),
                         "PortReserve",
                         UintegerValue(1000),
                         "ResumeOffset",
                         UintegerValue(1000));
    }
    else
    {
        // eight ports reserve 16 kB for two classes, which leaves 14 kB for all
        helper.SetBuffer(c.buffer->type,
                         "Size",
                         UintegerValue(30000),
                         "PortReserve",
                         UintegerValue(reserve));
    }
}

/**
 * @brief Set the features of switches.
 * @param helper to be told
 * @param c combination
 */
inline void
SetFeatures(FabricHelper& helper, const Combination& c)
{
    for (const std::string feature : c.features)
    {
        if (feature == "ns3::RoccFeature")
        {
            helper.AddSwitchFeature(feature,
                                    "Interval",
                                    TimeValue(MicroSeconds(10)),
                                    "Qref",
                                    UintegerValue(6000),
                                    "Qmid",
                                    UintegerValue(18000),
                                    "Qmax",
                                    UintegerValue(30000));
        }
        else if (feature == "ns3::FecnFeature")
        {
            helper.AddSwitchFeature(feature,
                                    "QueueBytes", // marks above a 16th of it
                                    UintegerValue(32000),
                                    "Rate",
                                    DataRateValue(DataRate(0)));
        }
        else if (feature == "ns3::WrebFeature")
        {
            // more often than by default: of bytes at 100 Gb/s, a tenth of them here
            const auto profile = CreateObjectWithAttributes<PiecewiseMarkingProfile>(
                "Points",
                StringValue("20000:0.02,60000:0.2"));
            helper.AddSwitchFeature(feature,
                                    "Notifier",
                                    PointerValue(CreateObjectWithAttributes<BackToSenderNotifier>(
                                        "Profile",
                                        PointerValue(profile))));
        }
        else
        {
            helper.AddSwitchFeature(feature);
        }
    }
}

/**
 * @brief Set the modifiers.
 * @param helper to be told
 * @param c combination
 */
inline void
SetModifiers(FabricHelper& helper, const Combination& c)
{
    uint32_t nGates = 0;
    for (const Modifier* modifier : c.modifiers)
    {
        const std::string name = modifier->name;
        const bool isGate = name.find("-gate") != std::string::npos;
        if (isGate && c.Has("ns3::WrebFeature") && nGates == 0)
        {
            // queues that notify mark few packets, which opens no gate; delays do
            helper.AddModifier(modifier->type, "Signal", StringValue("ns3::RttExcessSignal"));
        }
        else if (name == "ewma-gate" && nGates > 0)
        {
            // what the first gate lets pass this one shall withhold
            helper.AddModifier(modifier->type, "Threshold", DoubleValue(1));
        }
        else
        {
            helper.AddModifier(modifier->type);
        }
        nGates += isGate;
    }
}

/**
 * @param c what it is to install
 * @return a helper
 */
inline FabricHelper
MakeHelper(const Combination& c)
{
    FabricHelper helper;
    SetCc(helper, *c.cc);
    SetLb(helper, *c.lb);
    SetFlow(helper, c);
    if (c.routing)
    {
        helper.SetRouting(c.routing->type);
    }
    if (c.goBackN)
    {
        helper.SetReliability(c.GetReliability());
    }
    else if (std::string(c.lb->selector) == "ns3::FlowletPathSelector" ||
             std::string(c.lb->selector) == "ns3::CongaPathSelector")
    {
        // a timeout below what queues hold: flowlets overtake one another here
        helper.SetReliability(c.GetReliability(), "ReorderThreshold", UintegerValue(1000));
    }
    helper.SetQueueDisc(c.disc);
    helper.SetMarkingProfile("none");
    if (c.marks)
    {
        helper.SetMarkingProfile(PROFILE, "Kmin", UintegerValue(2000), "Kmax", UintegerValue(2000));
    }
    SetFeatures(helper, c);
    SetModifiers(helper, c);
    helper.SetNicAttribute("PdcPerMessage", BooleanValue(false));
    helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(c.flow->lossless ? 4000 : 300)));
    return helper;
}

} // namespace matrix
} // namespace ns3::tests

#endif /* FABRIC_TEST_MATRIX_FABRIC_H */
