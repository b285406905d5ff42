// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANK_MESSAGES_H
#define RANK_MESSAGES_H

#include "numbered-pool.h"

#include "ns3/flow-order.h"
#include "ns3/flow-recorder.h"
#include "ns3/late-receives.h"
#include "ns3/queue-pair-turns.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A message between ranks.
 */
struct RankMessage
{
    /// What it is for.
    enum class Kind : uint8_t
    {
        SEND,    //!< is received
        PUT,     //!< is written into memory
        REQUEST, //!< of a get
        REPLY,   //!< what the get asked for
    };

    static constexpr uint32_t LOCAL = UINT32_MAX; //!< both ranks are on one host: no flow

    Kind kind{Kind::SEND};      //!< what for
    bool arrived{false};        //!< its last byte is at the receiver
    bool acknowledged{false};   //!< and the sender knows
    bool bound{false};          //!< it has its receive; a request: its answer
    uint32_t src{0};            //!< rank
    uint32_t dst{0};            //!< rank
    uint32_t flow{LOCAL};       //!< index of its flow, the first one if it is cut
    uint64_t bytes{0};          //!< length, at least 1
    uint64_t tag{0};            //!< sends and receives match by it
    uint64_t arrival{0};        //!< number of its arrival among all
    FlowOrder order;            //!< among all, whichever process began them
    uint64_t receiveOrder{0};   //!< of posting of its receive, once it is bound
    uint32_t request{0};        //!< of the rank that sent it, or that asked for it
    uint16_t channel{0};        //!< of a collective, from 1; 0: none
    uint16_t channels{1};       //!< into which it is cut, or the answer of a REQUEST
    uint16_t toArrive{1};       //!< flows that have not arrived
    uint16_t toAcknowledge{1};  //!< flows that are not acknowledged
    uint32_t receiveRequest{0}; //!< of the rank that receives it, once it is bound
    uint64_t replyBytes{0};     //!< of a REQUEST: what is asked for
    uint64_t hostIndex{0};      //!< which of the sends of its pair of hosts
    uint32_t next{LOCAL};       //!< the one behind it from its rank with its tag
};

/**
 * @ingroup dcfabric
 * @brief The messages between ranks: flows between hosts, and which receive each of them goes to.
 *
 * Messages of one rank with one tag are received in the order in which they were sent, whichever
 * arrives first, as MPI has it. Where receives count as posted, a message finds its receive when it
 * has arrived, in the memory of the host; where they are posted at the NIC (SetPostsReceives()), as
 * soon as both are there: the NIC matches by ranks and tag.
 *
 * For a rank that receives with any tag (SetTakesAnyTag()), the messages of a sender come in the
 * order of sending whatever their tags are: one that arrives early is as if it had not, until those
 * before it have. Then it goes to the first posted receive that accepts it (MPI 4.1, 3.5).
 *
 * A message may be cut into parts, each a flow on a queue pair of a channel (QueuePair), so that it
 * leaves by several ports. For its ranks it is one: there when all parts are.
 */
class RankMessages
{
  public:
    static constexpr uint32_t ANY = UINT32_MAX; //!< a receive takes from every rank
    /// A receive takes messages with every tag, but not those of collectives, whose tags are above.
    static constexpr uint64_t ANY_TAG = uint64_t{1} << 62;

    /// Told that an operation of a rank is complete.
    using Callback = std::function<void(uint32_t rank, uint32_t request)>;

    /**
     * @param recorder of the flows
     * @param hosts host numbers by rank
     * @param priority class of all messages
     * @param requestBytes length of a request for a get
     */
    RankMessages(FlowRecorder& recorder,
                 std::vector<uint32_t> hosts,
                 uint8_t priority,
                 uint64_t requestBytes);

    /**
     * @brief Let receives be posted at the NICs, which have message matching.
     */
    void SetPostsReceives();

    /**
     * @brief Let messages of a rank to another follow one another. Before the first message.
     * @param queuePairs as many of them are under way at a time at most, each with a share of its
     * own: the n-th message takes the queue pair of number n modulo this; 0: any number
     */
    void SetQueuePairs(uint32_t queuePairs)
    {
        m_turns = QueuePairTurns(queuePairs);
    }

    /**
     * @brief Tell the flows of ranks apart. Before the first message.
     * @param groups FabricFlow::group of what a rank sends, by rank; empty: 0 for all
     */
    void SetFlowGroups(std::vector<uint16_t> groups)
    {
        m_flowGroups = std::move(groups);
    }

    /**
     * @brief Let what some ranks send have other classes. Before the first message.
     * @param priorities by rank; empty: all have the same
     */
    void SetPriorities(std::vector<uint8_t> priorities)
    {
        m_priorities = std::move(priorities);
    }

    /**
     * @brief Let receives take from any rank. Before the first message.
     */
    void SetReceivesFromAny()
    {
        m_receivesFromAny = true;
    }

    /**
     * @brief Let receives of a rank take messages with any tag. Before the first message, and not
     * where receives are posted at NICs.
     * @param rank the rank
     */
    void SetTakesAnyTag(uint32_t rank);

    /**
     * @brief Be told of complete operations.
     * @param callback the listener
     */
    void SetCallback(Callback callback)
    {
        m_onComplete = std::move(callback);
    }

    /**
     * @brief Send a message, a put or a request now.
     * @param message kind, src, dst, bytes, tag, request, replyBytes, channels, order; of a message
     * that is cut, the numbers behind that of its order are taken, as many as channels
     * @return number of the message, if it stays at its host and ArriveLocally() is to follow;
     * LOCAL if it does not
     */
    uint32_t Begin(RankMessage message);

    /**
     * @brief Another process has begun a message to a rank of this one.
     * @param flow index of its flow here
     * @param note what the other gave with the flow
     * @throws FabricError if that it is known late may matter (LateReceives)
     */
    void OnBegunElsewhere(uint32_t flow, const std::string& note);

    /**
     * @brief A message between ranks of a host has arrived.
     * @param number what Begin() gave
     */
    void ArriveLocally(uint32_t number);

    /**
     * @brief Post a receive.
     * @param rank that receives
     * @param src rank that sends, or ANY
     * @param tag of the message, or ANY_TAG after SetTakesAnyTag()
     * @param request told when it is complete
     */
    void Receive(uint32_t rank, uint32_t src, uint64_t tag, uint32_t request);

    /**
     * @brief A flow has arrived.
     * @param flow its index
     */
    void OnArrived(uint32_t flow);

    /**
     * @brief A flow is acknowledged.
     * @param flow its index
     */
    void OnAcknowledged(uint32_t flow);

    /// @return true if hosts have to answer requests
    bool HasReplies() const
    {
        return !m_toAnswer.empty();
    }

    /**
     * @brief Answer the requests that have arrived.
     * @param order of the answers, apart from what it has of requests
     * @param local numbers of answers that stay at their host are appended
     */
    void Answer(const FlowOrder& order, std::vector<uint32_t>& local);

    /**
     * @param rank a rank
     * @return true if this process simulates its host
     */
    bool IsHere(uint32_t rank) const
    {
        return m_recorder.GetFabric()->IsHere(m_hosts[rank]);
    }

    /// What a rank waits for.
    struct Open
    {
        uint32_t peer;    //!< the other rank, or ANY
        uint64_t tag;     //!< of a message, or ANY_TAG
        bool receive;     //!< it is a receive that no message has come for
        uint32_t request; //!< of the rank
    };

    /// @return what is not complete, by rank: receives in the order of posting, then messages in
    /// that of sending
    std::vector<std::vector<Open>> ListOpen() const;

    /// @return messages that have arrived and were never received
    uint64_t GetNUnreceived() const;

    /// @return host numbers by rank
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_hosts;
    }

  private:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no message, no receive

    /// A receive without message.
    struct Posted
    {
        uint32_t src{0};     //!< rank, or ANY
        uint32_t request{0}; //!< of the rank
        uint32_t rank{0};    //!< that receives
        uint32_t next{NONE}; //!< the one behind it for its source and tag
        uint64_t tag{0};     //!< tag, or ANY_TAG
        uint64_t order{0};   //!< of posting
    };

    /// Which messages a receive can take, and the other way round.
    struct LineKey
    {
        uint32_t rank; //!< that receives
        uint32_t src;  //!< that sends; ANY: of receives from any rank
        uint64_t tag;  //!< tag; ANY_TAG: of receives with any, and messages that come in order

        /**
         * @param o another
         * @return true if they are the same
         */
        bool operator==(const LineKey& o) const
        {
            return rank == o.rank && src == o.src && tag == o.tag;
        }
    };

    /// Spreads keys.
    struct LineHash
    {
        /**
         * @param key it
         * @return hash
         */
        std::size_t operator()(const LineKey& key) const
        {
            constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // of the golden ratio
            const uint64_t ranks = (uint64_t{key.rank} << 32) | key.src;
            uint64_t mixed = (ranks ^ (key.tag * ODD)) * ODD;
            mixed ^= mixed >> 32;
            return static_cast<std::size_t>(mixed * ODD);
        }
    };

    /// What is on its way and not received, in the order of sending, and receives in that of
    /// posting. Where both are there, the first message has not arrived.
    struct Line
    {
        uint32_t firstMessage{NONE}; //!< number
        uint32_t lastMessage{NONE};  //!< number
        uint32_t firstPosted{NONE};  //!< number
        uint32_t lastPosted{NONE};   //!< number
    };

    using Lines = std::unordered_map<LineKey, Line, LineHash>; //!< those that have something

    /**
     * @param message it
     * @return into how many parts it is cut
     */
    static uint16_t CountParts(const RankMessage& message);
    /// Begin the flows of a message to another host. @param message it; its first flow is set
    /// @param others of further parts
    void BeginFlows(RankMessage& message, std::vector<uint32_t>& others);
    /**
     * @param message it
     * @return number of a message that has begun
     */
    uint32_t Keep(const RankMessage& message);
    /// A flow is one of a message. @param flow its index @param number of the message
    void Know(uint32_t flow, uint32_t number);
    /// Post a receive at the NIC for each part of a message.
    void PostAtNic(const RankMessage& message);
    /// Forget a message of which nothing is to come.
    void ReleaseIfDone(uint32_t number);
    /// Messages may have found, or be found by, their receives.
    void Match(uint32_t rank, uint32_t src, uint64_t tag);

    /**
     * @param rank that receives
     * @param tag of a message or receive
     * @return true if the messages of a sender come in order, whatever their tags are
     */
    bool ComesInOrder(uint32_t rank, uint64_t tag) const
    {
        return !m_inOrder.empty() && tag <= ANY_TAG && m_inOrder[rank];
    }

    /// Messages of a sender that come in order, and have arrived, find their receives.
    void ComeInOrder(uint32_t rank, uint32_t src);
    /// The last receive of a line takes the first message that has come and that it accepts.
    void TakeWaiting(uint32_t rank, uint32_t src, uint64_t tag);
    /// Enter a message that has come among those that wait for receives, or remove it.
    void SetWaiting(uint32_t number, bool waits);
    /// The first receive of a line takes a message.
    void Give(uint32_t number, Lines::iterator to);
    /// The first receive of a line takes the first message of another, or of its own.
    void Bind(Lines::iterator from, Lines::iterator to);
    /// The earliest message from whichever rank goes to the last receive.
    void MatchAny(uint32_t rank, uint64_t tag);
    /// Forget a line that has nothing.
    void Tidy(Lines::iterator line);
    /// Arrival of any kind of message.
    void Arrive(uint32_t number);

    FlowRecorder& m_recorder;             //!< flows
    std::vector<uint32_t> m_hosts;        //!< by rank
    std::vector<uint16_t> m_flowGroups;   //!< see SetFlowGroups()
    uint8_t m_priority;                   //!< class
    std::vector<uint8_t> m_priorities;    //!< see SetPriorities()
    uint64_t m_requestBytes;              //!< of requests
    bool m_postsReceives{false};          //!< at NICs
    LateReceives m_late;                  //!< looks after these
    Callback m_onComplete;                //!< listener
    NumberedPool<RankMessage> m_messages; //!< by number
    std::vector<uint32_t> m_ofFlow;       //!< numbers of messages by flow
    NumberedPool<Posted> m_posted;        //!< by number
    Lines m_lines;                        //!< of all ranks
    bool m_receivesFromAny{false};        //!< some do
    /// Lines whose first message has arrived, by rank and tag, then by arrival; only if some
    /// receive from any rank.
    std::map<std::pair<uint32_t, uint64_t>, std::map<uint64_t, uint32_t>> m_early;
    std::vector<bool> m_inOrder; //!< by rank: it receives with any tag; empty if none does
    /// For these, messages that have come and wait for a receive, by what a receive may ask for,
    /// then in the order in which they came.
    std::unordered_map<LineKey, std::map<uint64_t, uint32_t>, LineHash> m_waiting;
    std::vector<uint32_t> m_toAnswer;                //!< requests that have arrived
    std::unordered_map<uint64_t, uint64_t> m_sends;  //!< by pair of hosts
    QueuePairTurns m_turns;                          //!< of messages
    std::unordered_map<uint32_t, uint64_t> m_memory; //!< address for writes, by host
    std::map<FlowOrder, uint32_t> m_cut; //!< messages of other processes that have not arrived
    uint64_t m_nArrived{0};              //!< messages
    uint64_t m_nPosted{0};               //!< receives
    uint64_t m_nextHandle{1};            //!< of receives at NICs
};

} // namespace ns3

#endif /* RANK_MESSAGES_H */
