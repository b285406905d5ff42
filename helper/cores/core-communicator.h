// SPDX-License-Identifier: GPL-2.0-only
#ifndef CORE_COMMUNICATOR_H
#define CORE_COMMUNICATOR_H

#include "core-team.h"
#include "shared-board.h"

#include "ns3/rank-communicator.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ranks that are processes of one machine, made by the first one: no MPI, and no part of
 * ns-3, is needed for them.
 *
 * The engine is whatever the simulator has. Run() lets it go on in windows: all ranks learn when
 * the next event of all of them is, simulate up to that time and the least delay of links between
 * them, and then get what the others have sent in the window, which none of them can have needed
 * before. An exchange (SharedBoard) at the end of a window does it all.
 */
class CoreCommunicator final : public RankCommunicator
{
  public:
    /**
     * @param size number of ranks, at least 2
     * @throws FabricError if the system does not let it
     */
    explicit CoreCommunicator(uint32_t size);
    ~CoreCommunicator() override;

    // from RankCommunicator
    uint32_t GetRank() const override;
    uint32_t GetSize() const override;
    void Divide() override;
    void MaxOfEach(std::vector<int64_t>& values) override;
    uint64_t Sum(uint64_t value) override;
    std::vector<std::string> Gather(const std::string& bytes) override;
    std::vector<std::string> GatherAll(const std::string& bytes) override;
    void Listen(Ptr<NetDevice> device, const Listener& listener) override;
    void Send(uint32_t rank, const NetDevice& device, int64_t timePs, std::string& bytes) override;
    std::size_t GetMaxMessageBytes() const override;
    bool AsksForMessages() const override;
    void Run(int64_t lookAheadPs, const std::function<void()>& flush) override;
    uint64_t GetNEvents() const override;
    uint64_t GetSharedBytes() const override;
    bool IsHelper() const override;
    void Finish() override;
    void Fail(const std::exception_ptr& why) override;
    bool IsOver() const override;
    void Abort(int status) override;
    const char* GetNoun() const override;
    FabricText GetRemedy() const override;

  private:
    /// Simulate up to a time. @return true if something has stopped the simulator before
    bool RunTo(int64_t limitPs);
    /// The window ends here.
    void EndWindow();

    uint32_t m_size;                    //!< ranks
    uint32_t m_rank{0};                 //!< this one
    bool m_isDivided{false};            //!< the others run
    bool m_isOver{false};               //!< they have ended
    SharedBoard m_board;                //!< between them
    CoreTeam m_team;                    //!< their processes
    std::vector<std::string> m_parcels; //!< messages that wait for the end of the window, by rank
    int64_t m_firstDuePs;               //!< when the first of them is to arrive
    Listener m_listener;                //!< takes what comes
    bool m_cameToEnd{false};            //!< of the window
    uint64_t m_nEvents{0};              //!< see GetNEvents()
};

} // namespace ns3

#endif /* CORE_COMMUNICATOR_H */
