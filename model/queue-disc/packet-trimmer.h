// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACKET_TRIMMER_H
#define PACKET_TRIMMER_H

#include "ns3/object.h"
#include "ns3/policy-default.h"
#include "ns3/trimmable-item.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What becomes of a packet that a port has no room for: its headers go on to the receiver,
 * in a class of their own, ahead of data.
 *
 * That is the packet trimming of Ultra Ethernet, after [NDP] (doc/uet.rst says what is from where).
 * The receiver learns at once what it will not get, and a NACK has the sender repeat it. Here are
 * the rules; a queue disc (CongestionAwareQueueDisc) and a switch apply them. It has no state:
 * ports share one.
 */
class PacketTrimmer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return bytes that are left of a packet
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @return class of what is left, 0 to 7
    uint8_t GetTrimmedClass() const
    {
        return m_trimmedClass;
    }

    /**
     * @param priority class, 0 to 7
     * @return true if packets of that class are trimmed
     */
    bool Covers(uint8_t priority) const
    {
        return ((m_classes >> priority) & 1) != 0 && priority != m_trimmedClass;
    }

    /// @return bytes of trimmed packets that may wait; 0: twice what the queue disc allows of data
    uint64_t GetLimit() const
    {
        return m_limit;
    }

    /// @return probability with which the newest packet that waits is trimmed instead of the one
    /// that arrives
    double GetNewest() const
    {
        return m_newest;
    }

    /**
     * @brief Trim a packet.
     * @param item CanTrim()
     * @return bytes that it has lost
     */
    uint32_t Trim(TrimmableItem& item) const;

    /**
     * @param network where it is to work
     * @return what it needs of others: a limit of queues, without which next to nothing is trimmed
     */
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

  private:
    uint32_t m_size{0};        //!< bytes left of a packet
    uint8_t m_classes{0};      //!< bit mask of the classes that are trimmed
    uint8_t m_trimmedClass{0}; //!< of what is left
    uint64_t m_limit{0};       //!< bytes of trimmed packets that may wait; 0: by the data's limit
    double m_newest{0};        //!< probability to trim the newest one that waits
    bool m_lastHop{false};     //!< the port leads to the receiver
};

} // namespace ns3

#endif /* PACKET_TRIMMER_H */
