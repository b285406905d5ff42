// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What can be read of a queue and of what surrounds it, for measures of congestion.
 */
#ifndef QUEUE_VIEW_H
#define QUEUE_VIEW_H

#include "ns3/queue-item.h"

#include <cstdint>

namespace ns3
{

class CongestionAwareQueueDisc;
class MarkingProfile;

/**
 * @ingroup dcfabric
 * @brief What a queue disc cannot know by itself: its port, the memory it shares, the time.
 *
 * A switch of a fabric gives its queue discs one that knows all; anywhere else DiscContext
 * does.
 */
class QueueContext
{
  public:
    virtual ~QueueContext() = default;

    /// @return the present in ps
    virtual int64_t GetNowPs() const = 0;
    /// @return rate of the link in bit/s; 0: unknown
    virtual uint64_t GetRateBps() const = 0;
    /// @return frame bytes that the port has sent
    virtual uint64_t GetPortSentBytes() const = 0;
    /**
     * @param priority class, 0 to 7
     * @return bytes of a class that wait for this queue elsewhere, as in virtual output queues
     */
    virtual uint64_t GetWaitingBytes(uint8_t priority) const = 0;
    /// @return bytes in the memory that all ports share
    virtual uint64_t GetBufferBytes() const = 0;
    /**
     * @param classes bit mask: a QoS group
     * @return bytes of some classes in that memory
     */
    virtual uint64_t GetGroupBytes(uint8_t classes) const = 0;
    /**
     * @param item the packet
     * @return what tells the source of a packet from others
     */
    virtual uint64_t GetSource(const QueueDiscItem& item) const = 0;

    /**
     * @param item the packet
     * @return what tells the flow of a packet from others: by default its hash
     */
    virtual uint64_t GetFlow(const QueueDiscItem& item) const
    {
        return item.Hash();
    }
};

/**
 * @ingroup dcfabric
 * @brief The context of a queue disc that is alone: the memory is its own, and the rate that
 * of its NetDevice, if this has an attribute DataRate. Sources are those of IP, or where there are
 * none flows by QueueDiscItem::Hash().
 */
class DiscContext final : public QueueContext
{
  public:
    /**
     * @param disc the queue disc, outlives this object
     */
    explicit DiscContext(const CongestionAwareQueueDisc& disc);

    // from QueueContext
    int64_t GetNowPs() const override;
    uint64_t GetRateBps() const override;
    uint64_t GetPortSentBytes() const override;
    uint64_t GetWaitingBytes(uint8_t priority) const override;
    uint64_t GetBufferBytes() const override;
    uint64_t GetGroupBytes(uint8_t classes) const override;
    uint64_t GetSource(const QueueDiscItem& item) const override;

  private:
    const CongestionAwareQueueDisc& m_disc; //!< the queue disc
    uint64_t m_rateBps;                     //!< of the device; 0: unknown
};

/**
 * @ingroup dcfabric
 * @brief One class of a queue disc, to be read.
 */
class QueueView
{
  public:
    /**
     * @param disc the queue disc
     * @param context what surrounds it
     * @param priority class, 0 to 7
     */
    QueueView(const CongestionAwareQueueDisc& disc, const QueueContext& context, uint8_t priority)
        : m_disc(disc),
          m_context(context),
          m_priority(priority)
    {
    }

    /// @return the class
    uint8_t GetPriority() const
    {
        return m_priority;
    }

    /// @return the present in ps
    int64_t GetNowPs() const
    {
        return m_context.GetNowPs();
    }

    /// @return rate of the link in bit/s; 0: unknown
    uint64_t GetRateBps() const
    {
        return m_context.GetRateBps();
    }

    /// @return bytes that wait in the class, and for it elsewhere
    uint64_t GetQueueBytes() const;
    /// @return bytes that wait in all classes of the port
    uint64_t GetPortBytes() const;
    /// @return bytes of the class that have left to be sent
    uint64_t GetQueueSentBytes() const;

    /// @return the profile by which the queue disc marks, null for none
    const MarkingProfile* GetMarkingProfile() const;

    /// @return frame bytes that the port has sent
    uint64_t GetPortSentBytes() const
    {
        return m_context.GetPortSentBytes();
    }

    /// @return bytes in the memory that all ports share
    uint64_t GetBufferBytes() const
    {
        return m_context.GetBufferBytes();
    }

    /**
     * @param classes bit mask: a QoS group
     * @return bytes of some classes in that memory
     */
    uint64_t GetGroupBytes(uint8_t classes) const
    {
        return m_context.GetGroupBytes(classes);
    }

    /**
     * @param item the packet
     * @return what tells the source of a packet from others
     */
    uint64_t GetSource(const QueueDiscItem& item) const
    {
        return m_context.GetSource(item);
    }

    /**
     * @param item the packet
     * @return what tells the flow of a packet from others
     */
    uint64_t GetFlow(const QueueDiscItem& item) const
    {
        return m_context.GetFlow(item);
    }

  private:
    const CongestionAwareQueueDisc& m_disc; //!< the queue disc
    const QueueContext& m_context;          //!< what surrounds it
    uint8_t m_priority;                     //!< the class
};

} // namespace ns3

#endif /* QUEUE_VIEW_H */
