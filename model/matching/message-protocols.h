// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_PROTOCOLS_H
#define MESSAGE_PROTOCOLS_H

#include "ns3/message-protocol.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Request to wait: the sender sends at full speed until an RTW stops it, and starts anew
 * when an RTS tells that the receive is posted.
 */
class RequestToWait : public MessageProtocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::unique_ptr<MessageMatcher> MakeMatcher(FabricNic& nic,
                                                const ObjectFactory& table) const override;
    FabricPacketType GetRefusal() const override;
    bool KeepsCanary() const override;
};

/**
 * @ingroup dcfabric
 * @brief Deferrable send of Ultra Ethernet: as RequestToWait, but the sender restarts behind what
 * is in the buffer already, without a gap, when it is asked.
 *
 * That is not always nothing: of an attempt that was refused, packets that were late arrive when
 * the receive is posted, and are placed.
 */
class DeferrableSend : public RequestToWait
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint64_t GetRestartOffset(uint64_t placedBytes) const override;
};

/**
 * @ingroup dcfabric
 * @brief Receiver not ready: the receiver keeps nothing, and the sender tries again after a
 * back-off (clause 1).
 */
class ReceiverNotReady : public MessageProtocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::unique_ptr<MessageMatcher> MakeMatcher(FabricNic& nic,
                                                const ObjectFactory& table) const override;
    FabricPacketType GetRefusal() const override;
    bool KeepsCanary() const override;
    int64_t GetRetryDelayPs(uint32_t refusals) const override;

  private:
    Time m_delay;    //!< time from an RNR to the next attempt
    Time m_maxDelay; //!< longest of these times
};

/**
 * @ingroup dcfabric
 * @brief Rendezvous: the first BDP, or window, is sent at once, and the receiver fetches the rest
 * when its receive is posted (clause 14). A refused beginning is fetched as well.
 */
class Rendezvous : public RequestToWait
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint64_t GetEagerBytes(uint64_t bytes, uint64_t bdpBytes, uint64_t windowBytes) const override;

  private:
    /// Send the congestion control's present window before the receiver asks, instead of a BDP
    bool m_sendWindow;
};

} // namespace ns3

#endif /* MESSAGE_PROTOCOLS_H */
