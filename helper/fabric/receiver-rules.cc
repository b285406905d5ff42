// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"

namespace ns3
{

void
CheckReceiverRules(const PolicyCase& what)
{
    if (what.needs.receiver.empty() || what.policy.modifiers.empty())
    {
        return;
    }
    throw FabricError(
        FabricTerm::Class(what.control),
        " sends by credit that receivers grant, which " +
            FabricTerm::Class(what.policy.modifiers.front().GetTypeId()) + " cannot change",
        {FabricRemedy::Do("leave out " +
                          FabricTerm::Class(what.policy.modifiers.front().GetTypeId())),
         FabricRemedy::Use(
             FabricTerm::Any("ns3::CongestionControl", "another", "congestion control"))});
}

} // namespace ns3
