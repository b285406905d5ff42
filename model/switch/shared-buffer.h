// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARED_BUFFER_H
#define SHARED_BUFFER_H

#include "ns3/object.h"
#include "ns3/prefetch.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The packet memory of an output-queued switch, shared by all ports under dynamic
 * thresholds.
 *
 * The memory consists of a reserve for each port, a headroom for each port and lossless class, and
 * a pool that all share. What a packet occupies is counted at its ingress (port, class) from its
 * arrival until its transmission begins.
 *
 * *Lossless class*: an ingress queue may fill its reserve and, of the pool, at most Alpha x free
 * pool (Choudhury and Hahne, 1998), or in all at most XoffThreshold bytes if that is set. A packet
 * beyond goes to the headroom and makes the queue congested: the peer has to be paused. The queue
 * is no longer congested when its headroom is empty and it has fallen ResumeOffset below its
 * threshold.
 *
 * *Lossy class*: an egress queue may hold at most EgressAlpha x free pool; a packet beyond is
 * dropped.
 */
class SharedBuffer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What happens to an arriving packet.
    enum Verdict : uint8_t
    {
        ADMITTED,             //!< stored
        ADMITTED_TO_HEADROOM, //!< stored, and the peer has to stop
        DROP_THRESHOLD,       //!< lossy: the egress queue has its share
        DROP_HEADROOM,        //!< lossless: the headroom is full
        DROP_FULL,            //!< the memory is full
    };

    /**
     * @brief Divide the memory.
     * @param headroomBytes for each port, the headroom of each of its lossless classes
     * @param losslessClasses bit mask
     * @param usedClasses bit mask of the classes that carry traffic: only those get headroom
     * @throws FabricError if reserves and headrooms do not fit into Size, or XoffThreshold not
     * between the reserve and what is left
     */
    void Configure(const std::vector<uint64_t>& headroomBytes,
                   uint8_t losslessClasses,
                   uint8_t usedClasses);

    /**
     * @brief A packet asks for room.
     * @param port ingress port
     * @param priority class, 0 to 7
     * @param bytes its size
     * @param egressBytes bytes that wait in its egress queue (read for lossy classes only)
     * @return what happens; nothing is charged for a dropped packet
     * @throws FabricError for a class that is not in use
     */
    Verdict Admit(uint16_t port, uint8_t priority, uint32_t bytes, uint64_t egressBytes);

    /**
     * @brief A packet leaves.
     * @param port ingress port
     * @param priority class, 0 to 7
     * @param bytes what was charged
     * @return true if the ingress queue was congested and is no longer
     */
    bool Release(uint16_t port, uint8_t priority, uint32_t bytes);

    /// @brief Start to load what Admit() will read. @param port ingress port @param priority class
    void Anticipate(uint16_t port, uint8_t priority) const
    {
        PrefetchLines<1>(&Get(port, priority));
    }

    /// @return true if packets of a class are never to be dropped @param priority class, 0 to 7
    bool IsLossless(uint8_t priority) const
    {
        return (m_lossless >> priority) & 1;
    }

    /// @return bytes in memory
    uint64_t GetUsedBytes() const
    {
        return m_usedBytes;
    }

    /// @return most bytes that ever were in memory
    uint64_t GetMaxUsedBytes() const
    {
        return m_maxUsedBytes;
    }

    /// @return bytes of the pool that are in use
    uint64_t GetPoolUsedBytes() const
    {
        return m_poolUsed;
    }

    /// @return size of the pool in bytes
    uint64_t GetPoolBytes() const
    {
        return m_poolBytes;
    }

    /// @return bytes of an ingress queue outside its headroom @param port ingress port @param
    /// priority class
    uint64_t GetIngressBytes(uint16_t port, uint8_t priority) const;

    /// @return bytes in the headroom of an ingress queue @param port ingress port @param priority
    /// class
    uint64_t GetHeadroomUsed(uint16_t port, uint8_t priority) const;

    /// @return most bytes an ingress queue of a lossless class may hold now @param port port @param
    /// priority class
    uint64_t GetThreshold(uint16_t port, uint8_t priority) const;

  private:
    /// What came in through one port in one class.
    struct IngressQueue
    {
        uint64_t bytes{0};     //!< in reserve and pool
        uint64_t headroom{0};  //!< in the headroom
        bool congested{false}; //!< the peer has been told to stop
    };

    /// @return the queue @param port ingress port @param priority class
    IngressQueue& Get(uint16_t port, uint8_t priority)
    {
        return m_queues[priority * m_headroom.size() + port];
    }

    /// @return the queue @param port ingress port @param priority class
    const IngressQueue& Get(uint16_t port, uint8_t priority) const
    {
        return m_queues[priority * m_headroom.size() + port];
    }

    /// @brief Refuse a packet of a class that is not in use. @param priority class
    [[noreturn]] static void RefuseClass(uint8_t priority);

    /// @return most bytes outside the headroom that a lossless ingress queue may hold now
    uint64_t Threshold() const;

    uint64_t m_size{0};                 //!< bytes of memory
    double m_alpha{0};                  //!< of ingress queues
    double m_egressAlpha{0};            //!< of egress queues of lossy classes
    uint64_t m_xoffThreshold{0};        //!< fixed threshold; 0: dynamic
    uint64_t m_reserve{0};              //!< of each ingress queue, in bytes
    uint64_t m_resumeOffset{0};         //!< hysteresis in bytes
    uint8_t m_lossless{0};              //!< lossless classes
    uint8_t m_used{0};                  //!< classes that have a reserve and headroom
    std::vector<uint64_t> m_headroom;   //!< of each class of a port
    std::vector<IngressQueue> m_queues; //!< by class and port
    uint64_t m_poolBytes{0};            //!< size of the pool
    uint64_t m_poolUsed{0};             //!< used of the pool
    uint64_t m_usedBytes{0};            //!< used of everything
    uint64_t m_maxUsedBytes{0};         //!< most that was used
};

} // namespace ns3

#endif /* SHARED_BUFFER_H */
