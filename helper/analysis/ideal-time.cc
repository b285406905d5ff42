// SPDX-License-Identifier: GPL-2.0-only
#include "ideal-time.h"

#include "path-capacity.h"

#include "ns3/fabric-time.h"
#include "ns3/path-latency.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

constexpr int64_t FAR_PS = IdealTime::BEYOND_PS; //!< later than anything; a few of them still fit

/// @return ps that equal packets take back to back, rounded down once, at most FAR_PS
int64_t
TrainPs(uint64_t rateBps, uint64_t bytes, uint64_t nPackets)
{
    const uint64_t whole = bytes * FabricTime::PS_PER_BYTE_AT_1_BPS / rateBps;
    // the fraction of a ps, carried from packet to packet as ports do; a double is exact enough
    const auto fraction = static_cast<double>(bytes * FabricTime::PS_PER_BYTE_AT_1_BPS % rateBps) /
                          static_cast<double>(rateBps);
    if ((static_cast<double>(whole) + fraction) * static_cast<double>(nPackets) >=
        static_cast<double>(FAR_PS))
    {
        return FAR_PS;
    }
    return static_cast<int64_t>(nPackets * whole) +
           static_cast<int64_t>(fraction * static_cast<double>(nPackets));
}

/// @return the provider of a network, see IdealTimeProvider::Maker
std::unique_ptr<IdealTimeProvider>
MakeIdealTime(const FabricGraph& graph,
              const RoutingBuilder& routing,
              uint32_t payloadBytes,
              uint32_t frameBytes)
{
    return std::make_unique<IdealTime>(graph, routing, payloadBytes, frameBytes);
}

[[maybe_unused]] const bool g_hasIdealTime = IdealTimeProvider::SetMaker(&MakeIdealTime);

} // namespace

IdealTime::IdealTime(const FabricGraph& graph,
                     const RoutingBuilder& routing,
                     uint32_t payloadBytes,
                     uint32_t frameBytes)
    : m_paths(graph, routing),
      m_payloadBytes(payloadBytes),
      m_frameBytes(frameBytes)
{
}

IdealTime::Packets
IdealTime::Split(uint64_t bytes) const
{
    const uint64_t number = (bytes + m_payloadBytes - 1) / m_payloadBytes;
    return {number,
            uint64_t{m_payloadBytes} + m_frameBytes,
            bytes - (number - 1) * m_payloadBytes + m_frameBytes};
}

int64_t
IdealTime::GetOnePathPs(uint32_t src, uint32_t dst, uint64_t bytes) const
{
    const Packets packets = Split(bytes);
    int64_t best = FAR_PS;
    for (const PathShape& shape : m_paths.ListShapes(src, dst))
    {
        best = std::min(best, GetShapePs(shape, packets));
    }
    return best;
}

int64_t
IdealTime::GetShapePs(const PathShape& shape, const Packets& packets)
{
    int64_t afterPs = 0;
    for (const uint64_t rateBps : shape.ratesBps)
    {
        afterPs += PathLatency::TransmissionPs(rateBps, packets.lastBytes);
    }
    if (packets.number == 1)
    {
        return shape.delayPs + afterPs;
    }
    // Longest chain of transmissions that wait for one another: the first n - 1 packets travel to
    // some hop k, all but one of them queue at the slowest hop so far, and the last packet goes on
    // from k to the end.
    int64_t longest = 0;
    int64_t beforePs = 0;
    uint64_t slowest = UINT64_MAX;
    for (const uint64_t rateBps : shape.ratesBps)
    {
        beforePs += PathLatency::TransmissionPs(rateBps, packets.fullBytes);
        slowest = std::min(slowest, rateBps);
        longest =
            std::max(longest,
                     beforePs + TrainPs(slowest, packets.fullBytes, packets.number - 2) + afterPs);
        afterPs -= PathLatency::TransmissionPs(rateBps, packets.lastBytes);
    }
    return shape.delayPs + longest;
}

std::vector<IdealTime::Passage>
IdealTime::ListPassages(uint32_t src, uint32_t dst, const Packets& packets) const
{
    std::vector<Passage> passages;
    for (const AllowedPaths::Link& link : m_paths.ListLinks(src, dst))
    {
        passages.push_back({link,
                            PathLatency::TransmissionPs(link.rateBps, packets.fullBytes),
                            PathLatency::TransmissionPs(link.rateBps, packets.lastBytes),
                            FAR_PS,
                            FAR_PS,
                            FAR_PS,
                            FAR_PS,
                            0});
    }
    // How long to each node and from each node on, of a full packet and of the last one. One turn
    // settles shortest paths; trees may lead along each other in any order.
    using Costs = std::map<uint32_t, std::pair<int64_t, int64_t>>;
    const auto relax = [](Costs& costs, uint32_t node, std::pair<int64_t, int64_t> cost) {
        auto& known = costs.emplace(node, std::make_pair(FAR_PS, FAR_PS)).first->second;
        const bool better = cost.first < known.first || cost.second < known.second;
        known = {std::min(known.first, cost.first), std::min(known.second, cost.second)};
        return better;
    };
    Costs to{{src, {0, 0}}};
    Costs from{{dst, {0, 0}}};
    for (bool again = true; again;)
    {
        again = false;
        for (const Passage& p : passages)
        {
            const auto known = to.find(p.link.from);
            if (known != to.end())
            {
                again |= relax(to,
                               p.link.to,
                               {known->second.first + p.fullPs + p.link.delayPs,
                                known->second.second + p.lastPs + p.link.delayPs});
            }
        }
        for (auto p = passages.rbegin(); p != passages.rend(); ++p)
        {
            const auto known = from.find(p->link.to);
            if (known != from.end())
            {
                again |= relax(from,
                               p->link.from,
                               {known->second.first + p->fullPs + p->link.delayPs,
                                known->second.second + p->lastPs + p->link.delayPs});
            }
        }
        again = again && !m_paths.AreAlikeInHops();
    }
    for (Passage& p : passages)
    {
        std::tie(p.beforeFullPs, p.beforeLastPs) = to.at(p.link.from);
        std::tie(p.afterFullPs, p.afterLastPs) = from.at(p.link.to);
        p.afterFullPs += p.link.delayPs;
        p.afterLastPs += p.link.delayPs;
    }
    CountAlike(passages, src, dst);
    return passages;
}

void
IdealTime::CountAlike(std::vector<Passage>& passages, uint32_t src, uint32_t dst) const
{
    // links at one distance from the source; of trees only those of the hosts are known to be all
    std::map<uint32_t, uint32_t> distance{{src, 0}};
    std::map<uint32_t, std::vector<Passage*>> layers;
    for (Passage& p : passages)
    {
        const uint32_t here = distance[p.link.from];
        distance[p.link.to] = here + 1;
        if (m_paths.AreAlikeInHops() || p.link.from == src)
        {
            layers[here].push_back(&p);
        }
        else if (p.link.to == dst)
        {
            layers[UINT32_MAX].push_back(&p);
        }
    }
    for (const auto& [number, layer] : layers)
    {
        const Passage& first = *layer.front();
        const auto differs = [&first](const Passage* p) {
            return p->link.rateBps != first.link.rateBps || p->beforeFullPs != first.beforeFullPs ||
                   p->afterFullPs != first.afterFullPs;
        };
        const auto n = static_cast<uint32_t>(layer.size());
        const uint32_t alike = std::any_of(layer.begin(), layer.end(), differs) ? 0 : n;
        for (Passage* p : layer)
        {
            p->alike = alike;
        }
    }
}

int64_t
IdealTime::GetSharedBoundPs(const std::vector<Passage>& passages,
                            uint32_t src,
                            const Packets& packets,
                            uint64_t paceBps)
{
    const uint64_t n = packets.number;
    const int64_t lastLeavesPs = TrainPs(paceBps, packets.fullBytes, n - 1);
    const int64_t lastButOneLeavesPs = TrainPs(paceBps, packets.fullBytes, n - 2);
    int64_t lastPs = FAR_PS;
    int64_t fullPs = FAR_PS;
    for (const Passage& p : passages)
    {
        if (p.link.from == src)
        {
            lastPs = std::min(lastPs, lastLeavesPs + p.lastPs + p.afterLastPs);
            fullPs = std::min(fullPs, lastButOneLeavesPs + p.fullPs + p.afterFullPs);
        }
    }
    int64_t boundPs = std::max(lastPs, fullPs);
    const uint64_t nFull = n - (packets.lastBytes < packets.fullBytes ? 1 : 0);
    for (const Passage& p : passages)
    {
        if (p.alike > 0)
        {
            // in turn: the full packets come at the pace of the source
            const uint64_t rounds = (nFull - 1) / p.alike;
            const uint64_t others = (nFull - 1) % p.alike;
            boundPs = std::max(boundPs,
                               p.beforeFullPs + TrainPs(p.link.rateBps, packets.fullBytes, rounds) +
                                   TrainPs(paceBps, packets.fullBytes, others) + p.fullPs +
                                   p.afterFullPs);
        }
        if (p.alike != 1)
        {
            continue;
        }
        // all work of the link, which begins with a full packet or with the last one
        const int64_t workPs = TrainPs(p.link.rateBps, packets.fullBytes, n - 1) + p.lastPs;
        boundPs = std::max(boundPs,
                           std::min(p.beforeFullPs + workPs + p.afterLastPs,
                                    lastLeavesPs + p.beforeLastPs + workPs + p.afterFullPs));
        // the last two come there and wait for one another, in either order
        const int64_t fullComesPs = lastButOneLeavesPs + p.beforeFullPs;
        const int64_t lastComesPs = lastLeavesPs + p.beforeLastPs;
        boundPs = std::max(
            boundPs,
            std::min(std::max(fullComesPs + p.fullPs, lastComesPs) + p.lastPs + p.afterLastPs,
                     std::max(lastComesPs + p.lastPs, fullComesPs) + p.fullPs + p.afterFullPs));
    }
    return boundPs;
}

bool
IdealTime::CanCarry(const std::vector<Passage>& passages,
                    uint32_t src,
                    uint32_t dst,
                    const Packets& packets,
                    uint64_t number,
                    int64_t byPs) const
{
    std::vector<PathCapacity::Edge> edges;
    for (const Passage& p : passages)
    {
        // packets begin on the link from beforeFullPs on, one after the other
        const int64_t firstPs = p.beforeFullPs + p.fullPs + p.afterFullPs;
        const uint64_t scaled = packets.fullBytes * FabricTime::PS_PER_BYTE_AT_1_BPS;
        const double eachPs = static_cast<double>(scaled) / static_cast<double>(p.link.rateBps);
        // where packets take fractions of a ps, ports round down
        const double sparePs = scaled % p.link.rateBps == 0 ? 1e-3 : 1;
        uint64_t capacity = 0;
        if (firstPs <= byPs)
        {
            capacity =
                1 + static_cast<uint64_t>((static_cast<double>(byPs - firstPs) + sparePs) / eachPs);
        }
        edges.push_back({p.link.from, p.link.to, capacity});
    }
    return PathCapacity(std::move(edges), src, dst, m_paths.AreAlikeInHops()).Carries(number);
}

int64_t
IdealTime::GetAllPathsPs(uint32_t src, uint32_t dst, uint64_t bytes) const
{
    const int64_t onePathPs = GetOnePathPs(src, dst, bytes);
    const Packets packets = Split(bytes);
    if (packets.number == 1)
    {
        return onePathPs;
    }
    const std::vector<Passage> passages = ListPassages(src, dst, packets);
    if (m_paths.AreAlikeInHops() && std::all_of(passages.begin(),
                                                passages.end(),
                                                [](const Passage& p) { return p.alike == 1; }))
    {
        return onePathPs;
    }
    uint64_t paceBps = 0;
    for (const Passage& p : passages)
    {
        paceBps = p.link.from == src ? std::max(paceBps, p.link.rateBps) : paceBps;
    }
    // a full last packet is like the others, a shorter one may find room beside them
    const uint64_t number = packets.number - (packets.lastBytes < packets.fullBytes ? 1 : 0);
    int64_t early = GetSharedBoundPs(passages, src, packets, paceBps);
    if (early >= onePathPs)
    {
        return onePathPs;
    }
    // on most networks what is shared decides
    if (CanCarry(passages, src, dst, packets, number, early))
    {
        return early;
    }
    int64_t late = onePathPs;
    while (early + 1 < late)
    {
        const int64_t middle = early + (late - early) / 2;
        (CanCarry(passages, src, dst, packets, number, middle) ? late : early) = middle;
    }
    return late;
}

} // namespace ns3
