// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_WORLD_H
#define RANK_WORLD_H

#include "rank-communicator.h"

#include "ns3/fabric-text.h"
#include "ns3/net-device.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The processes (ranks) of one simulation: one, or those that mpiexec has started, or those
 * that one process divides itself into (RankCommunicator).
 *
 * What involves all ranks has to be called by all of them, in the same order. All of them run the
 * same program on machines of the same kind.
 */
class RankWorld
{
  public:
    /**
     * @brief Find the other ranks that mpiexec has started, first thing in a program: ns-3's
     * simulator becomes the one of them all.
     * @param argc of main()
     * @param argv of main()
     * @throws FabricError if there are several, and ns-3 was built without MPI
     */
    static void Begin(int* argc, char*** argv);

    /// @return number of processes that mpiexec, or srun, has started; 1 if this one was not
    /// started so
    static uint32_t CountStarted();

    /**
     * @brief Be one of several ranks from now on.
     * @param ranks how they reach one another; null: there is one
     */
    static void Use(std::unique_ptr<RankCommunicator> ranks);

    /// Part from the other ranks, last thing in a program, after Simulator::Destroy().
    static void End();

    /**
     * @brief End all ranks at once. Returns only if there are no others.
     * @param status exit status
     */
    static void Abort(int status);

    /**
     * @brief Become as many processes as there are to be ranks, if they do not run yet. Until then
     * this is rank 0, and it asks the others nothing.
     * @throws FabricError if the system does not let it
     */
    static void Divide();

    /// @return true if this process was made by Divide(), and only helps rank 0
    static bool IsHelper();

    /// The results of all ranks are joined: helpers end, and if there are any, rank 0 is alone from
    /// now on.
    static void Finish();

    /**
     * @brief This rank cannot go on. A helper lets rank 0 know and ends; rank 0 ends its helpers,
     * and is alone from now on.
     * @param why the exception; null: it does not want to
     */
    static void Fail(const std::exception_ptr& why);

    /// @return number of this rank, from 0
    static uint32_t GetRank();

    /// @return number of ranks
    static uint32_t GetSize();

    /**
     * @param count a number of ranks
     * @return it in words, such as `2 ranks` or `4 cores`
     */
    static std::string CountInWords(uint32_t count = GetSize());

    /// @return what users do to have one rank: `run it on one rank, without mpiexec`
    static FabricText GetRemedy();

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
     * @param bytes of this rank; with MPI, of all ranks together below 2 GiB
     * @return those of all ranks, this one included, by rank
     * @throws FabricError if they are too many
     */
    static std::vector<std::string> GatherAll(const std::string& bytes);

    /// What is told of a message.
    using Listener = RankCommunicator::Listener;

    /**
     * @brief Receive messages.
     * @param device of a node of this rank, to which they are addressed
     * @param listener is called in an event at the time of a message, or between events before it
     */
    static void Listen(Ptr<NetDevice> device, const Listener& listener);

    /// @return most bytes of a message
    static std::size_t GetMaxMessageBytes();

    /// @return true if Run() asks for messages before ranks wait for one another, so that none has
    /// to be sent before
    static bool AsksForMessages();

    /**
     * @brief Send a message to another rank.
     * @param rank its number
     * @param device of a node of that rank, as it is known here
     * @param timePs when it is to arrive, in ps: at least the smallest delay of links between
     * ranks after the present, or after the present when its first part was written
     * @param bytes at most GetMaxMessageBytes(); empty afterwards
     */
    static void Send(uint32_t rank, const NetDevice& device, int64_t timePs, std::string& bytes);

    /**
     * @brief Let events happen on all ranks until each has stopped (Simulator::Stop()) or has none
     * left.
     * @param lookAheadPs least delay of links between ranks in ps
     * @param flush sends what waits; called if AsksForMessages()
     */
    static void Run(int64_t lookAheadPs, const std::function<void()>& flush);

    /// @return simulator events of this rank that Run() needed
    static uint64_t GetNEvents();

    /// @return bytes of memory of this rank that rank 0 has as well, and that are counted there
    static uint64_t GetSharedBytes();
};

} // namespace ns3

#endif /* RANK_WORLD_H */
