// SPDX-License-Identifier: GPL-2.0-only
#ifndef RELIABILITY_POLICY_H
#define RELIABILITY_POLICY_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class SendWindow;

/**
 * @ingroup dcfabric
 * @brief How lost packets are found and sent again. Has no state of its own; one instance serves a
 * NIC.
 */
class ReliabilityPolicy : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return true if the receiver keeps packets that arrive before their turn; false: it drops
    /// them and sends a NACK
    virtual bool AcceptsOutOfOrder() const = 0;

    /**
     * @brief An ACK has been entered into the window.
     * @param window of the sender
     * @return packets newly found lost
     */
    virtual uint64_t OnAck(SendWindow& window) const = 0;

    /**
     * @brief A NACK has been entered into the window.
     * @param window of the sender
     * @return packets newly found lost
     */
    virtual uint64_t OnNack(SendWindow& window) const = 0;

    /**
     * @brief A switch tells that it has dropped a packet.
     * @param window of the sender
     * @param seq number of the packet
     * @return packets newly found lost
     */
    virtual uint64_t OnDropNotice(SendWindow& window, uint64_t seq) const = 0;

    /**
     * @brief Nothing was acknowledged for the time-out.
     * @param window of the sender
     */
    virtual void OnTimeout(SendWindow& window) const = 0;
};

/**
 * @ingroup dcfabric
 * @brief Selective repeat: packets are placed in any order, and only what is missing is sent again.
 */
class SelectiveRepeat : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    uint64_t OnAck(SendWindow& window) const override;
    uint64_t OnNack(SendWindow& window) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq) const override;
    void OnTimeout(SendWindow& window) const override;

  private:
    uint32_t m_reorderThreshold{3}; //!< packets
};

/**
 * @ingroup dcfabric
 * @brief Go-back-N as in RoCE: the receiver takes packets in order only and answers the first one
 * out of order with a NACK; the sender starts again from the packet it names.
 */
class GoBackN : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    uint64_t OnAck(SendWindow& window) const override;
    uint64_t OnNack(SendWindow& window) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq) const override;
    void OnTimeout(SendWindow& window) const override;
};

} // namespace ns3

#endif /* RELIABILITY_POLICY_H */
