// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Links of networks whose switches may add, by one option: what is public of them. Topology
 * and channels are the user's (doc/programs.rst).
 */
#include "scenario-presets.h"

namespace ns3
{

namespace
{

[[maybe_unused]] const bool g_hasScaleUpPresets = GetScenarioPresetTable().Add(
    "irn",
    {
        {
            "nvl72-like",
            "links of the fifth NVLink, an approximation",
            // NVIDIA: 18 links of 100 GB/s for each GPU, both directions together: 400 Gb/s each
            // way. The delay is that of ASTRA-sim's calibrated input HGX-H100-validated, software
            // included. Flow control and packets are not public: credits, and what costs little.
            {{"rate", "400Gbps"},
             {"delay", "936250ps"},
             {"payload", "4096"},
             {"flow-control", "credit"},
             {"cc", "none"}},
            {},
            false,
            false,
        },
        {
            "sharp-like",
            "links of HDR InfiniBand, an approximation",
            // Graham et al. (ISC 2020) measured SHARP's streaming aggregation with HDR: 200 Gb/s.
            // Credits and packets of 4096 bytes are InfiniBand's; the delay, of half a switch at
            // both ends, a cable and the host, is not public and costs little.
            {{"rate", "200Gbps"},
             {"delay", "500ns"},
             {"payload", "4096"},
             {"flow-control", "credit"},
             {"cc", "none"}},
            {},
            false,
            false,
        },
        {
            "ualink-like",
            "links of UALink 200G 1.0, an approximation",
            // UALink consortium: 800 Gb/s for a port of four lanes, credits, retry at each link,
            // 93 % of the rate for data: 1024 of 1024 + 82 bytes are 92.6 %. A switch of 25 Tb/s
            // takes at most 150 ns; with 4 m of cable at 5 ns/m on both sides, each of two links
            // has half of 190 ns.
            {{"rate", "800Gbps"},
             {"delay", "95ns"},
             {"payload", "1024"},
             {"flow-control", "cbfc"},
             {"link-retry", "llr"},
             {"cc", "none"}},
            {},
            false,
            false,
        },
    });

} // namespace

} // namespace ns3
