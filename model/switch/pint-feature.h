// SPDX-License-Identifier: GPL-2.0-only
#ifndef PINT_FEATURE_H
#define PINT_FEATURE_H

#include "switch-feature.h"

#include "ns3/int-format.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One number for the whole path in data packets: the utilization of the most loaded link on
 * it, of eight bits (PINT, SIGCOMM 2020).
 *
 * Each port keeps the average utilization of its link. At a data packet that has an INT header, dt
 * after the last one of these and with b bytes sent in between, it becomes
 *
 *   u <- (T - dt)/T u + dt q / (B T^2) + b / (B T), dt at most T and b at most B T,
 *
 * where q are the bytes of the packet's class that wait behind it. The packet keeps the larger of
 * its own number and that of the link (PintCode). The number takes the place of the path id in the
 * INT header; there are no records, and the packet does not grow.
 */
class PintFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    PintFeature();
    uint32_t GetHooks() const override;
    const char* GetClash() const override;
    Growth GetGrowth(const WireFormat& wire, uint8_t hops, bool exact) const override;
    Effects GetEffects() const override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    int64_t AssignStreams(int64_t stream) override;
    /// @throws FabricError also if BaseRtt is zero
    void Attach(FabricSwitch* sw, uint32_t number) override;
    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override;

    /**
     * @brief How u follows the state of a port.
     * @param before u at the last data packet
     * @param last state at that packet
     * @param now state at this one
     * @param inverseT 1/T, per ps
     * @return u
     */
    static double Average(double before,
                          const IntSample& last,
                          const IntSample& now,
                          double inverseT);

    /**
     * @param port a port
     * @return average utilization of its link at the last data packet
     */
    double GetUtilization(uint16_t port) const
    {
        return m_ports[port].utilization;
    }

  protected:
    void DoDispose() override;

  private:
    /// What is kept of a port.
    struct Port
    {
        IntSample last;        //!< state at the last data packet
        double utilization{0}; //!< u
    };

    Time m_baseRtt;                      //!< T
    double m_inverseT{0};                //!< 1/T, per ps
    std::vector<Port> m_ports;           //!< by number
    Ptr<UniformRandomVariable> m_random; //!< of this switch
};

} // namespace ns3

#endif /* PINT_FEATURE_H */
