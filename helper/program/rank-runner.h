// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_RUNNER_H
#define RANK_RUNNER_H

#include "collective-log.h"
#include "rank-collective.h"
#include "rank-job.h"
#include "rank-marks.h"
#include "rank-messages.h"

#include "ns3/event-id.h"
#include "ns3/flow-recorder.h"
#include "ns3/flow-source.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Runs the programs of a job: every message is a flow of a FlowRecorder.
 *
 * An operation takes no time at its rank, apart from COMPUTE and waiting. What happens at one time
 * is done after all packets of that time, in the order of ranks. Ranks of one host exchange
 * messages in its memory, which takes `LocalDelay`; they are no flows. A rank that has nothing more
 * to do waits for all that it has started.
 *
 * Usage: Install() before the run; FlowRecorder::Start() starts the ranks.
 */
class RankRunner : public Object, public FlowSource
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RankRunner();
    ~RankRunner() override;

    /**
     * @brief Make the flows of a recorder.
     * @param recorder it; must outlive the run
     * @param job what the ranks do
     * @param priority class of all messages, 0 to 7
     * @throws FabricError if the network has too few hosts
     */
    void Install(FlowRecorder& recorder, std::shared_ptr<const RankJob> job, uint8_t priority = 3);

    /**
     * @brief Let RECV post receives at the NICs, so that messages that come too early are refused
     * by their protocol. Without, they are kept in the memory of the host. After Install().
     * @throws FabricError if messages are not matched, or a program receives from any rank, which
     * no NIC can
     */
    void SetPostsReceives();

    /// @return what ranks have written down
    const RankMarks& GetMarks() const
    {
        return m_marks;
    }

    /// @return when ranks were in collectives
    const CollectiveLog& GetCollectives() const
    {
        return m_collectives;
    }

    /// @return what the ranks do
    const RankJob& GetJob() const
    {
        return *m_job;
    }

    /// @return messages that have arrived and were never received
    uint64_t GetNUnreceived() const
    {
        return m_messages ? m_messages->GetNUnreceived() : 0;
    }

    void Start() override;
    void OnArrived(uint32_t flow) override;
    void OnAcknowledged(uint32_t flow) override;
    bool IsFinished() const override;
    int64_t GetNextPs() const override;
    std::string GetWaitingTitle() const override;
    std::vector<std::string> DescribeWaiting() const override;

  protected:
    void DoDispose() override;

  private:
    /// Where a rank stands.
    enum class State : uint8_t
    {
        READY,     //!< to go on
        BLOCKED,   //!< in an operation, until m_blocking is 0
        WAITING,   //!< in a WAIT, or at the end
        COMPUTING, //!< until its timer
        ENDED,     //!< nothing more to do
    };

    /// A rank.
    struct Rank
    {
        State state{State::READY};      //!< where it stands
        uint32_t program{0};            //!< its program
        uint32_t pc{0};                 //!< next operation
        uint32_t at{0};                 //!< operation that it is in
        uint32_t step{0};               //!< of a collective
        uint32_t row{0};                //!< of that collective in the log
        uint32_t blocking{0};           //!< of that operation, what is not complete
        uint32_t pending{0};            //!< what was started and is not complete
        uint32_t buffered{0};           //!< sends that only the end waits for
        uint32_t operations{0};         //!< at one time
        int64_t nowPs{-1};              //!< that time
        int64_t sincePs{0};             //!< when it stopped
        std::vector<int64_t> rounds;    //!< complete rounds of loops, outermost first
        std::vector<int64_t> counts;    //!< rounds of these loops
        std::vector<std::size_t> marks; //!< rows that are open
        std::vector<std::pair<uint32_t, uint32_t>> named; //!< requests that are not complete
    };

    static_assert(sizeof(Rank) <= 192, "an idle rank has to be small");

    /// Something that happens by itself.
    struct Timer
    {
        int64_t atPs;    //!< when
        uint64_t order;  //!< of setting
        bool isMessage;  //!< it is an arrival within a host
        uint32_t number; //!< of the message or rank

        /// @return true if this one comes later @param o another
        bool operator<(const Timer& o) const
        {
            return atPs != o.atPs ? atPs > o.atPs : order > o.order;
        }
    };

    /// Have ranks run at this time, after everything else that happens now.
    void ScheduleRun();
    /// Run ranks until all of them wait for something.
    void RunReady();
    /// Serve the timers that are due.
    void ServeTimers(int64_t nowPs);
    /// Set a timer.
    void SetTimer(int64_t atPs, bool isMessage, uint32_t number);
    /// Have the next timer served.
    void Arm();
    /// Run a rank until it waits for something.
    void RunRank(uint32_t rank, int64_t nowPs);
    /// @return false if the rank has to stop @param operation the one at its pc
    bool Do(uint32_t rank, const RankOperation& operation, int64_t nowPs);
    /// Begin a transfer.
    void Transfer(uint32_t rank, const RankOperation& operation);
    /// @return true if all steps of a collective are done
    bool DoCollective(uint32_t rank, const RankOperation& operation, int64_t nowPs);
    /// @return what a rank sends in a step, in bytes
    uint64_t GetBytes(uint32_t rank, const RankOperation& operation, uint32_t peer) const;
    /// Begin a round of a loop, or go on behind it.
    void Repeat(Rank& r, const RankOperation& operation, int64_t count);
    /// Send something.
    void Begin(const RankMessage& message);
    /// Count an operation that is not complete. @return the number by which it is known
    uint32_t AddRequest(Rank& r, const RankOperation& operation);
    /// An operation is complete.
    void OnComplete(uint32_t rank, uint32_t request);
    /// @return true if what a WAIT names is complete
    static bool IsDone(const Rank& r, const RankOperation& wait);
    /// Stop a rank.
    static void Stop(Rank& r, State state, int64_t nowPs);
    /// @return value of an expression
    int64_t Evaluate(uint32_t rank, const RankExpression& expression, uint32_t peer = 0) const;
    /// @return the same, within bounds
    int64_t EvaluateWithin(uint32_t rank,
                           const RankExpression& expression,
                           const char* what,
                           int64_t least,
                           int64_t most,
                           uint32_t peer = 0) const;
    /// @return program of a rank
    const RankProgram& GetProgram(const Rank& r) const;

    Time m_localDelay;                           //!< attribute
    uint64_t m_eagerBytes;                       //!< attribute
    uint32_t m_requestBytes;                     //!< attribute
    FlowRecorder* m_recorder{nullptr};           //!< flows
    std::shared_ptr<const RankJob> m_job;        //!< what the ranks do
    std::unique_ptr<RankMessages> m_messages;    //!< their messages
    std::vector<Rank> m_ranks;                   //!< all
    std::vector<std::vector<uint32_t>> m_groups; //!< by program and name: index of the group
    std::vector<std::vector<uint32_t>> m_names;  //!< by program and name: index of the mark
    std::vector<uint32_t> m_ready;               //!< ranks that can go on
    std::priority_queue<Timer> m_timers;         //!< next first
    std::vector<RankExchange> m_exchanges;       //!< of a step
    uint64_t m_nTimers{0};                       //!< set so far
    uint32_t m_nRunning{0};                      //!< ranks that have not ended
    EventId m_run;                               //!< RunReady()
    EventId m_tick;                              //!< RunReady() at the next timer
    int64_t m_tickPs{0};                         //!< when
    CollectiveLog m_collectives;                 //!< of all
    RankMarks m_marks;                           //!< of all
};

} // namespace ns3

#endif /* RANK_RUNNER_H */
