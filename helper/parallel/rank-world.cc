// SPDX-License-Identifier: GPL-2.0-only
#include "rank-world.h"

#include "ns3/closed-wings.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-time.h"

#include <algorithm>
#include <cstdlib>

namespace ns3
{

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

void
RankWorld::End()
{
}

void
RankWorld::Abort(int /* status */)
{
}

uint32_t
RankWorld::GetRank()
{
    return 0;
}

uint32_t
RankWorld::GetSize()
{
    return 1;
}

uint64_t
RankWorld::Sum(uint64_t value)
{
    return value;
}

int64_t
RankWorld::Max(int64_t value)
{
    return value;
}

void
RankWorld::MaxOfEach(std::vector<int64_t>& /* values */)
{
}

void
RankWorld::WatchEvents()
{
}

int64_t
RankWorld::GetNextEventPs()
{
    return FabricTime::NEVER;
}

std::vector<std::string>
RankWorld::Gather(const std::string& /* bytes */)
{
    return {};
}

std::vector<std::string>
RankWorld::GatherAll(const std::string& bytes)
{
    return {bytes};
}

void
RankWorld::Listen(Ptr<NetDevice> /* device */, const Listener& /* listener */)
{
}

void
RankWorld::Send(const NetDevice& /* device */, int64_t /* timePs */, const std::string& /* bytes */)
{
}

#endif

} // namespace ns3
