// SPDX-License-Identifier: GPL-2.0-only
#include "port-queue.h"

#include "fabric-actor.h"
#include "fabric-net-device.h"

#include "ns3/fabric-error.h"
#include "ns3/net-device-queue-interface.h"

#include <algorithm>
#include <string>

namespace ns3
{

std::ptrdiff_t PortQueue::g_behindStats = 0;

PortQueue::PortQueue(FabricNetDevice& port)
    : m_port(port)
{
}

void
PortQueue::SetDisc(Ptr<QueueDisc> disc)
{
    m_owner = disc;
    m_disc = PeekPointer(disc);
    m_pausable = dynamic_cast<ClassPauseInterface*>(m_disc);
    m_direct = nullptr; // until Start()
    if (m_port.m_elsewhere)
    {
        return; // ports that never send share one
    }
    g_behindStats = reinterpret_cast<const char*>(&m_disc->GetStats() + 1) -
                    reinterpret_cast<const char*>(m_disc);
    const ClassPauseInterface::DropSink refused = MakeCallback(&PortQueue::NotifyRefusal, this);
    const ClassPauseInterface::DropSink dropped = MakeCallback(&PortQueue::NotifyDrop, this);
    if (!m_pausable || !m_pausable->ConnectDropSinks(refused, dropped))
    {
        m_disc->TraceConnectWithoutContext("DropBeforeEnqueue", refused);
        m_disc->TraceConnectWithoutContext("DropAfterDequeue", dropped);
    }
    if (m_pausable)
    {
        m_pausable->SetWaitingBytes(m_waitingBytes);
    }
    else
    {
        // stock discs look for the device's one queue when they start, and fair-queueing ones take
        // their quantum from the MTU of the device it belongs to: without one they loop forever
        Ptr<NetDeviceQueueInterface> queues = m_port.GetObject<NetDeviceQueueInterface>();
        if (!queues)
        {
            queues = CreateObject<NetDeviceQueueInterface>();
            m_port.AggregateObject(queues);
        }
        m_disc->SetNetDeviceQueueInterface(queues);
    }
}

void
PortQueue::Start()
{
    m_disc->Initialize();
    if (m_pausable && m_pausable->Trims())
    {
        m_disc->TraceConnectWithoutContext("Trim", MakeCallback(&PortQueue::NotifyTrim, this));
    }
    m_direct = m_pausable ? m_pausable->GetDirectQueue() : nullptr;
}

PortQueue::~PortQueue()
{
    StoppedPorts::Set(m_port, m_stopped, false);
}

void
PortQueue::Dispose()
{
    if (m_disc)
    {
        m_disc->Dispose();
    }
    m_disc = nullptr;
    m_pausable = nullptr;
    m_direct = nullptr;
    m_owner = nullptr;
}

void
PortQueue::Refuse(const FabricPacketItem& item)
{
    if (!m_refused)
    {
        m_port.m_discReason.clear(); // it gave none
    }
    m_refused = false;
    if (item.IsTrimmed())
    {
        m_bytes = m_disc->GetNBytes(); // what it lost on its way here was taken off
    }
    m_port.OnQueueRefusal(item);
}

Ptr<QueueDiscItem>
PortQueue::DequeueAgain()
{
    // A disc gives nothing when its classes are paused, or when it threw away all that a class had.
    // More often than there are classes, it is holding packets back.
    for (int turn = 0; HasEligiblePacket(); ++turn)
    {
        if (turn == 8)
        {
            throw FabricError(
                FabricTerm::Class(m_disc->GetInstanceTypeId()),
                " at node " + std::to_string(m_port.GetActor()->GetAddress()) + " port " +
                    std::to_string(m_port.GetPort()) +
                    " holds packets back from a free wire, which a port cannot wait for",
                {FabricRemedy::Use("a queue disc that is work-conserving")});
        }
        if (Ptr<QueueDiscItem> waiting = m_disc->Dequeue())
        {
            return waiting;
        }
    }
    return nullptr;
}

std::vector<Ptr<FabricPacketItem>>
PortQueue::TakeAll(int64_t nowPs, uint8_t classes)
{
    std::vector<Ptr<FabricPacketItem>> taken;
    const uint8_t paused = m_pausedClasses;
    SetPausedClasses(static_cast<uint8_t>(~classes));
    while (HasEligiblePacket())
    {
        if (Ptr<FabricPacketItem> waiting = Dequeue(nowPs))
        {
            taken.push_back(std::move(waiting));
        }
        else
        {
            Integrate(nowPs);
            m_bytes = m_disc->GetNBytes();
        }
    }
    SetPausedClasses(paused);
    return taken;
}

void
PortQueue::SetPausedClasses(uint8_t classes)
{
    m_pausedClasses = classes;
    StoppedPorts::Set(m_port, m_stopped, classes != 0);
    if (m_pausable)
    {
        m_pausable->SetPausedClasses(classes);
    }
}

double
PortQueue::GetMeanBytes() const
{
    return GetMeanBytes(m_port.GetNowPs());
}

double
PortQueue::GetMeanBytes(int64_t nowPs) const
{
    const double sinceChange =
        static_cast<double>(m_bytes) * static_cast<double>(nowPs - m_sincePs);
    return nowPs > 0 ? (m_integral + sinceChange) / static_cast<double>(nowPs) : 0;
}

void
PortQueue::SetWaitingBytes(const uint64_t* byClass)
{
    m_waitingBytes = byClass;
    if (m_pausable)
    {
        m_pausable->SetWaitingBytes(byClass);
    }
}

void
PortQueue::NotifyDrop(Ptr<const QueueDiscItem> dropped, const char* reason)
{
    // only Enqueue() fills the disc
    auto* item = static_cast<FabricPacketItem*>(const_cast<QueueDiscItem*>(PeekPointer(dropped)));
    Integrate(m_port.GetNowPs());
    m_bytes -= item->size;
    m_port.OnQueueDrop(*item, reason);
}

void
PortQueue::NotifyTrim(Ptr<const QueueDiscItem> trimmed, uint32_t bytes)
{
    // only Enqueue() fills the disc, and adds what a packet had before it was trimmed
    auto* item = static_cast<FabricPacketItem*>(const_cast<QueueDiscItem*>(PeekPointer(trimmed)));
    Integrate(m_port.GetNowPs());
    m_bytes -= bytes;
    m_port.GetActor()->OnQueueTrim(m_port, *item, bytes);
}

void
PortQueue::NotifyRefusal(Ptr<const QueueDiscItem> /* refused */, const char* reason)
{
    m_refused = true; // some stock discs do not tell so
    m_port.m_discReason = reason;
}

} // namespace ns3
