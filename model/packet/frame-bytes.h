// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Small tools for making and taking apart Ethernet frames.
 */
#ifndef FRAME_BYTES_H
#define FRAME_BYTES_H

#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The bytes of a frame in one piece, as CRCs want them.
 */
class FrameBytes
{
  public:
    static constexpr uint32_t ETHERNET_BYTES = 14; //!< addresses and EtherType
    static constexpr uint32_t CRC_BYTES = 4;       //!< FCS, and ICRC as well
    static constexpr uint16_t IPV4 = 0x0800;       //!< EtherType
    static constexpr uint16_t IPV6 = 0x86dd;       //!< EtherType
    /// The first EtherType: what is below stands for a length (IEEE 802.3, 3.2.6).
    static constexpr uint16_t LOWEST_ETHER_TYPE = 0x0600;

    /// @return the bytes of a packet @param packet any packet
    static std::vector<uint8_t> Get(Ptr<const Packet> packet);

    /// Append a CRC, lowest byte first. @param bytes what to extend @param crc the value
    static void AppendCrc(std::vector<uint8_t>& bytes, uint32_t crc);

    /**
     * @brief Append the FCS.
     * @param bytes frame without FCS
     * @return the frame
     */
    static Ptr<Packet> Close(std::vector<uint8_t> bytes);

    /// @return true if a frame ends with its FCS @param bytes the frame
    static bool HasFcs(const std::vector<uint8_t>& bytes);

    /**
     * @brief Put an Ethernet header in front of a packet.
     * @param packet what to extend
     * @param source address of the sender
     * @param destination address of the receiver
     * @param etherType protocol of the packet
     */
    static void AddEthernet(Ptr<Packet> packet,
                            Mac48Address source,
                            Mac48Address destination,
                            uint16_t etherType);

    /**
     * @brief Take a header off the front.
     * @tparam T a Header whose Deserialize() returns 0 for bytes it refuses
     * @param packet what to shorten
     * @param header receives the fields
     * @return false if the header refuses the bytes
     */
    template <typename T>
    static bool Take(Ptr<Packet> packet, T& header)
    {
        // not RemoveHeader: it would note the removal of a header that nobody added
        const uint32_t bytes = packet->PeekHeader(header);
        packet->RemoveAtStart(bytes);
        return bytes != 0;
    }
};

} // namespace ns3

#endif /* FRAME_BYTES_H */
