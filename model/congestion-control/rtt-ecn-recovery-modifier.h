// SPDX-License-Identifier: GPL-2.0-only
#ifndef RTT_ECN_RECOVERY_MODIFIER_H
#define RTT_ECN_RECOVERY_MODIFIER_H

#include "congestion-modifier.h"
#include "recovery-growth.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Doubles window and rate as long as neither marks, round-trip times nor notifications of
 * queues tell of congestion ([Patent] (41) to (52)).
 *
 * ACKs are watched over epochs. With a window, an epoch ends with the first ACK beyond what had
 * been sent when it began; without one, after Period. If at least one packet was acknowledged in
 * it, none marked, no RTT reached the threshold, and no queue notified the sender, the path counts
 * as not congested, and window and rate double, up to the BDP (or what the algorithm has, if that
 * is more) and the line rate. The first sign of congestion ends the epoch: the next one begins
 * there, so that nothing is doubled before a whole clean epoch is over.
 *
 * Doubling is FactorGrowth, the default of Growth.
 *
 * The threshold is the base RTT of the pair of hosts, whatever T the algorithm counts with, and
 * SlackPackets full packets at the line rate for each switch on the way and for the sender: what
 * packets of others that merely cross the path add. Period is T by default, not the base RTT of the
 * pair: near hosts would double rates several times before a CNP can come.
 */
class RttEcnRecoveryModifier : public CongestionModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.pathSwitches = true;
        return needs;
    }

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& /* network */) const override
    {
        return PolicyDefault::WhereMarksAreRead();
    }

    /// @copydoc CongestionModifier::Start It cannot without line rate or base RTT.
    void Start(const PathInfo& path) override;
    void OnAck(const AckInfo& ack) override;
    /// @copydoc CongestionModifier::OnBts A sign of congestion like a mark, also the second one of
    /// a packet, which tells of a drop.
    void OnBts(const BtsNotice& notice) override;
    bool Raise(int64_t nowPs, uint64_t& window, double& rate) override;

    /// @return RTT in ps from which on the path counts as congested
    int64_t GetThresholdPs() const
    {
        return m_thresholdPs;
    }

  private:
    /// Begin an epoch.
    void BeginEpoch(int64_t nowPs);

    /// Full packets for each hop by which the threshold exceeds the base RTT
    double m_slackPackets;
    Time m_fixedThreshold;                 //!< RTT from which on the path counts as congested
    Time m_periodAttribute;                //!< epoch of connections without a window
    Ptr<RecoveryGrowth> m_growthAttribute; //!< by how much window and rate rise after an epoch
    Ptr<RecoveryGrowth> m_growth;          //!< by how much they rise
    int64_t m_thresholdPs{0};              //!< RTT
    int64_t m_periodPs{0};                 //!< epoch without a window
    int64_t m_beganPs{0};                  //!< when the epoch began
    uint64_t m_epochEnd{0};                //!< payload bytes that had been sent then
    bool m_windowOver{false};              //!< what had been sent is acknowledged
    uint64_t m_acked{0};                   //!< packets acknowledged in the epoch
    uint64_t m_sent{0};                    //!< payload bytes sent, as ACK or notification told last
};

} // namespace ns3

#endif /* RTT_ECN_RECOVERY_MODIFIER_H */
