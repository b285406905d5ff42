// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_ENDPOINT_H
#define MESSAGE_ENDPOINT_H

#include "ns3/fabric-message.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <unordered_map>

namespace ns3
{

class FabricNic;
struct OutgoingMessage;

/**
 * @ingroup dcfabric
 * @brief The semantic layer of a host: two-sided sends and receives and one-sided writes, over a
 * NIC whose messages are matched ([Patent] "Low Overhead Send/Receive Data Delivery into User
 * Memory").
 *
 * No connection is set up. The n-th message from one host to another goes to the n-th receive that
 * is posted there for it; a receive that was taken back leaves its message to the next one that is
 * posted. Memory belongs to the caller and has to stay until the operation has ended.
 */
class MessageEndpoint : public Object
{
  public:
    /// How an operation ended.
    struct Completion
    {
        uint64_t handle;      //!< what the call returned
        MessageStatus status; //!< how
        uint32_t peer;        //!< fabric address of the other end
        uint64_t bytes;       //!< length of the message, 0 if it is not known
        uint32_t tag;         //!< the sender's number of the message
        int64_t nowPs;        //!< when
        uint32_t msn;         //!< message sequence number: which of its pair of hosts
        uint8_t* buffer;      //!< memory of a receive; null: another operation, or timing only
        uint64_t committed;   //!< bytes that a receive has in its memory, not always the first ones
        uint64_t matchBits;   //!< of the message of a tagged receive
    };

    /// Called when an operation ends.
    using Callback = std::function<void(const Completion&)>;

    /// @return the TypeId
    static TypeId GetTypeId();
    MessageEndpoint();
    ~MessageEndpoint() override;

    /**
     * @brief Work over a NIC.
     * @param nic it, with matching enabled
     * @throws FabricError if matching is not enabled
     */
    void SetNic(Ptr<FabricNic> nic);

    /**
     * @brief Send a message.
     * @param dst fabric address of the receiver
     * @param data memory; null for timing only, which costs none
     * @param bytes length, at least 1
     * @param callback told of its end; may be empty
     * @param tag a number of the caller's, which the receiver is told
     * @return handle
     * @throws FabricError for a length of 0, this host or no host as the destination
     */
    uint64_t Send(uint32_t dst,
                  const uint8_t* data,
                  uint64_t bytes,
                  Callback callback,
                  uint32_t tag = 0);

    /**
     * @brief Post a receive.
     * @param src fabric address of the sender
     * @param buffer memory; null for timing only
     * @param bytes room; of a longer message the rest is lost (TRUNCATED)
     * @param callback told of its end; may be empty
     * @return handle
     */
    uint64_t PostRecv(uint32_t src, uint8_t* buffer, uint64_t bytes, Callback callback);

    static constexpr uint32_t ANY_SOURCE = UINT32_MAX; //!< for PostTagged()

    /**
     * @brief Send a message with match bits. All messages to a host have some, or none.
     * @param dst,data,bytes,callback,tag as for Send()
     * @param matchBits by which a receive takes it
     * @return handle
     * @throws FabricError as Send(), and if messages without match bits went to that host
     */
    uint64_t SendTagged(uint32_t dst,
                        const uint8_t* data,
                        uint64_t bytes,
                        uint64_t matchBits,
                        Callback callback,
                        uint32_t tag = 0);

    /**
     * @brief Post a receive for a message with match bits.
     *
     * It takes the first message that it matches of those that no receive posted before takes; the
     * messages of a sender are looked at in the order of sending, those of several senders in the
     * order in which they arrive. It may be taken back until packets of its message are placed.
     * @param src fabric address of the sender, or #ANY_SOURCE
     * @param matchBits of the message
     * @param ignore bits of these that may differ
     * @param buffer,bytes,callback as for PostRecv()
     * @return handle
     * @throws FabricError if receives without match bits were posted for that sender
     */
    uint64_t PostTagged(uint32_t src,
                        uint64_t matchBits,
                        uint64_t ignore,
                        uint8_t* buffer,
                        uint64_t bytes,
                        Callback callback);

    /**
     * @brief Let other hosts write into memory.
     * @param buffer memory, null for timing only
     * @param bytes its length, at least 1
     * @return the address for their writes
     */
    uint64_t Expose(uint8_t* buffer, uint64_t bytes);

    /**
     * @brief Write into the memory of another host, which takes no part in it.
     * @param dst fabric address of the other host
     * @param data memory; null for timing only
     * @param bytes length, at least 1
     * @param remoteAddress what Expose() returned there, plus an offset
     * @param callback told of its end; may be empty
     * @return handle
     * @throws FabricError as Send(); and when the packets arrive, if no memory is exposed there
     */
    uint64_t Write(uint32_t dst,
                   const uint8_t* data,
                   uint64_t bytes,
                   uint64_t remoteAddress,
                   Callback callback);

    /**
     * @brief Take an operation back; it ends as CANCELLED.
     *
     * The receiver of a message that is taken back is told so: its receive ends as CANCELLED.
     * @param handle of the operation
     * @return false if it has ended, or packets of the receive have arrived
     */
    bool Cancel(uint64_t handle);

    /// @return operations that have not ended
    std::size_t GetNPending() const
    {
        return m_callbacks.size();
    }

  protected:
    void DoDispose() override;

  private:
    /// @return handle of an operation that begins
    uint64_t Keep(Callback callback);
    /// @return handle of a send or write that begins
    uint64_t Begin(uint32_t dst, OutgoingMessage message, Callback callback);
    /// An operation has ended.
    void End(const FabricMessageEvent& event, uint32_t peer);
    /// @return when an operation fails that begins now; a timeout of zero: never
    int64_t GetLimitPs(Time timeout) const;

    Ptr<FabricNic> m_nic;                               //!< the NIC
    std::unordered_map<uint64_t, Callback> m_callbacks; //!< by handle
    uint64_t m_nextHandle{1};                           //!< of the next operation
    Time m_sendTimeout;    //!< time after which a send or write that is not complete fails
    Time m_receiveTimeout; //!< time after which a receive that is not complete fails
};

} // namespace ns3

#endif /* MESSAGE_ENDPOINT_H */
