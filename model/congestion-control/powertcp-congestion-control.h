// SPDX-License-Identifier: GPL-2.0-only
#ifndef POWERTCP_CONGESTION_CONTROL_H
#define POWERTCP_CONGESTION_CONTROL_H

#include "int-path-set.h"
#include "power-window-congestion-control.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Normalized power of a link by PowerTCP (NSDI 2022): A (q + B T) / (B x B T).
 *
 * A is the rate of arrivals at its queue, at least B/2 as in the code of the authors. A record has
 * the bytes that the port has sent, not those that came: these are the bytes sent and the change of
 * the queue.
 */
struct IntPower
{
    double inverseT; //!< 1/T, per ps

    /// @return power of a link
    double operator()(const IntLinkChange& link) const
    {
        const auto queued = static_cast<double>(link.now.queueBytes);
        const double arrived =
            link.sentBytes + (queued - static_cast<double>(link.before.queueBytes));
        const double current = std::max(link.psPerByte * arrived / link.elapsedPs, 0.5);
        return current * (link.psPerByte * queued * inverseT + 1);
    }
};

/**
 * @ingroup dcfabric
 * @brief PowerTCP (NSDI 2022): the power of the path from INT on data packets, echoed by the
 * receiver.
 *
 * Switches write the records of HPCC (HpccIntFeature). U is the power of the link that has most,
 * and T is PathInfo::baseRttPs. Records are compared as by HPCC (IntPathState), and over a small
 * set of paths each path has its own, with one average (IntWindowCongestionControl).
 */
class PowerTcpCongestionControl : public PowerWindowCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void OnAck(const AckInfo& ack) override;

    /// @return paths of which there are records
    std::size_t GetNPaths() const
    {
        return m_paths.GetN();
    }

  protected:
    /// @throws FabricError also if packets take more paths than PathInfo::MAX_PATH_SET
    void DoStart() override;

  private:
    double m_eta; //!< share of the power of a full link that is aimed at

    IntPathSet m_paths;    //!< what is known of each path
    bool m_started{false}; //!< the first ACK has been seen
};

} // namespace ns3

#endif /* POWERTCP_CONGESTION_CONTROL_H */
