// SPDX-License-Identifier: GPL-2.0-only
#include "tiered-topology.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TieredTopology);

TypeId
TieredTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::TieredTopology")
            .SetParent<FabricTopology>()
            .SetGroupName("Dcfabric")
            .AddAttribute("Rate",
                          "Rate of all links.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&TieredTopology::SetRate, &TieredTopology::GetRate),
                          MakeRateChecker(1))
            .AddAttribute("Delay",
                          "Propagation delay of all links.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&TieredTopology::SetDelay, &TieredTopology::GetDelay),
                          MakeTimeChecker(Seconds(0), Seconds(1)))
            .AddAttribute("TierRates",
                          "Rates by tier, a comma list, host links first; empty: all as Rate.",
                          StringValue(""),
                          MakeStringAccessor(&TieredTopology::m_tierRates),
                          MakeStringChecker())
            .AddAttribute("TierDelays",
                          "Delays by tier, a comma list, host links first; empty: all as Delay.",
                          StringValue(""),
                          MakeStringAccessor(&TieredTopology::m_tierDelays),
                          MakeStringChecker())
            .AddAttribute("Oversubscription",
                          "Capacity down over capacity up by switch tier, a comma list, edge "
                          "first; empty: rates as given.",
                          StringValue(""),
                          MakeStringAccessor(&TieredTopology::m_oversubscription),
                          MakeStringChecker());
    return tid;
}

void
TieredTopology::Configure(const FabricTopologyOptions& options)
{
    const auto exclude = [](const std::string& name,
                            const std::string& all,
                            const std::string& tiers) {
        if (!all.empty() && !tiers.empty())
        {
            throw FabricError(FabricTerm::Option(name) + " '" + all + "' has no effect beside " +
                              FabricTerm::Option("tier-" + name + "s") + " '" + tiers +
                              "': give one of them");
        }
    };
    exclude("rate", options.rate, options.tierRates);
    exclude("delay", options.delay, options.tierDelays);
    const auto take = [](std::string& member, const std::string& given) {
        member = given.empty() ? member : given;
    };
    m_rateBps = options.rate.empty() ? m_rateBps
                                     : ParseFabricRateBps(options.rate, FabricTerm::Option("rate"));
    m_delayPs = options.delay.empty()
                    ? m_delayPs
                    : ParseFabricTimePs(options.delay, FabricTerm::Option("delay"));
    take(m_tierRates, options.tierRates);
    take(m_tierDelays, options.tierDelays);
    take(m_oversubscription, options.oversubscription);
}

std::vector<TieredTopology::Tier>
TieredTopology::GetTiers(const std::vector<double>& upCapacity) const
{
    const size_t count = upCapacity.size() + 1;
    std::vector<Tier> tiers(count, Tier{m_rateBps, m_delayPs});
    const auto checkLength = [](const std::string& name, size_t given, size_t wanted) {
        throw FabricError(FabricTerm::Option(name) + ": " + FormatFabricCount(given, "value") +
                          ", this topology has " + FormatFabricCount(wanted, "tier") + " of " +
                          (name == "oversubscription" ? "switches" : "links"));
    };
    const auto rates = SplitFabricList(m_tierRates);
    const auto delays = SplitFabricList(m_tierDelays);
    const auto ratios = SplitFabricList(m_oversubscription);
    if (!rates.empty() && rates.size() != count)
    {
        checkLength("tier-rates", rates.size(), count);
    }
    if (!delays.empty() && delays.size() != count)
    {
        checkLength("tier-delays", delays.size(), count);
    }
    if (ratios.size() > upCapacity.size())
    {
        checkLength("oversubscription", ratios.size(), upCapacity.size());
    }
    if (!rates.empty() && !ratios.empty())
    {
        throw FabricError(FabricTerm::Option("oversubscription") + " '" + m_oversubscription +
                          "' and " + FabricTerm::Option("tier-rates") + " '" + m_tierRates +
                          "' both set the rates above the hosts: give one of them");
    }
    for (size_t i = 0; i < rates.size(); i++)
    {
        tiers[i].rateBps = ParseFabricRateBps(rates[i], FabricTerm::Option("tier-rates"));
    }
    for (size_t i = 0; i < delays.size(); i++)
    {
        tiers[i].delayPs = ParseFabricTimePs(delays[i], FabricTerm::Option("tier-delays"));
    }
    for (size_t i = 0; !ratios.empty() && i < upCapacity.size(); i++)
    {
        constexpr double MAX_RATIO = 1e6;
        double ratio = 1;
        if (i < ratios.size())
        {
            ratio = ParseFabricDouble(ratios[i],
                                      FabricTerm::Option("oversubscription"),
                                      1 / MAX_RATIO,
                                      MAX_RATIO);
        }
        const double up = static_cast<double>(tiers[i].rateBps) / (upCapacity[i] * ratio);
        constexpr double TOO_MUCH = 2.0 * AttributeRange::MAX_RATE_BPS; // refused below
        tiers[i + 1].rateBps = static_cast<uint64_t>(std::llround(std::min(up, TOO_MUCH)));
    }
    for (size_t i = 0; i < count; i++)
    {
        if (tiers[i].rateBps == 0 || tiers[i].rateBps > AttributeRange::MAX_RATE_BPS)
        {
            throw FabricError("the rate of link tier " + std::to_string(i) +
                              " must be above 0 and at most 1000Tbps");
        }
        if (tiers[i].delayPs < 1 || tiers[i].delayPs > FabricGraph::MAX_DELAY_PS)
        {
            throw FabricError("the delay of link tier " + std::to_string(i) + ", " +
                              std::to_string(tiers[i].delayPs) +
                              " ps, is outside 1 ps to 1 s (write a unit, such as 1us)");
        }
    }
    return tiers;
}

std::vector<TieredTopology::Tier>
TieredTopology::GetFlatTiers(size_t count, const std::string& what) const
{
    if (!m_oversubscription.empty())
    {
        throw FabricError(FabricTerm::Option("oversubscription") + " '" + m_oversubscription +
                          "' has no effect on " + what +
                          ", whose links lead neither up nor down: use " +
                          FabricTerm::Option("tier-rates") + ", host links first");
    }
    return GetTiers(std::vector<double>(count - 1, 1.0));
}

} // namespace ns3
