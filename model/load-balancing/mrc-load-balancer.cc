// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-load-balancer.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/log.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <sstream>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MrcLoadBalancer);
DCFABRIC_OBJECT_CLONABLE(MrcLoadBalancer);

TypeId
MrcLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MrcLoadBalancer")
            .SetParent<ObliviousSprayLoadBalancer>()
            .SetGroupName("Dcfabric")
            .AddConstructor<MrcLoadBalancer>()
            .AddAttribute("ProbeInterval",
                          "An entropy that is assumed bad carries a packet each so often, to see "
                          "whether it comes through.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&MrcLoadBalancer::m_probeInterval),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()))
            .AddAttribute(
                "Denied",
                "Entropies of the set that are never used: numbers from 0, such as 3,7.",
                StringValue(""),
                MakeStringAccessor(&MrcLoadBalancer::SetDenied, &MrcLoadBalancer::GetDenied),
                MakeStringChecker());
    return tid;
}

std::vector<PolicyDefault>
MrcLoadBalancer::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = LoadBalancer::ListDefaults(network);
    const auto marks = PolicyDefault::WhereMarksAreRead();
    defaults.insert(defaults.end(), marks.begin(), marks.end());
    return defaults;
}

void
MrcLoadBalancer::SetDenied(std::string text)
{
    std::vector<uint16_t> denied;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');)
    {
        const uint64_t place = ParseFabricUint(part, "ns3::MrcLoadBalancer::Denied");
        if (place > UINT16_MAX)
        {
            throw FabricError(FabricTerm::Attribute("ns3::MrcLoadBalancer", "Denied") + ": " +
                              part + " in '" + text + "' is above 65535");
        }
        denied.push_back(static_cast<uint16_t>(place));
    }
    m_deniedText = std::move(text);
    m_denied = std::move(denied);
}

void
MrcLoadBalancer::Start(uint16_t entropy)
{
    ObliviousSprayLoadBalancer::Start(entropy);
    m_entries.assign(GetNEntropies(), {State::GOOD, 0});
    uint32_t left = GetNEntropies();
    for (const uint16_t place : m_denied)
    {
        if (place < GetNEntropies() && m_entries[place].state != State::DENIED)
        {
            m_entries[place].state = State::DENIED;
            --left;
        }
    }
    if (left == 0)
    {
        throw FabricError(FabricTerm::Attribute("ns3::MrcLoadBalancer", "Denied"),
                          " leaves none of " + std::to_string(GetNEntropies()) + " entropies",
                          {FabricRemedy::Do("deny less, or raise EntropyBits")});
    }
}

uint16_t
MrcLoadBalancer::ChooseEntropy(int64_t nowPs, bool /* retransmission */)
{
    const uint32_t n = GetNEntropies();
    uint32_t restored = n; // none
    uint32_t bad = n;
    for (uint32_t tries = 0; tries < n; ++tries)
    {
        const uint32_t place = Take();
        Entry& entry = m_entries[place];
        switch (entry.state)
        {
        case State::GOOD:
            return ToEntropy(place);
        case State::SKIP:
            if (restored == n)
            {
                restored = place;
                entry.state = State::GOOD;
            }
            break;
        case State::ASSUMED_BAD:
            if (nowPs >= entry.probePs)
            {
                entry.probePs = nowPs + FabricTime::ToPs(m_probeInterval);
                return ToEntropy(place);
            }
            bad = bad == n ? place : bad;
            break;
        case State::DENIED:
            break;
        }
    }
    if (restored < n)
    {
        return ToEntropy(restored);
    }
    Take(); // the next packet begins with another one
    return ToEntropy(bad);
}

void
MrcLoadBalancer::Skip(uint16_t entropy)
{
    State& state = m_entries[ToPlace(entropy)].state;
    state = state == State::GOOD ? State::SKIP : state;
}

void
MrcLoadBalancer::OnAck(int64_t /* nowPs */, uint16_t entropy, bool marked)
{
    State& state = m_entries[ToPlace(entropy)].state;
    if (state == State::ASSUMED_BAD)
    {
        state = State::GOOD; // what comes through is not dead, even if it is congested
    }
    if (marked)
    {
        Skip(entropy);
    }
}

void
MrcLoadBalancer::OnTrim(int64_t /* nowPs */, uint16_t entropy, bool lastHop)
{
    if (!lastHop)
    {
        Skip(entropy);
    }
}

void
MrcLoadBalancer::OnLoss(int64_t nowPs, uint16_t entropy)
{
    Entry& entry = m_entries[ToPlace(entropy)];
    if (entry.state != State::DENIED && entry.state != State::ASSUMED_BAD)
    {
        entry = {State::ASSUMED_BAD, nowPs + FabricTime::ToPs(m_probeInterval)};
    }
}

} // namespace ns3
