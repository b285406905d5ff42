// SPDX-License-Identifier: GPL-2.0-only
#include "ib-congestion-control.h"

#include "ns3/assert.h"
#include "ns3/attribute-range.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <locale>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(IbCongestionControl);
DCFABRIC_OBJECT_CLONABLE(IbCongestionControl);

TypeId
IbCongestionControl::GetTypeId()
{
    using Cc = IbCongestionControl;
    static TypeId tid =
        TypeId("ns3::IbCongestionControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<IbCongestionControl>()
            .AddAttribute("Cct",
                          "Congestion control table: delays between packets in times of a packet, "
                          "0 to 16383, by index, separated by commas and never less than the one "
                          "before. Empty: CCT[i] = i.",
                          StringValue(""),
                          MakeStringAccessor(&Cc::m_cct),
                          MakeStringChecker())
            .AddAttribute("CctiIncrease",
                          "CCTI_Increase: what a BECN adds to the index.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Cc::m_increase),
                          MakeUintegerChecker<uint16_t>(0, 255))
            .AddAttribute("CctiTimer",
                          "CCTI_Timer: time in which the index falls by one, in 1.024 us.",
                          UintegerValue(24),
                          MakeUintegerAccessor(&Cc::m_timer),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("CctiMin",
                          "CCTI_Min: least index, and the one to begin with.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Cc::m_least),
                          MakeUintegerChecker<uint16_t>(0, 255))
            .AddAttribute("CctiLimit",
                          "CCTI_Limit: largest index.",
                          UintegerValue(127),
                          MakeUintegerAccessor(&Cc::m_limit),
                          MakeUintegerChecker<uint16_t>(0, MAX_ENTRIES - 1))
            .AddAttribute("CnpInterval",
                          "Least time between two CNPs of a receiver, each of which is a BECN; "
                          "zero: no CNPs, each ACK of marked packets is a BECN.",
                          TimeValue(MicroSeconds(12)),
                          MakeTimeAccessor(&Cc::m_cnpInterval),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    return tid;
}

CongestionControlNeeds
IbCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    needs.features = {{"ns3::FecnFeature", "FECN marks, but the switches"}};
    needs.cnpIntervalPs = m_cnpInterval.IsZero() ? -1 : FabricTime::ToPs(m_cnpInterval);
    return needs;
}

std::vector<PolicyDefault>
IbCongestionControl::ListDefaults(const PolicyNetwork& /* network */) const
{
    return {}; // the feature marks: no marking profile
}

void
IbCongestionControl::ReadTable()
{
    const FabricText name = FabricTerm::Attribute(GetInstanceTypeId().GetName(), "Cct");
    m_table.clear();
    std::istringstream text(m_cct);
    text.imbue(std::locale::classic());
    std::string entry;
    while (std::getline(text, entry, ','))
    {
        std::istringstream word(entry);
        word.imbue(std::locale::classic());
        double delay = 0;
        const bool isNumber = static_cast<bool>(word >> delay) && (word >> std::ws).eof();
        if (!isNumber || !(delay >= 0 && delay <= MAX_DELAY))
        {
            throw FabricError(name + ": '" + entry + "' is no number from 0 to 16383");
        }
        if (!m_table.empty() && delay < m_table.back())
        {
            throw FabricError(name + ": entry " + std::to_string(m_table.size()) +
                              " is less than the one before");
        }
        m_table.push_back(delay);
    }
    if (!m_table.empty() && m_limit >= m_table.size())
    {
        throw FabricError(
            name,
            " has " + std::to_string(m_table.size()) + " entries, but CctiLimit is " +
                std::to_string(m_limit),
            {FabricRemedy::Set(FabricTerm::Attribute(GetInstanceTypeId().GetName(), "CctiLimit") +
                               " to " + std::to_string(m_table.size() - 1) + " at most")});
    }
}

void
IbCongestionControl::DoStart()
{
    ReadTable();
    if (m_least > m_limit)
    {
        throw FabricError(FabricTerm::Attribute(GetInstanceTypeId().GetName(), "CctiMin") +
                          " must not be above CctiLimit");
    }
    NS_ASSERT_MSG(GetHost(), "needs a timer");
    m_index = m_least;
    m_hasLost = false;
    m_running = false;
    SetInitial(UNLIMITED, GetRateAt(m_index));
}

double
IbCongestionControl::GetRateAt(uint32_t index) const
{
    const double delay = m_table.empty() ? index : m_table[index];
    return static_cast<double>(GetPath().lineRateBps) / (1 + delay);
}

void
IbCongestionControl::OnAck(const AckInfo& ack)
{
    if (ack.markedPackets > 0 && m_cnpInterval.IsZero())
    {
        Raise(ack.nowPs, CongestionCause::SIGNAL);
    }
}

void
IbCongestionControl::OnCnp(int64_t nowPs)
{
    Raise(nowPs, CongestionCause::SIGNAL);
}

void
IbCongestionControl::OnLoss(int64_t nowPs, uint64_t /* lostBytes */)
{
    if (m_hasLost && nowPs - m_lossPs < GetPath().baseRttPs)
    {
        LeaveAtDue(nowPs, CongestionCause::LOSS);
        return;
    }
    m_hasLost = true;
    m_lossPs = nowPs;
    Raise(nowPs, CongestionCause::LOSS);
}

void
IbCongestionControl::OnTimeout(int64_t nowPs)
{
    Raise(nowPs, CongestionCause::TIMEOUT);
}

void
IbCongestionControl::OnTimer(uint8_t /* timer */, int64_t nowPs)
{
    m_running = false;
    if (m_index > m_least)
    {
        --m_index;
        RunTimer(nowPs);
        ProposeIndex(nowPs, CongestionCause::RECOVERY);
    }
}

void
IbCongestionControl::OnModified(int64_t nowPs, ModifierEffect /* effect */)
{
    SetFromRate(GetRate());
    RunTimer(nowPs);
}

void
IbCongestionControl::Raise(int64_t nowPs, CongestionCause cause)
{
    m_index = std::min<uint32_t>(m_index + m_increase, m_limit);
    RunTimer(nowPs);
    ProposeIndex(nowPs, cause);
}

void
IbCongestionControl::ProposeIndex(int64_t nowPs, CongestionCause cause)
{
    const double rate = GetRateAt(m_index);
    Propose(nowPs, UNLIMITED, rate, cause);
    if (GetDueRate() != rate)
    {
        SetFromRate(GetDueRate()); // a modifier had its say: go on from what took hold
    }
}

void
IbCongestionControl::SetFromRate(double rate)
{
    m_index = m_least;
    while (m_index < m_limit && GetRateAt(m_index) > rate)
    {
        ++m_index;
    }
}

void
IbCongestionControl::RunTimer(int64_t nowPs)
{
    if (!m_running && m_index > m_least)
    {
        m_running = true;
        GetHost()->SetTimer(0, nowPs + m_timer * TIMER_UNIT_PS);
    }
}

} // namespace ns3
