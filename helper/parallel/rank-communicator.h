// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_COMMUNICATOR_H
#define RANK_COMMUNICATOR_H

#include "ns3/fabric-text.h"
#include "ns3/net-device.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How the processes (ranks) of one simulation reach one another: by MPI, or by memory that
 * they share. Others ask RankWorld, which has one of these.
 *
 * What involves all ranks is called by all of them, in the same order.
 */
class RankCommunicator
{
  public:
    virtual ~RankCommunicator();

    /// @return number of this rank, from 0
    virtual uint32_t GetRank() const = 0;
    /// @return number of ranks
    virtual uint32_t GetSize() const = 0;

    /**
     * @brief Become as many processes as there are ranks, if they do not run yet.
     * @throws FabricError if the system does not let it
     */
    virtual void Divide();

    /**
     * @brief Ask for maxima.
     * @param values of this rank; then each is the largest of all ranks
     */
    virtual void MaxOfEach(std::vector<int64_t>& values) = 0;

    /**
     * @param value of this rank
     * @return the sum over all ranks, modulo 2^64
     */
    virtual uint64_t Sum(uint64_t value) = 0;

    /// @copydoc RankWorld::Gather
    virtual std::vector<std::string> Gather(const std::string& bytes) = 0;
    /// @copydoc RankWorld::GatherAll
    virtual std::vector<std::string> GatherAll(const std::string& bytes) = 0;

    /// What is told of a message, whose bytes are there until it returns.
    using Listener = std::function<void(std::string_view bytes)>;

    /// @copydoc RankWorld::Listen
    virtual void Listen(Ptr<NetDevice> device, const Listener& listener) = 0;

    /**
     * @brief Send a message.
     * @param rank to which
     * @param device of a node there, as it is known here
     * @param timePs when it is to arrive, in ps
     * @param bytes at most GetMaxMessageBytes(); empty afterwards, perhaps with room of another
     * message. Where AsksForMessages(), one for each rank whenever Run() asks
     */
    virtual void Send(uint32_t rank,
                      const NetDevice& device,
                      int64_t timePs,
                      std::string& bytes) = 0;

    /// @return most bytes of a message
    virtual std::size_t GetMaxMessageBytes() const = 0;

    /// @return true if Run() asks for messages before ranks wait for one another
    virtual bool AsksForMessages() const = 0;

    /// @copydoc RankWorld::Run
    virtual void Run(int64_t lookAheadPs, const std::function<void()>& flush) = 0;

    /// @return simulator events of Run() itself
    virtual uint64_t GetNEvents() const;

    /// @return bytes of memory of this process that rank 0 has as well
    virtual uint64_t GetSharedBytes() const;

    /// @return true if this process only helps: it ends with Finish() or Fail()
    virtual bool IsHelper() const;

    /// The results are joined. Returns at rank 0 only if this process began as one.
    virtual void Finish();

    /**
     * @brief This rank cannot go on. Does not return where IsHelper().
     * @param why the exception
     */
    virtual void Fail(const std::exception_ptr& why);

    /// @return true after Finish() or Fail() if this process is alone from now on
    virtual bool IsOver() const;

    /// End all ranks at once. @param status exit status
    virtual void Abort(int status);

    /// @return `ranks` or `cores`: what users call them
    virtual const char* GetNoun() const = 0;
    /// @return what users do to have one rank: `run it on one core`
    virtual FabricText GetRemedy() const = 0;
};

} // namespace ns3

#endif /* RANK_COMMUNICATOR_H */
