// SPDX-License-Identifier: GPL-2.0-only
#include "marking-profile.h"

#include "ns3/attribute-range.h"
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

std::vector<std::string>
MarkingProfile::ListThresholds() const
{
    return {};
}

uint64_t
MarkingProfile::GetRateBps() const
{
    return 0;
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
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "Rate",
                "Rate of the link for which Kmin and Kmax are meant: those of switch ports "
                "are scaled from it. 0: they hold at any rate, as do Kmin and Kmax of a "
                "user who leaves Rate as it is.",
                DataRateValue(DataRate(100000000000)),
                MakeDataRateAccessor(&WredMarkingProfile::m_rate),
                MakeRateChecker(0));
    return tid;
}

std::vector<std::string>
WredMarkingProfile::ListThresholds() const
{
    return {"Kmin", "Kmax"};
}

void
WredMarkingProfile::NotifyConstructionCompleted()
{
    if (m_kmin > m_kmax)
    {
        RefuseConstruction(*this,
                           FabricTerm::Class("ns3::WredMarkingProfile") + ": Kmin " +
                               std::to_string(m_kmin) + " is greater than Kmax " +
                               std::to_string(m_kmax));
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
