// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Messages that are matched with receives, in a scenario.
 */
#include "post-delay.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/scenario-classes.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"
#include "ns3/scenario-policies.h"
#include "ns3/scenario-schema.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Random stream of the times at which receives are posted, beyond those of workloads.
constexpr int64_t POST_STREAM = int64_t{1} << 41;

/// @return values of the option `post-delay`
std::vector<ScenarioValue>
ListDelays(const std::string& /* option */)
{
    std::vector<ScenarioValue> values;
    for (const std::string& form : ListPostDelays())
    {
        values.push_back({form, ""});
    }
    return values;
}

[[maybe_unused]] const bool g_hasMatchingOptions = GetScenarioOptionTable().Add(
    "reliability",
    {
        {"messages",
         ScenarioOption::Kind::CHOICE,
         "",
         "flows are messages that a match table matches with posted receives (:doc:`messages`); "
         "the value says what happens to a message whose receive is not posted. Without it no "
         "table is used and all receives count as posted",
         &ListScenarioPolicies},
        {"post-delay",
         ScenarioOption::Kind::CHOICE,
         "none",
         "with ``--messages=rtw``, ``deferrable``, ``rnr`` or ``rendezvous``, time from the start "
         "of a message to its receive being posted",
         &ListDelays},
        {"match-table",
         ScenarioOption::Kind::CHOICE,
         "hash",
         "with ``--messages``, the match table",
         &ListScenarioPolicies},
    });

[[maybe_unused]] const bool g_hasMatchingPolicies = GetScenarioPolicyTable().Add(
    "coordination=none",
    {
        {"messages", "preposted", "ns3::RequestToWait", "none is late"},
        {"messages", "rtw", "ns3::RequestToWait", "request to wait"},
        {"messages",
         "deferrable",
         "ns3::DeferrableSend",
         "the same, and the receiver says from where on to send"},
        {"messages", "rnr", "ns3::ReceiverNotReady", "receiver not ready"},
        {"messages", "rendezvous", "ns3::Rendezvous"},
        {"match-table", "hash", "ns3::HashMatchTable"},
        {"match-table", "tcam", "ns3::TcamMatchTable"},
    });

[[maybe_unused]] const bool g_hasMatchingKinds = GetScenarioKindTable().Add(
    "Reliability",
    {{"Message protocols for late receives", "ns3::MessageProtocol", "messages"},
     {"Match table", "ns3::MatchTable", "match-table"}});

/// Has messages matched as `messages`, `match-table` and `post-delay` say.
class MatchingPart : public ScenarioPart
{
  public:
    void Read(const ScenarioOptions& options, std::vector<TypeId>& /* used */) override
    {
        if (options.IsAttributeGiven("ns3::ReceivePoster::Delay"))
        {
            throw FabricError("ns3::ReceivePoster::Delay has no effect here, the program sets it; "
                              "use " +
                              FabricTerm::Option("post-delay"));
        }
    }

    void Configure(FabricHelper& helper,
                   const ScenarioOptions& options,
                   ScenarioNetwork& network,
                   std::vector<TypeId>& used) override
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
            return;
        }
        const std::string protocol = FindScenarioPolicy("messages", messages).typeId;
        const std::string table =
            FindScenarioPolicy("match-table", options.Get("match-table")).typeId;
        if (messages == "preposted" && options.IsGiven("post-delay"))
        {
            throw FabricError(options.Say("post-delay") + " contradicts " +
                              options.Say("messages") +
                              ", with which each receive is posted when its message starts; choose "
                              "rtw, deferrable, rnr or rendezvous");
        }
        network.poster = CreateObject<ReceivePoster>();
        network.poster->SetDelay(MakePostDelay(options.Get("post-delay")));
        helper.SetMessageProtocol(protocol);
        helper.SetMatchTable(table);
        for (const auto& type : {protocol, table})
        {
            used.push_back(TypeId::LookupByName(type));
        }
        // messages of a pair of hosts share a context; flows on their own have one each
        options.SetAttributeDefault("ns3::FabricNic::PdcPerMessage", "false");
    }

    void Prepare(ScenarioNetwork& network, const ScenarioOptions& options) override
    {
        const auto endless =
            std::find_if(network.flows.begin(), network.flows.end(), [](const FabricFlow& flow) {
                return flow.sizeBytes == FabricFlow::ENDLESS;
            });
        if (network.poster && endless != network.flows.end())
        {
            throw FabricError("workload '" + options.Get("workload") + "': flow " +
                              std::to_string(endless - network.flows.begin()) +
                              " has no end (size 0), but " + options.Say("messages") +
                              " posts receives for messages of known length");
        }
    }

    void Install(ScenarioNetwork& network, const ScenarioOptions& /* options */) override
    {
        if (network.poster)
        {
            network.poster->AssignStreams(POST_STREAM);
            network.poster->Install(network.fabric, network.flows.size());
        }
    }
};

[[maybe_unused]] const bool g_hasMatchingPart =
    GetScenarioPartTable().Add("", {{"matching", &MakeScenarioPart<MatchingPart>}});

} // namespace

} // namespace ns3
