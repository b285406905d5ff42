// SPDX-License-Identifier: GPL-2.0-only
#include "weighted-measure.h"

#include "ns3/fabric-error.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WeightedMeasure);

namespace
{

/// @return a measure by TypeId and attributes, as of ObjectFactory; errors name the term
Ptr<CongestionMeasure>
MakeMeasure(const std::string& type, const std::string& term)
{
    const TypeId base = CongestionMeasure::GetTypeId();
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type.substr(0, type.find('[')), &tid) ||
        !tid.IsChildOf(base) || !tid.HasConstructor())
    {
        throw FabricError("ns3::WeightedMeasure::Terms: \"" + term +
                          "\" names no class of ns3::CongestionMeasure");
    }
    std::istringstream in(type);
    ObjectFactory factory;
    // what has only one of both brackets, the parser takes for no type at all
    const bool opens = type.find('[') != std::string::npos;
    const bool closes = type.find(']') == type.size() - 1;
    if (opens != closes || !(in >> factory))
    {
        throw FabricError("ns3::WeightedMeasure::Terms: \"" + term +
                          "\" must end like ns3::QueueGradientMeasure[Interval=1us]");
    }
    return factory.Create<CongestionMeasure>();
}

} // namespace

TypeId
WeightedMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WeightedMeasure")
            .SetParent<CongestionMeasure>()
            .SetGroupName("Dcfabric")
            .AddConstructor<WeightedMeasure>()
            .AddAttribute(
                "Terms",
                "The sum, as weight*class terms separated by +: "
                "1*ns3::QueueOccupancyMeasure+0.5*ns3::QueueGradientMeasure.",
                StringValue("1*ns3::QueueOccupancyMeasure"),
                MakeStringAccessor(&WeightedMeasure::SetTerms, &WeightedMeasure::GetTerms),
                MakeStringChecker());
    return tid;
}

void
WeightedMeasure::SetTerms(std::string terms)
{
    m_terms.clear();
    std::istringstream in(terms + (!terms.empty() && terms.back() == '+' ? " " : ""));
    std::string term;
    while (std::getline(in, term, '+'))
    {
        std::istringstream words(term);
        double weight = 0;
        char star = 0;
        std::string type;
        std::string rest;
        if (!(words >> weight >> star >> type) || star != '*' || words >> rest)
        {
            throw FabricError("ns3::WeightedMeasure::Terms: \"" + term +
                              "\" must be weight*class, as 0.5*ns3::QueueGradientMeasure");
        }
        Add(weight, MakeMeasure(type, term));
        m_terms.back().text = term;
    }
}

std::string
WeightedMeasure::GetTerms() const
{
    std::string terms;
    for (const Term& term : m_terms)
    {
        terms += (terms.empty() ? "" : "+") + term.text;
    }
    return terms;
}

void
WeightedMeasure::Add(double weight, Ptr<const CongestionMeasure> measure)
{
    if (!(weight >= 0))
    {
        throw FabricError("ns3::WeightedMeasure: the weight " + std::to_string(weight) +
                          " must be at least 0");
    }
    m_terms.push_back({weight, measure->Fork(), ""});
}

Ptr<CongestionMeasure>
WeightedMeasure::Fork() const
{
    Ptr<WeightedMeasure> fork = CopyObject<WeightedMeasure>(this);
    for (Term& term : fork->m_terms)
    {
        term.measure = term.measure->Fork();
    }
    return fork;
}

uint64_t
WeightedMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& item)
{
    if (m_terms.empty())
    {
        throw FabricError("ns3::WeightedMeasure has no measures; call Add() or set Terms");
    }
    double sum = 0;
    for (const Term& term : m_terms)
    {
        sum += term.weight * static_cast<double>(term.measure->GetLevel(queue, item));
    }
    return ToLevel(sum);
}

void
WeightedMeasure::OnArrival(const QueueView& queue, const QueueDiscItem& item)
{
    for (const Term& term : m_terms)
    {
        term.measure->OnArrival(queue, item);
    }
}

void
WeightedMeasure::OnDeparture(const QueueView& queue, const QueueDiscItem& item)
{
    for (const Term& term : m_terms)
    {
        term.measure->OnDeparture(queue, item);
    }
}

bool
WeightedMeasure::ScalesWithRate() const
{
    return !m_terms.empty() && m_terms.front().measure->ScalesWithRate();
}

} // namespace ns3
