// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVE_POSTER_H
#define RECEIVE_POSTER_H

#include "ns3/event-id.h"
#include "ns3/fabric-flow.h"
#include "ns3/fabric-message.h"
#include "ns3/fabric.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Posts a receive for each message of a workload, some time after the message has begun.
 *
 * Stands for the program at the receiver that is early or late. The receives of a pair of hosts are
 * posted in the order of the messages: one whose own time would come earlier waits for those before
 * it. Takes the callbacks for messages that begin (FabricMessages::SetStartedCallback()) of all
 * NICs.
 */
class ReceivePoster : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ReceivePoster();
    ~ReceivePoster() override;

    /**
     * @brief Set how long after a message its receive is posted.
     * @param seconds drawn for each message; null: no time
     */
    void SetDelay(Ptr<RandomVariableStream> seconds)
    {
        m_delay = seconds;
    }

    /**
     * @brief Post the receives of all messages from now on.
     *
     * Delays are drawn here, in the order of tags, so that a message has the same one whatever else
     * the run is like.
     * @param fabric network whose messages are matched
     * @param messages how many; tags are below
     * @throws FabricError if messages are not matched, or a delay is negative or beyond 10^6 s
     */
    void Install(Ptr<Fabric> fabric, std::size_t messages);

    /**
     * @brief Post the receives of messages whose senders other processes simulate, at the times at
     * which they begin; after Install(), before the simulation.
     * @param flows the messages, by tag, with their starts
     */
    void Expect(const std::vector<FabricFlow>& flows);

    /**
     * @brief Post the receive of a message that another process has begun, now and without delay;
     * after Install().
     * @param flow the message
     */
    void PostFor(const FabricFlow& flow);

    /// Told of a message. @param flow it, with its start
    using Teller = std::function<void(const FabricFlow& flow)>;

    /**
     * @brief Have messages told of that begin here and whose receivers other processes simulate, in
     * the order of messages to each host.
     * @param teller it
     */
    void SetTeller(Teller teller)
    {
        m_tell = std::move(teller);
    }

    /// Told of a receive that was posted. @param host at which
    using Listener = std::function<void(uint32_t host)>;

    /**
     * @brief Be told of receives that are posted as their messages begin: without delay, and not by
     * PostFor().
     * @param listener it
     */
    void SetPostedAtStart(Listener listener)
    {
        m_onPostedAtStart = std::move(listener);
    }

    /// @return simulator events that were spent on messages of other processes
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /**
     * @brief Fix the random stream.
     * @param stream its number
     * @return how many are used: 1, or 0 without delays
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @param tag of the message
     * @return delay of a message in ps
     */
    int64_t GetDelayPs(uint32_t tag) const
    {
        return m_delaysPs.empty() ? 0 : m_delaysPs.at(tag);
    }

  protected:
    void DoDispose() override;

  private:
    /// A message begins.
    void OnStarted(const FabricMessageEvent& event);
    /// Messages of other processes begin.
    void OnElsewhereStarted();
    /// Have the next of them announced.
    void AwaitElsewhere();
    /// Leave the NICs.
    void Uninstall();

    Ptr<RandomVariableStream> m_delay;              //!< random variable of seconds
    Ptr<Fabric> m_fabric;                           //!< network
    std::vector<int64_t> m_delaysPs;                //!< by tag; empty: none
    std::unordered_map<uint64_t, int64_t> m_lastPs; //!< last posting, by receiver and sender
    std::vector<FabricMessageEvent> m_elsewhere; //!< messages of other processes, the last is next
    EventId m_next;                              //!< of these
    uint64_t m_nEvents{0};                       //!< see GetNEvents()
    uint64_t m_nextHandle{1};                    //!< of the next receive
    Listener m_onPostedAtStart;                  //!< see SetPostedAtStart()
    Teller m_tell;                               //!< see SetTeller()
};

} // namespace ns3

#endif /* RECEIVE_POSTER_H */
