// SPDX-License-Identifier: GPL-2.0-only
#include "timing-profile.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TimingProfile);
NS_OBJECT_ENSURE_REGISTERED(FallingTimingProfile);
NS_OBJECT_ENSURE_REGISTERED(LinearTimingProfile);

TypeId
TimingProfile::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TimingProfile").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
FallingTimingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FallingTimingProfile").SetParent<TimingProfile>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
FallingTimingProfile::AddAttributes(TypeId tid, Time least)
{
    return tid
        .AddAttribute("Low",
                      "Level up to which the spacing is MaxSpacing.",
                      UintegerValue(25000),
                      MakeUintegerAccessor(&FallingTimingProfile::m_low),
                      MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
        .AddAttribute("High",
                      "Level from which on the spacing is MinSpacing, above Low.",
                      UintegerValue(100000),
                      MakeUintegerAccessor(&FallingTimingProfile::m_high),
                      MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
        .AddAttribute("MaxSpacing",
                      "Least time between two notifications at little congestion.",
                      TimeValue(MicroSeconds(50)),
                      MakeTimeAccessor(&FallingTimingProfile::m_maxSpacing),
                      MakeTimeChecker(least, AttributeRange::GetMaxTime()))
        .AddAttribute("MinSpacing",
                      "Least time between two notifications at heavy congestion, at most "
                      "MaxSpacing.",
                      TimeValue(MicroSeconds(5)),
                      MakeTimeAccessor(&FallingTimingProfile::m_minSpacing),
                      MakeTimeChecker(least, AttributeRange::GetMaxTime()));
}

void
FallingTimingProfile::NotifyConstructionCompleted()
{
    if (m_low >= m_high || m_minSpacing > m_maxSpacing)
    {
        RefuseConstruction(*this,
                           FabricTerm::Class(GetInstanceTypeId()) + ": Low " +
                               std::to_string(m_low) + " must be below High " +
                               std::to_string(m_high) + ", and MinSpacing at most MaxSpacing");
    }
    TimingProfile::NotifyConstructionCompleted();
}

int64_t
FallingTimingProfile::GetSpacingPs(uint64_t level) const
{
    const int64_t most = FabricTime::ToPs(m_maxSpacing);
    const int64_t least = FabricTime::ToPs(m_minSpacing);
    if (level <= m_low)
    {
        return most;
    }
    if (level >= m_high)
    {
        return least;
    }
    return GetBetweenPs(most,
                        least,
                        static_cast<double>(level - m_low),
                        static_cast<double>(m_high - m_low));
}

TypeId
LinearTimingProfile::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::LinearTimingProfile")
                                          .SetParent<FallingTimingProfile>()
                                          .SetGroupName("Dcfabric")
                                          .AddConstructor<LinearTimingProfile>(),
                                      Seconds(0));
    return tid;
}

int64_t
LinearTimingProfile::GetBetweenPs(int64_t mostPs, int64_t leastPs, double above, double span) const
{
    return mostPs - static_cast<int64_t>(static_cast<double>(mostPs - leastPs) * above / span);
}

} // namespace ns3
