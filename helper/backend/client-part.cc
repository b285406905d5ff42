// SPDX-License-Identifier: GPL-2.0-only
#include "client-part.h"

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

constexpr const char* NAME = "client"; //!< of the workload

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
ClientPart::Take(const Ptr<FabricWorkload>& workload, const ScenarioOptions& options)
{
    const auto client = DynamicCast<ClientWorkload>(workload);
    if (client && m_workload)
    {
        throw FabricError(options.Say("workload") +
                          " has more than one client; a process is one, so name it once");
    }
    m_workload = client ? client : m_workload;
}

void
ClientPart::TakeWorkload(const Ptr<FabricWorkload>& workload,
                         const ScenarioOptions& options,
                         ScenarioNetwork& network,
                         std::vector<TypeId>& /* used */)
{
    Take(workload, options);
    if (const auto mix = DynamicCast<MixedWorkload>(workload))
    {
        m_mix = mix;
        for (const MixedWorkload::Part& part : mix->GetParts())
        {
            Take(part.workload, options);
            if (part.workload == m_workload && part.startPs > 0)
            {
                throw FabricError(options.Say("workload") +
                                  " gives the client a start, but its program decides when it "
                                  "sends; leave out what is behind the '@'");
            }
        }
    }
    if (!m_workload)
    {
        return;
    }
    if (RankWorld::GetSize() > 1)
    {
        throw FabricError("a client makes its decisions in one process, but there are " +
                          RankWorld::CountInWords() + "; " + RankWorld::GetRemedy());
    }
    if (options.Has("messages") && !options.Get("messages").empty() &&
        options.Get("messages") != "preposted")
    {
        throw FabricError(options.Say("messages"),
                          " has receives that are late, but a client receives in the memory of its "
                          "hosts: what it has not asked for yet waits there",
                          {FabricRemedy::Set(FabricTerm::Option("messages", "preposted"))});
    }
    if (workload == m_workload)
    {
        network.makesFlows = true;
        UintegerValue priority;
        workload->GetAttribute("Priority", priority);
        network.dataClass = static_cast<uint8_t>(priority.Get());
        network.madeClasses.emplace_back("the client", network.dataClass);
    }
}

void
ClientPart::Record(FlowRecorder& recorder, const ScenarioNetwork& /* network */)
{
    if (!m_workload)
    {
        return;
    }
    ClientFlowSource::Settings settings = m_workload->GetSettings();
    if (m_mix)
    {
        const auto& parts = m_mix->GetParts();
        const auto own = std::find_if(parts.begin(), parts.end(), [this](const auto& part) {
            return part.workload == m_workload;
        });
        settings.group = static_cast<uint16_t>(own->firstGroup);
    }
    m_source = std::make_unique<ClientFlowSource>(recorder, std::move(settings));
}

bool
ClientPart::NeedsOrder() const
{
    return m_workload != nullptr; // it may act at all nodes whenever it is told something
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
