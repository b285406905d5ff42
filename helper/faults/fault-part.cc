// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Faults in a scenario.
 */
#include "fabric-faults.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/fabric-warning.h"
#include "ns3/parse-units.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"
#include "ns3/scenario-schema.h"

#include <cctype>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// @return words of the option `convergence`
std::vector<ScenarioValue>
ListConvergences(const std::string& /* option */)
{
    return {{"none", "they stay as they are, and only the ends of the link know"}};
}

[[maybe_unused]] const bool g_hasFaultOptions = GetScenarioOptionTable().Add(
    "match-table",
    {
        {"faults",
         ScenarioOption::Kind::FILE,
         "",
         "file of faults, one per line, such as ``120us down 16 24``, ``300us up 16 24``, "
         "``300us rate 16 24 50Gbps``, ``0us loss 16 24 0.001``, ``1ms switch-down 24`` or ``1ms "
         "storm 3``. See :doc:`faults`"},
        {"link-down",
         ScenarioOption::Kind::TEXT,
         "",
         "``TIME,A,B``: the link between nodes A and B goes down, such as ``120us,16,24`` or "
         "``120us,leaf-0,spine-1``; also beside ``--faults``"},
        {"convergence",
         ScenarioOption::Kind::TIME,
         "none",
         "time from when a link goes down or comes up until the tables of all switches and hosts "
         "know of it, or a word",
         &ListConvergences},
    });

/// @return the fault of the option `link-down`
FabricFault
ParseLinkDown(const std::string& text)
{
    const FabricText where = FabricTerm::Option("link-down", text);
    const std::vector<std::string> parts = SplitFabricList(text);
    if (parts.size() != 3 || parts[0].empty() ||
        std::isalpha(static_cast<unsigned char>(parts[0].back())) == 0)
    {
        throw FabricError(where + ": expected a time with a unit and two nodes, such as "
                                  "120us,16,24");
    }
    FabricFault fault;
    fault.timePs = ParseFabricTimePs(parts[0], where);
    fault.a = FabricFault::End::Parse(parts[1], where);
    fault.b = FabricFault::End::Parse(parts[2], where);
    fault.place = where;
    if (fault.timePs > FabricFault::MAX_TIME_PS)
    {
        throw FabricError(where + ": the time is more than 24 h");
    }
    if (fault.a.node == fault.b.node && fault.a.name == fault.b.name)
    {
        throw FabricError(where + ": a link joins two nodes, found " + parts[1] + " twice");
    }
    return fault;
}

/// The faults of `faults` and `link-down`, and `convergence`.
class FaultPart : public ScenarioPart
{
  public:
    void Read(const ScenarioOptions& options, std::vector<TypeId>& /* used */) override
    {
        if (options.IsSet("faults"))
        {
            m_path = options.Get("faults");
            m_faults.Read(m_path);
        }
        if (options.IsSet("link-down"))
        {
            m_faults.Add(ParseLinkDown(options.Get("link-down")));
        }
        if (options.Get("convergence") != "none")
        {
            if (!m_faults.TakesLinksDown())
            {
                throw FabricError(options.Say("convergence") +
                                  " has no effect: no link goes down; give it with " +
                                  FabricTerm::Option("faults") + " or " +
                                  FabricTerm::Option("link-down") + ", or leave out " +
                                  FabricTerm::Option("convergence"));
            }
            m_faults.SetConvergenceTime(FabricTime::FromPs(options.GetTimePs("convergence")));
        }
    }

    void Install(ScenarioNetwork& network, const ScenarioOptions& /* options */) override
    {
        m_faults.Install(network.fabric);
    }

    bool LosesPackets() const override
    {
        return m_faults.LosePackets();
    }

    bool NeedsOrder() const override
    {
        return !m_faults.Get().empty(); // a link has two ends
    }

    int64_t GetLastChangePs() const override
    {
        return m_faults.GetLastPs();
    }

    void End(int64_t endPs) override
    {
        if (const uint64_t late = m_faults.CountAfter(endPs))
        {
            NoteFabric("the run ended before " + std::to_string(late) + " of the " +
                       FormatFabricCount(m_faults.Get().size(), "fault") +
                       (m_path.empty() ? "" : " of " + m_path));
        }
    }

  private:
    FabricFaults m_faults; //!< what happens to links
    std::string m_path;    //!< file that has some of them; empty: none
};

[[maybe_unused]] const bool g_hasFaultPart =
    GetScenarioPartTable().Add("", {{"faults", &MakeScenarioPart<FaultPart>}});

} // namespace

} // namespace ns3
