// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLIENT_FLOW_SOURCE_H
#define CLIENT_FLOW_SOURCE_H

#include "ns3/event-id.h"
#include "ns3/flow-recorder.h"
#include "ns3/flow-source.h"
#include "ns3/queue-pair-turns.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ranks whose decisions come from outside of the simulation, such as from another simulator:
 * every message that its client sends is a flow of a FlowRecorder.
 *
 * The client is called by functions that it gives along, and may send, receive and schedule in
 * them. What happens at one time is told to it after all packets of that time, in rounds: what a
 * round leads to at the same time comes in the next one. In a round, receives that are complete
 * come before sends that are acknowledged, and these before what was scheduled; receives and sends
 * go by rank, then by the order of the calls. No function of the client is called within a call of
 * the client.
 *
 * Sends and receives match by ranks and tag, and by bytes: several sends may fill one receive, and
 * one send several receives. Receives of the same ranks and tag are filled in their order. A
 * message of 0 bytes counts as one of 1 byte, at both ends.
 *
 * Ranks of one host exchange messages in its memory, which takes a constant time; they are no
 * flows.
 *
 * Usage: make one before the run, at a recorder that lives as long; FlowRecorder::Start() lets it
 * act.
 */
class ClientFlowSource : public FlowSource
{
  public:
    /// What the client wants to be called; empty: nothing.
    using Handler = std::function<void()>;

    /// Where ranks are, and how they send.
    struct Settings
    {
        std::vector<uint32_t> hosts; //!< host numbers by rank
        uint8_t priority{3};         //!< class of all messages, 0 to 7
        uint16_t group{0};           //!< label of all flows, see FabricFlow::group
        int64_t localDelayPs{0};     //!< what a message between ranks of one host takes, ps
        /// Messages of one rank to another that are sent at the same time: of so many queue pairs
        /// each sends one after the other; 0: each message has a queue pair of its own.
        uint32_t queuePairs{1};
    };

    static constexpr uint64_t MAX_BYTES = uint64_t{1} << 60; //!< longest message

    /**
     * @param recorder of the flows; must outlive this object
     * @param settings where ranks are
     */
    ClientFlowSource(FlowRecorder& recorder, Settings settings);
    ~ClientFlowSource() override;
    ClientFlowSource(const ClientFlowSource&) = delete;
    ClientFlowSource& operator=(const ClientFlowSource&) = delete;

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_settings.hosts.size());
    }

    /// @return host numbers by rank
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_settings.hosts;
    }

    /**
     * @brief Be called after some time.
     * @param deltaPs from now, in ps; 0: at this time, after the present call has returned
     * @param handler to be called
     * @throws FabricError for a time beyond the end of all times, 106 days
     */
    void Schedule(uint64_t deltaPs, Handler handler);

    /**
     * @brief Send a message now.
     * @param src rank that sends
     * @param dst rank that receives, maybe the same
     * @param bytes length, up to MAX_BYTES
     * @param tag by which it is received
     * @param onSent called when the sender has the last ACK
     * @throws FabricError if there is no such rank, for a length beyond, and if the hosts cannot
     * reach one another
     */
    void Send(uint32_t src, uint32_t dst, uint64_t bytes, uint64_t tag, Handler onSent);

    /**
     * @brief Receive from now on.
     * @param dst rank that receives
     * @param src rank that sends
     * @param bytes to be received, up to MAX_BYTES
     * @param tag of the message
     * @param onReceived called when the last byte is there, perhaps at this time
     * @throws FabricError if there is no such rank, and for a length beyond
     */
    void Receive(uint32_t dst, uint32_t src, uint64_t bytes, uint64_t tag, Handler onReceived);

    /**
     * @brief A rank has nothing more to do. When all have said so the run ends, once all flows are
     * complete and what the client sends is at both ends, which are told; where none says so, when
     * nothing is left to wait for.
     * @param rank which; once is enough
     * @throws FabricError if there is no such rank
     */
    void Finish(uint32_t rank);

    /// @return bytes that have arrived and were never received
    uint64_t GetNUnreceivedBytes() const;

    // from FlowSource
    void Start() override;
    void OnArrived(uint32_t flow) override;
    void OnAcknowledged(uint32_t flow) override;
    /// @copydoc FlowSource::OnBegunElsewhere Does not happen: a client is in one process.
    void OnBegunElsewhere(uint32_t flow, const std::string& note) override;
    bool IsFinished() const override;
    int64_t GetNextPs() const override;
    int64_t GetLastPs() const override;
    int64_t GetLeastEndPs() const override;
    std::string GetWaitingTitle() const override;
    std::vector<std::string> DescribeWaiting() const override;

  private:
    /// What sends and receives match by.
    struct Key
    {
        uint32_t dst; //!< rank that receives
        uint32_t src; //!< rank that sends
        uint64_t tag; //!< of both

        /// @return all of it, to compare
        auto Tie() const
        {
            return std::tie(dst, src, tag);
        }

        /**
         * @param o another
         * @return true if they are the same
         */
        bool operator==(const Key& o) const
        {
            return Tie() == o.Tie();
        }
    };

    /// Spreads keys.
    struct KeyHash
    {
        /**
         * @param key it
         * @return hash
         */
        std::size_t operator()(const Key& key) const
        {
            constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // of the golden ratio
            const uint64_t ranks = (uint64_t{key.dst} << 32) | key.src;
            uint64_t mixed = (ranks ^ (key.tag * ODD)) * ODD;
            mixed ^= mixed >> 32;
            return static_cast<std::size_t>(mixed * ODD);
        }
    };

    /// A receive that is not complete.
    struct Receipt
    {
        uint64_t bytes;  //!< to be received
        uint64_t number; //!< of the call
        Handler handler; //!< called then
    };

    /// What is there for a key. It does not suffice for the first receive.
    struct Line
    {
        uint64_t bytes{0};           //!< that have arrived and are of no complete receive
        std::deque<Receipt> waiting; //!< in order
    };

    /// A message that was sent.
    struct Message
    {
        Key key;                  //!< what it is received by
        uint64_t bytes{0};        //!< length
        uint64_t number{0};       //!< of the call
        Handler handler;          //!< called when it is acknowledged
        bool arrived{false};      //!< at the receiver
        bool acknowledged{false}; //!< at the sender
        bool answered{true}; //!< its sender is told of its arrival; see FlowTable::IsAnswered()

        /// @return true if more is bound to come of it
        bool IsOpen() const
        {
            return !acknowledged || (answered && !arrived);
        }
    };

    /// A call of the client that is due.
    struct Due
    {
        uint32_t rank;   //!< whose; 0 if of none
        uint64_t number; //!< of the call that asked for it
        Handler handler; //!< to be called

        /**
         * @param o another
         * @return true if this one comes first
         */
        bool operator<(const Due& o) const
        {
            return std::tie(rank, number) < std::tie(o.rank, o.number);
        }
    };

    /// Something that happens by itself.
    struct Timer
    {
        int64_t atPs;    //!< when
        uint64_t number; //!< of the call
        bool isMessage;  //!< a message within a host arrives; its number is key of m_local
        Handler handler; //!< called, if it is no message

        /**
         * @param o another
         * @return true if this one comes later
         */
        bool operator<(const Timer& o) const
        {
            return std::tie(atPs, number) > std::tie(o.atPs, o.number);
        }
    };

    /// Act at this time, after everything else that happens now.
    void ScheduleAct();
    /// Call the client until nothing is due at this time.
    void Act();
    /// Move timers that are due to what is due.
    void TakeTimers(int64_t nowPs);
    /// Call what is due of one kind, in order.
    static void CallAll(std::vector<Due> due);
    /// Have the next timer served.
    void Arm();
    /// @return true if anything is due at this time
    bool IsDue(int64_t nowPs) const;
    /// @return true if a message is under way, or the client has to be told of one
    bool IsSending() const;
    /// @return true if nothing is left that leads to a call of the client
    bool IsIdle() const;
    /// One end of a flow is complete. @param end Message::arrived or Message::acknowledged
    void Close(uint32_t flow, bool Message::*end);
    /// Begin a flow now. @param message what to send
    void BeginFlow(Message message);
    /// Bytes have arrived.
    void Arrive(const Key& key, uint64_t bytes);
    /// Complete receives as far as there are bytes.
    void Fill(const Key& key);
    /// Refuse a rank that does not exist.
    void CheckRank(uint32_t rank) const;
    /// Refuse a length beyond. @return the length that counts
    static uint64_t CheckBytes(uint64_t bytes);

    FlowRecorder& m_recorder;                       //!< flows
    Settings m_settings;                            //!< where ranks are
    std::unordered_map<Key, Line, KeyHash> m_lines; //!< those that have something
    std::unordered_map<uint32_t, Message> m_flows;  //!< by flow, those that are under way
    std::unordered_map<uint64_t, Message> m_local;  //!< by number, those within hosts
    std::priority_queue<Timer> m_timers;            //!< next first
    std::vector<Message> m_unbegun;                 //!< sent before the run
    std::vector<Due> m_received;                    //!< receives that are complete
    std::vector<Due> m_sent;                        //!< sends that are acknowledged
    std::vector<Due> m_called;                      //!< what was scheduled, by number
    QueuePairTurns m_turns;                         //!< of messages
    uint64_t m_nOpen{0};                            //!< flows of which more is bound to come
    uint64_t m_nCalls{0};                           //!< of the client so far
    uint64_t m_nWaiting{0};                         //!< receives that are not complete
    std::vector<bool> m_finished;                   //!< by rank
    uint32_t m_nFinished{0};                        //!< ranks
    bool m_hasStarted{false};                       //!< the run
    int64_t m_lastPs{0};                            //!< see GetLastPs()
    EventId m_act;                                  //!< Act()
    EventId m_tick;                                 //!< ScheduleAct() at the next timer
    int64_t m_tickPs{0};                            //!< when
};

} // namespace ns3

#endif /* CLIENT_FLOW_SOURCE_H */
