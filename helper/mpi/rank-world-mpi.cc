// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief RankWorld where ns-3 has its module for MPI.
 */
#ifdef DCFABRIC_MPI
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/rank-world.h"
#include "ns3/scheduler.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <climits>
#include <list>
#include <mpi.h>

namespace ns3
{

namespace
{

bool g_together = false; //!< there are other ranks

/// A list of events that can be asked for its first one.
class WatchedScheduler : public Scheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::WatchedScheduler")
                                .SetParent<Scheduler>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<WatchedScheduler>()
                                .HideFromDocumentation();
        return tid;
    }

    WatchedScheduler()
    {
        TypeIdValue type;
        GlobalValue::GetValueByName("SchedulerType", type);
        ObjectFactory factory;
        factory.SetTypeId(type.Get());
        m_events = factory.Create<Scheduler>();
        g_watched = this;
    }

    ~WatchedScheduler() override
    {
        g_watched = g_watched == this ? nullptr : g_watched;
    }

    void Insert(const Event& event) override
    {
        m_events->Insert(event);
    }

    bool IsEmpty() const override
    {
        return m_events->IsEmpty();
    }

    Event PeekNext() const override
    {
        return m_events->PeekNext();
    }

    Event RemoveNext() override
    {
        return m_events->RemoveNext();
    }

    void Remove(const Event& event) override
    {
        m_events->Remove(event);
    }

    /// @return that of the simulator; null before WatchEvents()
    static const WatchedScheduler* Get()
    {
        return g_watched;
    }

  private:
    Ptr<Scheduler> m_events;                                  //!< where they are
    inline static const WatchedScheduler* g_watched{nullptr}; //!< see Get()
};

/// @return who listens; callbacks of ns-3 want arguments that can be compared, as addresses can
std::list<RankWorld::Listener>&
GetListeners()
{
    static std::list<RankWorld::Listener> listeners;
    return listeners;
}

/// A message has come.
void
ReceiveMessage(const RankWorld::Listener* listener, Ptr<Packet> packet)
{
    std::string bytes(packet->GetSize(), '\0');
    packet->CopyData(reinterpret_cast<uint8_t*>(&bytes[0]), packet->GetSize());
    (*listener)(bytes);
}

} // namespace

void
RankWorld::Begin(int* argc, char*** argv)
{
    if (CountStarted() > 1)
    {
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue("ns3::DistributedSimulatorImpl"));
        MpiInterface::Enable(argc, argv);
        g_together = MpiInterface::GetSize() > 1;
    }
}

void
RankWorld::End()
{
    if (g_together)
    {
        g_together = false;
        MpiInterface::Disable();
    }
}

void
RankWorld::Abort(int status)
{
    if (g_together)
    {
        MPI_Abort(MPI_COMM_WORLD, status);
    }
}

uint32_t
RankWorld::GetRank()
{
    return g_together ? MpiInterface::GetSystemId() : 0;
}

uint32_t
RankWorld::GetSize()
{
    return g_together ? MpiInterface::GetSize() : 1;
}

uint64_t
RankWorld::Sum(uint64_t value)
{
    if (g_together)
    {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
    return value;
}

int64_t
RankWorld::Max(int64_t value)
{
    if (g_together)
    {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    }
    return value;
}

void
RankWorld::MaxOfEach(std::vector<int64_t>& values)
{
    if (g_together)
    {
        const auto count = static_cast<int>(values.size());
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    }
}

void
RankWorld::WatchEvents()
{
    ObjectFactory factory;
    factory.SetTypeId(WatchedScheduler::GetTypeId());
    Simulator::SetScheduler(factory);
}

int64_t
RankWorld::GetNextEventPs()
{
    const Scheduler& events = *WatchedScheduler::Get();
    return events.IsEmpty() ? FabricTime::NEVER
                            : FabricTime::ToPs(TimeStep(events.PeekNext().key.m_ts));
}

std::vector<std::string>
RankWorld::Gather(const std::string& bytes)
{
    constexpr std::size_t PIECE = 1 << 30; // MPI counts in int
    constexpr int TAG = 1;
    std::vector<std::string> all;
    if (GetSize() == 1)
    {
        return all;
    }
    if (GetRank() > 0)
    {
        const uint64_t size = bytes.size();
        MPI_Send(&size, 1, MPI_UINT64_T, 0, TAG, MPI_COMM_WORLD);
        for (std::size_t at = 0; at < size; at += PIECE)
        {
            const auto piece = static_cast<int>(std::min(PIECE, size - at));
            MPI_Send(bytes.data() + at, piece, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
        }
        return all;
    }
    for (uint32_t rank = 1; rank < GetSize(); ++rank)
    {
        uint64_t size = 0;
        const auto from = static_cast<int>(rank);
        MPI_Recv(&size, 1, MPI_UINT64_T, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        std::string text(size, '\0');
        for (std::size_t at = 0; at < size; at += PIECE)
        {
            const auto piece = static_cast<int>(std::min(PIECE, size - at));
            MPI_Recv(&text[at], piece, MPI_CHAR, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        all.push_back(std::move(text));
    }
    return all;
}

std::vector<std::string>
RankWorld::GatherAll(const std::string& bytes)
{
    if (GetSize() == 1)
    {
        return {bytes};
    }
    std::vector<uint64_t> sizes(GetSize());
    const uint64_t size = bytes.size();
    MPI_Allgather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::vector<int> counts; // MPI counts in int
    std::vector<int> begins;
    uint64_t sum = 0;
    for (const uint64_t part : sizes)
    {
        begins.push_back(static_cast<int>(sum));
        sum += part;
        if (sum > INT_MAX)
        {
            throw FabricError("ranks have more than 2 GiB to tell one another at one time; run the "
                              "simulation on one rank, without mpiexec");
        }
        counts.push_back(static_cast<int>(part));
    }
    std::string joined(sum, '\0');
    MPI_Allgatherv(bytes.data(),
                   static_cast<int>(size),
                   MPI_CHAR,
                   &joined[0],
                   counts.data(),
                   begins.data(),
                   MPI_CHAR,
                   MPI_COMM_WORLD);
    std::vector<std::string> all;
    for (uint32_t rank = 0; rank < GetSize(); ++rank)
    {
        all.push_back(joined.substr(static_cast<std::size_t>(begins[rank]), sizes[rank]));
    }
    return all;
}

void
RankWorld::Listen(Ptr<NetDevice> device, const Listener& listener)
{
    const auto receiver = CreateObject<MpiReceiver>();
    GetListeners().push_back(listener);
    const RankWorld::Listener* kept = &GetListeners().back();
    receiver->SetReceiveCallback(MakeBoundCallback(&ReceiveMessage, kept));
    device->AggregateObject(receiver);
}

void
RankWorld::Send(const NetDevice& device, int64_t timePs, const std::string& bytes)
{
    const auto packet = Create<Packet>(reinterpret_cast<const uint8_t*>(bytes.data()),
                                       static_cast<uint32_t>(bytes.size()));
    MpiInterface::SendPacket(packet,
                             FabricTime::FromPs(timePs),
                             device.GetNode()->GetId(),
                             device.GetIfIndex());
}

} // namespace ns3
#endif
