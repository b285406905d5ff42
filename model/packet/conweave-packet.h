// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONWEAVE_PACKET_H
#define CONWEAVE_PACKET_H

#include "fabric-packet-item.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fields of what the last switch of a flow tells the first one under ConWeave: src is the
 * switch that tells, dst the other one.
 */
struct ConweaveFields
{
    static constexpr auto TYPE = static_cast<FabricPacketType>(0xcf); //!< of such a packet
    static constexpr uint32_t BYTES = 16; //!< on the wire, behind BTH (own header)

    /// What it says.
    enum Kind : uint8_t
    {
        INIT_REPLY = 1, //!< the first packet of an epoch has come
        TAIL_REPLY = 2, //!< the last packet of the old way has come
        NOTIFY = 3,     //!< packets of a way were marked
    };

    uint8_t kind;     //!< Kind
    uint8_t epoch;    //!< replies: of the packet that is answered
    uint16_t entropy; //!< flow key: UDP source port
    uint32_t flowSrc; //!< flow key: source of the flow
    uint32_t flowDst; //!< flow key: receiver of the flow
    uint32_t path;    //!< NOTIFY: the way (EdgePath)
};

} // namespace ns3

#endif /* CONWEAVE_PACKET_H */
