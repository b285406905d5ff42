// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-fct-file.h"

#include "ns3/result-file.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint64_t HEADER_BYTES = 48; //!< of that simulator: 14 + 20 + 8 + 6
constexpr uint32_t FIRST_SPORT = 10000;

/// @return the address of a host in that simulator
uint32_t
GetHpccAddress(uint32_t id)
{
    return 0x0b000001 + ((id / 256) << 16) + ((id % 256) << 8);
}

} // namespace

uint64_t
GetHpccStandaloneNs(const FlowRecorder& recorder, uint32_t flow)
{
    const FabricFlow& f = recorder.GetFlows().at(flow);
    const uint64_t payload = recorder.GetFabric()->GetFrameSizes().payloadBytes;
    const auto path = recorder.GetFabric()->GetBestPath(f.src, f.dst, payload + HEADER_BYTES);
    uint64_t lowestBps = UINT64_MAX;
    double baseRttNs = 0;
    for (const FabricHop& hop : path)
    {
        lowestBps = std::min(lowestBps, hop.rateBps);
        baseRttNs += 2e-3 * static_cast<double>(hop.delayPs) +
                     static_cast<double>(payload) * 8e9 / static_cast<double>(hop.rateBps);
    }
    const uint64_t packets = (f.sizeBytes + payload - 1) / payload;
    const auto bytes = static_cast<double>(f.sizeBytes + packets * HEADER_BYTES);
    return static_cast<uint64_t>(baseRttNs + bytes * 8e9 / static_cast<double>(lowestBps));
}

void
WriteHpccFctFile(const FlowRecorder& recorder, const std::string& path)
{
    const auto& flows = recorder.GetFlows();
    const auto& records = recorder.GetRecords();
    // ports are numbered as flows start
    std::vector<uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&flows](uint32_t a, uint32_t b) {
        return flows[a].startPs < flows[b].startPs;
    });
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> nextSport;
    std::vector<uint32_t> sport(flows.size());
    for (const uint32_t i : order)
    {
        auto& next = nextSport.emplace(std::make_pair(flows[i].src, flows[i].dst), FIRST_SPORT)
                         .first->second;
        sport[i] = next++;
    }
    order.erase(std::remove_if(order.begin(),
                               order.end(),
                               [&records](uint32_t i) { return !records[i].IsComplete(); }),
                order.end());
    const auto end = [&](uint32_t i) { return flows[i].startPs + records[i].senderFctPs; };
    std::stable_sort(order.begin(), order.end(), [&end](uint32_t a, uint32_t b) {
        return end(a) < end(b);
    });
    ResultFile file(path);
    for (const uint32_t i : order)
    {
        char line[160];
        std::snprintf(line,
                      sizeof(line),
                      "%08x %08x %u %u %llu %llu %llu %llu",
                      GetHpccAddress(flows[i].src),
                      GetHpccAddress(flows[i].dst),
                      sport[i],
                      static_cast<unsigned>(flows[i].port),
                      static_cast<unsigned long long>(flows[i].sizeBytes),
                      static_cast<unsigned long long>(flows[i].startPs / 1000),
                      static_cast<unsigned long long>(records[i].senderFctPs / 1000),
                      static_cast<unsigned long long>(GetHpccStandaloneNs(recorder, i)));
        file.Text() += line;
        file.EndLine();
    }
    file.Commit();
}

} // namespace ns3
