// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_USE_NOTICE_H
#define LINK_USE_NOTICE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a switch tells a neighbor of its group: how much each of its links to other groups
 * has to do. It stays on one hop, as the payload of a NOTICE.
 *
 * Bytes, highest first: format (2) 1, zero 1, number of links 2; for each link, in order of ports,
 * its use 2, in units of 1/UNITS; zeros up to a multiple of 4. The layout is ours.
 */
struct LinkUseNotice
{
    static constexpr uint32_t UNITS = 1024;          //!< of a link that sends all the time
    static constexpr uint16_t DOWN = 0xffff;         //!< of a link that is down
    static constexpr std::size_t MAX_LINKS = 0xffff; //!< that the bytes can count
    static constexpr std::size_t HEADER_BYTES = 4;   //!< before the uses

    std::vector<uint16_t> uses; //!< by link, in units

    /**
     * @param use of a link, 0 or more
     * @return the same in units, rounded to the nearest, at most one less than DOWN
     */
    static uint16_t Quantize(double use);

    /// @return the bytes
    std::vector<uint8_t> Serialize() const;

    /**
     * @brief Read bytes; what Serialize() does not write is refused.
     * @param bytes all there are
     * @param[out] notice what they say; undefined if refused
     * @return true if accepted
     */
    static bool Parse(const std::vector<uint8_t>& bytes, LinkUseNotice& notice);
};

} // namespace ns3

#endif /* LINK_USE_NOTICE_H */
