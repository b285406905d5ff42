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
NS_OBJECT_ENSURE_REGISTERED(LinearTimingProfile);

TypeId
TimingProfile::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TimingProfile").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
LinearTimingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LinearTimingProfile")
            .SetParent<TimingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<LinearTimingProfile>()
            .AddAttribute("Low",
                          "Level up to which the spacing is MaxSpacing.",
                          UintegerValue(25000),
                          MakeUintegerAccessor(&LinearTimingProfile::m_low),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("High",
                          "Level from which on the spacing is MinSpacing, above Low.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&LinearTimingProfile::m_high),
                          MakeUintegerChecker<uint64_t>(0, AttributeRange::MAX_BYTES))
            .AddAttribute("MaxSpacing",
                          "Least time between two notifications at little congestion.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&LinearTimingProfile::m_maxSpacing),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("MinSpacing",
                          "Least time between two notifications at heavy congestion, at most "
                          "MaxSpacing.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&LinearTimingProfile::m_minSpacing),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

void
LinearTimingProfile::NotifyConstructionCompleted()
{
    if (m_low >= m_high || m_minSpacing > m_maxSpacing)
    {
        RefuseConstruction(*this,
                           "ns3::LinearTimingProfile: Low " + std::to_string(m_low) +
                               " must be below High " + std::to_string(m_high) +
                               ", and MinSpacing at most MaxSpacing");
    }
    TimingProfile::NotifyConstructionCompleted();
}

int64_t
LinearTimingProfile::GetSpacingPs(uint64_t level) const
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
    return most - static_cast<int64_t>(static_cast<double>(most - least) *
                                       static_cast<double>(level - m_low) /
                                       static_cast<double>(m_high - m_low));
}

} // namespace ns3
