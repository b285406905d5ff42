// SPDX-License-Identifier: GPL-2.0-only
#include "client-scenario.h"

#include "client-part.h"

#include "ns3/config.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/scenario-schema.h"
#include "ns3/simulator.h"

#include <map>
#include <utility>

namespace ns3
{

namespace
{

bool g_isClaimed = false; //!< there is a scenario

/// What options of a client set.
constexpr std::pair<const char*, const char*> CLIENT_OPTIONS[] = {
    {"ranks", "ns3::ClientWorkload::Ranks"},
    {"per-host", "ns3::ClientWorkload::PerHost"},
};

/**
 * @param word `--option=value`, or `--option` where that needs no value
 * @return name and value of an option
 */
std::pair<std::string, std::string>
ReadWord(const std::string& word)
{
    if (word.compare(0, 2, "--") != 0)
    {
        throw FabricError(QuoteFabricText(word) + " is not an option; write --option=value");
    }
    const std::size_t equals = word.find('=');
    std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    for (const auto& [option, attribute] : CLIENT_OPTIONS)
    {
        name = name == option ? attribute : name;
    }
    const ScenarioOption* option = FindScenarioOption(name);
    const bool isBare = value.empty() && option && option->bare;
    if (value.empty() && !isBare)
    {
        throw FabricError(QuoteFabricText(word) + " needs a value; write it behind a =");
    }
    return {name, isBare ? option->bare : value};
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
        std::map<std::string, std::string> given;
        for (const std::string& word : words)
        {
            if (!given.insert(ReadWord(word)).second)
            {
                throw FabricError(QuoteFabricText(word) + " is given twice; give it once");
            }
        }
        std::string others = given["workload"]; // which run beside
        given.erase("workload");
        for (const auto& [name, value] : given)
        {
            m_scenario->Set(name, value);
        }
        ScenarioOptions& options = m_scenario->GetOptions();
        options.ReadDefaults(); // a configuration file may name flows
        if (others.empty() && options.IsSet("workload"))
        {
            others = options.Get("workload");
        }
        options.Set("workload", others.empty() ? "client" : others + "+client");
        m_scenario->Build();
        m_client = &ClientPart::Find(m_scenario->GetNetwork());
        if (m_scenario->GetRecorder().GetStarter().GetSource() != m_client)
        {
            throw FabricError(FabricTerm::Option("workload", others) +
                              " makes flows during the run, as the client does; choose one whose "
                              "flows are known before");
        }
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
    m_scenario.reset();
    Config::Reset();
}

ClientScenario::End
ClientScenario::Run()
{
    if (m_hasRun)
    {
        throw FabricError("the simulation has run already; it runs once");
    }
    m_hasRun = true;
    m_isRunning = true;
    try
    {
        m_scenario->Run();
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
