// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a scenario names of regional congestion mitigation.
 */
#include "ns3/scenario-classes.h"
#include "ns3/scenario-policies.h"
#include "ns3/scenario-presets.h"

namespace ns3
{

namespace
{

/// @return the preset of the RCM paper
ScenarioPreset
MakeRcmPreset()
{
    // RCM, section 4.1: a 12-port fat-tree of three layers, 100 Gb/s, switches with VOQ and OQ,
    // PFC, ECMP, DCQCN.
    ScenarioPreset preset{"rcm17",
                          "RCM paper",
                          {{"topology", "fat-tree:k=12"},
                           {"rate", "100Gbps"},
                           {"switch", "voq"},
                           {"flow-control", "pfc"},
                           {"lb", "ecmp"},
                           {"cc", "dcqcn"}},
                          ListAdapterDcqcn(),
                          false,
                          false};
    // Section 4.1: each queue holds 100 KB.
    preset.attributes["ns3::VoqBuffer::QueueBytes"] = "100000";
    preset.attributes["ns3::VoqBuffer::OutputBytes"] = "100000";
    // Ours, for the paper names none: marks begin when an output queue is full, before the first
    // virtual queue that is full makes PFC act.
    preset.attributes["ns3::WredMarkingProfile::Kmin"] = "100000";
    preset.attributes["ns3::WredMarkingProfile::Kmax"] = "400000";
    preset.attributes["ns3::WredMarkingProfile::Pmax"] = "0.2";
    preset.attributes["ns3::WredMarkingProfile::Rate"] = "100Gbps";
    return preset;
}

[[maybe_unused]] const bool g_hasRcmPolicies = GetScenarioPolicyTable().Add(
    "features=wreb",
    {{"features",
      "rcm",
      "ns3::RcmFeature",
      "regional congestion mitigation, :doc:`rcm`; with ``--switch=voq``"}});

[[maybe_unused]] const bool g_hasRcmPresets =
    GetScenarioPresetTable().Add("mellanox-100g", {MakeRcmPreset()});

[[maybe_unused]] const bool g_hasRcmKinds = GetScenarioKindTable().Add(
    "Back-to-sender notification",
    {{"Regional congestion mitigation", "ns3::RcmParameters", "features", "rcm"}});

} // namespace

} // namespace ns3
