// SPDX-License-Identifier: GPL-2.0-only
#include "median-filter-modifier.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MedianFilterModifier);
DCFABRIC_OBJECT_CLONABLE(MedianFilterModifier);

TypeId
MedianFilterModifier::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MedianFilterModifier")
                            .SetParent<CongestionModifier>()
                            .SetGroupName("Dcfabric")
                            .AddConstructor<MedianFilterModifier>()
                            .AddAttribute("Signals",
                                          "How many signals the median is taken of; odd, and 1: "
                                          "the last one, as without.",
                                          UintegerValue(5),
                                          MakeUintegerAccessor(&MedianFilterModifier::m_signals),
                                          MakeUintegerChecker<uint32_t>(1, 1023));
    return tid;
}

void
MedianFilterModifier::Start(const PathInfo& path)
{
    CongestionModifier::Start(path);
    if (m_signals % 2 == 0)
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::MedianFilterModifier", "Signals") + " of " +
                std::to_string(m_signals) + " is even",
            ", so that two signals are in the middle",
            {FabricRemedy::Set(FabricTerm::Attribute("ns3::MedianFilterModifier",
                                                     "Signals",
                                                     std::to_string(m_signals + 1)))});
    }
    for (MedianWindow* window : {&m_delay, &m_markedPart, &m_trigger, &m_utilization})
    {
        window->Reset(m_signals);
    }
}

void
MedianFilterModifier::FilterAck(AckInfo& told)
{
    const int64_t waitedPs =
        told.item ? std::min<int64_t>(told.item->echoDelayNs * FabricTime::PS_PER_NS, told.rttPs)
                  : 0;
    const auto delayPs = static_cast<double>(told.rttPs - waitedPs);
    const int64_t rttPs = static_cast<int64_t>(m_delay.Enter(delayPs)) + waitedPs;
    const bool triggerMarked = m_trigger.Enter(told.triggerMarked) > 0;
    uint32_t markedPackets = told.markedPackets;
    if (told.coveredPackets > 0)
    {
        const double covered = told.coveredPackets;
        markedPackets = static_cast<uint32_t>(
            std::lround(m_markedPart.Enter(told.markedPackets / covered) * covered));
    }
    if (rttPs != told.rttPs || markedPackets != told.markedPackets ||
        triggerMarked != told.triggerMarked)
    {
        CountAct();
    }
    told.rttPs = rttPs;
    told.markedPackets = markedPackets;
    told.triggerMarked = triggerMarked;
}

bool
MedianFilterModifier::PassesCnp()
{
    const bool passes = m_trigger.LookAhead(1) > 0;
    if (!passes)
    {
        CountAct();
    }
    return passes;
}

double
MedianFilterModifier::FilterUtilization(double utilization)
{
    const double median = m_utilization.Enter(utilization);
    if (median != utilization)
    {
        CountAct();
    }
    return median;
}

} // namespace ns3
