// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-thresholds.h"

#include "ns3/host-islands.h"
#include "ns3/parse-units.h"
#include "ns3/rtt-ecn-recovery-modifier.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <utility>

namespace ns3
{

void
PrintScenarioThresholds(std::ostream& out, const Fabric& fabric)
{
    const uint32_t src = fabric.GetHosts().front();
    const Ptr<FabricNic> nic = fabric.GetNic(src);
    const HostIslands islands(fabric.GetGraph());
    std::map<uint32_t, std::pair<int64_t, int64_t>> range; // by switches: least and largest
    PathInfo path;
    for (const uint32_t dst : fabric.GetHosts())
    {
        if (dst == src || !islands.Join(src, dst))
        {
            continue;
        }
        path = nic->DescribePath(dst, nic->ChoosePort(dst, 0));
        path.switches = fabric.GetRouting().GetSwitches(src, dst);
        const Ptr<RttEcnRecoveryModifier> modifier = CreateObject<RttEcnRecoveryModifier>();
        modifier->Start(path);
        const int64_t ps = modifier->GetThresholdPs();
        const auto found = range.emplace(path.switches, std::make_pair(ps, ps)).first;
        found->second.first = std::min(found->second.first, ps);
        found->second.second = std::max(found->second.second, ps);
    }
    out << "Computed for this network, from host " << src << ": "
        << static_cast<double>(path.lineRateBps) / 1e9 << " Gb/s, frames of " << path.packetBytes
        << " B\n  ns3::RttEcnRecoveryModifier: RTT above which a path is congested\n";
    for (const auto& [switches, ps] : range)
    {
        out << "    over " << FormatFabricCount(switches, "switch", "switches") << ": "
            << std::fixed << std::setprecision(3) << static_cast<double>(ps.first) / 1e6 << " us";
        if (ps.second > ps.first)
        {
            out << " to " << static_cast<double>(ps.second) / 1e6 << " us";
        }
        out << "\n" << std::defaultfloat;
    }
}

} // namespace ns3
