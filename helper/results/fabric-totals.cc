// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-totals.h"

#include "ns3/class-list.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-time.h"
#include "ns3/object-factory.h"
#include "ns3/plain-bytes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// Add a NIC.
void
AddNic(FabricTotals& totals, const FabricNic& nic)
{
    const auto& counters = nic.GetCounters();
    totals.bytesDelivered += counters.bytesDelivered;
    totals.dataSent += counters.dataSent;
    totals.retransmitted += counters.retransmitted;
    totals.timeouts += counters.timeouts;
    totals.reordered += counters.reordered;
    totals.rtwSent += counters.rtwSent;
    totals.rtsSent += counters.rtsSent;
    totals.rnrSent += counters.rnrSent;
    if (const MessageMatcher* matcher = nic.GetMessages().GetMatcher())
    {
        totals.unmatchedPackets += matcher->GetCounters().unmatched;
        totals.wastedBytes += matcher->GetCounters().wastedBytes;
        totals.matchLookups += matcher->GetTableState().lookups;
        totals.furtherLookups += matcher->GetCounters().furtherLookups;
    }
    const SendingPdcs::Totals sent = nic.GetSendingPdcs().GetTotals();
    totals.reductions += sent.reductions;
    for (const auto& [modifier, counts] : sent.modifiers)
    {
        totals.withheld[modifier] += counts.withheld;
    }
    AddCounters(totals.features, sent.counters);
    const auto refused = nic.GetDrops().find(DropReason::QUEUE_DISC);
    totals.lossInFabric += refused == nic.GetDrops().end() ? 0 : refused->second;
}

/// Add what the throttles of a NIC have counted.
void
AddThrottles(FabricTotals& totals, const FabricNic& nic, int64_t nowPs)
{
    for (uint16_t port = 0; port < nic.GetNPorts(); ++port)
    {
        if (InjectionThrottle* throttle = nic.GetThrottle(port))
        {
            AddCounters(totals.features, throttle->GetCounters(nowPs));
        }
    }
}

/// Add a port; @p buffer is that of its switch, null at a host.
void
AddPort(FabricTotals& totals,
        const FabricNetDevice& port,
        const SwitchBuffer* buffer,
        int64_t nowPs)
{
    const auto& counters = port.GetCounters();
    totals.dataHops += counters.rxDataPackets;
    totals.controlHops += counters.rxControlPackets;
    totals.linkFrames += counters.rxLinkFrames;
    totals.pauseFrames += port.GetFlowControl() ? port.GetFlowControl()->GetNPauseFrames() : 0;
    const Ptr<QueueDisc> disc = port.GetQueue().GetDisc();
    uint64_t maxBytes = 0;
    if (const auto aware = DynamicCast<CongestionAwareQueueDisc>(disc))
    {
        totals.marks += aware->GetNMarkedPackets();
        for (uint8_t priority = 0; priority < 8; ++priority)
        {
            maxBytes = std::max(maxBytes, aware->GetClassCounters(priority).maxBytes);
        }
    }
    else
    {
        totals.marks += disc->GetStats().nTotalMarkedPackets;
        maxBytes = port.GetQueue().GetMaxBytes();
    }
    for (uint8_t priority = 0; buffer && priority < 8; ++priority)
    {
        maxBytes = std::max(maxBytes, buffer->GetMaxQueueBytes(port.GetPort(), priority));
    }
    if (maxBytes > totals.maxQueueBytes)
    {
        totals.maxQueueBytes = maxBytes;
        totals.maxPortBytes = std::max<uint64_t>(maxBytes, port.GetQueue().GetMaxBytes());
        if (buffer)
        {
            totals.maxPortBytes =
                std::max(totals.maxPortBytes, buffer->GetMaxPortBytes(port.GetPort()));
        }
        totals.meanQueueBytes = port.GetQueue().GetMeanBytes(nowPs) +
                                (buffer ? buffer->GetMeanWaitingBytes(port.GetPort(), nowPs) : 0);
        totals.maxQueueNode = port.GetActor()->GetAddress();
        totals.maxQueuePort = port.GetPort();
    }
}

/// Counters of a FabricTotals that are sums over nodes.
constexpr uint64_t FabricTotals::*SUMS[] = {
    &FabricTotals::bytesDelivered, &FabricTotals::dataSent,     &FabricTotals::retransmitted,
    &FabricTotals::timeouts,       &FabricTotals::reordered,    &FabricTotals::reductions,
    &FabricTotals::dataHops,       &FabricTotals::controlHops,  &FabricTotals::linkFrames,
    &FabricTotals::pauseFrames,    &FabricTotals::marks,        &FabricTotals::rtwSent,
    &FabricTotals::rtsSent,        &FabricTotals::rnrSent,      &FabricTotals::unmatchedPackets,
    &FabricTotals::wastedBytes,    &FabricTotals::matchLookups, &FabricTotals::furtherLookups,
    &FabricTotals::lossInFabric,
};

} // namespace

std::string
FabricTotals::Pack() const
{
    std::string bytes;
    for (const auto sum : SUMS)
    {
        WritePlain(bytes, this->*sum);
    }
    WritePlain(bytes, withheld.size());
    for (const auto& [modifier, count] : withheld)
    {
        WritePlainText(bytes, modifier);
        WritePlain(bytes, count);
    }
    for (const auto& [name, count] : features)
    {
        WritePlain(bytes, count); // every process has the same classes, in the same order
    }
    WritePlain(bytes, drops.size());
    for (const auto& [reason, count] : drops)
    {
        WritePlain(bytes, reason);
        WritePlain(bytes, count);
    }
    WritePlain(bytes, maxQueueBytes);
    WritePlain(bytes, maxPortBytes);
    WritePlain(bytes, meanQueueBytes);
    WritePlain(bytes, maxQueueNode);
    WritePlain(bytes, maxQueuePort);
    return bytes;
}

void
FabricTotals::Join(const std::string& bytes)
{
    std::size_t at = 0;
    for (const auto sum : SUMS)
    {
        this->*sum += TakePlain<uint64_t>(bytes, at);
    }
    for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
    {
        const std::string modifier = TakePlainText(bytes, at);
        withheld[modifier] += TakePlain<uint64_t>(bytes, at);
    }
    for (auto& [name, count] : features)
    {
        count += TakePlain<uint64_t>(bytes, at);
    }
    for (auto left = TakePlain<std::size_t>(bytes, at); left > 0; --left)
    {
        const auto reason = TakePlain<DropReason>(bytes, at);
        drops[reason] += TakePlain<uint64_t>(bytes, at);
    }
    const auto bytesThere = TakePlain<uint64_t>(bytes, at);
    const auto portThereBytes = TakePlain<uint64_t>(bytes, at);
    const auto meanThere = TakePlain<double>(bytes, at);
    const auto nodeThere = TakePlain<uint32_t>(bytes, at);
    const auto portThere = TakePlain<uint16_t>(bytes, at);
    // of equals the first, as in Collect()
    if (bytesThere > maxQueueBytes ||
        (bytesThere == maxQueueBytes && bytesThere > 0 &&
         std::make_pair(nodeThere, portThere) < std::make_pair(maxQueueNode, maxQueuePort)))
    {
        maxQueueBytes = bytesThere;
        maxPortBytes = portThereBytes;
        meanQueueBytes = meanThere;
        maxQueueNode = nodeThere;
        maxQueuePort = portThere;
    }
}

SwitchFeature::Counters
FabricTotals::ListFeatureCounters()
{
    SwitchFeature::Counters all;
    for (const TypeId& tid : ListClasses("ns3::SwitchFeature"))
    {
        AddCounters(all, ObjectFactory(tid.GetName()).Create<SwitchFeature>()->GetCounters());
    }
    for (const TypeId& tid : ListClasses("ns3::CongestionModifier"))
    {
        AddCounters(all, ObjectFactory(tid.GetName()).Create<CongestionModifier>()->GetCounters());
    }
    for (const TypeId& tid : ListClasses("ns3::InjectionThrottle"))
    {
        AddCounters(all, ObjectFactory(tid.GetName()).Create<InjectionThrottle>()->GetCounters(0));
    }
    return all;
}

FabricTotals
FabricTotals::Collect(const Fabric& fabric)
{
    return Collect(fabric, FabricTime::ToPs(Simulator::Now()));
}

FabricTotals
FabricTotals::Collect(const Fabric& fabric, int64_t nowPs)
{
    FabricTotals totals;
    for (uint32_t node = 0; node < fabric.GetGraph().GetNNodes(); ++node)
    {
        if (fabric.GetGraph().IsHost(node))
        {
            AddNic(totals, *fabric.GetNic(node));
            AddThrottles(totals, *fabric.GetNic(node), nowPs);
        }
        else
        {
            for (const auto& [reason, count] : fabric.GetSwitch(node)->GetDrops())
            {
                totals.lossInFabric += count;
            }
            for (const auto& feature : fabric.GetSwitch(node)->GetFeatures())
            {
                AddCounters(totals.features, feature->GetCounters());
            }
        }
        const FabricActor* actor = fabric.GetActor(node);
        const Ptr<SwitchBuffer> buffer =
            fabric.GetGraph().IsHost(node) ? nullptr : fabric.GetSwitch(node)->GetBuffer();
        for (uint16_t port = 0; port < actor->GetNPorts(); ++port)
        {
            AddPort(totals, *actor->GetPort(port), PeekPointer(buffer), nowPs);
        }
    }
    totals.drops = fabric.GetDrops();
    return totals;
}

} // namespace ns3
