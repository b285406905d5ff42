// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "congestion-info.h"
#include "modifier-chain.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-text.h"
#include "ns3/object.h"
#include "ns3/policy-default.h"
#include "ns3/prototype-factory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class LogComponent;
class ReceiverDrivenControl;

/**
 * @ingroup dcfabric
 * @brief Decides window and rate of one sending PDC.
 *
 * The base class owns both values. An algorithm proposes new ones with Propose(); the proposal
 * passes through the installed modifiers before it takes hold. The PDC sends while its payload
 * bytes in flight are below the window, and paces at the rate: GetWindow() and GetRate() are in
 * force.
 *
 * An algorithm goes on from GetDueWindow() and GetDueRate(). They are what is in force, but for a
 * reduction that a gate withholds: that one is *due* for a round trip (ModifierChain), during which
 * the algorithm stands where it would without the gate, and cuts once where it would cut once. If
 * it is forgiven, the algorithm is told (OnModified()): a cut that was withheld neither counts as
 * one that was made nor stands in the way of one after a loss.
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

        /**
         * @brief Forget a pending call.
         * @param timer as in SetTimer()
         */
        virtual void CancelTimer(uint8_t timer) = 0;

        /// Window or rate changed outside of a call from the PDC (from OnTimer() it need not be
        /// called).
        virtual void RateChanged() = 0;

        /**
         * @brief Say which PDC this is, and what time it is, for logs.
         * @param os where to print
         */
        virtual void Print(std::ostream& os) const;

        /**
         * @param os where to print
         * @param host a PDC
         * @return @p os
         */
        friend std::ostream& operator<<(std::ostream& os, const Host& host)
        {
            host.Print(os);
            return os;
        }
    };

    /// Timers that an algorithm may use.
    static constexpr uint8_t N_TIMERS = 4;

    CongestionControl() = default;

    /**
     * @brief Start with a window and a rate of the line.
     * @param path the connection; copied
     * @param host services of the PDC, outlives the algorithm; may be null in tests that use no
     * timer
     */
    void Start(const PathInfo& path, Host* host)
    {
        Start(path, host, GetNeeds());
    }

    /**
     * @brief Start, for a caller that has asked what is needed.
     * @param path,host as above
     * @param needs of GetNeeds()
     */
    void Start(const PathInfo& path, Host* host, const CongestionControlNeeds& needs);

    /**
     * @return what must be installed for the algorithm to work
     */
    virtual CongestionControlNeeds GetNeeds() const
    {
        return {};
    }

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is a marking profile if it needs marks
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /**
     * @brief Look for attributes that make no sense on a path, although they are no error.
     * @param path a connection
     * @return what, why, and what to do; empty: nothing
     */
    virtual FabricText FindMisfit([[maybe_unused]] const PathInfo& path) const
    {
        return {};
    }

    /// @return itself if it sends by the credit of the receiver; else null
    virtual ReceiverDrivenControl* GetReceiverDriven()
    {
        return nullptr;
    }

    /// @name What a PDC tells
    /// First the modifiers are told; then what is due takes hold or is forgiven (see
    /// GetDueWindow()); then the algorithm reacts.
    /// @{

    /**
     * @brief An acknowledgement arrived; modifiers may also lower or raise window and rate after
     * the algorithm has reacted.
     * @param ack what it tells
     */
    void Acknowledge(const AckInfo& ack);

    /// @copydoc OnCnp
    void TellCnp(int64_t nowPs);

    /**
     * @brief A switch tells the sender something, in a packet of another type than those above and
     * below.
     * @param item the packet
     * @param nowPs time in ps
     * @return true if the packets to come are to take other paths, because a modifier wants so
     */
    bool TellNotice(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief The packets to come take other paths, as TellNotice() asked.
     * @param nowPs time in ps
     */
    void TellReroute(int64_t nowPs);

    /**
     * @brief A queue notifies the sender; if of a drop, what is due takes hold as with a loss.
     * @param notice what it tells
     */
    void TellBts(const BtsNotice& notice);

    /**
     * @brief Packets were found lost by what is acknowledged: what is due takes hold if that is
     * certain (PathInfo::gapsTell), then the algorithm reacts.
     * @param nowPs time in ps
     * @param lostBytes payload bytes to be sent again
     */
    void TellLoss(int64_t nowPs, uint64_t lostBytes);

    /**
     * @brief The receiver got a packet without its payload: what is due takes hold, as that is
     * certain, then the algorithm reacts.
     * @param trim what it tells
     */
    void TellTrim(const TrimInfo& trim);

    /**
     * @brief The retransmission timer expired: likewise.
     * @param nowPs time in ps
     */
    void TellTimeout(int64_t nowPs);

    /// @copydoc OnTimer
    void TellTimer(uint8_t timer, int64_t nowPs);

    /// @copydoc OnSend
    void TellSend(int64_t nowPs, uint32_t frameBytes)
    {
        SettleDue(nowPs);
        OnSend(nowPs, frameBytes);
    }

    /// @}

    /**
     * @brief The algorithm's reaction to an acknowledgement.
     * @param ack what it tells
     */
    virtual void OnAck([[maybe_unused]] const AckInfo& ack)
    {
    }

    /**
     * @brief A congestion notification packet arrived.
     * @param nowPs time in ps
     */
    virtual void OnCnp([[maybe_unused]] int64_t nowPs)
    {
    }

    /**
     * @brief A switch tells the sender something, in a packet of another type than those above and
     * below.
     * @param item the packet
     * @param nowPs time in ps
     */
    virtual void OnNotice([[maybe_unused]] const FabricPacketItem& item,
                          [[maybe_unused]] int64_t nowPs)
    {
    }

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

    /**
     * @brief The receiver got a packet without its payload, which is about to be sent again.
     *
     * By default that is a loss, unless the packet is acknowledged or known to be lost.
     * @param trim what it tells
     */
    virtual void OnTrim(const TrimInfo& trim);

    /**
     * @brief The retransmission timer expired.
     * @param nowPs time in ps
     */
    virtual void OnTimeout([[maybe_unused]] int64_t nowPs)
    {
    }

    /**
     * @brief A data packet leaves for the wire; called if CongestionControlNeeds::sends.
     * @param nowPs time in ps
     * @param frameBytes its frame size
     */
    virtual void OnSend(int64_t nowPs, uint32_t frameBytes);

    /**
     * @brief A timer set by Host::SetTimer() expired.
     * @param timer which
     * @param nowPs time in ps
     */
    virtual void OnTimer([[maybe_unused]] uint8_t timer, [[maybe_unused]] int64_t nowPs)
    {
    }

    /// @return true if Stamp() is wanted (asked once, at the start)
    virtual bool StampsData() const;

    /**
     * @brief A data packet is made: set what switches are to read. By default modifiers do.
     * @param item the packet
     * @param nowPs time in ps
     */
    virtual void Stamp(FabricPacketItem& item, int64_t nowPs);

    /// @return window in payload bytes; UNLIMITED means none, 0 that nothing may be sent
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

    /**
     * @brief Append a modifier; they act in the order of installation.
     * @param modifier not null
     */
    void AddModifier(Ptr<CongestionModifier> modifier);

    /// @return the modifiers, in order
    const std::vector<Ptr<CongestionModifier>>& GetModifiers() const;

    /// @return the number of proposals that lowered window or rate and took hold
    uint64_t GetReductions() const
    {
        return m_reductions;
    }

    /**
     * @param os where to print, for logs
     * @param cc an algorithm
     * @return @p os, with its PDC and its class
     */
    friend std::ostream& operator<<(std::ostream& os, const CongestionControl& cc);

    /// No window.
    static constexpr uint64_t UNLIMITED = UINT64_MAX;

    /// Least rate in bit/s: a packet takes hours then, and of much less no time would hold the end.
    static constexpr double LEAST_RATE_BPS = 1;

  protected:
    /**
     * @brief Copy attributes (PrototypeFactory).
     * @param other one that has not been started; its modifiers stay with it
     */
    CongestionControl(const CongestionControl& other);

    /// Algorithms set their initial state here; m_path is valid, window and rate are those of the
    /// line.
    virtual void DoStart() = 0;

    /**
     * @brief Set the values to start with, from DoStart(); modifiers have no say in them.
     * @param window payload bytes, at least 1; UNLIMITED for none
     * @param rate bit/s, greater than 0; values above the line rate or below LEAST_RATE_BPS are
     * clipped
     */
    void SetInitial(uint64_t window, double rate);

    /**
     * @brief Refuse an attribute MinRate above the line rate.
     * @param minRate its value
     * @throws FabricError if so
     */
    void CheckMinRate(const DataRate& minRate) const;

    /**
     * @brief Window and rate have changed without a proposal: an algorithm that computes them from
     * values of its own takes GetWindow() and GetRate() for these, and one that spaces its cuts
     * counts one that was FORGIVEN no longer.
     * @param nowPs time in ps
     * @param effect how
     */
    virtual void OnModified([[maybe_unused]] int64_t nowPs, [[maybe_unused]] ModifierEffect effect)
    {
    }

    /// @return the window in payload bytes that the algorithm goes on from: in force, or less while
    /// a gate withholds a reduction; UNLIMITED means none
    uint64_t GetDueWindow() const
    {
        return m_chain && m_chain->IsDue() ? m_chain->GetDueWindow() : m_window;
    }

    /// @return the rate in bit/s that the algorithm goes on from: likewise
    double GetDueRate() const
    {
        return m_chain && m_chain->IsDue() ? m_chain->GetDueRate() : m_rate;
    }

    /// @return true if a modifier changes what the algorithm is told (SignalFilter)
    bool IsFiltered() const
    {
        return m_chain && m_chain->Filters();
    }

    /**
     * @brief For an algorithm that measures the use of links from INT: let modifiers change it, at
     * most once for an ACK.
     * @param utilization of the most loaded link of the path; 1: full, without a queue
     * @return what to count with
     */
    double FilterUtilization(double utilization) const
    {
        return m_chain ? m_chain->FilterUtilization(utilization) : utilization;
    }

    /**
     * @brief Propose a window and a rate.
     *
     * What modifiers make of it takes hold, but at least 1 byte and LEAST_RATE_BPS to the line
     * rate. A reduction because of a loss or a timeout takes hold at least as proposed: no modifier
     * can withhold it.
     * @param nowPs time in ps
     * @param window payload bytes, at least 1; UNLIMITED for none
     * @param rate bit/s, greater than 0; values above the line rate or below LEAST_RATE_BPS are
     * clipped
     * @param cause why, because modifiers never withhold a reaction to loss
     */
    void Propose(int64_t nowPs,
                 uint64_t window,
                 double rate,
                 CongestionCause cause = CongestionCause::SIGNAL);

    /**
     * @brief Set the window without a proposal: no modifier has a say, and it counts as no
     * reduction.
     * @param window payload bytes; UNLIMITED for none, 0 to send nothing at all
     */
    void SetWindow(uint64_t window)
    {
        m_window = window;
    }

    /**
     * @brief React no further, because there has been a cut that answers for this as well; if it
     * was withheld, it takes hold now, unless the cause is a signal.
     * @param nowPs time in ps
     * @param cause why
     */
    void LeaveAtDue(int64_t nowPs, CongestionCause cause);

    /**
     * @param ps the time
     * @return a time as text, such as "12.600 us", for FindMisfit()
     */
    static std::string ToMicroSeconds(double ps);

    /// @return the PDC's services
    Host* GetHost() const
    {
        return m_host;
    }

    void DoDispose() override;

  private:
    friend class ModifierChain; // window and rate take hold by it

    static LogComponent g_log; //!< of this class

    /// @return a rate in bit/s between LEAST_RATE_BPS and the line rate
    double ClipRate(double rate) const
    {
        return std::min(std::max(rate, LEAST_RATE_BPS), static_cast<double>(m_path.lineRateBps));
    }

    /// Let window and rate take hold, clipped. @return true if one of them becomes less
    bool Take(uint64_t window, double rate);

    /// @return what becomes of window and rate, for logs
    std::string DescribeChange(uint64_t window, double rate) const;

    /// Let what is due take hold if the gates are open, or forgive it after a round trip.
    void SettleDue(int64_t nowPs)
    {
        if (m_chain)
        {
            m_chain->Settle(nowPs);
        }
    }

    PathInfo m_path;                        //!< the connection
    Host* m_host{nullptr};                  //!< the PDC
    uint64_t m_window{UNLIMITED};           //!< bytes
    double m_rate{0};                       //!< bit/s
    uint64_t m_reductions{0};               //!< reductions that took hold
    std::unique_ptr<ModifierChain> m_chain; //!< null: no modifiers
};

} // namespace ns3

#endif /* CONGESTION_CONTROL_H */
