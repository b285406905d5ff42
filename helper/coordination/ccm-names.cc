// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a scenario names of coordinated congestion management.
 */
#include "ns3/scenario-policies.h"

namespace ns3
{

namespace
{

[[maybe_unused]] const bool g_hasCcmPolicies = GetScenarioPolicyTable().Add(
    "coordination=none",
    {{"coordination",
      "ccm",
      "ns3::CoordinationGateModifier",
      "CCM: switches re-route around congestion and tell hosts when to reduce, :doc:`ccm`"}});

} // namespace

} // namespace ns3
