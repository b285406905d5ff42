// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXTERNAL_CONGESTION_CONTROL_H
#define EXTERNAL_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What an external congestion control is told, and what it answers. Valid only during the
 * call.
 */
struct ExternalCongestionCall
{
    /// What happened.
    enum Kind : uint32_t
    {
        START = 0,   //!< a connection begins: see path
        ACK = 1,     //!< an acknowledgement arrived: see ack and hops
        CNP = 2,     //!< a congestion notification packet arrived
        LOSS = 3,    //!< packets were found lost: see lostBytes
        TIMEOUT = 4, //!< the retransmission timer expired
        TIMER = 5,   //!< a timer expired: see timer
        MODIFIED = 6 //!< modifiers have changed window and rate: see effect
    };

    static constexpr int64_t KEEP = -1;   //!< leave a timer as it is
    static constexpr int64_t CANCEL = -2; //!< forget a timer

    uint32_t kind{START};          //!< what happened
    uint32_t connection{0};        //!< connections are numbered from 0 in the order of their start
    int64_t nowPs{0};              //!< time in ps; 0 at START
    const PathInfo* path{nullptr}; //!< the connection
    const AckInfo* ack{nullptr};   //!< ACK only, else null
    std::vector<IntSample>
        hops;              //!< ACK only: INT records in the order of the way of data; time and
                           //!< bytes go on from the first record, wraps undone. They begin anew on
                           //!< another path, and after a pause of half the shortest wrap
    uint64_t lostBytes{0}; //!< LOSS only: payload bytes to be sent again
    uint32_t timer{0};     //!< TIMER only: which
    uint32_t effect{0};    //!< MODIFIED only: a ModifierEffect

    uint64_t window{
        0};         //!< payload bytes: as it is, to be changed; CongestionControl::UNLIMITED: none
    double rate{0}; //!< bit/s: as it is, to be changed
    std::array<int64_t, CongestionControl::N_TIMERS> timersPs{
        {KEEP, KEEP, KEEP, KEEP}}; //!< answer: when each timer shall expire, KEEP or CANCEL
};

/**
 * @ingroup dcfabric
 * @brief A congestion control whose decisions are made outside of the module: by any function, such
 * as one in Python.
 *
 * What the algorithm needs of the network cannot be seen from the function and is said with
 * attributes. All connections of a process ask the same function, which tells them apart by their
 * number.
 */
class ExternalCongestionControl : public CongestionControl
{
  public:
    /// Changes window, rate and timers of the call as it sees fit.
    using Decider = std::function<void(ExternalCongestionCall&)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Set the function that decides, and number connections from 0 again.
     * @param decider the function; empty: none any more
     */
    static void SetDecider(Decider decider);

    /// @return true if a function decides
    static bool HasDecider();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;
    void OnCnp(int64_t nowPs) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;
    void OnTimer(uint8_t timer, int64_t nowPs) override;

  protected:
    /// @throws FabricError if no function has been set
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// @return a call with what is always told
    ExternalCongestionCall MakeCall(ExternalCongestionCall::Kind kind, int64_t nowPs) const;

    /**
     * @brief Ask the function.
     * @throws FabricError if the answer makes no sense
     */
    void Ask(ExternalCongestionCall& call) const;

    /// Ask, and propose what was answered.
    void React(ExternalCongestionCall call, CongestionCause cause);

    /// Do what was answered about timers.
    void SetTimers(const ExternalCongestionCall& call);

    /// Read the INT records of an ACK that came at some time.
    void ReadHops(const FabricPacketItem& item, int64_t nowPs, std::vector<IntSample>& hops);

    bool m_dataInt; //!< INT on data packets is needed (HpccIntFeature on every switch)
    /// INT on ACKs, whose way is that of the data, is needed (FnccIntFeature on every switch)
    bool m_ackInt;
    bool m_ecn;         //!< ECN marks are needed
    Time m_cnpInterval; //!< least time between two CNPs of a receiver

    uint32_t m_connection{0};         //!< number
    Ptr<IntFormat> m_format;          //!< of INT records
    uint16_t m_entropy{0};            //!< of the path that the records below are from
    uint16_t m_pathId{0};             //!< likewise
    uint16_t m_port{0};               //!< likewise: of the sender, where ACKs come in
    int64_t m_lastPs{0};              //!< when they came
    int64_t m_halfWrapPs{0};          //!< longest time to the next ones
    std::vector<IntSample> m_last;    //!< last records, as read
    std::vector<IntSample> m_running; //!< last records, wraps undone
};

} // namespace ns3

#endif /* EXTERNAL_CONGESTION_CONTROL_H */
