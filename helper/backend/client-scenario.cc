// SPDX-License-Identifier: GPL-2.0-only
#include "client-scenario.h"

#include "client-part.h"

#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/result-file.h"
#include "ns3/simulator.h"

#include <iostream>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

bool g_isClaimed = false; //!< there is a scenario

/**
 * @brief Have warnings or notes said in other words.
 * @param kind what they are, for standard error
 * @param speaker has the words; outlives the sink
 * @param set puts a sink in place of the one before
 * @return the one before, which is still the one that gets them, if there is one
 */
std::function<void(const FabricText&)>
Translate(const char* kind,
          const FabricSpeaker& speaker,
          std::function<void(const FabricText&)> (*set)(std::function<void(const FabricText&)>))
{
    auto before = set({});
    set([kind, &speaker, before](const FabricText& text) {
        const std::string said = text.Say(speaker);
        if (before)
        {
            before(said);
            return;
        }
        std::cerr << kind << ": " << said << "\n";
    });
    return before;
}

} // namespace

ClientScenario::Claim::Claim()
{
    if (g_isClaimed)
    {
        throw FabricError(
            "this process has a simulation already, and there is one simulator; close "
            "the other first, or use a process for each");
    }
    g_isClaimed = true;
}

ClientScenario::Claim::~Claim()
{
    g_isClaimed = false;
}

ClientScenario::ClientScenario(const std::vector<std::string>& words)
{
    try
    {
        ClientPart::Register();
        FabricScenario::UseEngine();
        m_scenario = std::make_unique<FabricScenario>();
        m_speaker = std::make_unique<ClientSpeaker>(m_scenario->GetOptions());
        m_warnings = Translate("warning", *m_speaker, &SetFabricWarningSink);
        m_notes = Translate("note", *m_speaker, &SetFabricNoteSink);
        std::map<std::string, std::string> given;
        for (const std::string& word : words)
        {
            if (!given.insert(ReadClientOption(word)).second)
            {
                throw FabricError(QuoteFabricText(word) + " is given twice; give it once");
            }
        }
        std::string workload = given["workload"];
        given.erase("workload");
        for (const auto& [name, value] : given)
        {
            m_scenario->Set(name, value);
        }
        ScenarioOptions& options = m_scenario->GetOptions();
        options.ReadDefaults(); // a configuration file may name flows
        if (workload.empty() && options.IsSet("workload"))
        {
            workload = options.Get("workload");
        }
        options.Set("workload", AddClient(workload));
        m_scenario->Build();
        m_client = &ClientPart::Find(m_scenario->GetNetwork());
        if (m_scenario->GetRecorder().GetStarter().GetSource() != m_client)
        {
            throw FabricError(options.Say("workload") +
                              " makes flows during the run, as the client does; choose one whose "
                              "flows are known before");
        }
    }
    catch (const FabricError& error)
    {
        const FabricError said(Say(error));
        Close();
        throw said;
    }
    catch (...)
    {
        Close();
        throw;
    }
}

ClientScenario::~ClientScenario()
{
    Close();
}

void
ClientScenario::Close()
{
    m_client = nullptr;
    Simulator::Destroy();
    if (m_speaker)
    {
        SetFabricWarningSink(std::move(m_warnings));
        SetFabricNoteSink(std::move(m_notes));
        m_speaker.reset();
    }
    m_scenario.reset();
    Config::Reset();
}

std::string
ClientScenario::Say(const FabricError& error) const
{
    const bool isFile = dynamic_cast<const ResultFileError*>(&error);
    const FabricText text =
        isFile ? FabricTerm::Option("out") + ": " + error.GetText() : error.GetText();
    return m_speaker ? text.Say(*m_speaker) : text.Say();
}

ClientScenario::End
ClientScenario::Run()
{
    if (m_hasRun)
    {
        throw FabricError(m_isRunning ? "the simulation is running; it runs once"
                                      : "the simulation has run already; it runs once");
    }
    m_hasRun = true;
    m_isRunning = true;
    try
    {
        m_scenario->Run();
    }
    catch (const FabricError& error)
    {
        m_isRunning = false;
        throw FabricError(Say(error));
    }
    catch (...)
    {
        m_isRunning = false;
        throw;
    }
    m_isRunning = false;
    for (const std::string& violation : m_scenario->ListViolations())
    {
        m_report += (m_report.empty() ? "" : "\n") + violation;
    }
    if (!m_report.empty())
    {
        return End::VIOLATION;
    }
    const std::string& status = m_scenario->GetSummary().status;
    if (status == "complete")
    {
        return End::DONE;
    }
    m_report = "the run has " + status + " at " +
               FormatFabricTimePs(static_cast<int64_t>(GetNowPs())) +
               ", before all ranks had finished";
    return End::STOPPED;
}

uint64_t
ClientScenario::GetRateBps() const
{
    return m_scenario->GetFabric()->GetPort(m_client->GetHosts().front(), 0)->GetRateBps();
}

uint64_t
ClientScenario::GetNowPs() const
{
    return static_cast<uint64_t>(FabricTime::ToPs(Simulator::Now()));
}

} // namespace ns3
