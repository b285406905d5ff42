// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a scenario names of proactive flow throttling.
 */
#include "ns3/scenario-classes.h"
#include "ns3/scenario-policies.h"

namespace ns3
{

namespace
{

[[maybe_unused]] const bool g_hasPftPolicies = GetScenarioPolicyTable().Add(
    "throttle=none",
    {{"throttle",
      "pft",
      "ns3::ProactiveFlowThrottle",
      "proactive flow throttling by used credits, :doc:`pft`; with ``--flow-control=credit``"}});

[[maybe_unused]] const bool g_hasPftKinds =
    GetScenarioKindTable().Add("Throttles of NIC ports",
                               {{"What tells throttles of congestion", "ns3::ThrottleDetector"},
                                {"How throttles space flits", "ns3::FlitSpacer"}});

} // namespace

} // namespace ns3
