// SPDX-License-Identifier: GPL-2.0-only
#include "list-spray-load-balancer.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/fabric-error.h"
#include "ns3/string.h"

#include <charconv>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ListSprayLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(ListSprayLoadBalancer);

namespace
{

/**
 * @param text all of it
 * @param list where it stands
 * @return an entropy
 */
uint16_t
ParseEntropy(const std::string& text, const std::string& list)
{
    uint16_t entropy = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, entropy);
    if (error != std::errc() || rest != end || text.empty())
    {
        throw FabricError(
            FabricTerm::Attribute("ns3::ListSprayLoadBalancer", "Entropies"),
            ": '" + text + "' in '" + list + "' is no entropy",
            {FabricRemedy::Do("expected numbers from 0 to 65535 and ranges, such as 3,7,100-107")});
    }
    return entropy;
}

} // namespace

TypeId
ListSprayLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ListSprayLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ListSprayLoadBalancer>()
            .AddAttribute("Entropies",
                          "Entropies that a connection goes through: numbers and ranges, such as "
                          "3,7,100-107, each once.",
                          StringValue("0-65535"),
                          MakeStringAccessor(&ListSprayLoadBalancer::SetEntropies,
                                             &ListSprayLoadBalancer::GetEntropies),
                          MakeStringChecker())
            .AddAttribute("Random",
                          "Draw from the list; false: take them in turn.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ListSprayLoadBalancer::m_draws),
                          MakeBooleanChecker());
    return tid;
}

void
ListSprayLoadBalancer::SetEntropies(std::string text)
{
    std::vector<bool> listed(std::size_t{UINT16_MAX} + 1);
    std::vector<uint16_t> entropies;
    std::istringstream parts(text + ',');
    for (std::string part; std::getline(parts, part, ',');)
    {
        const std::size_t dash = part.find('-');
        const uint16_t first = ParseEntropy(part.substr(0, dash), text);
        const uint16_t last =
            dash == std::string::npos ? first : ParseEntropy(part.substr(dash + 1), text);
        if (last < first)
        {
            throw FabricError(FabricTerm::Attribute("ns3::ListSprayLoadBalancer", "Entropies") +
                              ": '" + part + "' in '" + text + "' ends before it begins");
        }
        for (uint32_t entropy = first; entropy <= last; ++entropy)
        {
            if (listed[entropy])
            {
                throw FabricError(FabricTerm::Attribute("ns3::ListSprayLoadBalancer", "Entropies") +
                                  ": " + std::to_string(entropy) + " is twice in '" + text + "'");
            }
            listed[entropy] = true;
            entropies.push_back(static_cast<uint16_t>(entropy));
        }
    }
    m_text = text;
    m_entropies = std::move(entropies);
}

uint32_t
ListSprayLoadBalancer::GetMaxPaths() const
{
    return m_entropies.size() > UINT16_MAX ? UINT32_MAX : static_cast<uint32_t>(m_entropies.size());
}

void
ListSprayLoadBalancer::Start(uint16_t entropy)
{
    NS_ASSERT_MSG(m_random || !m_draws, "SetRandomVariable() comes first");
    m_turn = entropy % static_cast<uint32_t>(m_entropies.size());
}

uint16_t
ListSprayLoadBalancer::ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */)
{
    const auto size = static_cast<uint32_t>(m_entropies.size());
    if (m_draws)
    {
        return m_entropies[m_random->GetInteger(0, size - 1)];
    }
    const uint16_t entropy = m_entropies[m_turn];
    m_turn = m_turn + 1 == size ? 0 : m_turn + 1;
    return entropy;
}

void
ListSprayLoadBalancer::DoDispose()
{
    m_random = nullptr;
    LoadBalancer::DoDispose();
}

} // namespace ns3
