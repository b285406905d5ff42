// SPDX-License-Identifier: GPL-2.0-only
#include "rccc-receiver-control.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RcccReceiverControl);
NS_OBJECT_ENSURE_REGISTERED(RcccFabricReceiverControl);

TypeId
RcccReceiverControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RcccReceiverControl")
            .SetParent<ReceiverControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RcccReceiverControl>()
            .AddAttribute("Share",
                          "Part of the rate of the links at which credit is granted, above 0 to 1.",
                          DoubleValue(0.99),
                          MakeDoubleAccessor(&RcccReceiverControl::m_share),
                          MakeDoubleChecker<double>(1e-3, 1))
            .AddAttribute("Quantum",
                          "Full packets of a turn.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RcccReceiverControl::m_quantum),
                          MakeUintegerChecker<uint32_t>(1, 1U << 16))
            .AddAttribute("SlowWindow",
                          "Slow credit that a flow may have beyond what it wants, in bandwidth-"
                          "delay products; 0: there is none.",
                          DoubleValue(1.5),
                          MakeDoubleAccessor(&RcccReceiverControl::m_slowWindow),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("HostShare",
                          "Rate at which the host takes data out of the NIC, in rates of its "
                          "links; what waits lowers the rate of credit. 0: it takes all.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RcccReceiverControl::m_hostShare),
                          MakeDoubleChecker<double>(0, 1000));
    return tid;
}

double
RcccReceiverControl::GetHostRate() const
{
    return m_hostShare * GetHost()->GetLineRate();
}

void
RcccReceiverControl::Enter(uint32_t number, uint64_t granted)
{
    Entry& entry = m_entries[number];
    const uint64_t target = GetFlow(number).target;
    if (target > granted)
    {
        entry.place = Place::ACTIVE;
        m_active.push_back(number);
    }
    else if (granted < target + m_slowUnits && !entry.gone)
    {
        entry.place = Place::IDLE;
        if (!entry.queued)
        {
            entry.queued = true;
            m_idle.push_back(number);
        }
    }
    else
    {
        entry.place = Place::NONE;
    }
}

void
RcccReceiverControl::OnArrival(const ReceiverArrival& arrival)
{
    const double rate = GetHost()->GetLineRate();
    m_slowUnits = static_cast<uint64_t>(
        m_slowWindow * rate * static_cast<double>(GetInfo().baseRttPs) / 8e12 / CreditUnits::BYTES);
    if (m_hostShare > 0)
    {
        m_hostBacklog.Add(arrival.nowPs, arrival.frameBytes, GetHostRate());
    }
    if (arrival.flow >= m_entries.size())
    {
        m_entries.resize(arrival.flow + 1);
    }
    Flow& flow = GetFlow(arrival.flow);
    if (arrival.trimmed)
    {
        flow.target = std::max(flow.target, flow.granted + GetPacketUnits());
    }
    Entry& entry = m_entries[arrival.flow];
    entry.gone = arrival.gone;
    if (entry.place != Place::ACTIVE)
    {
        Enter(arrival.flow, flow.granted);
    }
}

void
RcccReceiverControl::OnGone(uint32_t flow)
{
    if (flow >= m_entries.size())
    {
        return;
    }
    Entry& entry = m_entries[flow];
    entry.gone = true;
    entry.place = entry.place == Place::IDLE ? Place::NONE : entry.place;
}

std::optional<ReceiverControl::Grant>
RcccReceiverControl::NextGrant(int64_t /* nowPs */)
{
    const uint64_t quantum = CreditUnits::RoundUp(uint64_t{m_quantum} * GetInfo().packetBytes);
    if (!m_active.empty())
    {
        const uint32_t number = m_active.front();
        m_active.pop_front();
        const Flow& flow = GetFlow(number);
        const uint64_t units = std::min(quantum, flow.GetWanted());
        Enter(number, flow.granted + units);
        return Grant{number, units, GrantFields::OWN_PRIORITY};
    }
    while (!m_idle.empty())
    {
        const uint32_t number = m_idle.front();
        m_idle.pop_front();
        m_entries[number].queued = false;
        if (m_entries[number].place == Place::IDLE)
        {
            const Flow& flow = GetFlow(number);
            Enter(number, flow.granted + quantum);
            return Grant{number, quantum, GrantFields::OWN_PRIORITY};
        }
    }
    return {};
}

double
RcccReceiverControl::GetRate(int64_t nowPs)
{
    const double rate = m_share * GetHost()->GetLineRate();
    // the backlog that HostShare stands for, or the real one in proportion
    const double backlog = m_hostShare > 0 ? m_hostBacklog.Get(nowPs, GetHostRate())
                                           : GetHost()->GetHostFill() * HostBacklog::FULL_BYTES;
    return rate * HostBacklog::GetFactor(backlog);
}

TypeId
RcccFabricReceiverControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RcccFabricReceiverControl")
            .SetParent<RcccReceiverControl>()
            .SetGroupName("Dcfabric")
            .AddConstructor<RcccFabricReceiverControl>()
            .AddAttribute("Oversubscription",
                          "By how much hosts could send more than the fabric carries; credit is "
                          "granted at no less than 0.9 over this of the rate of the links.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RcccFabricReceiverControl::m_oversubscription),
                          MakeDoubleChecker<double>(1, 1000));
    return tid;
}

void
RcccFabricReceiverControl::DoStart()
{
    m_part = FabricCreditRate(0.9 / m_oversubscription);
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
    }
}

int64_t
RcccFabricReceiverControl::AssignStreams(int64_t stream)
{
    m_random = CreateObject<UniformRandomVariable>();
    m_random->SetStream(stream);
    return 1;
}

void
RcccFabricReceiverControl::OnArrival(const ReceiverArrival& arrival)
{
    if (arrival.nowPs >= m_updatePs)
    {
        m_part.Update();
        const double rttPs = static_cast<double>(GetInfo().baseRttPs);
        m_updatePs =
            arrival.nowPs + static_cast<int64_t>(1.5 * rttPs * m_random->GetValue(0.75, 1.25));
    }
    m_part.Enter(arrival.marked, arrival.trimmed && !arrival.lastHop);
    RcccReceiverControl::OnArrival(arrival);
}

double
RcccFabricReceiverControl::GetRate(int64_t nowPs)
{
    return m_part.Get() * RcccReceiverControl::GetRate(nowPs);
}

} // namespace ns3
