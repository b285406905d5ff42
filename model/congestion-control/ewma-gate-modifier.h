// SPDX-License-Identifier: GPL-2.0-only
#ifndef EWMA_GATE_MODIFIER_H
#define EWMA_GATE_MODIFIER_H

#include "gate-modifier.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Lets reductions take hold only while the connection as a whole is congested: while an
 * exponential average of Signal over its packets is at least Threshold ([Patent] (98) to (108)).
 *
 * With Gain, half of the average is of the last 22 packets, enough to tell one hot path of eight
 * from half of them. A connection with fewer packets in a quarter of a round trip (HalfLife) gives
 * each more weight, so that it opens the gate as fast.
 *
 * Meant for packets that are spread over many paths, of which one that is hot must not slow down
 * all. Reductions because of a loss or time-out are not withheld.
 */
class EwmaGateModifier : public GateModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& /* network */) const override
    {
        return PolicyDefault::WhereMarksAreRead();
    }

    void Start(const PathInfo& path) override;
    void OnAck(const AckInfo& ack) override;
    void OnBts(const BtsNotice& notice) override;

    bool IsOpen() const override
    {
        return m_average.Get() >= m_threshold;
    }

    /// @return the average, 0 to 1
    double GetAverage() const
    {
        return m_average.Get();
    }

  private:
    /**
     * @param ack it
     * @return weight of a packet by the time since the ACK before
     */
    double WeighByTime(const AckInfo& ack);

    double m_threshold;      //!< average from which on reductions take hold
    double m_halfLife;       //!< where few packets come in a round trip each weighs more
    int64_t m_lastPs{-1};    //!< of the last ACK; negative: none
    SignalAverage m_average; //!< over the packets
};

} // namespace ns3

#endif /* EWMA_GATE_MODIFIER_H */
