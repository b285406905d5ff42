// SPDX-License-Identifier: GPL-2.0-only
#ifndef CORE_TEAM_H
#define CORE_TEAM_H

#include "shared-board.h"

#include <cstdint>
#include <exception>
#include <sys/types.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A process that divides itself into several, of which the others are helpers: they end with
 * it, and it ends if one of them does.
 *
 * Helpers leave signals from a terminal or a batch system to the first process, which ends the
 * simulation on all.
 */
class CoreTeam
{
  public:
    /**
     * @param size number of processes, this one included
     * @param board by which a helper says why it ends
     */
    CoreTeam(uint32_t size, SharedBoard& board);
    /// Ends helpers that still run.
    ~CoreTeam();
    CoreTeam(const CoreTeam&) = delete;
    CoreTeam& operator=(const CoreTeam&) = delete;

    /**
     * @brief Make the helpers, while this process has one thread.
     * @return number of the process that returns: 0 for the one that called it
     * @throws FabricError if the system does not let it make as many
     */
    uint32_t Divide();

    /**
     * @brief Look after the others.
     * @throws FabricError, std::bad_alloc or std::runtime_error at the first process, as a helper
     * has thrown it
     * @throws LostRankError there, if a helper has gone without a word
     */
    void Look();

    /**
     * @brief At a helper: let the first process know why this one ends, and end.
     * @param why the exception
     */
    [[noreturn]] void Leave(const std::exception_ptr& why);

    /// At a helper: end, because all is done.
    [[noreturn]] void Leave();

    /// At the first process: wait until the helpers have ended. @throws as Look()
    void Await();

    /// At the first process: end the helpers.
    void End();

  private:
    /// What helpers do first.
    void BecomeHelper(pid_t first);
    /// Throw what a helper has thrown, if one has.
    void ThrowNote() const;
    /// Throw what there is to say of a helper that has gone.
    /// @param number of the helper @param status of waitpid()
    [[noreturn]] void ThrowLoss(uint32_t number, int status) const;

    uint32_t m_size;              //!< processes
    SharedBoard& m_board;         //!< between them
    std::vector<pid_t> m_helpers; //!< by number less one; 0: has ended
    uint32_t m_rank{0};           //!< this process
    pid_t m_first{0};             //!< at a helper: the first process
};

} // namespace ns3

#endif /* CORE_TEAM_H */
