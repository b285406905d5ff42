// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_PROTOCOL_H
#define MESSAGE_PROTOCOL_H

#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>

namespace ns3
{

class FabricNic;
class MessageMatcher;

/**
 * @ingroup dcfabric
 * @brief What happens to a message whose receive is not posted when its packets arrive ([Patent]
 * (59) and clauses 1 to 14).
 *
 * Has no state of its own; one instance serves a NIC, as sender and as receiver. Both ends of a
 * message need the same.
 */
class MessageProtocol : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param nic a NIC that is to have this protocol
     * @param table match table of it; with no class: the usual one
     * @return what matches its messages
     */
    virtual std::unique_ptr<MessageMatcher> MakeMatcher(FabricNic& nic,
                                                        const ObjectFactory& table) const = 0;

    /// @return how a packet without receive is answered: RTW or RNR
    virtual FabricPacketType GetRefusal() const = 0;

    /// @return true if a refused message leaves the canary "failed match", and posting its receive
    /// sends an RTS
    virtual bool KeepsCanary() const = 0;

    /**
     * @brief How much of a message is sent before the receiver asks for the rest.
     * @param bytes length of the message
     * @param bdpBytes line rate x base RTT
     * @param windowBytes present window of the congestion control
     * @return bytes, 1 to @p bytes
     */
    virtual uint64_t GetEagerBytes(uint64_t bytes, uint64_t bdpBytes, uint64_t windowBytes) const;

    /**
     * @brief From where on a message is sent that is asked for.
     * @param placedBytes from its beginning that are in the buffer of its receive, without a gap
     * @return offset of the first byte wanted, at most @p placedBytes
     */
    virtual uint64_t GetRestartOffset(uint64_t placedBytes) const;

    /**
     * @brief When a refused sender tries again by itself.
     * @param refusals how often the message has been refused, from 1
     * @return delay in ps; negative: never, it waits for an RTS
     */
    virtual int64_t GetRetryDelayPs(uint32_t refusals) const;

    /// @return true if a refusal stops all messages to that host, not only this one (clause 5)
    bool StopsTarget() const
    {
        return m_stopTarget;
    }

    /// @return for how long it also stops those before this one, in ps
    int64_t GetStopEarlierPs() const
    {
        return FabricTime::ToPs(m_stopEarlier);
    }

    /// @return message sequence number on the wire of the first message between two hosts
    uint32_t GetInitialMsn() const
    {
        return m_initialMsn;
    }

    /**
     * @brief When an RTS without effect is sent again.
     * @param sent how often it has been sent, from 1
     * @return delay in ps, RtsBackOff times as long each time, up to four times
     */
    int64_t GetRtsDelayPs(uint32_t sent) const;

  private:
    bool m_stopTarget; //!< a refusal stops all later messages to that host, too
    /// Message sequence number of the first message between two hosts (32 bits)
    uint32_t m_initialMsn;
    Time m_rtsInterval; //!< time after which an RTS that brought no data is sent again
    /// Factor by which that time grows with each RTS without effect, four times at most
    double m_rtsBackOff;
    Time m_stopEarlier; //!< with StopTarget: for how long earlier messages stop, too
};

} // namespace ns3

#endif /* MESSAGE_PROTOCOL_H */
