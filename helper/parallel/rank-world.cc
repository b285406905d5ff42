// SPDX-License-Identifier: GPL-2.0-only
#include "rank-world.h"

#include "ns3/closed-wings.h"
#include "ns3/fabric-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ns3
{

namespace
{

/// One process that simulates all.
class SoleRank final : public RankCommunicator
{
  public:
    uint32_t GetRank() const override
    {
        return 0;
    }

    uint32_t GetSize() const override
    {
        return 1;
    }

    void MaxOfEach(std::vector<int64_t>& /* values */) override
    {
    }

    uint64_t Sum(uint64_t value) override
    {
        return value;
    }

    std::vector<std::string> Gather(const std::string& /* bytes */) override
    {
        return {};
    }

    std::vector<std::string> GatherAll(const std::string& bytes) override
    {
        return {bytes};
    }

    void Listen(Ptr<NetDevice> /* device */, const Listener& /* listener */) override
    {
    }

    void Send(uint32_t /* rank */,
              const NetDevice& /* device */,
              int64_t /* timePs */,
              std::string& /* bytes */) override
    {
    }

    std::size_t GetMaxMessageBytes() const override
    {
        return SIZE_MAX;
    }

    bool AsksForMessages() const override
    {
        return true;
    }

    void Run(int64_t /* lookAheadPs */, const std::function<void()>& /* flush */) override
    {
        Simulator::Run();
    }

    const char* GetNoun() const override
    {
        return "ranks";
    }

    FabricText GetRemedy() const override
    {
        return "run it on one rank";
    }
};

/// @return how the ranks reach one another
std::unique_ptr<RankCommunicator>&
Ranks()
{
    // RankWorld::End() may run when static objects are gone
    static auto& ranks = *new std::unique_ptr<RankCommunicator>(std::make_unique<SoleRank>());
    return ranks;
}

} // namespace

uint32_t
RankWorld::CountStarted()
{
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    {
        if (const char* text = std::getenv(variable))
        {
            return static_cast<uint32_t>(std::max(1L, std::strtol(text, nullptr, 10)));
        }
    }
    return 1;
}

#ifndef DCFABRIC_MPI // else it is in rank-world-mpi.cc

void
RankWorld::Begin(int* /* argc */, char*** /* argv */)
{
    if (const uint32_t started = CountStarted(); started > 1)
    {
        RefuseClosedWing("--partition",
                         "mpiexec has started " + std::to_string(started) + " processes");
        throw FabricError(
            "mpiexec has started " + std::to_string(started) +
            " processes, but ns-3 was built without MPI, and each of them would simulate all; use "
            "an ns-3 that was configured with --enable-mpi, or start one process");
    }
}

#endif

void
RankWorld::Use(std::unique_ptr<RankCommunicator> ranks)
{
    Ranks() = ranks ? std::move(ranks) : std::make_unique<SoleRank>();
}

void
RankWorld::End()
{
    Use(nullptr);
}

void
RankWorld::Abort(int status)
{
    Ranks()->Abort(status);
}

void
RankWorld::Divide()
{
    Ranks()->Divide();
}

bool
RankWorld::IsHelper()
{
    return Ranks()->IsHelper();
}

void
RankWorld::Finish()
{
    Ranks()->Finish();
    if (Ranks()->IsOver())
    {
        Use(nullptr);
    }
}

void
RankWorld::Fail(const std::exception_ptr& why)
{
    Ranks()->Fail(why);
    if (Ranks()->IsOver())
    {
        Use(nullptr);
    }
}

uint32_t
RankWorld::GetRank()
{
    return Ranks()->GetRank();
}

uint32_t
RankWorld::GetSize()
{
    return Ranks()->GetSize();
}

std::string
RankWorld::CountInWords(uint32_t count)
{
    return std::to_string(count) + " " + Ranks()->GetNoun();
}

FabricText
RankWorld::GetRemedy()
{
    return Ranks()->GetRemedy();
}

uint64_t
RankWorld::Sum(uint64_t value)
{
    return Ranks()->Sum(value);
}

int64_t
RankWorld::Max(int64_t value)
{
    std::vector<int64_t> values{value};
    MaxOfEach(values);
    return values.front();
}

void
RankWorld::MaxOfEach(std::vector<int64_t>& values)
{
    Ranks()->MaxOfEach(values);
}

std::vector<std::string>
RankWorld::Gather(const std::string& bytes)
{
    return Ranks()->Gather(bytes);
}

std::vector<std::string>
RankWorld::GatherAll(const std::string& bytes)
{
    return Ranks()->GatherAll(bytes);
}

void
RankWorld::Listen(Ptr<NetDevice> device, const Listener& listener)
{
    Ranks()->Listen(std::move(device), listener);
}

std::size_t
RankWorld::GetMaxMessageBytes()
{
    return Ranks()->GetMaxMessageBytes();
}

bool
RankWorld::AsksForMessages()
{
    return Ranks()->AsksForMessages();
}

void
RankWorld::Send(uint32_t rank, const NetDevice& device, int64_t timePs, std::string& bytes)
{
    Ranks()->Send(rank, device, timePs, bytes);
}

void
RankWorld::Run(int64_t lookAheadPs, const std::function<void()>& flush)
{
    Ranks()->Run(lookAheadPs, flush);
}

uint64_t
RankWorld::GetNEvents()
{
    return Ranks()->GetNEvents();
}

uint64_t
RankWorld::GetSharedBytes()
{
    return Ranks()->GetSharedBytes();
}

} // namespace ns3
