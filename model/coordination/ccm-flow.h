// SPDX-License-Identifier: GPL-2.0-only
#ifndef CCM_FLOW_H
#define CCM_FLOW_H

#include "ccm-packet.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/flow-key.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A flow of coordinated congestion management: a PDC, with what a notification has to say of
 * it ([CCM] section 6.2).
 */
struct CcmFlow
{
    FlowKey key;     //!< addresses, and entropy of its last packet
    uint32_t pdc{0}; //!< PDC number at the source, less than 2^24

    /**
     * @param item data
     * @return its flow
     */
    static CcmFlow Of(const FabricPacketItem& item)
    {
        return {FlowKey::Of(item), item.data.sourcePdc};
    }

    /**
     * @param item a notification (CCM)
     * @return the flow that it is about
     */
    static CcmFlow OfNotification(const FabricPacketItem& item)
    {
        const auto& ccm = item.As<CcmFields>();
        return {{ccm.flowSrc, ccm.flowDst, ccm.entropy}, item.pdc};
    }

    /// @return a number that no other flow has, whatever the entropy of its packets
    uint64_t GetNumber() const
    {
        return (uint64_t{key.src} << 24) | pdc;
    }

    /**
     * @return a number that no other flow has, and that changes with the entropy: a source that
     * takes another one wants another path, and what is known of the old one is void
     */
    uint64_t GetPathNumber() const
    {
        return (GetNumber() << 16) | key.entropy;
    }
};

} // namespace ns3

#endif /* CCM_FLOW_H */
