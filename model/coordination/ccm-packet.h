// SPDX-License-Identifier: GPL-2.0-only
#ifndef CCM_PACKET_H
#define CCM_PACKET_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a notification of coordinated congestion management says ([CCM] section 6.2); the
 * values are those on the wire.
 */
struct CcmKind
{
    static constexpr uint8_t REQUIRED = 1; //!< type 1: congestion control required
    static constexpr uint8_t RELEASED = 2; //!< type 2: congestion control released
    static constexpr uint8_t REROUTE = 3;  //!< type 3: upstream adaptive routing required
};

/**
 * @ingroup dcfabric
 * @brief Fields of a notification of coordinated congestion management (FabricPacketType::CCM,
 * [CCM] section 6.2): FabricPacketItem::src is the switch that reports, dst who handles it, pdc the
 * flow's at its source.
 */
struct CcmFields
{
    static constexpr uint32_t BYTES = 12; //!< on the wire, behind BTH (own header)

    uint8_t kind;     //!< CcmKind: 1 to 3
    uint32_t flowSrc; //!< flow key: source of the flow
    uint32_t flowDst; //!< flow key: receiver of the flow
    uint16_t entropy; //!< flow key: UDP source port of the packet that it is about
};

} // namespace ns3

#endif /* CCM_PACKET_H */
