// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_SUMMARY_H
#define RUN_SUMMARY_H

#include "fabric-totals.h"
#include "flow-recorder.h"
#include "slowdown-summary.h"

#include "ns3/offered-load.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class JsonWriter;

/**
 * @ingroup dcfabric
 * @brief What summary.json tells about the flows of one label.
 */
struct GroupSummary
{
    std::string label;          //!< see FabricWorkload::GetGroups()
    uint64_t flowsStarted{0};   //!< whose start has come
    uint64_t flowsCompleted{0}; //!< arrived and acknowledged
    SlowdownSummary slowdown;   //!< of flows that arrived
    std::vector<double> fctNs;  //!< of flows that arrived, in ns
    uint64_t reductions{0};     //!< of window or rate, that took hold
    double goodputGbps{0};      //!< payload delivered since the first of all flows started
};

/**
 * @ingroup dcfabric
 * @brief All that summary.json tells about a run.
 */
struct RunSummary
{
    std::vector<std::pair<std::string, std::string>> options; //!< all, resolved
    uint64_t seed{0};                                         //!< of the run
    std::string ns3Version;                                   //!< of ns-3
    uint64_t flowsStarted{0};                                 //!< whose start has come
    uint64_t flowsCompleted{0};                               //!< arrived and acknowledged
    SlowdownSummary slowdown;                                 //!< of flows that arrived
    std::vector<GroupSummary> groups;                         //!< by label, if flows have labels
    FabricTotals totals;                                      //!< counters
    OfferedLoad offeredLoad;                                  //!< of random arrivals
    int64_t firstStartPs{0};                                  //!< start of the first flow
    int64_t endPs{0};                                         //!< simulated time at the end
    uint64_t events{0};                                       //!< of the simulator, watchers not
                                                              //!< counted
    double setupWallSeconds{0};                               //!< until the run began
    double runWallSeconds{0};                                 //!< of the run
    uint64_t peakRssBytesOfOthers{0};                         //!< memory of the other ranks
    std::string status;                                       //!< complete, stopped, partial, stuck
    std::vector<std::function<void(JsonWriter&)>> more; //!< write further members of summary.json

    /**
     * @brief Fill in what flows and fabric tell.
     * @param recorder of the flows
     * @param nowPs end of the run in simulated time, in ps
     */
    void Collect(const FlowRecorder& recorder, int64_t nowPs);

    /**
     * @param bytes payload
     * @return it over the time since the first flow started, in Gb/s
     */
    double ToGbps(uint64_t bytes) const;

    /// @return payload delivered over the time since the first flow started, in Gb/s
    double GetGoodputGbps() const
    {
        return ToGbps(totals.bytesDelivered);
    }

    /// @return data and control packets over links per second of the run
    double GetPacketHopsPerSecond() const
    {
        return runWallSeconds > 0 ? static_cast<double>(totals.GetPacketHops()) / runWallSeconds
                                  : 0;
    }

    /// @return largest memory of this process so far in bytes
    static uint64_t GetPeakRssBytes();

    /// @return summary.json
    std::string ToJson() const;

    /**
     * @brief Write summary.json.
     * @param path file to write
     * @throws FabricError if that fails
     */
    void Write(const std::string& path) const;
};

} // namespace ns3

#endif /* RUN_SUMMARY_H */
