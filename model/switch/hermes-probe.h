// SPDX-License-Identifier: GPL-2.0-only
#ifndef HERMES_PROBE_H
#define HERMES_PROBE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What edge switches ask and answer one another under Hermes: the payload of a NOTICE.
 *
 * Bytes, highest first: format (3) 1; 1: an answer, 0: a probe 1; zeros 2; path 4; when the probe
 * left, in ps, 8. The layout is ours.
 */
struct HermesProbe
{
    static constexpr uint32_t BYTES = 16; //!< in all

    bool isAnswer{false}; //!< else a probe
    uint32_t path{0};     //!< path of the probe
    int64_t sentPs{0};    //!< when the probe left

    /// @return the bytes
    std::vector<uint8_t> Serialize() const;

    /**
     * @brief Read bytes; what Serialize() does not write is refused.
     * @param bytes all there are
     * @param[out] probe what they say; undefined if refused
     * @return true if accepted
     */
    static bool Parse(const std::vector<uint8_t>& bytes, HermesProbe& probe);
};

} // namespace ns3

#endif /* HERMES_PROBE_H */
