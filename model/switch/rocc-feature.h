// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROCC_FEATURE_H
#define ROCC_FEATURE_H

#include "rocc-fair-rate.h"
#include "rocc-flow-table.h"
#include "switch-feature.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-format.h"

#include <memory>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The congestion points of RoCC (CoNEXT 2020, section 3): each egress queue through which
 * data goes computes a fair rate and tells it the sources of the flows in it.
 *
 * A congestion point is an egress port and a class. At every multiple of Interval it reads its
 * queue, computes the rate (RoccFairRate), and sends one message to the source of each flow that
 * its table holds (RoccFlowTable); each flow gets at most one message from a congestion point in an
 * interval. With virtual output queues, what waits in these for the port counts as queued, but the
 * flows are those in the output queue. A congestion point sleeps while its queue is empty and its
 * rate at the maximum, which changes no result.
 *
 * Zero for a gain or a length means what RoccFairRate::GetDefaults() gives for the rate of the
 * port. The message says Mb/s.
 */
class RoccFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Effects GetEffects() const override;
    /// @copydoc SwitchFeature::Attach @throws FabricError also if lengths are not ordered or rates
    /// do not fit
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnEnqueue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;
    void OnTimer(int64_t nowPs) override;
    void CheckRate(uint16_t port, uint64_t rateBps) const override;
    void OnLinkChange(FabricNetDevice& port) override;

    /**
     * @param port egress port
     * @param priority class, 0 to 7
     * @return the present fair rate in bit/s; the rate of the port where no data has gone yet
     */
    double GetFairRateBps(uint16_t port, uint8_t priority) const;

    /// @return messages sent so far
    uint64_t GetNMessages() const
    {
        return m_messages;
    }

    /**
     * @brief Signature of the FairRate trace source.
     * @param port egress port
     * @param priority class
     * @param rateBps fair rate in bit/s
     * @param queueBytes length of the queue
     */
    typedef void (*FairRateTracedCallback)(uint16_t port,
                                           uint8_t priority,
                                           double rateBps,
                                           uint64_t queueBytes);

  private:
    static LogComponent g_log; //!< of this class

    /// An egress queue that data goes through.
    struct CongestionPoint
    {
        RoccFairRate rate;   //!< computes
        RoccFlowTable flows; //!< whom to tell
        bool awake{false};   //!< takes part in the next update
    };

    /// @return number of a congestion point
    static std::size_t Number(uint16_t port, uint8_t priority)
    {
        return std::size_t{port} * 8 + priority;
    }

    /// @return what a port's queues are controlled with
    RoccFairRate::Parameters GetParameters(uint16_t port, uint64_t line) const;
    /// See that a congestion point is updated.
    void Wake(CongestionPoint& point, int64_t nowPs);
    /// Have the next update come.
    void Arm(int64_t timePs);
    /// An interval is over for a congestion point.
    void Update(std::size_t number, int64_t nowPs);
    /// Send a message.
    void Tell(const RoccFlowTable::Flow& flow, std::size_t number, uint32_t rateMbps);

    Ptr<WireFormat> m_wire; //!< sizes on the wire
    Time m_interval;        //!< time between two updates of a fair rate, T
    Time m_flowAge;      //!< how long after its last packet has left the queue a flow is still told
    DataRate m_rateUnit; //!< resolution of rates, deltaF; a multiple of 1 Mb/s
    DataRate m_minRate;  //!< least fair rate, Fmin
    uint32_t m_queueUnit;      //!< resolution of queue lengths in bytes, deltaQ
    double m_alpha;            //!< static gain of the queue's deviation, in RateUnit per QueueUnit
    double m_beta;             //!< static gain of the queue's growth, in RateUnit per QueueUnit
    uint64_t m_qRef;           //!< reference length of a queue in bytes
    uint64_t m_qMid;           //!< growth within an interval, in bytes, that halves the rate
    uint64_t m_qMax;           //!< length in bytes that sets the rate to MinRate
    uint8_t m_controlClass{6}; //!< class of the messages

    int64_t m_intervalPs{0};                                     //!< m_interval in ps
    int64_t m_agePs{0};                                          //!< m_flowAge in ps
    int64_t m_updatedPs{-1};                                     //!< time of the latest update
    bool m_armed{false};                                         //!< an update will come
    uint32_t m_bytes{0};                                         //!< of a message
    uint64_t m_messages{0};                                      //!< sent so far
    std::vector<RoccFairRate::Parameters> m_parameters;          //!< by port
    std::vector<std::unique_ptr<CongestionPoint>> m_points;      //!< by Number(); null: no data yet
    TracedCallback<uint16_t, uint8_t, double, uint64_t> m_trace; //!< each update
};

} // namespace ns3

#endif /* ROCC_FEATURE_H */
