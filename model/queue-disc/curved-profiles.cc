// SPDX-License-Identifier: GPL-2.0-only
#include "curved-profiles.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PiecewiseMarkingProfile);
NS_OBJECT_ENSURE_REGISTERED(ExponentialMarkingProfile);

TypeId
PiecewiseMarkingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PiecewiseMarkingProfile")
            .SetParent<MarkingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PiecewiseMarkingProfile>()
            .AddAttribute("Points",
                          "Corners as measure:probability pairs separated by commas, measures "
                          "rising.",
                          StringValue("25000:0,100000:0.03"),
                          MakeStringAccessor(&PiecewiseMarkingProfile::SetPoints,
                                             &PiecewiseMarkingProfile::GetPoints),
                          MakeStringChecker());
    return tid;
}

void
PiecewiseMarkingProfile::SetPoints(std::string points)
{
    AtPlace(FabricTerm::Attribute("ns3::PiecewiseMarkingProfile", "Points") + ": ",
            [this, &points]() {
                m_points.Read(points,
                              "25000:0,100000:0.03",
                              [](const std::string& text, const std::string& where) {
                                  return ParseFabricDouble(text, where, 0, 1);
                              });
            });
}

std::string
PiecewiseMarkingProfile::GetPoints() const
{
    return m_points.GetText();
}

double
PiecewiseMarkingProfile::GetProbability(uint64_t measure) const
{
    return m_points.GetValue(measure);
}

uint64_t
PiecewiseMarkingProfile::GetLowerBound() const
{
    uint64_t bound = 0;
    for (const auto& point : m_points.Get())
    {
        if (point.value > 0)
        {
            return bound;
        }
        bound = point.at;
    }
    return UINT64_MAX;
}

TypeId
ExponentialMarkingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ExponentialMarkingProfile")
            .SetParent<MarkingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ExponentialMarkingProfile>()
            .AddAttribute("Kmin",
                          "Measure up to which the probability is 0.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&ExponentialMarkingProfile::m_kmin),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Kmax",
                          "Measure above which the probability is 1, at least Kmin.",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&ExponentialMarkingProfile::m_kmax),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Pmax",
                          "Probability at Kmax.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&ExponentialMarkingProfile::m_pmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Steepness",
                          "Exponent a over the whole span from Kmin to Kmax.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&ExponentialMarkingProfile::m_steepness),
                          MakeDoubleChecker<double>(1e-6, 500));
    return tid;
}

void
ExponentialMarkingProfile::NotifyConstructionCompleted()
{
    if (m_kmin > m_kmax)
    {
        RefuseConstruction(*this,
                           FabricTerm::Class("ns3::ExponentialMarkingProfile") + ": Kmin " +
                               std::to_string(m_kmin) + " is greater than Kmax " +
                               std::to_string(m_kmax));
    }
    MarkingProfile::NotifyConstructionCompleted();
}

double
ExponentialMarkingProfile::GetProbability(uint64_t measure) const
{
    if (measure <= m_kmin)
    {
        return 0;
    }
    if (measure > m_kmax)
    {
        return 1;
    }
    const double x = static_cast<double>(measure - m_kmin) / static_cast<double>(m_kmax - m_kmin);
    return m_pmax * std::expm1(m_steepness * x) / std::expm1(m_steepness);
}

uint64_t
ExponentialMarkingProfile::GetLowerBound() const
{
    return m_kmin;
}

} // namespace ns3
