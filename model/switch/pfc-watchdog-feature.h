// SPDX-License-Identifier: GPL-2.0-only
#ifndef PFC_WATCHDOG_FEATURE_H
#define PFC_WATCHDOG_FEATURE_H

#include "switch-feature.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief A PFC watchdog as switches have it: a class that its peer pauses for too long costs its
 * own packets, and not the network.
 *
 * A class of a port is in a storm when packets of it have waited, with the class paused without a
 * break, for DetectionTime. From then on its packets are dropped, those that wait and those that
 * come (Forward: sent in spite of the pause), until it has not been paused for RestorationTime.
 * Waiting for a link that is down is no storm. No timer runs where nothing is paused.
 *
 * Detection, mitigation and restoration follow the PFC Watchdog Design of SONiC (its wiki, revision
 * 0.2), which has both actions and asks for times of hundreds of milliseconds; its command line
 * restores after twice the detection time. Junos detects after 200 ms by default.
 */
class PfcWatchdogFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    PfcWatchdogFeature();
    ~PfcWatchdogFeature() override;

    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    Counters GetCounters() const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also if no flow control pauses
    void Attach(FabricSwitch* sw, uint32_t number) override;
    DropReason OnFilter(const FabricNetDevice& egress, const FabricPacketItem& item) override;
    void OnPeerPause(FabricNetDevice& egress, uint8_t classes) override;
    void OnLinkChange(FabricNetDevice& port) override;
    void OnTimer(int64_t nowPs) override;

    /**
     * @param port egress port
     * @param priority class, 0 to 7
     * @return true while a class is in a storm
     */
    bool IsStorm(uint16_t port, uint8_t priority) const
    {
        return m_queues[port * N_CLASSES + priority].storm;
    }

    /**
     * @brief Signature of the Storm trace source.
     * @param port egress port
     * @param priority class
     * @param begins false: the class is restored
     */
    typedef void (*StormTracedCallback)(uint16_t port, uint8_t priority, bool begins);

  private:
    static LogComponent g_log;               //!< of this class
    static constexpr uint32_t N_CLASSES = 8; //!< of PFC

    /// A class of a port.
    struct Queue
    {
        int64_t stalledPs; //!< paused with packets since then; FabricTime::NEVER: it is not
        int64_t quietPs;   //!< in a storm, and not paused since then; FabricTime::NEVER: paused
        bool storm;        //!< packets are dropped
    };

    /// @return true if packets of a class wait in the switch for a port
    bool HasPackets(const FabricNetDevice& port, uint8_t priority) const;
    /// Watch a class that is paused, if packets wait.
    void Watch(const FabricNetDevice& port, uint8_t priority);
    /// A class is in a storm from now on.
    void Begin(FabricNetDevice& port, uint8_t priority);
    /// A class is in a storm no longer.
    void End(FabricNetDevice& port, uint8_t priority);
    /// Tell a port which of its classes are sent in spite of pauses.
    void Force(FabricNetDevice& port) const;

    /// Time that packets of a class wait, paused without a break, until this counts as a storm
    Time m_detectionTime;
    Time m_restorationTime; //!< time without a pause until a storm is over
    bool m_forward{false}; //!< in a storm, send packets in spite of pauses instead of dropping them
    std::vector<Queue> m_queues;                     //!< by port and class
    uint64_t m_storms{0};                            //!< begun
    uint64_t m_restored{0};                          //!< ended
    uint64_t m_dropped{0};                           //!< packets
    TracedCallback<uint16_t, uint8_t, bool> m_trace; //!< storms that begin and end
};

} // namespace ns3

#endif /* PFC_WATCHDOG_FEATURE_H */
