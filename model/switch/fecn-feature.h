// SPDX-License-Identifier: GPL-2.0-only
#ifndef FECN_FEATURE_H
#define FECN_FEATURE_H

#include "switch-feature.h"

#include "ns3/data-rate.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief FECN marks as the switches of InfiniBand set them (annex A10 of its specification).
 *
 * A class of a port is congested while more than a threshold waits in it. The threshold is a weight
 * from 0 (none, nothing is marked) to 15 (the strictest): (16 - weight) / 16 of QueueBytes. Of the
 * data packets that find it congested, and have at least PacketSize x 64 B, every
 * (MarkingRate + 1)-th gets a mark. A class that may not send at the moment, because flow control
 * stops it, is a *victim* of congestion farther on: its packets get none, unless VictimMask has the
 * bit of the port.
 *
 * **Ours.** The annex leaves to vendors what a weight means. QueueBytes is 16 times the 100,000 B
 * at 100 Gb/s at which the marking profiles of this module begin, so that the strictest weight
 * begins there, too. What has to be marked is judged when a packet enters the queue of the port, by
 * all that waits for it in the switch.
 */
class FecnFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;

    /**
     * @param rateBps of a port
     * @return bytes above which its classes are congested; UINT64_MAX: never
     */
    uint64_t GetThresholdBytes(uint64_t rateBps) const;

  private:
    static LogComponent g_log;               //!< of this class
    static constexpr uint32_t N_CLASSES = 8; //!< of a port

    uint8_t m_weight{15};           //!< Threshold, 0 to 15
    uint16_t m_markingRate{0};      //!< packets between two that are marked
    uint8_t m_packetSize{0};        //!< least size of a packet to be marked, in 64 B
    uint64_t m_victimMask{0};       //!< ports that mark victims, too
    uint64_t m_queueBytes{0};       //!< what a weight is a part of
    DataRate m_rate;                //!< of the port for which QueueBytes is meant
    std::vector<uint32_t> m_passed; //!< packets since the last mark, by port and class
    uint64_t m_marks{0};            //!< set
    uint64_t m_victims{0};          //!< packets that found a victim
};

} // namespace ns3

#endif /* FECN_FEATURE_H */
