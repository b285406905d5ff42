// SPDX-License-Identifier: GPL-2.0-only
#ifndef SUMMARY_MEMBERS_H
#define SUMMARY_MEMBERS_H

#include "ns3/fabric-net-device.h"
#include "ns3/fabric-nic.h"

#include <cstdint>
#include <list>

namespace ns3
{

class JsonWriter;
struct RunSummary;

/**
 * @ingroup dcfabric
 * @brief A member of summary.json.
 *
 * Either it is a counter, the sum of what it counts at all hosts or all ports, or it is written
 * from what is known of the run.
 */
struct SummaryMember
{
    /// Writes the value.
    using Writer = void (*)(JsonWriter& json, const RunSummary& summary);
    /// Counts at a host.
    using NicCounter = uint64_t (*)(const FabricNic& nic);
    /// Counts at a port.
    using PortCounter = uint64_t (*)(const FabricNetDevice& port);

    const char* name;            //!< its key; empty: the writer writes keys, too
    Writer write{nullptr};       //!< see there; null: it is a counter
    NicCounter ofNic{nullptr};   //!< see there; null: it is none of hosts
    PortCounter ofPort{nullptr}; //!< see there; null: it is none of ports

    /// @return whether it is a counter
    bool IsCounter() const
    {
        return ofNic || ofPort;
    }
};

/**
 * @ingroup dcfabric
 * @brief The members of summary.json: those of the table in summary-members.cc, and then what
 * others add, by name.
 *
 * Counters of switch features, modifiers and throttles need no entry: see
 * SwitchFeature::GetCounters().
 */
class SummaryMembers
{
  public:
    /**
     * @brief Add a member, as a static object does. Aborts if there is one of that name.
     * @param member it
     * @return it, as long as the program
     */
    static const SummaryMember& Add(SummaryMember member);

    /**
     * @brief Take a member out that was added, between two runs.
     * @param member what Add() has returned
     */
    static void Remove(const SummaryMember& member);

    /// @return all, in the order of the file
    static const std::list<SummaryMember>& Get();
};

} // namespace ns3

#endif /* SUMMARY_MEMBERS_H */
