// SPDX-License-Identifier: GPL-2.0-only
#ifndef COORDINATION_GATE_MODIFIER_H
#define COORDINATION_GATE_MODIFIER_H

#include "ns3/gate-modifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The source host of coordinated congestion management ([CCM] section 6.4), for one flow:
 * reductions take hold only while a switch claims that the flow has to be slowed down.
 *
 * It tags each data packet (section 6.1). The CC indicator, which is the gate, is set while there
 * is a claim: a notification of type 1 makes or renews that of the switch that sent it, one of type
 * 2 ends it, and it ends by itself after ClaimTimeout, because a type 2 can be lost. Several
 * switches may claim a flow: the indicator is set while one does. Recovery is never held back, and
 * reductions because of a loss or time-out always take hold, drops that queues report included.
 *
 * A notification of type 3 moves the flow (LoadBalancer::OnReroute()) if SourceCanReroute, unless
 * it is claimed or was moved within MoveHold: then the tag names the host as AR point. Else it
 * names none, as in section 7 of the draft, until a switch on the way names itself.
 */
class CoordinationGateModifier : public GateModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    /// @copydoc CongestionModifier::Start It forgets all claims.
    void Start(const PathInfo& path) override;
    void Modify(CongestionProposal& proposal) override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;
    NoticeEffect OnNotice(const FabricPacketItem& item, int64_t nowPs) override;
    void OnReroute(int64_t nowPs) override;
    void Stamp(FabricPacketItem& item, int64_t nowPs) override;
    Counters GetCounters() const override;

    bool StampsData() const override
    {
        return true;
    }

    /// @return true while there is a claim, as of what was last received or sent
    bool IsOpen() const override
    {
        return !m_claims.empty();
    }

    /// @return switches that claim the flow, likewise
    std::size_t GetNClaims() const
    {
        return m_claims.size();
    }

  private:
    /// What a switch says.
    struct Claim
    {
        uint32_t address; //!< of the switch
        int64_t lastPs;   //!< when it last said so
    };

    /// Make or renew the claim of a switch.
    void Enter(uint32_t address, int64_t nowPs);
    /// End the claims that were not renewed in time.
    void Expire(int64_t nowPs);

    Time m_claimTimeout;     //!< a switch's claim that it does not renew ends after this time
    uint32_t m_maxClaims{0}; //!< most switches whose claims are kept
    bool m_sourceCanReroute{false}; //!< the host is an AR point
    Time m_moveHold;                //!< least time between two moves of a flow by its source

    int64_t m_timeoutPs{0};      //!< m_claimTimeout
    int64_t m_holdPs{0};         //!< m_moveHold
    int64_t m_nextMovePs{0};     //!< no move before
    std::vector<Claim> m_claims; //!< few
    uint64_t m_expired{0};       //!< claims that ended by themselves
    uint64_t m_moves{0};         //!< to other paths
    uint64_t m_ignored{0};       //!< notifications without effect
};

} // namespace ns3

#endif /* COORDINATION_GATE_MODIFIER_H */
