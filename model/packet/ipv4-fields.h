// SPDX-License-Identifier: GPL-2.0-only
#ifndef IPV4_FIELDS_H
#define IPV4_FIELDS_H

#include "ns3/buffer.h"
#include "ns3/ipv4-address.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What varies in the IPv4 headers of the fabric: 20 bytes, no options, never fragmented, TTL
 * 64. The module does not use the headers of ns-3's internet module, on which it does not depend.
 */
struct Ipv4Fields
{
    static constexpr uint32_t BYTES = 20; //!< serialized size
    static constexpr uint8_t TCP = 6;     //!< protocol number
    static constexpr uint8_t UDP = 17;    //!< protocol number

    uint8_t ds;              //!< DSCP and ECN
    uint16_t length;         //!< this header and what follows
    uint8_t protocol;        //!< of what follows
    Ipv4Address source;      //!< of the sender
    Ipv4Address destination; //!< of the receiver

    /// @brief Write with checksum. @param start where; left behind the header
    void Write(Buffer::Iterator& start) const;

    /**
     * @brief Read 20 bytes, which must be there.
     * @param start where; left behind the header
     * @return false if it is another kind of header or damaged
     */
    bool Read(Buffer::Iterator& start);

    /// @return true if a frame carries such a header @param bytes from the Ethernet header on, both
    /// headers at least @param protocol of what follows
    static bool IsFrameOf(const std::vector<uint8_t>& bytes, uint8_t protocol);
};

} // namespace ns3

#endif /* IPV4_FIELDS_H */
