// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_CONGESTION_CONTROL_H
#define HPCC_CONGESTION_CONTROL_H

#include "int-window-congestion-control.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief HPCC (SIGCOMM 2019): INT on data packets, echoed by the receiver; first hop first.
 *
 * With PerLink each link of the path has its own U, Wc and stage, and the window is the least of
 * what they ask for (MULTI_RATE of the public HPCC simulator). A measurement enters the U of its
 * link with the time that the records of that link are apart. The algorithm of the paper, with one
 * of each for the path, is the default.
 */
class HpccCongestionControl : public IntWindowCongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;

    /**
     * @param record its index in the order of the ACK
     * @return Wc of a link in bytes, with PerLink
     */
    double GetLinkReference(uint8_t record) const
    {
        return m_links[record].reference;
    }

  protected:
    /// @throws FabricError also if PerLink is set and packets of a flow take several paths
    void DoStart() override;
    void ComputeWindow(const AckInfo& ack, bool update) override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// What is computed for a link.
    struct Link
    {
        double utilization; //!< U
        double reference;   //!< Wc in bytes
        uint32_t incStage;  //!< additive steps since the last multiplicative one
    };

    bool m_perLink; //!< keep U, Wc and stage for each link of the path and take the least window
    std::array<Link, FabricPacketItem::MAX_HOPS> m_links; //!< by record, with PerLink
    uint16_t m_linksPath{0};                              //!< path id of these
};

} // namespace ns3

#endif /* HPCC_CONGESTION_CONTROL_H */
