// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROACTIVE_FLOW_THROTTLE_H
#define PROACTIVE_FLOW_THROTTLE_H

#include "cycle-clock.h"
#include "flit-spacer.h"
#include "throttle-detector.h"

#include "ns3/injection-throttle.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{

class CreditFlowControl;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Proactive flow throttling (PFT) at a port of a NIC: the credits that its link uses say
 * whether the network is congested, and how far apart flits have to go ([PFT]).
 *
 * A ThrottleDetector decides on the state, a FlitSpacer on the flits while that is congested. Both
 * work in cycles of the NIC's clock. What happens at the beginning of a cycle goes by the credits
 * that were used just before. There are no events of its own but the one that wakes the port:
 * cycles are counted when the credits change, when a packet could go and when one goes.
 *
 * It needs the credits of a class on a link (CreditFlowControl).
 */
class ProactiveFlowThrottle : public InjectionThrottle
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ProactiveFlowThrottle();

    // from InjectionThrottle
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    void Attach(FabricNetDevice& port, uint8_t dataClass) override;
    int64_t AssignStreams(int64_t stream) override;
    int64_t GetReadyPs(int64_t nowPs) override;
    void OnInject(const FabricPacketItem& item, int64_t nowPs) override;
    Counters GetCounters(int64_t nowPs) override;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// Count the cycles that have begun.
    void CountCycles(int64_t nowPs);
    /// The flow control of the port says that credits have changed.
    void OnUsedCredits(Ptr<const FabricNetDevice> port, uint8_t priority, uint32_t units);
    /// The rate of the link may have changed: see how long flits are.
    void MeasureFlits();

    TypeId m_detectorType;   //!< what says whether the network is congested
    TypeId m_spacerType;     //!< what spaces flits while it is
    uint64_t m_hertz{0};     //!< frequency of the NIC's clock in Hz
    uint64_t m_flitBytes{0}; //!< bytes of a flit

    CreditFlowControl* m_credits{nullptr}; //!< of the port
    uint8_t m_dataClass{0};                //!< of them
    Ptr<ThrottleDetector> m_detector;      //!< whether
    Ptr<FlitSpacer> m_spacer;              //!< how
    CycleClock m_clock{1};                 //!< of the NIC
    uint64_t m_cycle{0};                   //!< the last one that has been counted
    uint32_t m_used{0};                    //!< credits, as from the next cycle on
    bool m_wanted{false};                  //!< a packet could go
    bool m_blocked{false};                 //!< and may not before credits come back
    int64_t m_readyPs{0};                  //!< when it may, or could at last; 0: always
    uint64_t m_rateBps{0};                 //!< of the link, for which the next holds
    uint64_t m_bytesOfFlit{1};             //!< at that rate
    uint64_t m_delayedPackets{0};          //!< that had to wait although the wire was free
};

} // namespace ns3

#endif /* PROACTIVE_FLOW_THROTTLE_H */
