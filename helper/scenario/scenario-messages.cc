// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-messages.h"

#include "scenario-policies.h"

#include "ns3/fabric-error.h"
#include "ns3/post-delay.h"

#include <string>

namespace ns3
{

Ptr<ReceivePoster>
ConfigureScenarioMessages(FabricHelper& helper,
                          const ScenarioOptions& options,
                          std::vector<TypeId>& used)
{
    const std::string& messages = options.Get("messages");
    if (messages.empty())
    {
        for (const char* option : {"post-delay", "match-table"})
        {
            if (options.IsGiven(option))
            {
                throw FabricError(options.Say(option) + " has no effect without " +
                                  FabricTerm::Option("messages") +
                                  ", because all receives then count as posted");
            }
        }
        return nullptr;
    }
    const std::string protocol = FindScenarioPolicy("messages", messages).typeId;
    const std::string table = FindScenarioPolicy("match-table", options.Get("match-table")).typeId;
    if (messages == "preposted" && options.IsGiven("post-delay"))
    {
        throw FabricError(options.Say("post-delay") + " contradicts " + options.Say("messages") +
                          ", with which each receive is posted when its message starts; choose "
                          "rtw, rnr or rendezvous");
    }
    auto poster = CreateObject<ReceivePoster>();
    poster->SetDelay(MakePostDelay(options.Get("post-delay")));
    helper.SetMessageProtocol(protocol);
    helper.SetMatchTable(table);
    for (const auto& type : {protocol, table})
    {
        used.push_back(TypeId::LookupByName(type));
    }
    // messages of a pair of hosts share a context; flows on their own have one each
    options.SetAttributeDefault("ns3::FabricNic::PdcPerMessage", "false");
    return poster;
}

} // namespace ns3
