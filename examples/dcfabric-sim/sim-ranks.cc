// SPDX-License-Identifier: GPL-2.0-only
#include "sim-ranks.h"

#include "ns3/rank-world.h"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace ns3
{

namespace
{

/// Standard error of a rank that is silent.
std::streambuf* g_silenced = nullptr;

} // namespace

void
BeginSimRanks(int* argc, char*** argv)
{
    RankWorld::Begin(argc, argv);
    std::atexit(&RankWorld::End); // also where ns-3 answers an option and exits
    if (RankWorld::GetRank() > 0)
    {
        g_silenced = std::cerr.rdbuf(nullptr);
        std::cout.rdbuf(nullptr);
    }
}

int
EndSimRanks(const std::string& reason, int status)
{
    if (g_silenced)
    {
        // what all ranks refuse, rank 0 tells, and ends this one before it has waited long
        constexpr std::chrono::seconds PATIENCE{2};
        std::this_thread::sleep_for(PATIENCE);
        std::cerr.rdbuf(g_silenced);
        std::cerr.clear();
        std::cerr << "dcfabric-sim: rank " << RankWorld::GetRank() << ": " << reason << std::endl;
    }
    else
    {
        std::cerr << "dcfabric-sim: " << reason << std::endl;
    }
    RankWorld::Abort(status);
    return status;
}

} // namespace ns3
