// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARED_BUFFER_H
#define SHARED_BUFFER_H

#include "buffer-threshold.h"
#include "switch-buffer.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
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
 * dropped. Senders in step with one another and with the output always meet a full queue in the
 * same order, so that one of them loses everything (phase effects: Floyd and Jacobson, "On Traffic
 * Phase Effects in Packet-Switched Gateways", 1992). AdmissionJitter takes them out of step: of the
 * free pool, each packet does not see a random part of so many bytes.
 *
 * The attribute Threshold names another rule than Alpha x free pool for both (BufferThreshold).
 */
class SharedBuffer final : public SwitchBuffer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @copydoc SwitchBuffer::Configure
     *
     * It is impossible if reserves and headrooms do not fit into Size, or XoffThreshold not between
     * the reserve and what is left, or beside a Threshold.
     */
    void Configure(const std::vector<uint64_t>& headroomBytes,
                   uint8_t losslessClasses,
                   uint8_t usedClasses) override;

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

    // from SwitchBuffer
    int64_t AssignStreams(int64_t stream) override;

    Verdict AdmitArrival(const Arrival& arrival) override
    {
        return m_threshold
                   ? AdmitByThreshold(arrival)
                   : Admit(arrival.ingress, arrival.priority, arrival.bytes, arrival.egressBytes);
    }

    bool ReleaseRoom(uint16_t ingress, uint16_t egress, uint8_t priority, uint32_t bytes) override
    {
        return m_threshold ? ReleaseByThreshold(ingress, egress, priority, bytes)
                           : Release(ingress, priority, bytes);
    }

    void Attach(FabricSwitch* owner) override;

    void NameHotLines(const HotLines& lines, uint16_t ingress, uint8_t priority) const override
    {
        lines.Add<1>(&Get(ingress, priority));
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

    /// @copydoc SwitchBuffer::GetInputBytes Those in the headroom are included.
    uint64_t GetInputBytes(uint16_t ingress, uint16_t egress, uint8_t priority) const override;

    /**
     * @param port ingress port
     * @param priority class
     * @return bytes of an ingress queue outside its headroom
     */
    uint64_t GetIngressBytes(uint16_t port, uint8_t priority) const;

    /**
     * @param port ingress port
     * @param priority class
     * @return bytes in the headroom of an ingress queue
     */
    uint64_t GetHeadroomUsed(uint16_t port, uint8_t priority) const;

    /**
     * @param port port
     * @param priority class
     * @return most bytes an ingress queue of a lossless class may hold now
     */
    uint64_t GetThreshold(uint16_t port, uint8_t priority) const;

  private:
    /// What came in through one port in one class.
    struct IngressQueue
    {
        uint64_t bytes{0};     //!< in reserve and pool
        uint64_t headroom{0};  //!< in the headroom
        bool congested{false}; //!< the peer has been told to stop
    };

    /// @return the queue
    IngressQueue& Get(uint16_t port, uint8_t priority)
    {
        return m_queues[priority * m_headroom.size() + port];
    }

    /// @return the queue
    const IngressQueue& Get(uint16_t port, uint8_t priority) const
    {
        return m_queues[priority * m_headroom.size() + port];
    }

    /**
     * @brief A packet asks for room. Inlined: what the caller knows of it is then not passed on.
     * @tparam Fits function of the used bytes of the pool: true if its queue may grow by it
     * @return as Admit()
     */
    template <typename Fits>
    [[gnu::always_inline]] Verdict Place(uint16_t port,
                                         uint8_t priority,
                                         uint32_t bytes,
                                         const Fits& fits);
    /// A packet gives its room back. @return true if its queue is congested outside its headroom
    bool TakeOut(IngressQueue& queue, uint32_t bytes);
    /// @return the queue whose length counts, with what it holds now: that of the ingress port in a
    /// lossless class, else that of the egress port
    BufferThreshold::Queue FindQueue(uint16_t ingress, uint16_t egress, uint8_t priority) const;
    /// As Admit(), by m_threshold.
    Verdict AdmitByThreshold(const Arrival& arrival);
    /// As Release(), by m_threshold.
    bool ReleaseByThreshold(uint16_t ingress, uint16_t egress, uint8_t priority, uint32_t bytes);
    /// Set the attribute Threshold.
    void SetThresholdType(TypeId type);
    /// @return attribute Threshold
    TypeId GetThresholdType() const;
    /// Make what it names.
    void ConfigureThreshold();

    /// @return what a packet of a lossy class does not see of the free pool, in bytes
    uint64_t DrawHidden();
    /// @return most bytes outside the headroom that a lossless ingress queue may hold now
    uint64_t Threshold() const;

    uint64_t m_size{0};          //!< bytes of memory
    double m_alpha{0};           //!< of ingress queues
    double m_egressAlpha{0};     //!< of egress queues of lossy classes
    uint64_t m_xoffThreshold{0}; //!< fixed threshold; 0: dynamic
    /// Bytes of the pool of which a lossy packet does not see a random part
    uint32_t m_admissionJitter{0};
    uint64_t m_portReserve{0};           //!< bytes that each port and class in use has to itself
    uint64_t m_reserve{0};               //!< of each ingress queue, in bytes, since Configure()
    uint64_t m_resumeOffset{0};          //!< hysteresis in bytes
    std::vector<uint64_t> m_headroom;    //!< of each class of a port
    std::vector<IngressQueue> m_queues;  //!< by class and port
    uint64_t m_poolBytes{0};             //!< size of the pool
    uint64_t m_poolUsed{0};              //!< used of the pool
    Ptr<UniformRandomVariable> m_random; //!< of the jitter
    TypeId m_thresholdType;              //!< attribute
    Ptr<BufferThreshold> m_threshold;    //!< null: Alpha and EgressAlpha alone
    /// With m_threshold: bytes of lossy classes by class and egress port.
    std::vector<uint64_t> m_egressBytes;
    const FabricSwitch* m_owner{nullptr}; //!< of which m_threshold sees time and rates
};

// here, because each packet passes both in each switch

template <typename Fits>
inline SharedBuffer::Verdict
SharedBuffer::Place(uint16_t port, uint8_t priority, uint32_t bytes, const Fits& fits)
{
    if (((m_used >> priority) & 1) == 0)
    {
        RefuseClass(priority);
    }
    IngressQueue& queue = Get(port, priority);
    const uint64_t after = queue.bytes + bytes;
    const uint64_t fromPool = after - std::min(after, std::max(queue.bytes, m_reserve));
    Verdict verdict = ADMITTED;
    if (IsLossless(priority))
    {
        if (after > m_reserve && (!fits(m_poolUsed) || m_poolUsed + fromPool > m_poolBytes))
        {
            if (queue.headroom + bytes > m_headroom[port])
            {
                return {DropReason::HEADROOM_EXHAUSTED, false};
            }
            queue.headroom += bytes;
            queue.congested = true;
            verdict = ADMITTED_TO_HEADROOM;
        }
    }
    else if (fromPool > 0)
    {
        const uint64_t used = m_poolUsed + (m_admissionJitter > 0 ? DrawHidden() : 0);
        if (used + fromPool > m_poolBytes)
        {
            return {DropReason::BUFFER_FULL, false};
        }
        if (!fits(used))
        {
            return {DropReason::ABOVE_THRESHOLD, false};
        }
    }
    if (verdict == ADMITTED)
    {
        queue.bytes = after;
        m_poolUsed += fromPool;
    }
    m_usedBytes += bytes;
    m_maxUsedBytes = std::max(m_maxUsedBytes, m_usedBytes);
    return verdict;
}

inline SharedBuffer::Verdict
SharedBuffer::Admit(uint16_t port, uint8_t priority, uint32_t bytes, uint64_t egressBytes)
{
    return Place(port, priority, bytes, [&](uint64_t used) {
        return IsLossless(priority) ? Get(port, priority).bytes + bytes <= Threshold()
                                    : static_cast<double>(egressBytes + bytes) <=
                                          m_egressAlpha * static_cast<double>(m_poolBytes - used);
    });
}

inline bool
SharedBuffer::TakeOut(IngressQueue& queue, uint32_t bytes)
{
    m_usedBytes -= bytes;
    const uint64_t fromHeadroom = std::min<uint64_t>(queue.headroom, bytes);
    queue.headroom -= fromHeadroom;
    const uint64_t rest = bytes - fromHeadroom;
    m_poolUsed -= queue.bytes - std::max(queue.bytes - rest, std::min(queue.bytes, m_reserve));
    queue.bytes -= rest;
    return queue.congested && queue.headroom == 0;
}

inline bool
SharedBuffer::Release(uint16_t port, uint8_t priority, uint32_t bytes)
{
    IngressQueue& queue = Get(port, priority);
    if (!TakeOut(queue, bytes))
    {
        return false;
    }
    if (queue.bytes > m_reserve && queue.bytes + m_resumeOffset > Threshold())
    {
        return false;
    }
    queue.congested = false;
    return true;
}

} // namespace ns3

#endif /* SHARED_BUFFER_H */
