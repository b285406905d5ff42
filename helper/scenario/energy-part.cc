// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief The energy of a network, in a scenario.
 */
#include "scenario-classes.h"
#include "scenario-network.h"
#include "scenario-part.h"

#include "ns3/fabric-energy.h"
#include "ns3/json-writer.h"
#include "ns3/plain-bytes.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

constexpr double BYTES_PER_GB = 1e9;

/// Writes energies, where attributes of FabricEnergy are given.
class EnergyPart : public ScenarioPart
{
  public:
    void Read(const ScenarioOptions& options, std::vector<TypeId>& used) override
    {
        const std::string prefix = "ns3::FabricEnergy::";
        const auto& given = options.GetGivenAttributes();
        m_isGiven = std::any_of(given.begin(), given.end(), [&](const auto& attribute) {
            return attribute.first.compare(0, prefix.size(), prefix) == 0;
        });
        if (m_isGiven)
        {
            used.push_back(FabricEnergy::GetTypeId());
        }
    }

    void Install(ScenarioNetwork& network, const ScenarioOptions& /* options */) override
    {
        if (!m_isGiven)
        {
            return;
        }
        m_energy = CreateObject<FabricEnergy>();
        if (m_energy->IsUsed())
        {
            m_fabric = network.fabric;
            m_energy->Install(*m_fabric);
            m_joules = std::make_shared<FabricEnergy::Joules>();
        }
    }

    void End(int64_t endPs) override
    {
        if (m_joules)
        {
            *m_joules = m_energy->Collect(*m_fabric, endPs);
        }
    }

    std::function<void(JsonWriter&)> Summarize() const override
    {
        if (!m_joules)
        {
            return {};
        }
        return [joules = m_joules](JsonWriter& json) { // of other ranks, too, by then
            json.DoubleMember("energy_joule", joules->GetSum());
            json.DoubleMember("energy_ports_joule", joules->ports);
            json.DoubleMember("energy_bits_joule", joules->bits);
            json.DoubleMember("energy_nodes_joule", joules->nodes);
            json.Key("energy_joule_per_gb");
            if (joules->bytesDelivered > 0)
            {
                json.Double(joules->GetSum() * BYTES_PER_GB /
                            static_cast<double>(joules->bytesDelivered));
            }
            else
            {
                json.Null();
            }
            json.UintMember("port_wakes", joules->wakes);
        };
    }

    std::string Pack() const override
    {
        std::string bytes;
        if (m_joules)
        {
            WritePlain(bytes, *m_joules);
        }
        return bytes;
    }

    void Join(const std::string& bytes) override
    {
        if (!m_joules)
        {
            return;
        }
        std::size_t at = 0;
        const auto there = TakePlain<FabricEnergy::Joules>(bytes, at);
        m_joules->ports += there.ports;
        m_joules->bits += there.bits;
        m_joules->nodes += there.nodes;
        m_joules->bytesDelivered += there.bytesDelivered;
        m_joules->wakes += there.wakes;
    }

  private:
    bool m_isGiven{false};                          //!< there are numbers
    Ptr<FabricEnergy> m_energy;                     //!< with them
    Ptr<Fabric> m_fabric;                           //!< network
    std::shared_ptr<FabricEnergy::Joules> m_joules; //!< null: nobody asks
};

[[maybe_unused]] const bool g_hasEnergyPart =
    GetScenarioPartTable().Add("", {{"energy", &MakeScenarioPart<EnergyPart>}});

[[maybe_unused]] const bool g_hasEnergyKind =
    GetScenarioKindTable().Add("NIC", {{"Energy", "ns3::FabricEnergy"}});

} // namespace

} // namespace ns3
