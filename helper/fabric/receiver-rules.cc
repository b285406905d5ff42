// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"
#include "ns3/reliability-policy.h"

namespace ns3
{

void
CheckReceiverRules(const PolicyCase& what)
{
    if (what.needs.receiver.empty())
    {
        return;
    }
    const uint32_t flags = what.around.reliability.Create<ReliabilityPolicy>()->GetDataFlags();
    if ((flags & FabricPacketItem::FLAG_NO_PDC) != 0)
    {
        throw FabricError(FabricTerm::Class(what.control),
                          " is granted credit for each PDC, but " +
                              FabricTerm::Class(what.around.reliability.GetTypeId()) +
                              " keeps none at receivers",
                          {FabricRemedy::Use(FabricTerm::Class("ns3::SelectiveRepeat"))});
    }
    if (what.policy.modifiers.empty())
    {
        return;
    }
    throw FabricError(
        FabricTerm::Class(what.control),
        " sends by credit that receivers grant, which " +
            FabricTerm::Class(what.policy.modifiers.front().GetTypeId()) + " cannot change",
        {FabricRemedy::Do("leave it out"),
         FabricRemedy::Use(
             FabricTerm::Any("ns3::CongestionControl", "another", "congestion control"))});
}

} // namespace ns3
