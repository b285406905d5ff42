// SPDX-License-Identifier: GPL-2.0-only
#include "rcm-parameters.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RcmParameters);

TypeId
RcmParameters::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RcmParameters")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RcmParameters>()
            .AddAttribute("Qeq",
                          "Equilibrium length of a queue in bytes.",
                          UintegerValue(4000),
                          MakeUintegerAccessor(&RcmParameters::qeq),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("Wq",
                          "Weight of a queue's growth, wq.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&RcmParameters::wq),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("SampleBytes",
                          "Bytes that enter a queue from one sample to the next, uncongested.",
                          UintegerValue(15000),
                          MakeUintegerAccessor(&RcmParameters::sampleBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("NotifySpacing",
                          "Least time between two notifications that a queue is congested.",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&RcmParameters::notifySpacing),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("CamDepth",
                          "Samples of flows that an output keeps.",
                          UintegerValue(24),
                          MakeUintegerAccessor(&RcmParameters::camDepth),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("MinHits",
                          "Samples without which a flow is not harmful, at most CamDepth.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RcmParameters::minHits),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("StandOut",
                          "How far above the mean of the flows that were sampled a flow stands "
                          "out, in roots of that mean. Flows that do are the harmful ones; without "
                          "any all are that were sampled. The largest value: none does, the "
                          "paper's letter.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&RcmParameters::standOut),
                          MakeDoubleChecker<double>(0, 255))
            .AddAttribute("CamBytes",
                          "Mean bytes from one sample of flows to the next.",
                          UintegerValue(750),
                          MakeUintegerAccessor(&RcmParameters::camBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("RemoteWeight",
                          "Weight of the neighbor's congestion degree, w.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&RcmParameters::remoteWeight),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RemoteTimeout",
                          "How long a notification holds if no other follows, and the harmful "
                          "flows that it names.",
                          TimeValue(MicroSeconds(200)),
                          MakeTimeAccessor(&RcmParameters::remoteTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("MaxFlows",
                          "Flows that a notification names at most. By default as many as the "
                          "memory of samples has at most.",
                          UintegerValue(24),
                          MakeUintegerAccessor(&RcmParameters::maxFlows),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("MinShare",
                          "Least part of the whole window that cuts leave to harmful flows.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&RcmParameters::minShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MeasureBytes",
                          "Least bytes to measure a window by.",
                          UintegerValue(8000),
                          MakeUintegerAccessor(&RcmParameters::measureBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("MaxMeasureBytes",
                          "Bytes after which measuring no longer waits for harmful flows.",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&RcmParameters::maxMeasureBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute(
                "CutSpacing",
                "Least time between two cuts of a window, and until flows are recognized anew.",
                TimeValue(MicroSeconds(20)),
                MakeTimeAccessor(&RcmParameters::cutSpacing),
                MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("DetourNotifications",
                          "Notifications of the neighbor that call for detours.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RcmParameters::detourNotifications),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("DetourDegree",
                          "Degree that calls for detours once the neighbor tells it; 0: none "
                          "does.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RcmParameters::detourDegree),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReserveBytes",
                          "Part of an input queue that is to absorb bursts.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&RcmParameters::reserveBytes),
                          MakeUintegerChecker<uint64_t>(1, AttributeRange::MAX_BYTES))
            .AddAttribute("DetourFill",
                          "Part of the reserve beyond which it calls for detours.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&RcmParameters::detourFill),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DetourTimeout",
                          "Pause after which a detoured flow is new again, and least time until "
                          "one that does not pause moves again; more than the difference between "
                          "the delays of the paths.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RcmParameters::detourTimeout),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

void
RcmParameters::NotifyConstructionCompleted()
{
    if (minHits > camDepth)
    {
        RefuseConstruction(*this,
                           FabricTerm::Class("ns3::RcmParameters") + ": MinHits " +
                               std::to_string(minHits) + " is greater than CamDepth " +
                               std::to_string(camDepth) +
                               ", so that no flow would ever be harmful");
    }
    if (measureBytes > maxMeasureBytes)
    {
        RefuseConstruction(*this,
                           FabricTerm::Class("ns3::RcmParameters") + ": MeasureBytes " +
                               std::to_string(measureBytes) + " is greater than MaxMeasureBytes " +
                               std::to_string(maxMeasureBytes));
    }
    Object::NotifyConstructionCompleted();
}

} // namespace ns3
