// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_QUEUE_H
#define FABRIC_TEST_QUEUE_H

#include "ns3/packet.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/ring-queue.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of queues and queue discs share: a packet that is nothing but a number, a
 * size and a DS field.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A packet for queue discs.
 */
class TestQueueItem : public QueueDiscItem
{
  public:
    static constexpr uint8_t NOT_ECT = 0; //!< not ECN-capable
    static constexpr uint8_t ECT1 = 1;    //!< ECN-capable
    static constexpr uint8_t ECT0 = 2;    //!< ECN-capable
    static constexpr uint8_t CE = 3;      //!< congestion experienced

    /**
     * @param itemId its number
     * @param bytes its size
     * @param dscp DSCP
     * @param ecn ECN codepoint
     */
    TestQueueItem(uint32_t itemId, uint32_t bytes, uint8_t dscp, uint8_t ecn)
        : QueueDiscItem(Create<Packet>(), Address(), 0x0800),
          id(itemId),
          ds(static_cast<uint8_t>((dscp << 2) | ecn)),
          m_bytes(bytes)
    {
    }

    uint32_t GetSize() const override
    {
        return m_bytes;
    }

    bool GetUint8Value(QueueItem::Uint8Values field, uint8_t& value) const override
    {
        value = ds;
        return field == QueueItem::IP_DSFIELD && hasDs;
    }

    void AddHeader() override
    {
    }

    bool Mark() override
    {
        if ((ds & CE) == NOT_ECT)
        {
            return false;
        }
        ds |= CE;
        return true;
    }

    /// @return true if congestion experienced
    bool IsMarked() const
    {
        return (ds & CE) == CE;
    }

    uint32_t id;      //!< number
    uint8_t ds;       //!< DS field
    bool hasDs{true}; //!< is an IP packet

  private:
    uint32_t m_bytes; //!< size
};

/**
 * @ingroup dcfabric-tests
 * @brief A queue disc that is a queue without limits, for those that treat packets in odd ways.
 */
class TestQueueDisc : public QueueDisc
{
  protected:
    TestQueueDisc()
        : QueueDisc(QueueDiscSizePolicy::NO_LIMITS)
    {
    }

    /**
     * @tparam T the class
     * @param name its name
     * @return the TypeId of a class derived from this
     */
    template <typename T>
    static TypeId MakeTypeId(const char* name)
    {
        return TypeId(name).SetParent<QueueDisc>().SetGroupName("Dcfabric").AddConstructor<T>();
    }

    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        return GetInternalQueue(0)->Enqueue(item);
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return GetInternalQueue(0)->Dequeue();
    }

    /**
     * @brief Drop all packets.
     * @param reason as of the traces
     */
    void DropAll(const char* reason)
    {
        while (GetNPackets() > 0)
        {
            DropAfterDequeue(GetInternalQueue(0)->Dequeue(), reason);
        }
    }

  private:
    bool CheckConfig() override
    {
        AddInternalQueue(CreateObject<RingQueue>());
        return true;
    }

    void InitializeParams() override
    {
    }
};

/**
 * @ingroup dcfabric-tests
 * @param id number
 * @param bytes size
 * @param priority class by the class selector
 * @param ecn ECN codepoint
 * @return a packet of that class
 */
inline Ptr<TestQueueItem>
MakeTestItem(uint32_t id, uint32_t bytes, uint8_t priority = 0, uint8_t ecn = TestQueueItem::ECT0)
{
    return Create<TestQueueItem>(id, bytes, static_cast<uint8_t>(priority * 8), ecn);
}

/**
 * @param item a TestQueueItem or null
 * @return number of a packet, -1 for none
 */
inline int
IdOf(Ptr<const QueueItem> item)
{
    return item ? static_cast<int>(static_cast<const TestQueueItem*>(PeekPointer(item))->id) : -1;
}

/**
 * @param disc emptied
 * @return numbers of the packets in the order in which the disc gives them
 */
inline std::string
Drain(Ptr<QueueDisc> disc)
{
    std::string order;
    while (Ptr<QueueDiscItem> item = disc->Dequeue())
    {
        order += (order.empty() ? "" : " ") + std::to_string(IdOf(item));
    }
    return order;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_QUEUE_H */
