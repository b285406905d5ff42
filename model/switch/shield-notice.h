// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHIELD_NOTICE_H
#define SHIELD_NOTICE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a switch tells its neighbors under ShieldFeature: all destinations that it no longer
 * reaches. It stays on one hop, as the payload of a NOTICE.
 *
 * Bytes, highest first: format (4) 1, zero 1, number of ranges 2; for each its first and its last
 * address, 4 each. Ranges are in ascending order and do not touch. The layout is ours.
 */
struct ShieldNotice
{
    /// @return the bytes
    std::vector<uint8_t> Serialize() const;

    /**
     * @brief Read bytes; what Serialize() does not write is refused.
     * @param bytes all there are
     * @param[out] notice what they say; undefined if refused
     * @return true if accepted
     */
    static bool Parse(const std::vector<uint8_t>& bytes, ShieldNotice& notice);

    std::vector<bool> lost; //!< by fabric address, up to the last one that is lost
};

} // namespace ns3

#endif /* SHIELD_NOTICE_H */
