// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGA_FEATURE_H
#define CONGA_FEATURE_H

#include "discounting-rate.h"
#include "edge-path-feature.h"

#include "ns3/flow-port-table.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

class LogComponent;

/**
 * @ingroup dcfabric
 * @brief CONGA ([CONGA]_) on a switch: each flowlet takes the way that is least congested from end
 * to end.
 *
 * Every port to another switch has an estimate of its load (DiscountingRate), quantized to a few
 * bits. A tagged packet collects the largest on its way. The last switch keeps it by first switch
 * and way, and sends one value of those that it has, drawn, with each packet that goes back there;
 * so the first switch knows the ways to each other edge switch. A flowlet takes a way for which the
 * larger of that and of the load of the port here is least: the way of the flow so far if it is
 * among them, else one that is drawn.
 *
 * Data and its answers are led so; what else there is goes as the path selector says.
 */
class CongaFeature : public EdgePathFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    CongaFeature();

    // from SwitchFeature
    uint32_t GetHooks() const override;
    Counters GetCounters() const override;
    void Attach(FabricSwitch* sw, uint32_t number) override;
    int64_t AssignStreams(int64_t stream) override;
    bool OnReceive(FabricNetDevice& ingress, FabricPacketItem& item) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;

    /**
     * @param edge another edge switch
     * @param path a way to it
     * @return what that switch has told of the way, 0 if that is too long ago
     */
    uint8_t GetTold(uint32_t edge, uint32_t path) const;

    /**
     * @param port to another switch
     * @return its load, quantized
     */
    uint8_t GetLoad(uint16_t port) const;

  private:
    static LogComponent g_log; //!< of this class

    static constexpr uint8_t TELLS = 0x80; //!< bit beside the collected value: there is a told one

    /// What is known of a way.
    struct Metric
    {
        int64_t timePs{0}; //!< when it came
        uint32_t path{0};  //!< way
        uint8_t value{0};  //!< congestion
    };

    /// What is known of the ways to and from another edge switch.
    struct Ways
    {
        std::unordered_map<uint32_t, Metric> to;          //!< told by that switch, by way
        std::vector<Metric> from;                         //!< collected by packets from there
        std::unordered_map<uint32_t, std::size_t> places; //!< in the above, by way
    };

    /// @return the value of a metric, 0 if it is too old
    uint8_t GetPresent(const Metric& metric, int64_t nowPs) const;
    /// @return the way of a packet to another edge switch; EdgePath::NONE if none is usable
    uint32_t Choose(const FabricPacketItem& item, uint32_t edge);
    /// @return the best way of a new flowlet, likewise
    uint32_t ChooseAnew(const FabricPacketItem& item, uint32_t edge, uint32_t former);
    /// A packet leaves the network here: keep what it has collected and what it tells.
    void Learn(const FabricPacketItem& item);
    /// Tell the switch that a packet goes to of a way from there.
    void Tell(EdgeTag& tag, const Ways& ways);

    Time m_flowletTimeout;                      //!< pause after which a flow may change its way
    Time m_period;                              //!< of the estimates
    double m_decay{0};                          //!< share that they lose in each
    uint8_t m_bits{0};                          //!< of a quantized value
    Time m_age;                                 //!< after which a value counts as 0
    Ptr<UniformRandomVariable> m_random;        //!< of this switch
    FlowPortTable m_flowlets{m_flowletTimeout}; //!< way of the present flowlet of each flow
    std::vector<DiscountingRate> m_loads;       //!< by port
    std::unordered_map<uint32_t, Ways> m_ways;  //!< by other edge switch
    std::vector<uint32_t> m_best;               //!< scratch
    uint64_t m_nFlowlets{0};                    //!< that have begun here
    uint64_t m_nMoves{0};                       //!< on another way than the one before of the flow
};

} // namespace ns3

#endif /* CONGA_FEATURE_H */
