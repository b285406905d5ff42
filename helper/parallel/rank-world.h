// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_WORLD_H
#define RANK_WORLD_H

#include "ns3/net-device.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The processes (ranks) of one simulation, by way of ns-3's module for MPI; where ns-3 has
 * none, or the program was not started by mpiexec, there is one rank.
 *
 * What involves all ranks has to be called by all of them, in the same order. All of them run the
 * same program on machines of the same kind.
 */
class RankWorld
{
  public:
    /**
     * @brief Find the other ranks, first thing in a program: ns-3's simulator becomes the one of
     * them all.
     * @param argc of main()
     * @param argv of main()
     * @throws FabricError if there are several, and ns-3 was built without MPI
     */
    static void Begin(int* argc, char*** argv);

    /// @return number of processes that mpiexec, or srun, has started; 1 if this one was not
    /// started so
    static uint32_t CountStarted();

    /// Part from the other ranks, last thing in a program, after Simulator::Destroy().
    static void End();

    /**
     * @brief End all ranks at once. Returns only if there are no others.
     * @param status exit status
     */
    static void Abort(int status);

    /// @return number of this rank, from 0
    static uint32_t GetRank();

    /// @return number of ranks
    static uint32_t GetSize();

    /**
     * @param value of this rank
     * @return the sum over all ranks
     */
    static uint64_t Sum(uint64_t value);

    /**
     * @param value of this rank
     * @return the largest of all ranks
     */
    static int64_t Max(int64_t value);

    /**
     * @brief Several questions at a time.
     * @param values of this rank; then each is the largest of all ranks
     */
    static void MaxOfEach(std::vector<int64_t>& values);

    /**
     * @param value of this rank
     * @return the smallest of all ranks
     */
    static int64_t Min(int64_t value)
    {
        return -Max(-value);
    }

    /**
     * @brief Collect what each rank has to say.
     * @param bytes of this rank
     * @return at rank 0, those of the others by rank, with none of its own; elsewhere nothing
     */
    static std::vector<std::string> Gather(const std::string& bytes);

    /**
     * @brief Let all ranks know what each of them has to say.
     * @param bytes of this rank; of all ranks together below 2 GiB
     * @return those of all ranks, this one included, by rank
     * @throws FabricError if they are too many
     */
    static std::vector<std::string> GatherAll(const std::string& bytes);

    /// Let GetNextEventPs() know of events of this rank from now on; where there are several.
    static void WatchEvents();

    /**
     * @return time of the simulator's next event at this rank in ps; FabricTime::NEVER if there is
     * none. After WatchEvents(), while the simulator does not run
     */
    static int64_t GetNextEventPs();

    /// What is told of a message.
    using Listener = std::function<void(const std::string& bytes)>;

    /**
     * @brief Receive messages.
     * @param device of a node of this rank, to which they are addressed
     * @param listener is called in an event at the time of a message
     */
    static void Listen(Ptr<NetDevice> device, const Listener& listener);

    /// Most bytes of a message: what ns-3 takes (MAX_MPI_MSG_SIZE, 2,000), less its own headers.
    static constexpr std::size_t MAX_MESSAGE_BYTES = 1900;

    /**
     * @brief Send a message to another rank.
     * @param device of a node of the other rank, as it is known here
     * @param timePs when it is to arrive, in ps: at least the smallest delay of links between
     * ranks after the present
     * @param bytes at most MAX_MESSAGE_BYTES
     */
    static void Send(const NetDevice& device, int64_t timePs, const std::string& bytes);
};

} // namespace ns3

#endif /* RANK_WORLD_H */
