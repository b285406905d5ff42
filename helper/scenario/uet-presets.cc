// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Ultra Ethernet by one option. Thresholds, windows and limits of queues follow from the
 * network, as the policies declare.
 */
#include "scenario-presets.h"

namespace ns3
{

namespace
{

/// @return a preset of Ultra Ethernet
ScenarioPreset
MakePreset(const char* name, const char* help, const char* control, const char* balancer)
{
    return {
        name,
        help,
        // Full packets of 4 KiB; best effort: everything that finds no room is trimmed.
        {{"payload", "4096"},
         {"wire-format", "uet"},
         {"flow-control", "none"},
         {"trimming", "headers"},
         {"cc", control},
         {"lb", balancer}},
        // As in the consortium's simulator: against phase effects the newest packet that waits
        // loses its payload as often as the arriving one.
        {{"ns3::PacketTrimmer::Newest", "0.5"}},
        false,
        false,
    };
}

[[maybe_unused]] const bool g_hasUetPresets = GetScenarioPresetTable().Add(
    "mellanox-100g",
    {MakePreset("uet", "Ultra Ethernet, window at senders (NSCC)", "nscc", "mixed"),
     MakePreset("uet-rccc", "Ultra Ethernet, credit of receivers (RCCC)", "rccc", "mixed"),
     MakePreset("uet-both", "Ultra Ethernet, window and credit", "nscc+rccc", "mixed"),
     MakePreset("mrc", "NSCC with states of entropies, as in MRC", "nscc", "mrc")});

} // namespace

} // namespace ns3
