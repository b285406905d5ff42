// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "fabric.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// All rules; of several that refuse a case the first one says so.
constexpr PolicyRule RULES[] = {&CheckAnswerRules,
                                &CheckFeatureRules,
                                &CheckIntRules,
                                &CheckMoveRules,
                                &CheckOrderRules,
                                &CheckPathSetRules,
                                &CheckMarkRules,
                                &CheckReceiverRules};

} // namespace

PolicyCase::PolicyCase(const PdcPolicy& thePolicy, const PolicyContext& theContext)
    : policy(thePolicy),
      around(theContext),
      control(policy.congestionControl.GetTypeId()),
      needs(GetPdcNeeds(policy)),
      readsInt(needs.dataInt || needs.ackInt),
      balancer(policy.loadBalancer.Create<LoadBalancer>()),
      balancerType(policy.loadBalancer.GetTypeId()),
      maxPaths(balancer->GetMaxPaths()),
      selector(around.pathSelector.Create<PathSelector>()),
      selectorType(around.pathSelector.GetTypeId())
{
}

void
CheckPdcPolicy(const PdcPolicy& policy, const PolicyContext& around)
{
    const PolicyCase what(policy, around);
    for (const PolicyRule rule : RULES)
    {
        rule(what);
    }
}

} // namespace ns3
