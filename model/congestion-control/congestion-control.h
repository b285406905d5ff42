// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "congestion-info.h"
#include "congestion-modifier.h"

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricPacketItem;

/**
 * @ingroup dcfabric
 * @brief What a switch tells a source about one of its flows: the rate that it finds fair.
 */
struct RateNotice
{
    int64_t nowPs{0};            //!< time of arrival
    double rateBps{0};           //!< fair rate in bit/s
    uint64_t congestionPoint{0}; //!< names the queue that found it: switch, port and class
};

/**
 * @ingroup dcfabric
 * @brief What the queue of a switch tells the source of a packet ([000] (10) to (16)). Valid only
 * during the call it is passed to.
 */
struct BtsNotice
{
    int64_t nowPs{0};      //!< time of arrival
    bool dropped{false};   //!< the packet was dropped
    bool repeated{false};  //!< the packet had been marked before, by a queue that told so then
    uint64_t lostBytes{0}; //!< payload bytes that will be sent again because of it
    uint64_t sentBytes{0}; //!< payload bytes sent for the first time: snd_nxt
    const FabricPacketItem* item{nullptr}; //!< the notification itself: signals
};

/**
 * @ingroup dcfabric
 * @brief What an algorithm needs around it; FabricHelper refuses an installation that lacks it.
 */
struct CongestionControlNeeds
{
    bool dataInt{false};        //!< INT on data packets (HpccIntFeature on every switch)
    bool ackInt{false};         //!< INT on ACKs (FnccIntFeature on every switch)
    bool symmetricPaths{false}; //!< data and ACK share every link
    bool ecn{false};            //!< a marking profile in the switches
    bool rateNotices{false};    //!< fair rates from the switches (RoccFeature on every switch)
    bool bts{false};            //!< notifications back to the sender (WrebFeature on every switch)
    bool readsBts{false};       //!< such notifications are of use if there are any
    bool endpointDelay{false};  //!< ACKs tell how long they waited at the receiver
    bool pathSwitches{false};   //!< PathInfo::switches
    int64_t cnpIntervalPs{
        -1}; //!< least spacing of CNPs per PDC at receivers, in ps; negative: no CNPs
};

/**
 * @ingroup dcfabric
 * @brief Decides window and rate of one sending PDC.
 *
 * The base class owns both values. An algorithm proposes new ones with Propose(); the proposal
 * passes through the installed modifiers before it takes hold, and the algorithm reads back what
 * took hold with GetWindow() and GetRate(). The PDC sends while its payload bytes in flight are
 * below the window, and paces at the rate.
 *
 * Modelled on the idea of ns3::TcpCongestionOps: few hooks, a plain record, chosen by TypeId.
 */
class CongestionControl : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Services of the PDC that owns the algorithm.
    class Host
    {
      public:
        virtual ~Host() = default;

        /**
         * @brief Call OnTimer(@p timer) at a time; replaces the pending call of the same timer.
         * @param timer 0 to 3, the algorithm's own numbering
         * @param atPs when, in ps
         */
        virtual void SetTimer(uint8_t timer, int64_t atPs) = 0;

        /// @brief Forget a pending call. @param timer as in SetTimer()
        virtual void CancelTimer(uint8_t timer) = 0;

        /// Window or rate changed outside of a call from the PDC (from OnTimer() it need not be
        /// called).
        virtual void RateChanged() = 0;
    };

    /// Timers that an algorithm may use.
    static constexpr uint8_t N_TIMERS = 4;

    /**
     * @brief Start with a window and a rate of the line.
     * @param path the connection; copied
     * @param host services of the PDC, outlives the algorithm; may be null in tests that use no
     * timer
     */
    void Start(const PathInfo& path, Host* host);

    /**
     * @return what must be installed for the algorithm to work
     */
    virtual CongestionControlNeeds GetNeeds() const;

    /// @brief An acknowledgement arrived: tell the modifiers, then the algorithm, and raise window
    /// and rate if a modifier wants that. @param ack what it tells
    void Acknowledge(const AckInfo& ack);

    /// @brief The algorithm's reaction to an acknowledgement. @param ack what it tells
    virtual void OnAck(const AckInfo& ack);

    /// @brief A congestion notification packet arrived. @param nowPs time in ps
    virtual void OnCnp(int64_t nowPs);

    /// @brief A switch tells its fair rate. @param notice what it tells
    virtual void OnRateNotice(const RateNotice& notice);

    /**
     * @brief A queue notifies the sender; what was dropped is about to be sent again.
     *
     * By default a drop is a loss, unless it is of a packet that is acknowledged or known to be
     * lost, and all else is nothing to the algorithm.
     * @param notice what it tells
     */
    virtual void OnBts(const BtsNotice& notice);

    /**
     * @brief Packets were found lost by selective acknowledgement or NACK.
     * @param nowPs time in ps
     * @param lostBytes payload bytes to be sent again
     */
    virtual void OnLoss(int64_t nowPs, uint64_t lostBytes);

    /// @brief The retransmission timer expired. @param nowPs time in ps
    virtual void OnTimeout(int64_t nowPs);

    /**
     * @brief A data packet leaves for the wire.
     * @param nowPs time in ps
     * @param frameBytes its frame size
     */
    virtual void OnSend(int64_t nowPs, uint32_t frameBytes);

    /**
     * @brief A timer set by Host::SetTimer() expired.
     * @param timer which
     * @param nowPs time in ps
     */
    virtual void OnTimer(uint8_t timer, int64_t nowPs);

    /// @return true if the hook OnSend() is wanted (asked once, at the start)
    virtual bool WantsOnSend() const;

    /**
     * @brief Use random streams from @p stream on.
     * @param stream first stream
     * @return how many were used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @return window in payload bytes; UNLIMITED means none
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /// @return pacing rate in bit/s of frame bytes
    double GetRate() const
    {
        return m_rate;
    }

    /// @return the connection
    const PathInfo& GetPath() const
    {
        return m_path;
    }

    /// @brief Append a modifier; they act in the order of installation. @param modifier not null
    void AddModifier(Ptr<CongestionModifier> modifier);

    /// @return the modifiers, in order
    const std::vector<Ptr<CongestionModifier>>& GetModifiers() const
    {
        return m_modifiers;
    }

    /// @return the number of proposals that lowered window or rate and took hold
    uint64_t GetReductions() const
    {
        return m_reductions;
    }

    /// No window.
    static constexpr uint64_t UNLIMITED = UINT64_MAX;

  protected:
    /// Algorithms set their initial state here; m_path is valid, window and rate are those of the
    /// line.
    virtual void DoStart() = 0;

    /**
     * @brief Set the values to start with, from DoStart(); modifiers have no say in them.
     * @param window payload bytes, at least 1; UNLIMITED for none
     * @param rate bit/s, greater than 0; values above the line rate are clipped
     */
    void SetInitial(uint64_t window, double rate);

    /// @brief A modifier has raised window or rate: an algorithm that computes them from values of
    /// its own takes GetWindow() and GetRate() for these. @param nowPs time in ps
    virtual void OnRaised(int64_t nowPs);

    /// @brief A reduction that a modifier had withheld has taken hold: likewise, and by default the
    /// same as OnRaised(). @param nowPs time in ps
    virtual void OnLowered(int64_t nowPs);

    /**
     * @brief Propose a window and a rate.
     *
     * What modifiers make of it takes hold, but at least 1 byte and at most the line rate. A
     * reduction because of a loss or a timeout takes hold at least as proposed: no modifier can
     * withhold it.
     * @param nowPs time in ps
     * @param window payload bytes, at least 1; UNLIMITED for none
     * @param rate bit/s, greater than 0; values above the line rate are clipped
     * @param cause why, because modifiers never withhold a reaction to loss
     */
    void Propose(int64_t nowPs,
                 uint64_t window,
                 double rate,
                 CongestionCause cause = CongestionCause::SIGNAL);

    /// @return the PDC's services
    Host* GetHost() const
    {
        return m_host;
    }

    void DoDispose() override;

  private:
    PathInfo m_path;                                  //!< the connection
    Host* m_host{nullptr};                            //!< the PDC
    uint64_t m_window{UNLIMITED};                     //!< bytes
    double m_rate{0};                                 //!< bit/s
    uint64_t m_reductions{0};                         //!< reductions that took hold
    std::vector<Ptr<CongestionModifier>> m_modifiers; //!< in order
};

} // namespace ns3

#endif /* CONGESTION_CONTROL_H */
