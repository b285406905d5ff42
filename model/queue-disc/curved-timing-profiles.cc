// SPDX-License-Identifier: GPL-2.0-only
#include "curved-timing-profiles.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/parse-units.h"
#include "ns3/string.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PiecewiseTimingProfile);
NS_OBJECT_ENSURE_REGISTERED(ExponentialTimingProfile);

TypeId
PiecewiseTimingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PiecewiseTimingProfile")
            .SetParent<TimingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<PiecewiseTimingProfile>()
            .AddAttribute("Points",
                          "Corners as level:spacing pairs separated by commas, levels rising.",
                          StringValue("25000:50us,100000:5us"),
                          MakeStringAccessor(&PiecewiseTimingProfile::SetPoints,
                                             &PiecewiseTimingProfile::GetPoints),
                          MakeStringChecker());
    return tid;
}

void
PiecewiseTimingProfile::SetPoints(std::string points)
{
    AtPlace(FabricTerm::Attribute("ns3::PiecewiseTimingProfile", "Points") + ": ",
            [this, &points]() {
                m_points.Read(points,
                              "25000:50us,100000:5us",
                              [](const std::string& text, const std::string& where) {
                                  const int64_t ps = ParseFabricTimePs(text, where);
                                  if (ps > FabricTime::ToPs(AttributeRange::GetMaxTime()))
                                  {
                                      throw FabricError(where + ": " + QuoteFabricText(text) +
                                                        " is more than 24 h");
                                  }
                                  return static_cast<double>(ps);
                              });
            });
}

std::string
PiecewiseTimingProfile::GetPoints() const
{
    return m_points.GetText();
}

int64_t
PiecewiseTimingProfile::GetSpacingPs(uint64_t level) const
{
    return std::llround(m_points.GetValue(level));
}

TypeId
ExponentialTimingProfile::GetTypeId()
{
    // A spacing of 0 has no factor to anything.
    static TypeId tid = AddAttributes(TypeId("ns3::ExponentialTimingProfile")
                                          .SetParent<FallingTimingProfile>()
                                          .SetGroupName("Dcfabric")
                                          .AddConstructor<ExponentialTimingProfile>(),
                                      NanoSeconds(1));
    return tid;
}

int64_t
ExponentialTimingProfile::GetBetweenPs(int64_t mostPs,
                                       int64_t leastPs,
                                       double above,
                                       double span) const
{
    const auto most = static_cast<double>(mostPs);
    return std::llround(most * std::pow(static_cast<double>(leastPs) / most, above / span));
}

} // namespace ns3
