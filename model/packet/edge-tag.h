// SPDX-License-Identifier: GPL-2.0-only
#ifndef EDGE_TAG_H
#define EDGE_TAG_H

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the first switch of a packet tells those on its way and the last one
 * (FabricPacketItem::FLAG_EDGE).
 *
 * The last switch takes it off again: hosts see none. What the words and bytes mean is up to the
 * feature of both.
 */
struct EdgeTag
{
    static constexpr uint32_t BYTES = 16; //!< on the wire, with the byte that names the header

    uint32_t path;                 //!< see EdgePath
    std::array<uint32_t, 2> words; //!< of the feature
    std::array<uint8_t, 2> bytes;  //!< of the feature
};

/**
 * @ingroup dcfabric
 * @brief A way between two edge switches through tiers of switches: the port at each switch that
 * leads up.
 *
 * A number: the port at the first switch in the lowest byte, and so on. Where ways lead down again
 * there is one only, as in any Clos network.
 */
class EdgePath
{
  public:
    static constexpr uint8_t MAX_STEPS = 4;      //!< switches that lead up
    static constexpr uint16_t MAX_PORT = 255;    //!< largest number of a port of these
    static constexpr uint32_t NONE = 0xffffffff; //!< no way

    /**
     * @param path a way
     * @param step number of switches that led up before
     * @return port
     */
    static uint16_t GetPort(uint32_t path, uint8_t step)
    {
        return (path >> (8 * step)) & MAX_PORT;
    }

    /**
     * @param path a way
     * @param step number of switches that lead up before
     * @param port to be taken there, up to MAX_PORT
     * @return the way with that port
     */
    static uint32_t WithPort(uint32_t path, uint8_t step, uint16_t port)
    {
        return (path & ~(uint32_t{MAX_PORT} << (8 * step))) | (uint32_t{port} << (8 * step));
    }
};

} // namespace ns3

#endif /* EDGE_TAG_H */
