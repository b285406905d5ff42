// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief RoCEv2 frames of data packets, of what hosts answer to them and of what switches notify.
 */
#ifndef ROCE_FRAME_H
#define ROCE_FRAME_H

#include "fabric-packet-item.h"

#include "ns3/packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FrameWriter;

/**
 * @ingroup dcfabric
 * @brief The part of FabricHeaders that knows RoCEv2: IPv4, UDP, BTH, RETH and AETH of InfiniBand,
 * then the extension headers (RoceExtensions) and the payload.
 *
 * Of bits that the specifications reserve, some are in use: the lowest of the six behind FECN and
 * BECN in BTH says that the packet opens its PDC (SYN), the two above it that data is trimmed, and
 * at the last hop, and the seven in front of the sequence number give the length of the extension
 * headers in units of four bytes. AETH tells of an ACK how long it waited, in ns, instead of a
 * message sequence number. The fabric has no registered memory, so the remote key of RETH carries
 * the upper half of the message length, which alone ends at 4 GiB.
 */
class RoceFrame
{
  public:
    /**
     * @param item a data packet, ACK, NAK, CNP, RTW, RNR, RTS, BTS, NOTICE or CCM
     * @return its frame
     * @throws FabricError if it is none of these, a field does not fit its place on the wire, or
     * the payload has not the length that the item claims
     */
    static Ptr<Packet> Serialize(const FabricPacketItem& item);

    /**
     * @param item as of Serialize()
     * @return its frame, without FCS
     * @throws FabricError likewise
     */
    static FrameWriter Write(const FabricPacketItem& item);

    /**
     * @brief Read everything but the CRCs, which the caller checks.
     * @param frame a frame
     * @param bytes all of it; IsRoce() is true of them
     * @return the item without its size, null if malformed
     */
    static Ptr<FabricPacketItem> Parse(Ptr<const Packet> frame, const std::vector<uint8_t>& bytes);

    /**
     * @brief Tell RoCEv2 from other protocols.
     * @param bytes a frame
     * @return true if it is IPv4 and UDP to the port of RoCEv2 and long enough for both CRCs
     */
    static bool IsRoce(const std::vector<uint8_t>& bytes);

    /**
     * @brief Invariant CRC of a RoCEv2 packet (InfiniBand volume 1, annex A17).
     *
     * CRC-32 over eight bytes of ones in the place of the local routing header and all bytes from
     * the IP header on, the fields that may change on the way taken as ones: DS, TTL and checksum
     * of IP, checksum of UDP, the byte of BTH that holds FECN and BECN.
     *
     * @param ip first byte of the IPv4 header
     * @param length bytes from there to the end of the payload and extensions
     * @return the value; it is sent lowest byte first, as the FCS
     */
    static uint32_t ComputeIcrc(const uint8_t* ip, uint32_t length);
};

} // namespace ns3

#endif /* ROCE_FRAME_H */
