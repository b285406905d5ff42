// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_RUNNER_H
#define RANK_RUNNER_H

#include "collective-log.h"
#include "collective-order.h"
#include "numbered-pool.h"
#include "rank-job.h"
#include "rank-lanes.h"
#include "rank-marks.h"
#include "rank-messages.h"
#include "rank-reductions.h"
#include "rank-requests.h"
#include "rank-roofline.h"
#include "run-log.h"

#include "ns3/collective-plan.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/fabric-error.h"
#include "ns3/flow-recorder.h"
#include "ns3/flow-source.h"
#include "ns3/lazy-trace.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rank-collective.h"

#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A computation that begins now (trace source `Compute` of RankRunner).
 */
struct RankComputation
{
    uint32_t rank;             //!< whose
    const std::string& stream; //!< that it holds; empty: none
    int64_t ps;                //!< how long it takes, above 0
    uint32_t line;             //!< of the file, or number of the operation, from 1
};

/**
 * @ingroup dcfabric
 * @brief Runs the programs of a job: every message is a flow of a FlowRecorder.
 *
 * An operation takes no time at its rank, apart from COMPUTE and waiting. What happens at one time
 * is done after all packets of that time, in the order of ranks: whichever processes simulate
 * their hosts, they do the same. Ranks of one host exchange
 * messages in its memory, which takes `LocalDelay`; they are no flows. A rank that has nothing more
 * to do waits for all that it has started.
 *
 * What is started and waits for something else begins by itself, whatever its rank does then: of
 * all that could begin at one time, what comes first in the program begins first. Its values are
 * those of the moment when the program came to it.
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
     * @param priority class of all messages, 0 to 7, but of those of jobs that have their own
     * @throws FabricError if the network has too few hosts, and if a computation is counted and
     * there is no SetRoofline()
     */
    void Install(FlowRecorder& recorder, std::shared_ptr<const RankJob> job, uint8_t priority = 3);

    /**
     * @brief Say how long computations take that are counted (RankWork). Before Install().
     * @param roofline of each rank
     */
    void SetRoofline(const RankRoofline& roofline)
    {
        m_roofline = roofline;
    }

    /**
     * @brief Let RECV post receives at the NICs, so that messages that come too early are refused
     * by their protocol. Without, they are kept in the memory of the host. After Install().
     * @throws FabricError if messages are not matched, or a program receives from any rank or with
     * any tag, which no NIC can
     */
    void SetPostsReceives();

    /**
     * @brief Signature of sinks of `Compute`.
     * @param computation that begins
     */
    typedef void (*ComputeTracedCallback)(const RankComputation& computation);

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

    /**
     * @param part index of a job in RankJob::GetParts()
     * @return when its last rank ended, in ps; negative: some have not
     */
    int64_t GetEndPs(uint32_t part) const
    {
        return m_partRunning[part] == 0 ? m_partEndPs[part] : -1;
    }

    /// @return what switches do; null: nothing
    const RankReductions* GetReductions() const
    {
        return m_reductions.get();
    }

    /// @return messages that have arrived and were never received
    uint64_t GetNUnreceived() const
    {
        return m_nUnreceivedElsewhere + (m_messages ? m_messages->GetNUnreceived() : 0);
    }

    /**
     * @brief Put down what this process (rank) of the simulation knows of its own hosts, for one
     * that joins it with others.
     * @return it, for Join()
     */
    std::string Pack() const;

    /**
     * @brief Learn what another process knows of its hosts.
     * @param bytes what Pack() gave there
     * @throws FabricError if that is something else
     */
    void Join(const std::string& bytes);

    /**
     * @param endPs when the simulation ended, in ps
     * @return simulator events that one process would have spent on all that this one knows of; 0
     * if there is one only, which need not ask
     */
    uint64_t CountEvents(int64_t endPs) const
    {
        return m_log.CountEvents(endPs);
    }

    void Start() override;
    void OnArrived(uint32_t flow) override;
    void OnAcknowledged(uint32_t flow) override;
    void OnBegunElsewhere(uint32_t flow, const std::string& note) override;
    bool IsFinished() const override;
    bool IsBusy() const override;
    int64_t GetNextPs() const override;
    int64_t GetLastPs() const override;
    int64_t GetLeastEndPs() const override;
    std::string GetWaitingTitle() const override;
    std::vector<std::string> DescribeWaiting() const override;

  protected:
    void DoDispose() override;

  private:
    /// Requests of a rank beside the sets of those that have names.
    enum : uint32_t
    {
        BLOCKING_REQUEST = UINT32_MAX,     //!< of the operation that it is in
        UNNAMED_REQUEST = UINT32_MAX - 1,  //!< started, without name
        BUFFERED_REQUEST = UINT32_MAX - 2, //!< sends that only the end of the program waits for
        COLLECTIVE_REQUEST = uint32_t{1} << 31, //!< and number of the lane
    };

    static constexpr uint64_t COLLECTIVE_TAG = uint64_t{1} << 63; //!< of collectives, beyond others
    /// Tags of collectives end with the lane and the iteration, of which so many are told apart.
    static constexpr uint32_t LANE_ITERATIONS = uint32_t{1} << 20;

    /// Where a rank stands.
    enum class State : uint8_t
    {
        READY,     //!< to go on
        BLOCKED,   //!< in an operation, until m_blocking is 0
        WAITING,   //!< in a WAIT, or at the end
        COMPUTING, //!< until its timer
        ENDED,     //!< nothing more to do
    };

    /// Phases of a round, see FlowOrder.
    enum class Phase : uint8_t
    {
        TIMERS,  //!< what happens by itself
        ANSWERS, //!< of hosts
        RANKS,   //!< those that can go on
    };

    /// A rank.
    struct Rank
    {
        State state{State::READY};      //!< where it stands
        uint32_t program{0};            //!< its program
        uint32_t pc{0};                 //!< next operation
        uint32_t at{0};                 //!< operation that it is in
        uint32_t blocking{0};           //!< of that operation, what is not complete
        uint32_t pending{0};            //!< what was started and is not complete
        uint32_t buffered{0};           //!< sends that only the end waits for
        uint32_t operations{0};         //!< at one time
        int64_t nowPs{-1};              //!< that time
        int64_t sincePs{0};             //!< when it stopped
        std::vector<int64_t> rounds;    //!< complete rounds of loops, outermost first
        std::vector<int64_t> counts;    //!< rounds of these loops
        std::vector<std::size_t> marks; //!< rows that are open
        std::vector<uint32_t> released; //!< tasks and lanes of collectives that can go on
        int64_t sumsUntilPs{0};         //!< its memory is busy with sums of collectives
    };

    static_assert(sizeof(Rank) <= 192, "an idle rank has to be small");

    /// What was started and has not begun, or computes.
    struct Task
    {
        const RankOperation* operation{nullptr}; //!< what
        uint32_t rank{0};                        //!< whose
        uint32_t request{0};                     //!< told when it is complete
        uint32_t begun{0};                       //!< told when it has begun
        uint32_t unmet{0};                       //!< sets of requests that it waits for
        uint32_t peer{0};                        //!< the other rank; number of the collective
        uint32_t next{0};                        //!< behind it in its stream
        uint64_t order{0};                       //!< among all that programs came to
        uint64_t tag{0};                         //!< of a message
        uint64_t value{0};                       //!< bytes, ps
    };

    /// Operations that follow one another.
    struct Stream
    {
        bool busy{false};  //!< a task computes
        uint32_t first{0}; //!< task that comes next; NONE: none
        uint32_t last{0};  //!< task that comes last
    };

    /// A collective that a program has come to.
    struct Collective
    {
        const RankOperation* operation{nullptr}; //!< what
        uint32_t rank{0};                        //!< whose
        uint32_t request{0};                     //!< told when it is complete
        uint32_t group{0};                       //!< index of the group
        uint32_t iteration{0};                   //!< how many of its kind the rank had before
        uint32_t lanes{0};                       //!< how many it has
        uint32_t row{0};                         //!< in the log
        uint32_t open{0};                        //!< lanes that are not complete
        uint64_t order{0};                       //!< among all that programs came to
        std::vector<int64_t> rounds;             //!< of the loops around it
        RankReductions::Place place;             //!< where switches do it
        bool begun{false};                       //!< that
    };

    /// Something that happens by itself.
    struct Timer
    {
        /// What happens.
        enum class Kind : uint8_t
        {
            RANK,    //!< has computed
            MESSAGE, //!< arrives within its host
            TASK,    //!< has computed
            LANE,    //!< of a collective has done what a step takes
        };

        int64_t atPs;    //!< when
        uint64_t order;  //!< of setting
        Kind kind;       //!< what
        uint32_t number; //!< of the message, rank, task or lane
        uint32_t turn;   //!< of a task, after all others: its rank and one; else 0

        /**
         * @param o another
         * @return true if this one comes later
         */
        bool operator<(const Timer& o) const
        {
            return std::tie(atPs, turn, order) > std::tie(o.atPs, o.turn, o.order);
        }
    };

    /// Have ranks run at this time, after everything else that happens now.
    void ScheduleRun();
    /// Run ranks until all of them wait for something.
    void RunReady();
    /// Serve the timers that are due.
    void ServeTimers(int64_t nowPs);
    /// Set a timer. @param turn see Timer
    void SetTimer(int64_t atPs, Timer::Kind kind, uint32_t number, uint32_t turn = 0);
    /// @return place of what a rank does now among all that ranks do
    FlowOrder GetOrder(uint32_t rank);
    /// Have the next timer served.
    void Arm();
    /// Run a rank until it waits for something.
    void RunRank(uint32_t rank, int64_t nowPs);
    /// Do an operation. @param operation the one at the rank's pc
    void Do(uint32_t rank, const RankOperation& operation, int64_t nowPs);
    /// Come to an operation other than those that control the program.
    void Start(uint32_t rank, const RankOperation& operation);
    /**
     * @param rank whose
     * @param operation a computation
     * @param mostPs no longer than that
     * @return how long it takes, in ps
     */
    int64_t EvaluateTimePs(uint32_t rank, const RankOperation& operation, int64_t mostPs) const;
    /// Refuse computations that have no time. @param program what ranks do
    void CheckCounted(const RankProgram& program) const;
    /// Work out what a message is.
    void EvaluateMessage(Task& task) const;
    /// Begin a task that has all it waits for, or queue it in its stream. @param task it
    /// @param number of it, NONE if it has none
    void Launch(const Task& task, uint32_t number);
    /**
     * @brief Begin a task now.
     * @param task it
     * @param number of it, NONE if it has none
     * @return true if it computes for some time
     */
    bool Go(const Task& task, uint32_t number);
    /// Begin what can begin, in the order of the program.
    void StartReleased(uint32_t rank);
    /// Begin one of these.
    void LaunchOrAdvance(uint32_t number);
    /// Begin to send or to receive.
    void LaunchMessage(const Task& task);
    /// A computation begins. @param ps how long it takes
    void NoteCompute(uint32_t rank, const RankOperation& operation, int64_t ps) const;
    /// A computation is complete.
    void EndCompute(uint32_t number);
    /// @return number of a collective that a program has come to
    uint32_t AddCollective(const Task& task);
    /// Refuse a collective that the others of the group do not do.
    void CheckCollective(const Collective& one);
    /// @return true if switches do a collective
    bool IsInNetwork(const Collective& one) const;
    /// Begin a collective that switches do. @param number of it
    void BeginInNetwork(uint32_t number);
    /// Switches have done a collective. @param number of it
    void OnReduced(uint32_t number);
    /// @return true if anything may still happen by which a rank goes on
    bool CanMove() const;
    /// Begin all lanes of a collective.
    void BeginCollective(uint32_t number);
    /// Take steps of a lane until it has to wait or is complete. @param number of the lane
    void Advance(uint32_t number);
    /**
     * @brief All messages of a step are there: see how long the rank is busy with them.
     * @param number of the lane
     * @return true if it goes on later, by a timer
     */
    bool TakesTime(uint32_t number);
    /// Take a step of a lane.
    void TakeStep(uint32_t number);
    /// Begin what a step exchanges, as far as the window goes.
    void TakeExchanges(uint32_t number, const std::vector<RankExchange>& exchanges, uint32_t root);
    /// @return place of the root of a collective
    uint32_t GetRoot(const Collective& one) const;
    /// @return how a collective is done
    const CollectivePlan& GetPlan(const Collective& one) const;
    /// @return value of an expression of a collective, within bounds
    int64_t EvaluateFor(const Collective& one,
                        const RankExpression& expression,
                        const char* what,
                        int64_t most,
                        uint32_t peer) const;
    /**
     * @param peer to this rank
     * @return what a rank sends in a collective, in bytes
     */
    uint64_t GetBytes(const Collective& one, uint32_t peer) const;
    /// Send something.
    void Begin(RankMessage message);
    /// Count an operation that is not complete. @return the number by which it is known
    uint32_t AddRequest(uint32_t rank, const RankOperation& operation);
    /**
     * @param rank whose
     * @param name index of the name
     * @return set of requests
     */
    uint32_t OpenRequest(uint32_t rank, uint32_t name);
    /// Something under a name is complete, or has begun.
    void CloseRequest(uint32_t rank, uint32_t set);
    /// A task or a step of a collective can begin.
    void Release(uint32_t rank, uint32_t number);
    /// An operation is complete.
    void OnComplete(uint32_t rank, uint32_t request);
    /// The rank may go on.
    void Wake(uint32_t rank);
    /**
     * @brief Ranks have gone round UNTILs very often while nothing arrived: see whether anything
     * else is to come.
     * @throws FabricError if nothing is: they would go round for ever
     */
    void CheckEnds();
    /// @return true if a rank is in the block of an UNTIL
    bool IsInUntil(const Rank& r) const;
    /// @return true if what a WAIT names is complete
    bool IsDone(uint32_t rank, const RankOperation& wait) const;
    /// Stop a rank.
    static void Stop(Rank& r, State state, int64_t nowPs);
    /// @return value of an expression
    int64_t Evaluate(uint32_t rank, const RankExpression& expression) const;
    /// @return the same, within bounds
    int64_t EvaluateWithin(uint32_t rank,
                           const RankExpression& expression,
                           const char* what,
                           int64_t least,
                           int64_t most) const;
    /// Refuse an operation of a rank. @param error why
    [[noreturn]] void Refuse(uint32_t rank,
                             const RankOperation& operation,
                             const FabricError& error) const;
    /// Refuse a value that is not within bounds.
    static void CheckWithin(int64_t value, const char* what, int64_t least, int64_t most);
    /**
     * @param open of this rank
     * @param tasks those that have not begun, by rank
     * @return what a rank that has stopped waits for
     */
    std::string DescribeWait(uint32_t rank,
                             const std::vector<RankMessages::Open>& open,
                             const std::vector<uint32_t>& tasks) const;
    /**
     * @param rank it
     * @param names of requests that matter, if it is in a WAIT for these
     * @return what it waits for that switches do
     */
    std::string DescribeInNetwork(uint32_t rank, const std::set<uint32_t>& names) const;
    /// @return what ranks of this process wait for, by rank
    std::map<uint32_t, std::string> DescribeOwn() const;
    /// @return program of a rank
    const RankProgram& GetProgram(const Rank& r) const;

    /**
     * @param rank one that has a program
     * @return the job that it belongs to
     */
    const RankJob::Part& GetPart(uint32_t rank) const
    {
        return *m_programParts[m_ranks[rank].program];
    }

    Time m_localDelay;       //!< time that a message between ranks of one host takes
    uint64_t m_eagerBytes;   //!< longest SEND that is complete once it has begun: it is copied
    uint32_t m_requestBytes; //!< bytes of the message that asks for the data of a GET
    uint32_t m_queuePairs;   //!< messages of one rank to another that go at the same time
    uint16_t m_channels;     //!< into which messages are cut that do not say it
    uint64_t m_roundsAlone;  //!< rounds of UNTIL without arrivals, after which the end is checked
    FlowRecorder* m_recorder{nullptr};                //!< flows
    std::shared_ptr<const RankJob> m_job;             //!< what the ranks do
    std::unique_ptr<RankMessages> m_messages;         //!< their messages
    std::vector<Rank> m_ranks;                        //!< all
    std::vector<const RankJob::Part*> m_programParts; //!< by program: the job it belongs to
    std::vector<uint32_t> m_partRunning;              //!< by job: ranks that have not ended
    std::vector<int64_t> m_partEndPs;                 //!< by job: when the latest one so far ended
    std::vector<std::vector<uint32_t>> m_groups;      //!< by program and name: index of the group
    std::vector<std::vector<uint32_t>> m_names;       //!< by program and name: index of the mark
    RankRequests m_requests{0};                       //!< what was started under names
    NumberedPool<Task> m_tasks;                       //!< of all ranks
    NumberedPool<Collective> m_running;               //!< collectives of all ranks
    std::unordered_map<uint64_t, Stream> m_streams;   //!< by rank and index
    std::vector<uint32_t> m_met;                     //!< tasks that have one thing less to wait for
    std::vector<uint32_t> m_releasing;               //!< what begins
    std::vector<uint32_t> m_ready;                   //!< ranks that can go on
    uint32_t m_current{RankGroup::NONE};             //!< rank that goes on now
    uint64_t m_rounds{0};                            //!< of UNTILs since anything arrived
    uint64_t m_nStarted{0};                          //!< operations that programs came to
    std::priority_queue<Timer> m_timers;             //!< next first
    std::unique_ptr<RankLanes> m_lanes;              //!< of collectives
    std::unique_ptr<RankReductions> m_reductions;    //!< those that switches do; null: none
    Time m_messageOverhead;                          //!< for each message that a lane receives
    DataRate m_reduceRate;                           //!< of sums; 0: they take no time
    RankRoofline m_roofline;                         //!< of computations that are counted
    std::unique_ptr<CollectiveOrder> m_order;        //!< of collectives of groups
    uint64_t m_nTimers{0};                           //!< set so far
    uint32_t m_nRunning{0};                          //!< ranks that have not ended
    EventId m_run;                                   //!< RunReady()
    EventId m_tick;                                  //!< RunReady() at the next timer
    int64_t m_tickPs{0};                             //!< when
    int64_t m_lastTimerPs{0};                        //!< the latest one so far
    int64_t m_roundPs{-1};                           //!< time of m_round
    uint32_t m_round{0};                             //!< at one time, from 1
    Phase m_phase{Phase::TIMERS};                    //!< of the round
    uint64_t m_nPlaces{0};                           //!< that GetOrder() has given
    RunLog m_log;                                    //!< when ranks ran, if there are processes
    uint64_t m_nUnreceivedElsewhere{0};              //!< known by Join()
    std::map<uint32_t, std::string> m_waitElsewhere; //!< likewise, by rank
    CollectiveLog m_collectives;                     //!< of all
    RankMarks m_marks;                               //!< of all
    LazyTrace<const RankComputation&> m_computeTrace; //!< computations that begin
};

} // namespace ns3

#endif /* RANK_RUNNER_H */
