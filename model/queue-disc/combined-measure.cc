// SPDX-License-Identifier: GPL-2.0-only
#include "combined-measure.h"

#include "ns3/fabric-error.h"
#include "ns3/object-factory.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CombinedMeasure);

namespace
{

/// @return a measure by TypeId and attributes, as of ObjectFactory; errors name the term
Ptr<CongestionMeasure>
MakeMeasure(const std::string& type, const std::string& term, const std::string& where)
{
    const TypeId base = CongestionMeasure::GetTypeId();
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(type.substr(0, type.find('[')), &tid) ||
        !tid.IsChildOf(base) || !tid.HasConstructor())
    {
        throw FabricError(FabricTerm::Attribute(where, "Terms") + ": \"" + term +
                          "\" names no class of " + FabricTerm::Class("ns3::CongestionMeasure"));
    }
    std::istringstream in(type);
    ObjectFactory factory;
    // what has only one of both brackets, the parser takes for no type at all
    const bool opens = type.find('[') != std::string::npos;
    const bool closes = type.find(']') == type.size() - 1;
    if (opens != closes || !(in >> factory))
    {
        throw FabricError(FabricTerm::Attribute(where, "Terms") + ": \"" + term +
                          "\" must end like " + FabricTerm::Class("ns3::QueueGradientMeasure") +
                          "[Interval=1us]");
    }
    return factory.Create<CongestionMeasure>();
}

} // namespace

TypeId
CombinedMeasure::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CombinedMeasure").SetParent<CongestionMeasure>().SetGroupName("Dcfabric");
    return tid;
}

CombinedMeasure::CombinedMeasure(char separator)
    : m_separator(separator)
{
}

void
CombinedMeasure::SetTerms(std::string terms)
{
    const std::string where = GetInstanceTypeId().GetName();
    m_terms.clear();
    std::istringstream in(terms + (!terms.empty() && terms.back() == m_separator ? " " : ""));
    std::string term;
    while (std::getline(in, term, m_separator))
    {
        std::istringstream words(term);
        double weight = 0;
        char star = 0;
        std::string type;
        std::string rest;
        if (!(words >> weight >> star >> type) || star != '*' || words >> rest)
        {
            throw FabricError(FabricTerm::Attribute(where, "Terms") + ": \"" + term +
                              "\" must be weight*class, as 0.5*ns3::QueueGradientMeasure");
        }
        Add(weight, MakeMeasure(type, term, where));
        m_terms.back().text = term;
    }
}

std::string
CombinedMeasure::GetTerms() const
{
    std::string terms;
    for (const Term& term : m_terms)
    {
        terms += (terms.empty() ? "" : std::string(1, m_separator)) + term.text;
    }
    return terms;
}

void
CombinedMeasure::Add(double weight, Ptr<const CongestionMeasure> measure)
{
    if (!(weight >= 0))
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()) + ": the weight " +
                          std::to_string(weight) + " must be at least 0");
    }
    m_terms.push_back({weight, measure->Fork(), ""});
}

void
CombinedMeasure::ForkTerms()
{
    for (Term& term : m_terms)
    {
        term.measure = term.measure->Fork();
    }
}

uint64_t
CombinedMeasure::GetLevel(const QueueView& queue, const QueueDiscItem& item)
{
    if (m_terms.empty())
    {
        throw FabricError(FabricTerm::Class(GetInstanceTypeId()),
                          " has no measures",
                          {FabricRemedy::Do("call Add()"), FabricRemedy::Do("set Terms")});
    }
    double level = 0;
    bool isFirst = true;
    for (const Term& term : m_terms)
    {
        const double one = term.weight * static_cast<double>(term.measure->GetLevel(queue, item));
        level = isFirst ? one : Combine(level, one);
        isFirst = false;
    }
    return ToLevel(level);
}

void
CombinedMeasure::OnArrival(const QueueView& queue, const QueueDiscItem& item)
{
    for (const Term& term : m_terms)
    {
        term.measure->OnArrival(queue, item);
    }
}

void
CombinedMeasure::OnDeparture(const QueueView& queue, const QueueDiscItem& item)
{
    for (const Term& term : m_terms)
    {
        term.measure->OnDeparture(queue, item);
    }
}

bool
CombinedMeasure::ScalesWithRate() const
{
    return !m_terms.empty() && m_terms.front().measure->ScalesWithRate();
}

} // namespace ns3
