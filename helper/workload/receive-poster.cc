// SPDX-License-Identifier: GPL-2.0-only
#include "receive-poster.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ReceivePoster);

TypeId
ReceivePoster::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ReceivePoster")
            .SetParent<Object>()
            .SetGroupName("Dcfabric")
            .AddConstructor<ReceivePoster>()
            .AddAttribute("Delay",
                          "Random variable: seconds from the start of a message to its receive "
                          "being posted; null: none.",
                          PointerValue(),
                          MakePointerAccessor(&ReceivePoster::m_delay),
                          MakePointerChecker<RandomVariableStream>());
    return tid;
}

ReceivePoster::ReceivePoster() = default;

ReceivePoster::~ReceivePoster()
{
    Uninstall();
}

int64_t
ReceivePoster::AssignStreams(int64_t stream)
{
    if (!m_delay)
    {
        return 0;
    }
    m_delay->SetStream(stream);
    return 1;
}

void
ReceivePoster::Install(Ptr<Fabric> fabric, std::size_t messages)
{
    Uninstall();
    constexpr double MAX_SECONDS = 1e6; // in ps far from overflow
    m_delaysPs.resize(m_delay ? messages : 0);
    for (int64_t& delayPs : m_delaysPs)
    {
        const double seconds = m_delay->GetValue();
        if (!(seconds >= 0 && seconds <= MAX_SECONDS))
        {
            throw FabricError(FabricTerm::Attribute("ns3::ReceivePoster", "Delay"),
                              " gave " + std::to_string(seconds) + " s",
                              {FabricRemedy::Do("it must be 0 to 10^6 s")});
        }
        delayPs = std::llround(seconds * 1e12);
    }
    for (const uint32_t host : fabric->GetHosts())
    {
        if (!fabric->GetNic(host)->GetMessages().GetMatcher())
        {
            throw FabricError(FabricTerm::Class("ns3::ReceivePoster"),
                              ": messages of host " + std::to_string(host) + " are not matched",
                              {FabricRemedy::Do("call FabricHelper::SetMessageProtocol()")});
        }
    }
    m_fabric = fabric;
    for (const uint32_t host : fabric->GetHosts())
    {
        fabric->GetNic(host)->GetMessages().SetStartedCallback(
            [this](const FabricMessageEvent& event) { OnStarted(event); });
    }
}

void
ReceivePoster::Expect(const std::vector<FabricFlow>& flows)
{
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const FabricFlow& flow = flows[i];
        if (m_fabric->IsHere(flow.dst) && !m_fabric->IsHere(flow.src))
        {
            FabricMessageEvent event;
            event.tag = i;
            event.src = flow.src;
            event.dst = flow.dst;
            event.bytes = flow.sizeBytes;
            event.nowPs = flow.startPs;
            m_elsewhere.push_back(event);
        }
    }
    // as a sender starts them: of one time in the order of tags
    std::stable_sort(m_elsewhere.rbegin(),
                     m_elsewhere.rend(),
                     [](const FabricMessageEvent& a, const FabricMessageEvent& b) {
                         return a.nowPs != b.nowPs ? a.nowPs < b.nowPs : a.tag < b.tag;
                     });
    AwaitElsewhere();
}

void
ReceivePoster::PostFor(const FabricFlow& flow)
{
    MessageMatcher& matcher = *m_fabric->GetNic(flow.dst)->GetMessages().GetMatcher();
    matcher.Post({flow.src, m_nextHandle++, nullptr, flow.sizeBytes, FabricTime::NEVER});
}

void
ReceivePoster::AwaitElsewhere()
{
    if (!m_elsewhere.empty())
    {
        const Time left = FabricTime::FromPs(m_elsewhere.back().nowPs) - Simulator::Now();
        m_next = Simulator::Schedule(left, &ReceivePoster::OnElsewhereStarted, this);
    }
}

void
ReceivePoster::OnElsewhereStarted()
{
    ++m_nEvents;
    const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
    while (!m_elsewhere.empty() && m_elsewhere.back().nowPs <= nowPs)
    {
        OnStarted(m_elsewhere.back());
        m_elsewhere.pop_back();
    }
    AwaitElsewhere();
}

void
ReceivePoster::Uninstall()
{
    m_next.Cancel();
    m_elsewhere.clear();
    if (m_fabric)
    {
        for (const uint32_t host : m_fabric->GetHosts())
        {
            m_fabric->GetNic(host)->GetMessages().SetStartedCallback(nullptr);
        }
        m_fabric = nullptr;
    }
}

void
ReceivePoster::DoDispose()
{
    Uninstall();
    m_delay = nullptr;
    Object::DoDispose();
}

void
ReceivePoster::OnStarted(const FabricMessageEvent& event)
{
    if (!m_fabric->IsHere(event.dst))
    {
        if (m_tell)
        {
            FabricFlow flow;
            flow.src = event.src;
            flow.dst = event.dst;
            flow.sizeBytes = event.bytes;
            flow.startPs = event.nowPs;
            m_tell(flow);
        }
        return; // another process posts it
    }
    const MessageMatcher::Receive receive{event.src,
                                          m_nextHandle++,
                                          nullptr,
                                          event.bytes,
                                          FabricTime::NEVER};
    MessageMatcher& matcher = *m_fabric->GetNic(event.dst)->GetMessages().GetMatcher();
    if (m_delaysPs.empty())
    {
        matcher.Post(receive); // no packet of the message can be there yet
        if (m_onPostedAtStart)
        {
            m_onPostedAtStart(event.dst);
        }
        return;
    }
    int64_t& lastPs = m_lastPs[(uint64_t{event.dst} << 32) | event.src];
    lastPs = std::max(lastPs, event.nowPs + GetDelayPs(event.tag));
    matcher.PostAt(lastPs, receive);
}

} // namespace ns3
