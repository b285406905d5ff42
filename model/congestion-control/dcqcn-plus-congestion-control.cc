// SPDX-License-Identifier: GPL-2.0-only
#include "dcqcn-plus-congestion-control.h"

#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcqcnPlusCongestionControl);
DCFABRIC_OBJECT_CLONABLE(DcqcnPlusCongestionControl);

TypeId
DcqcnPlusCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcqcnPlusCongestionControl")
            .SetParent<DcqcnCongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<DcqcnPlusCongestionControl>()
            .AddAttribute("CnpSpacing",
                          "Time in which a receiver makes one CNP, for whichever flow.",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&DcqcnPlusCongestionControl::m_spacing),
                          MakeTimeChecker(NanoSeconds(1), AttributeRange::GetMaxTime()));
    return tid;
}

std::vector<PolicyDefault>
DcqcnPlusCongestionControl::ListDefaults(const PolicyNetwork& network) const
{
    auto defaults = DcqcnCongestionControl::ListDefaults(network);
    if (GetCnpIntervalPs() > 0) // else refused when a connection starts
    {
        defaults.push_back({"ns3::FabricNic",
                            "CnpSpacing",
                            std::to_string(FabricTime::ToPs(m_spacing)) + "ps",
                            PolicyDefault::Clash::LARGER});
    }
    return defaults;
}

void
DcqcnPlusCongestionControl::DoStart()
{
    if (GetCnpIntervalPs() == 0)
    {
        throw FabricError(FabricTerm::Class(GetTypeId()),
                          " goes by the period of CNPs, but with a CnpInterval of zero there are "
                          "none",
                          {FabricRemedy::Do("set CnpInterval"),
                           FabricRemedy::Use(FabricTerm::Class("ns3::DcqcnCongestionControl"))});
    }
    m_stretch = 1;
    DcqcnCongestionControl::DoStart();
}

void
DcqcnPlusCongestionControl::OnAck(const AckInfo& ack)
{
    const auto intervalPs = static_cast<double>(GetCnpIntervalPs());
    const double periodPs = static_cast<double>(FabricTime::ToPs(m_spacing)) * ack.activeFlows;
    const double stretch = std::max(1.0, periodPs / intervalPs);
    if (stretch != m_stretch)
    {
        m_stretch = stretch;
        StretchIntervals(ack.nowPs, stretch);
    }
    DcqcnCongestionControl::OnAck(ack);
}

} // namespace ns3
