// SPDX-License-Identifier: GPL-2.0-only
#ifndef FALCON_LOAD_BALANCER_H
#define FALCON_LOAD_BALANCER_H

#include "load-balancer.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The paths of a Falcon connection: up to four, each of which is left for another one when
 * it is slow for long. Rules and constants of the model that Google published (repository
 * falcon-transport/isekai, ComputePlb), in words of our own.
 *
 * - Packets take the paths in turn.
 * - A round of a path is congested if of its ACKs a share of Threshold or more tells a delay above
 *   Multiplier x target. The delay is the RTT without the time at the receiver.
 * - After Rounds congested rounds in a row the path is left: its packets take another entropy, at
 *   random.
 *
 * **Ours.** A round begins with an ACK of the path and ends with the first one that comes a base
 * RTT later or more; in the model it ends when as many packets are acknowledged as the window has.
 * The target is the base RTT of the pair of hosts and TargetDelay, where the model has that of the
 * congestion control: 16 us are the 13 us of FalconCongestionControl::BaseTarget and 1 us for each
 * of three switches. A path from which nothing has come back since the time-out before is left at a
 * time-out. Turns do not follow windows, because the congestion control has one for all paths.
 */
class FalconLoadBalancer : public LoadBalancer
{
  public:
    static constexpr uint8_t MAX_PATHS = 4; //!< of a connection

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

    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;
    void OnTimeout(int64_t nowPs) override;
    bool OnReroute(int64_t nowPs) override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    bool HasLeft(uint16_t entropy) const override;

    bool NeedsDelays() const override
    {
        return true;
    }

    void OnDelay(int64_t nowPs, uint16_t entropy, int64_t rttPs, int64_t hostPs) override;

    /// @copydoc LoadBalancer::GetMaxPaths Several that change are no small set.
    uint32_t GetMaxPaths() const override
    {
        return m_nPaths > 1 ? UINT32_MAX : 1;
    }

    bool MovesFlows() const override
    {
        return true;
    }

    /// @return how often a path was left
    uint64_t GetNMoves() const
    {
        return m_moves;
    }

  protected:
    void DoDispose() override;

  private:
    /// A path.
    struct Path
    {
        int64_t roundPs{0};    //!< begin of the round
        uint32_t acks{0};      //!< of the round; 0: there is none
        uint32_t late{0};      //!< of these
        uint32_t congested{0}; //!< rounds in a row
        uint16_t entropy{0};   //!< of its packets
        bool isAlive{true};    //!< something has come back since the last time-out
    };

    /// @return a path by entropy; null: it was left
    Path* Find(uint16_t entropy);
    /// Leave a path.
    void Move(Path& path);

    Ptr<UniformRandomVariable> m_random;   //!< of the NIC
    Time m_targetDelay;                    //!< above the base RTT
    double m_multiplier{1};                //!< of the target
    double m_threshold{0.5};               //!< share of late ACKs of a congested round
    uint32_t m_rounds{5};                  //!< congested ones in a row after which a path is left
    uint8_t m_nPaths{MAX_PATHS};           //!< of a connection
    uint8_t m_turn{0};                     //!< path of the next packet
    int64_t m_rttPs{0};                    //!< of the pair of hosts, without queues
    std::array<Path, MAX_PATHS> m_paths{}; //!< of the connection
    uint64_t m_moves{0};                   //!< to other paths
};

} // namespace ns3

#endif /* FALCON_LOAD_BALANCER_H */
