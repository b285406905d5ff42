// SPDX-License-Identifier: GPL-2.0-only
#ifndef MODIFIER_CHAIN_H
#define MODIFIER_CHAIN_H

#include "congestion-info.h"
#include "congestion-modifier.h"
#include "signal-filter.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class CongestionControl;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The modifiers of one congestion control, and what they withhold.
 *
 * Each proposal passes through all of them, in the order of installation. A reduction of which
 * nothing is left is *due* for a round trip: the algorithm goes on from it as if it had been made.
 * It takes hold when the gates are open, with a loss, with a time-out, or with the notification of
 * a drop; after the round trip it is forgiven.
 *
 * A congestion control without modifiers has no chain.
 */
class ModifierChain
{
  public:
    /**
     * @param cc the congestion control, which owns the chain
     */
    explicit ModifierChain(CongestionControl& cc);

    /**
     * @brief Append a modifier.
     * @param modifier not null
     */
    void Add(Ptr<CongestionModifier> modifier);

    /// @return the modifiers, in order
    const std::vector<Ptr<CongestionModifier>>& Get() const
    {
        return m_modifiers;
    }

    /**
     * @brief The connection starts.
     * @param path the connection
     */
    void Start(const PathInfo& path);

    /// @return true if a reduction is due
    bool IsDue() const
    {
        return m_isDue;
    }

    /// @return the window that is due, in payload bytes, if IsDue()
    uint64_t GetDueWindow() const
    {
        return m_dueWindow;
    }

    /// @return the rate that is due, in bit/s, if IsDue()
    double GetDueRate() const
    {
        return m_dueRate;
    }

    /**
     * @brief Modifiers hear of an ACK before the algorithm does.
     * @param ack what it tells
     */
    void BeforeAck(const AckInfo& ack);

    /// @return true if a modifier changes what the algorithm is told
    bool Filters() const
    {
        return !m_filters.empty();
    }

    /**
     * @param came an ACK
     * @return what the algorithm is to be told of it
     */
    AckInfo FilterAck(const AckInfo& came) const;

    /// @return true if the algorithm is to be told of a CNP
    bool PassesCnp() const;

    /**
     * @param utilization of the most loaded link of a path, as it was measured
     * @return what the algorithm is to count with
     */
    double FilterUtilization(double utilization) const;

    /**
     * @brief The algorithm has reacted to an ACK: modifiers may lower window and rate, or raise
     * them.
     * @param nowPs time in ps
     */
    void AfterAck(int64_t nowPs);

    /**
     * @brief Modifiers hear of the notification of a queue before the algorithm does.
     * @param notice what it tells
     */
    void BeforeBts(const BtsNotice& notice);

    /**
     * @brief Modifiers hear of another message of a switch before the algorithm does.
     * @param item the message
     * @param nowPs time in ps
     * @return what follows: after the algorithm has reacted, LowerLate() if gates may have opened
     */
    NoticeEffect BeforeNotice(const FabricPacketItem& item, int64_t nowPs);

    /**
     * @brief The packets to come take other paths.
     * @param nowPs time in ps
     */
    void OnReroute(int64_t nowPs);

    /// @return true if Stamp() is wanted
    bool StampsData() const;

    /**
     * @brief Set what switches are to read in a data packet.
     * @param item the packet
     * @param nowPs time in ps
     */
    void Stamp(FabricPacketItem& item, int64_t nowPs) const;

    /**
     * @brief Let modifiers lower window and rate after the algorithm has reacted.
     * @param nowPs time in ps
     */
    void LowerLate(int64_t nowPs);

    /**
     * @brief Let what is due take hold if the gates are open, or forgive it after a round trip.
     * @param nowPs time in ps
     */
    void Settle(int64_t nowPs)
    {
        if (m_isDue)
        {
            SettleDue(nowPs);
        }
    }

    /**
     * @brief Let what is due take hold.
     * @param nowPs time in ps
     * @param cause SIGNAL if gates have opened, otherwise LOSS or TIMEOUT
     */
    void TakeDue(int64_t nowPs, CongestionCause cause);

    /**
     * @brief Pass a proposal of the algorithm through the modifiers and let take hold what they
     * make of it.
     * @param nowPs time in ps
     * @param window payload bytes
     * @param rate bit/s
     * @param cause why
     */
    void Propose(int64_t nowPs, uint64_t window, double rate, CongestionCause cause)
    {
        Apply(nowPs, window, rate, cause, false);
    }

  private:
    static LogComponent g_log; //!< of this class

    /// As Propose(); @p late: it was withheld before.
    void Apply(int64_t nowPs, uint64_t window, double rate, CongestionCause cause, bool late);
    /// @return true if a gate is closed
    bool IsWithheld() const;
    /// As Settle(), if something is due.
    void SettleDue(int64_t nowPs);
    /// Let modifiers raise window and rate.
    void RaiseEarly(int64_t nowPs);

    CongestionControl& m_cc;                          //!< of which these are
    std::vector<Ptr<CongestionModifier>> m_modifiers; //!< in order
    bool m_isDue{false};                              //!< a reduction is due
    uint64_t m_dueWindow{0};                          //!< bytes
    double m_dueRate{0};                              //!< bit/s
    int64_t m_dueSincePs{0};                          //!< when the first was withheld
    int64_t m_roundTripPs{0};                         //!< of the last ACK, at least the base RTT
    std::vector<SignalFilter*> m_filters;             //!< those that are filters as well, in order
};

} // namespace ns3

#endif /* MODIFIER_CHAIN_H */
