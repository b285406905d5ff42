// SPDX-License-Identifier: GPL-2.0-only
#include "policy-rules.h"

#include "ns3/fabric-error.h"
#include "ns3/no-congestion-control.h"
#include "ns3/reliability-policy.h"

namespace ns3
{

void
CheckAnswerRules(const PolicyCase& what)
{
    const auto reliability = what.around.reliability.Create<ReliabilityPolicy>();
    const FabricText chosen = FabricTerm::Class(what.around.reliability.GetTypeId());
    const auto selective = FabricRemedy::Use(FabricTerm::Class("ns3::SelectiveRepeat"));
    if (!reliability->AwaitsAnswers() && what.control != NoCongestionControl::GetTypeId())
    {
        throw FabricError(
            chosen,
            " answers no packet, but " + FabricTerm::Class(what.control) + " goes by answers",
            {FabricRemedy::Use(FabricTerm::Class("ns3::NoCongestionControl")), selective});
    }
    const bool isNotified = what.needs.cnpIntervalPs >= 0;
    if ((reliability->GetDataFlags() & FabricPacketItem::FLAG_NO_PDC) != 0 &&
        (isNotified || !what.needs.receiver.empty()))
    {
        throw FabricError(chosen,
                          " keeps nothing of a connection at its receiver, but " +
                              FabricTerm::Class(what.control) + " needs " +
                              (isNotified ? "congestion notifications" : "credit") +
                              " for each connection from there",
                          {selective});
    }
}

} // namespace ns3
