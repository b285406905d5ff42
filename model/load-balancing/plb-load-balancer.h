// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLB_LOAD_BALANCER_H
#define PLB_LOAD_BALANCER_H

#include "load-balancer.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Protective load balancing ([PLB] section 3): all packets of a PDC have the same entropy,
 * until congestion on its path lasts; then they take another one, at random.
 *
 * A round begins with an ACK of the present path and ends with the first one that comes a base RTT
 * of the pair of hosts, or more, after its begin; with that the next one begins. (The paper counts
 * RTTs as measured, which queues make longer.) A round is congested if the share of marked ACKs is
 * at least Threshold. ACKs of a path that was left count nowhere.
 *
 * - After Rounds congested rounds in a row the path changes.
 * - After IdleRounds of them it changes when the PDC has been idle: nothing sent or received for
 *   a base RTT. Nothing is under way then that could be overtaken.
 * - A time-out changes the path at once. Then neither of the above does for Suspension, and as much
 *   again at random: after failures many connections move, and marks tell little.
 * - The path also changes when a switch asks for it.
 *
 * Each change starts the count of rounds anew. Where an ACK covers several packets
 * (FabricNic::AckEvery), the mark of the one that triggered it counts.
 */
class PlbLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    bool NeedsRandomVariable() const override
    {
        return true;
    }

    void SetRandomVariable(Ptr<UniformRandomVariable> random) override
    {
        m_random = random;
    }

    void SetBaseRtt(int64_t rttPs) override
    {
        m_rttPs = rttPs;
    }

    void Start(uint16_t entropy) override
    {
        m_entropy = entropy;
    }

    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;
    void OnAck(int64_t nowPs, uint16_t entropy, bool marked) override;
    void OnTimeout(int64_t nowPs) override;
    bool OnReroute(int64_t nowPs) override;

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    bool HasLeft(uint16_t entropy) const override
    {
        return entropy != m_entropy;
    }

    uint32_t GetMaxPaths() const override
    {
        return 1;
    }

    bool MovesFlows() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;

  private:
    /// Judge the round, if there is one, and end it.
    void EndRound();
    /**
     * @brief Change the path if congestion has lasted, unless changes are suspended.
     * @param nowPs time in ps
     * @param rounds that have to be congested, in a row
     */
    void MoveAfter(int64_t nowPs, uint32_t rounds);
    /// Draw another entropy, and count rounds anew.
    void Move();

    Ptr<UniformRandomVariable> m_random; //!< of the NIC
    /// After a time-out congested rounds change no path for this time, and as much again at random
    Time m_suspension;
    double m_threshold{0.5}; //!< share of marked ACKs from which on a round is congested
    uint32_t m_rounds{12};   //!< congested rounds in a row after which the path changes
    /// Congested rounds in a row after which the path changes if the PDC has been idle for a round
    uint32_t m_idleRounds{3};
    int64_t m_rttPs{0};       //!< of the pair of hosts, without queues
    int64_t m_roundPs{0};     //!< begin of the round
    int64_t m_activePs{0};    //!< of the last packet or ACK
    int64_t m_suspendedPs{0}; //!< no change because of marks before
    uint32_t m_acks{0};       //!< of the round; 0: there is none
    uint32_t m_marks{0};      //!< of these
    uint32_t m_congested{0};  //!< rounds in a row
    uint16_t m_entropy{0};    //!< of all packets
};

} // namespace ns3

#endif /* PLB_LOAD_BALANCER_H */
