// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOP_CONGESTION_NOTIFICATION_H
#define HOP_CONGESTION_NOTIFICATION_H

#include "flow-key.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a switch tells the neighbor that sends to it: one of its outputs is congested, how
 * much and by which flows. It stays on one hop, as the payload of a NOTICE.
 *
 * Bytes, highest first: format (1) 1, class 1, congestion degree 1, number of flows 1, queue 2,
 * culprits are known (1) or not (0) 1, zero 1; for each flow its five-tuple as RoCEv2 has it: IPv4
 * addresses 4 + 4, UDP ports 2 + 2, protocol (17) 1, zeros 3. The layout is ours.
 */
struct HopCongestionNotification
{
    static constexpr uint8_t MAX_DEGREE = 63;      //!< six bits, as in QCN
    static constexpr std::size_t MAX_FLOWS = 255;  //!< that the bytes can count
    static constexpr std::size_t HEADER_BYTES = 8; //!< before the flows
    static constexpr std::size_t FLOW_BYTES = 16;  //!< of each flow

    uint8_t priority{0};        //!< class that is congested, 0 to 7
    uint8_t degree{0};          //!< quantized; 0: the congestion is over
    uint16_t queue{0};          //!< output of the sender for which the packets wait
    std::vector<FlowKey> flows; //!< those that congest it, of those that come by this hop
    bool isKnown{false};        //!< it is known which flows congest it, by whatever hop they come

    /**
     * @param degree congestion degree, 0 to 1
     * @return the same in units of 1/63, rounded up: a congested queue never says that it is not
     */
    static uint8_t Quantize(double degree);

    /// @return the congestion degree, 0 to 1
    double GetDegree() const
    {
        return static_cast<double>(degree) / MAX_DEGREE;
    }

    /**
     * @return the bytes
     * @throws FabricError if a field does not fit
     */
    std::vector<uint8_t> Serialize() const;

    /**
     * @brief Read bytes; what Serialize() does not write is refused.
     * @param bytes all there are
     * @param[out] notification what they say; undefined if refused
     * @return true if accepted
     */
    static bool Parse(const std::vector<uint8_t>& bytes, HopCongestionNotification& notification);
};

} // namespace ns3

#endif /* HOP_CONGESTION_NOTIFICATION_H */
