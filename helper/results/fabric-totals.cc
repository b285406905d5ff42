// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-totals.h"

#include "summary-members.h"

#include "ns3/class-list.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-error.h"
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
    for (const SummaryMember& member : SummaryMembers::Get())
    {
        if (member.ofNic)
        {
            totals.counters.at(member.name) += member.ofNic(nic);
        }
    }
    const auto& counters = nic.GetCounters();
    totals.bytesDelivered += counters.bytesDelivered;
    totals.dataSent += counters.dataSent;
    totals.retransmitted += counters.retransmitted;
    const SendingPdcs::Totals sent = nic.GetSendingPdcs().GetTotals();
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

/// Counters of ports, and what they are added to.
using PortCounters = std::vector<std::pair<SummaryMember::PortCounter, uint64_t*>>;

/// @return those of @p totals
PortCounters
FindPortCounters(FabricTotals& totals)
{
    PortCounters found;
    for (const SummaryMember& member : SummaryMembers::Get())
    {
        if (member.ofPort)
        {
            found.emplace_back(member.ofPort, &totals.counters.at(member.name));
        }
    }
    return found;
}

/// Add a port; @p buffer is that of its switch, null at a host.
void
AddPort(FabricTotals& totals,
        const PortCounters& counters,
        const FabricNetDevice& port,
        const SwitchBuffer* buffer,
        int64_t nowPs)
{
    for (const auto& [count, sum] : counters)
    {
        *sum += count(port);
    }
    const Ptr<QueueDisc> disc = port.GetQueue().GetDisc();
    uint64_t maxBytes = 0;
    if (const auto* aware = CongestionAwareQueueDisc::Find(*disc))
    {
        for (uint8_t priority = 0; priority < 8; ++priority)
        {
            maxBytes = std::max(maxBytes, aware->GetClassCounters(priority).maxBytes);
        }
    }
    else
    {
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

/// Further sums over nodes.
constexpr uint64_t FabricTotals::*SUMS[] = {
    &FabricTotals::bytesDelivered,
    &FabricTotals::dataSent,
    &FabricTotals::retransmitted,
    &FabricTotals::lossInFabric,
};

} // namespace

std::string
FabricTotals::Pack() const
{
    std::string bytes;
    for (const auto& [name, count] : counters)
    {
        WritePlain(bytes, count); // every process has the same counters, in the same order
    }
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
    for (auto& [name, count] : counters)
    {
        count += TakePlain<uint64_t>(bytes, at);
    }
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

uint64_t
FabricTotals::Get(const std::string& name) const
{
    const auto found = counters.find(name);
    if (found == counters.end())
    {
        throw FabricError("summary.json has no counter '" + name + "'");
    }
    return found->second;
}

std::map<std::string, uint64_t>
FabricTotals::ListCounters()
{
    std::map<std::string, uint64_t> all;
    for (const SummaryMember& member : SummaryMembers::Get())
    {
        if (member.IsCounter())
        {
            all[member.name] = 0;
        }
    }
    return all;
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
    totals.features = ListFeatureCounters();
    const PortCounters counters = FindPortCounters(totals);
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
            AddPort(totals, counters, *actor->GetPort(port), PeekPointer(buffer), nowPs);
        }
    }
    totals.drops = fabric.GetDrops();
    return totals;
}

} // namespace ns3
