// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Schemes of the field that are several policies together, each by one option.
 */
#include "scenario-presets.h"

namespace ns3
{

namespace
{

[[maybe_unused]] const bool g_hasFieldPresets = GetScenarioPresetTable().Add(
    "mrc",
    {
        {
            "mprdma",
            "MP-RDMA",
            // Its window, and its rule of paths: the entropy of a packet that met no congestion is
            // used again.
            {{"cc", "mprdma"}, {"lb", "reps"}},
            {},
            false,
            false,
        },
        {
            "srd-like",
            "an approximation of AWS SRD",
            // Public are many paths, packets out of order, and a control by delays of its own on a
            // network that drops; not its rules. Swift stands for them. Spraying brings selective
            // repeat by time.
            {{"cc", "swift"}, {"lb", "spray-random"}, {"flow-control", "none"}},
            {},
            false,
            false,
        },
    });

} // namespace

} // namespace ns3
