// SPDX-License-Identifier: GPL-2.0-only
// How fast can ns-3's own core forward packets through a fat-tree when the datapath does nothing it
// need not?
//
// A yardstick, not a design: no congestion control, no loss, no PFC, window-limited permutation
// traffic with per-packet ACKs over a k-ary fat-tree (100 Gb/s, 1 us links, 1048-byte data packets,
// 64-byte ACKs). It keeps the three habits that the measured gap between fast and slow ns-3 models
// comes from:
//   1. a packet is parsed once: one descriptor (a QueueDiscItem) travels from NIC to NIC, from a
//   free list;
//   2. a link has at most one pending delivery event, re-scheduled for the head of its in-flight
//   FIFO;
//   3. a port schedules a transmit-complete event only when another packet waits behind the one on
//   the wire.
//
// --queueDisc=1 puts a real QueueDisc with an internal DropTailQueue on every port; 0 uses a plain
// FIFO. Prints: packet-hops per wall second (a packet-hop is one packet, data or ACK, crossing one
// link).
//
#include "ns3/abort.h"
#include "ns3/address.h"
#include "ns3/command-line.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/event-impl.h"
#include "ns3/fabric-topology.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/queue-size.h"
#include "ns3/routing-builder.h"
#include "ns3/simulator.h"

#include <chrono>
#include <cstdio>
#include <deque>
#include <vector>

using namespace ns3;

namespace
{

bool g_useQueueDisc = true;
uint64_t g_hops = 0;

class Item : public QueueDiscItem
{
  public:
    explicit Item(Ptr<Packet> p)
        : QueueDiscItem(p, Address(), 0)
    {
    }

    void AddHeader() override
    {
    }

    bool Mark() override
    {
        return marked = true;
    }

    uint32_t GetSize() const override
    {
        return size;
    }

    static void* operator new(size_t bytes)
    {
        if (s_free.empty())
        {
            return ::operator new(bytes);
        }
        void* p = s_free.back();
        s_free.pop_back();
        return p;
    }

    static void operator delete(void* p)
    {
        s_free.push_back(p);
    }

    uint32_t size = 0;
    uint32_t src = 0;
    uint32_t dst = 0;
    uint32_t flow = 0;
    uint64_t seq = 0;
    bool ack = false;
    bool marked = false;
    uint64_t telemetry[8];
    uint8_t hops = 0;

  private:
    /// Memory of items that are gone, given back at the end.
    struct FreeList : std::vector<void*>
    {
        ~FreeList()
        {
            for (void* p : *this)
            {
                ::operator delete(p);
            }
        }
    };

    static inline FreeList s_free;
};

class MarkingQueueDisc : public QueueDisc
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::LimitStudyMarkingQueueDisc").SetParent<QueueDisc>();
        return tid;
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        if (GetNBytes() > 20000)
        {
            item->Mark();
        }
        return GetInternalQueue(0)->Enqueue(item);
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return GetInternalQueue(0)->Dequeue();
    }

    bool CheckConfig() override
    {
        AddInternalQueue(CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>(
            "MaxSize",
            QueueSizeValue(QueueSize("100000p"))));
        return true;
    }

    void InitializeParams() override
    {
    }
};

class Device;

template <typename T>
class ReusableEvent : public EventImpl
{
  public:
    ReusableEvent(T* target, void (T::*method)())
        : m_target(target),
          m_method(method)
    {
    }

  private:
    void Notify() override
    {
        (m_target->*m_method)();
    }

    T* m_target;
    void (T::*m_method)();
};

class Port
{
  public:
    void Init();
    void Send(Ptr<Item> item);

    bool HasBacklog() const
    {
        return m_disc ? m_disc->GetNPackets() > 0 : !m_fifo.empty();
    }

    Device* peer = nullptr;

  private:
    struct InFlight
    {
        int64_t arrival;
        Ptr<Item> item;
    };

    void TransmitNext();
    void TransmitComplete();
    void Deliver();

    std::deque<Ptr<Item>> m_fifo;
    Ptr<MarkingQueueDisc> m_disc;
    std::deque<InFlight> m_wire;
    Ptr<EventImpl> m_txEvent;
    Ptr<EventImpl> m_rxEvent;
    bool m_txPending = false;
    int64_t m_busyUntil = 0;
    uint64_t m_txBytes = 0;
};

class Device
{
  public:
    virtual ~Device() = default;
    virtual void Receive(Ptr<Item> item) = 0;
    std::vector<Port> ports;
};

void
Port::Init()
{
    if (g_useQueueDisc)
    {
        m_disc = CreateObject<MarkingQueueDisc>();
        m_disc->Initialize();
    }
    m_txEvent = Ptr<EventImpl>(new ReusableEvent<Port>(this, &Port::TransmitComplete), false);
    m_rxEvent = Ptr<EventImpl>(new ReusableEvent<Port>(this, &Port::Deliver), false);
}

void
Port::Send(Ptr<Item> item)
{
    if (m_disc)
    {
        m_disc->Enqueue(item);
    }
    else
    {
        m_fifo.push_back(item);
    }
    if (m_txPending)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    if (now >= m_busyUntil)
    {
        TransmitNext();
    }
    else
    {
        m_txPending = true;
        Simulator::Schedule(NanoSeconds(m_busyUntil - now), m_txEvent);
    }
}

void
Port::TransmitNext()
{
    Ptr<Item> item;
    if (m_disc)
    {
        Ptr<QueueDiscItem> next = m_disc->Dequeue();
        item = Ptr<Item>(static_cast<Item*>(PeekPointer(next)));
    }
    else if (!m_fifo.empty())
    {
        item = m_fifo.front();
        m_fifo.pop_front();
    }
    if (!item)
    {
        return;
    }
    const int64_t delay = 1000;
    const int64_t txTime = std::max<int64_t>(1, item->size * 8 / 100);
    m_txBytes += item->size;
    if (!item->ack && item->hops < 8)
    {
        item->telemetry[item->hops++] = m_txBytes;
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    m_busyUntil = now + txTime;
    if (m_wire.empty())
    {
        Simulator::Schedule(NanoSeconds(txTime + delay), m_rxEvent);
    }
    m_wire.push_back({now + txTime + delay, item});
    if (HasBacklog())
    {
        m_txPending = true;
        Simulator::Schedule(NanoSeconds(txTime), m_txEvent);
    }
}

void
Port::TransmitComplete()
{
    m_txPending = false;
    TransmitNext();
}

void
Port::Deliver()
{
    Ptr<Item> item = m_wire.front().item;
    m_wire.pop_front();
    if (!m_wire.empty())
    {
        Simulator::Schedule(NanoSeconds(m_wire.front().arrival) - Simulator::Now(), m_rxEvent);
    }
    g_hops++;
    peer->Receive(item);
}

class Switch : public Device
{
  public:
    void Receive(Ptr<Item> item) override
    {
        const auto& group = routes[item->dst];
        uint32_t hash = item->flow * 2654435761U;
        hash ^= hash >> 15;
        ports[group[hash % group.size()]].Send(item);
    }

    std::vector<std::vector<uint16_t>> routes;
};

class Host : public Device
{
  public:
    void Pump()
    {
        while (m_next < total && m_next - acked < window && !ports[0].HasBacklog())
        {
            Ptr<Item> item(new Item(Create<Packet>(1000)), false);
            item->size = 1048;
            item->src = id;
            item->dst = dst;
            item->flow = id * 131 + dst;
            item->seq = m_next++;
            ports[0].Send(item);
        }
    }

    void Receive(Ptr<Item> item) override
    {
        if (item->ack)
        {
            acked = std::max(acked, item->seq + 1);
            Pump();
            return;
        }
        Ptr<Item> ack(new Item(Create<Packet>(0)), false);
        ack->size = 64;
        ack->ack = true;
        ack->src = id;
        ack->dst = item->src;
        ack->flow = item->flow;
        ack->seq = item->seq;
        std::copy(item->telemetry, item->telemetry + item->hops, ack->telemetry);
        ack->hops = item->hops;
        ports[0].Send(ack);
    }

    uint32_t id = 0;
    uint32_t dst = 0;
    uint64_t total = 0;
    uint64_t acked = 0;
    static constexpr uint64_t window = 150; // packets

  private:
    uint64_t m_next = 0;
};

} // namespace

int
main(int argc, char** argv)
{
    uint32_t k = 8;
    uint64_t packets = 2000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("k", "fat-tree arity", k);
    cmd.AddValue("packets", "packets per host", packets);
    cmd.AddValue("queueDisc", "1: a QueueDisc on every port, 0: a plain FIFO", g_useQueueDisc);
    cmd.Parse(argc, argv);
    Simulator::SetScheduler(ObjectFactory("ns3::CalendarScheduler"));

    const FabricGraph graph = MakeFabricTopology("fat-tree:k=" + std::to_string(k))->BuildGraph();
    const RoutingBuilder routing(graph);
    const uint32_t nHosts = graph.GetNHosts();
    std::vector<Host> hosts(nHosts);
    std::vector<Switch> switches(graph.GetNSwitches());
    const auto device = [&](uint32_t node) -> Device& {
        return node < nHosts ? static_cast<Device&>(hosts[node]) : switches[node - nHosts];
    };
    for (uint32_t node = 0; node < graph.GetNNodes(); node++)
    {
        device(node).ports.resize(graph.GetDegree(node));
        for (uint32_t p = 0; p < graph.GetDegree(node); p++)
        {
            device(node).ports[p].peer = &device(graph.GetPort(node, p).peer);
        }
        const ForwardingTable table = routing.BuildTable(node);
        for (uint32_t d = 0; node >= nHosts && d < nHosts; d++)
        {
            const PortGroup group = table.Lookup(d);
            switches[node - nHosts].routes.emplace_back(group.ports, group.ports + group.nPorts);
        }
    }
    for (uint32_t i = 0; i < nHosts; i++)
    {
        hosts[i].id = i;
        hosts[i].dst = (i + nHosts / 2 + 3) % nHosts;
        hosts[i].total = packets;
        hosts[i].ports[0].Init();
        Simulator::ScheduleNow(&Host::Pump, &hosts[i]);
    }
    for (auto& s : switches)
    {
        for (auto& p : s.ports)
        {
            p.Init();
        }
    }

    const auto start = std::chrono::steady_clock::now();
    Simulator::Run();
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const auto& h : hosts)
    {
        NS_ABORT_MSG_IF(h.acked != h.total, "host " << h.id << " did not finish");
    }
    std::printf("%llu packet-hops, %.3f s, %.3f M packet-hops/s, %.3f M events/s\n",
                static_cast<unsigned long long>(g_hops),
                wall,
                g_hops / wall / 1e6,
                Simulator::GetEventCount() / wall / 1e6);
    Simulator::Destroy();
    return 0;
}
