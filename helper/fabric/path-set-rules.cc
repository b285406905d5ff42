// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"

#include <string>

namespace ns3
{

void
CheckPathSetRules(const PolicyCase& what)
{
    const auto byShare = FabricRemedy::Use(FabricTerm::Class("ns3::EwmaGateModifier"));
    for (const ObjectFactory& factory : what.policy.modifiers)
    {
        const auto modifier = factory.Create<CongestionModifier>();
        const bool byBytes = what.around.ackBytes > what.around.packetBytes;
        if (modifier->NeedsEachAck() &&
            (byBytes || (what.around.ackBytes == 0 && what.around.ackEvery > 1)))
        {
            const std::string attribute = byBytes ? "AckBytes" : "AckEvery";
            throw FabricError(
                FabricTerm::Class(factory.GetTypeId()),
                " counts congested paths, but with " +
                    FabricTerm::Attribute("ns3::FabricNic", attribute) + " of " +
                    std::to_string(byBytes ? what.around.ackBytes : what.around.ackEvery) +
                    " an ACK covers several packets but names the path of only one",
                {FabricRemedy::Set(
                     FabricTerm::Attribute("ns3::FabricNic", attribute, byBytes ? "0" : "1")),
                 byShare});
        }
        if (modifier->NeedsPathSet() &&
            (what.maxPaths < 2 || what.maxPaths > PathInfo::MAX_PATH_SET))
        {
            throw FabricError(
                FabricTerm::Class(factory.GetTypeId()),
                " counts congested paths of a small set, but " +
                    FabricTerm::Class(what.balancerType) + " sends packets over " +
                    (what.maxPaths == 1            ? "one path"
                     : what.maxPaths == UINT32_MAX ? "any number of paths"
                                                   : std::to_string(what.maxPaths) + " paths"),
                {FabricRemedy::Use(FabricTerm::Class("ns3::RoundRobinSprayLoadBalancer") +
                                   " with Entropies of 8"),
                 byShare});
        }
    }
}

} // namespace ns3
