// SPDX-License-Identifier: GPL-2.0-only
#include "client-part.h"

#include "client-workload.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/parse-units.h"
#include "ns3/rank-world.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr const char* NAME = "client"; //!< of the workload, and label of its flows beside others

} // namespace

void
ClientPart::Register()
{
    [[maybe_unused]] static const bool g_hasForm = GetFabricWorkloadTable().Add(
        "hotspot",
        {{NAME, "ns3::ClientWorkload", {}, "messages of the program that has opened the library"}});
    [[maybe_unused]] static const bool g_hasPart =
        GetScenarioPartTable().Add("", {{"client", &MakeScenarioPart<ClientPart>}});
}

ClientFlowSource&
ClientPart::Find(const ScenarioNetwork& network)
{
    for (const auto& part : network.parts)
    {
        const auto* client = dynamic_cast<const ClientPart*>(part.get());
        if (client && client->m_source)
        {
            return *client->m_source;
        }
    }
    throw FabricError(FabricTerm::Option("workload") + " has no " + NAME);
}

void
ClientPart::TakeWorkload(const Ptr<FabricWorkload>& workload,
                         const ScenarioOptions& options,
                         ScenarioNetwork& network,
                         std::vector<TypeId>& /* used */)
{
    const std::vector<TypeId> types = workload->GetTypes();
    m_isWanted = std::find(types.begin(), types.end(), ClientWorkload::GetTypeId()) != types.end();
    if (!m_isWanted)
    {
        return;
    }
    if (RankWorld::GetSize() > 1)
    {
        throw FabricError("a client makes its decisions in one process, but this simulation has " +
                          std::to_string(RankWorld::GetSize()) + "; run it without mpiexec");
    }
    if (options.Has("messages") && !options.Get("messages").empty() &&
        options.Get("messages") != "preposted")
    {
        throw FabricError(options.Say("messages"),
                          " has receives that are late, but a client receives in the memory of its "
                          "hosts: what it has not asked for yet waits there",
                          {FabricRemedy::Set(FabricTerm::Option("messages", "preposted"))});
    }
    if (workload->GetInstanceTypeId() == ClientWorkload::GetTypeId())
    {
        network.makesFlows = true;
        UintegerValue priority;
        workload->GetAttribute("Priority", priority);
        network.dataClass = static_cast<uint8_t>(priority.Get());
    }
}

void
ClientPart::Record(FlowRecorder& recorder, const ScenarioNetwork& network)
{
    if (!m_isWanted)
    {
        return;
    }
    // that of a mix is not at hand; both have the defaults that the options set
    const auto workload = CreateObject<ClientWorkload>();
    workload->Generate(recorder.GetFabric()->GetGraph());
    ClientFlowSource::Settings settings = workload->GetSettings();
    const auto label = std::find(network.groups.begin(), network.groups.end(), NAME);
    if (label != network.groups.end())
    {
        settings.group = static_cast<uint16_t>(label - network.groups.begin());
    }
    m_source = std::make_unique<ClientFlowSource>(recorder, std::move(settings));
}

void
ClientPart::Write(const std::string& /* folder */)
{
    if (m_source && m_source->IsFinished() && m_source->GetNUnreceivedBytes() > 0)
    {
        NoteFabric(FormatFabricCount(m_source->GetNUnreceivedBytes(), "byte") +
                   " arrived that no rank received");
    }
}

} // namespace ns3
