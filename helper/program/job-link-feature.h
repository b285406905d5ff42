// SPDX-License-Identifier: GPL-2.0-only
#ifndef JOB_LINK_FEATURE_H
#define JOB_LINK_FEATURE_H

#include "ns3/switch-feature.h"

#include <cstdint>

namespace ns3
{

class JobLinks;

/**
 * @ingroup dcfabric
 * @brief Tells JobLinks which data comes to a switch and goes. It changes nothing.
 */
class JobLinkFeature : public SwitchFeature
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param links is told; null: nobody
     * @param node number of the switch
     */
    void SetLinks(JobLinks* links, uint32_t node);

    uint32_t GetHooks() const override;
    void OnAdmit(FabricNetDevice& ingress,
                 FabricNetDevice& egress,
                 FabricPacketItem& item) override;
    void OnTransmit(FabricNetDevice& egress, const FabricPacketItem& item) override;
    void OnDrop(FabricPacketItem& item, DropReason reason, const FabricNetDevice* egress) override;

  private:
    /// @return true if somebody wants to know of a packet
    bool Counts(const FabricPacketItem& item) const;

    JobLinks* m_links{nullptr}; //!< is told
    uint32_t m_node{0};         //!< number of the switch
};

} // namespace ns3

#endif /* JOB_LINK_FEATURE_H */
