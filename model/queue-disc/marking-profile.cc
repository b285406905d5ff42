// SPDX-License-Identifier: GPL-2.0-only
#include "marking-profile.h"

#include "ns3/double.h"
#include "ns3/fabric-error.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MarkingProfile);
NS_OBJECT_ENSURE_REGISTERED(WredMarkingProfile);

TypeId
MarkingProfile::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MarkingProfile").SetParent<Object>().SetGroupName("Dcfabric");
    return tid;
}

TypeId
WredMarkingProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WredMarkingProfile")
            .SetParent<MarkingProfile>()
            .SetGroupName("Dcfabric")
            .AddConstructor<WredMarkingProfile>()
            .AddAttribute("Kmin",
                          "Queue length in bytes up to which nothing is marked.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&WredMarkingProfile::m_kmin),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Kmax",
                          "Queue length in bytes above which everything is marked, at least Kmin.",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&WredMarkingProfile::m_kmax),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Pmax",
                          "Probability of a mark at Kmax.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&WredMarkingProfile::m_pmax),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
WredMarkingProfile::NotifyConstructionCompleted()
{
    if (m_kmin > m_kmax)
    {
        RefuseConstruction(*this,
                           "ns3::WredMarkingProfile: Kmin " + std::to_string(m_kmin) +
                               " is greater than Kmax " + std::to_string(m_kmax));
    }
    MarkingProfile::NotifyConstructionCompleted();
}

double
WredMarkingProfile::GetProbability(uint64_t measure) const
{
    if (measure <= m_kmin)
    {
        return 0;
    }
    if (measure > m_kmax)
    {
        return 1;
    }
    return m_pmax * static_cast<double>(measure - m_kmin) / static_cast<double>(m_kmax - m_kmin);
}

uint64_t
WredMarkingProfile::GetLowerBound() const
{
    return m_kmin;
}

} // namespace ns3
