// SPDX-License-Identifier: GPL-2.0-only
#ifndef BUFFER_THRESHOLD_H
#define BUFFER_THRESHOLD_H

#include "ns3/object.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How long the queues of a SharedBuffer may become, by another rule than Alpha x free pool.
 *
 * What counts is the ingress queue of a packet in a lossless class, which is paused beyond its
 * limit, and else its egress queue, where a packet beyond is dropped. The reserve of a queue and
 * the size of the pool hold whatever this object says. One instance serves one switch.
 */
class BufferThreshold : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// A queue as it is now.
    struct Queue
    {
        uint16_t port{0};    //!< ingress port in a lossless class, else egress port
        uint8_t priority{0}; //!< class, 0 to 7
        uint64_t bytes{0};   //!< what it holds, in a lossless class without its headroom
        uint64_t reserve{0}; //!< bytes that it may hold whatever its limit, counted in #bytes
        double alpha{1};     //!< SharedBuffer::Alpha or EgressAlpha
        int64_t nowPs{0};    //!< time in ps
        uint64_t rateBps{0}; //!< of the port, in bit/s
    };

    /**
     * @brief Begin.
     * @param nPorts of the switch
     */
    virtual void Configure(std::size_t nPorts);

    /**
     * @brief A packet has arrived for a queue, whether it will be admitted or not.
     * @param queue without it
     * @param bytes its size
     */
    virtual void OnArrival(const Queue& queue, uint32_t bytes);

    /**
     * @brief May the queue grow? Asked after OnArrival() of the same packet.
     * @param queue without the packet
     * @param bytes its size
     * @param flags FabricPacketItem::FLAG_ bits of it
     * @param freeBytes of the pool
     * @return true if the packet may be stored
     */
    virtual bool Admits(const Queue& queue,
                        uint32_t bytes,
                        uint32_t flags,
                        uint64_t freeBytes) const;

    /**
     * @brief May a lossless queue that had been above its limit get packets again?
     * @param queue as it is
     * @param offset bytes that it has to be below its limit
     * @param freeBytes of the pool
     * @return true if so
     */
    virtual bool Resumes(const Queue& queue, uint64_t offset, uint64_t freeBytes) const;

    /**
     * @brief What a queue may take of the pool: what Admits() and Resumes() go by.
     * @param queue as it is
     * @param flags as for Admits(), 0 for no packet
     * @param freeBytes of the pool
     * @return bytes, beside the reserve
     */
    virtual double GetShare(const Queue& queue, uint32_t flags, uint64_t freeBytes) const;

    /**
     * @brief A queue has grown or shrunk.
     * @param queue as it is now
     * @param leftBytes bytes that have left; 0: a packet was stored
     */
    virtual void OnChange(const Queue& queue, uint32_t leftBytes);
};

} // namespace ns3

#endif /* BUFFER_THRESHOLD_H */
