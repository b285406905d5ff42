// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Ranks where ns-3 has its module for MPI.
 */
#ifdef DCFABRIC_MPI
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"
#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/rank-communicator.h"
#include "ns3/rank-world.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <climits>
#include <list>
#include <memory>
#include <mpi.h>

namespace ns3
{

namespace
{

/// @return who listens; callbacks of ns-3 want arguments that can be compared, as addresses can
std::list<RankWorld::Listener>&
GetListeners()
{
    static std::list<RankWorld::Listener> listeners;
    return listeners;
}

uint64_t g_nMessages = 0; //!< that have come

/// A message has come.
void
ReceiveMessage(const RankWorld::Listener* listener, Ptr<Packet> packet)
{
    ++g_nMessages;
    std::string bytes(packet->GetSize(), '\0');
    packet->CopyData(reinterpret_cast<uint8_t*>(&bytes[0]), packet->GetSize());
    (*listener)(bytes);
}

/// Ranks that mpiexec has started, and that ns-3's module for MPI connects.
class MpiCommunicator final : public RankCommunicator
{
  public:
    ~MpiCommunicator() override
    {
        MpiInterface::Disable();
    }

    uint32_t GetRank() const override
    {
        return MpiInterface::GetSystemId();
    }

    uint32_t GetSize() const override
    {
        return MpiInterface::GetSize();
    }

    void Abort(int status) override
    {
        MPI_Abort(MPI_COMM_WORLD, status);
    }

    uint64_t Sum(uint64_t value) override
    {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        return value;
    }

    void MaxOfEach(std::vector<int64_t>& values) override
    {
        const auto count = static_cast<int>(values.size());
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    }

    std::vector<std::string> Gather(const std::string& bytes) override;
    std::vector<std::string> GatherAll(const std::string& bytes) override;

    void Listen(Ptr<NetDevice> device, const Listener& listener) override
    {
        const auto receiver = CreateObject<MpiReceiver>();
        GetListeners().push_back(listener);
        const RankWorld::Listener* kept = &GetListeners().back();
        receiver->SetReceiveCallback(MakeBoundCallback(&ReceiveMessage, kept));
        device->AggregateObject(receiver);
    }

    void Send(uint32_t /* rank */,
              const NetDevice& device,
              int64_t timePs,
              std::string& bytes) override
    {
        const auto packet = Create<Packet>(reinterpret_cast<const uint8_t*>(bytes.data()),
                                           static_cast<uint32_t>(bytes.size()));
        MpiInterface::SendPacket(packet,
                                 FabricTime::FromPs(timePs),
                                 device.GetNode()->GetId(),
                                 device.GetIfIndex());
        bytes.clear();
    }

    std::size_t GetMaxMessageBytes() const override
    {
        return 1900; // what ns-3 takes (MAX_MPI_MSG_SIZE, 2,000), less its own headers
    }

    bool AsksForMessages() const override
    {
        return false;
    }

    void Run(int64_t /* lookAheadPs */, const std::function<void()>& /* flush */) override
    {
        Simulator::Run(); // DistributedSimulatorImpl knows the others
    }

    uint64_t GetNEvents() const override
    {
        return g_nMessages; // an event each
    }

    const char* GetNoun() const override
    {
        return "ranks";
    }

    FabricText GetRemedy() const override
    {
        return "run it on one rank, without mpiexec";
    }
};

std::vector<std::string>
MpiCommunicator::Gather(const std::string& bytes)
{
    constexpr std::size_t PIECE = 1 << 30; // MPI counts in int
    constexpr int TAG = 1;
    std::vector<std::string> all;
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
MpiCommunicator::GatherAll(const std::string& bytes)
{
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

} // namespace

void
RankWorld::Begin(int* argc, char*** argv)
{
    if (CountStarted() > 1)
    {
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue("ns3::DistributedSimulatorImpl"));
        MpiInterface::Enable(argc, argv);
        Use(std::make_unique<MpiCommunicator>());
    }
}

} // namespace ns3
#endif
