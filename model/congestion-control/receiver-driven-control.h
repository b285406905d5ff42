// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVER_DRIVEN_CONTROL_H
#define RECEIVER_DRIVEN_CONTROL_H

#include "congestion-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A congestion control whose receiver has a say: it sends by credit that the
 * ReceiverControl of the other host grants (CongestionControlNeeds::receiver).
 *
 * Its data packets tell how much credit it wants in all (FabricPacketItem::demand). A window of 0
 * means that there is no credit: unlike any other window, nothing at all is sent by it but packets
 * without payload.
 */
class ReceiverDrivenControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ReceiverDrivenControl* GetReceiverDriven() override
    {
        return this;
    }

    /// @return class of the ReceiverControl that grants its credit
    TypeId GetReceiverType() const
    {
        return TypeId::LookupByName(GetNeeds().receiver);
    }

    /// Further services of the PDC that owns the algorithm.
    class Asker
    {
      public:
        virtual ~Asker() = default;

        /// Tell the receiver now what is wanted, in a packet without payload.
        virtual void Ask() = 0;

        /// @return payload bytes sent, neither acknowledged nor known to be lost
        virtual uint64_t GetInFlightBytes() const = 0;

        /**
         * @brief This PDC has something to send, or has no longer.
         * @param begins true if it has
         */
        virtual void NoteDemand(bool begins) = 0;

        /// @return PDCs of this host that have something to send
        virtual uint32_t GetNDemands() const = 0;
    };

    /**
     * @brief Tell who serves it; before Start().
     * @param asker the PDC, outlives the algorithm
     */
    virtual void SetAsker(Asker* asker)
    {
        m_asker = asker;
    }

    /**
     * @brief There is more to send.
     * @param nowPs time in ps
     * @param payloadBytes of a message
     */
    virtual void AddBacklog(int64_t nowPs, uint64_t payloadBytes) = 0;

    /**
     * @brief A data packet leaves, OnSend() has been called for it.
     * @param windowBytes most payload that others let be in flight
     * @return credit wanted in all, for FabricPacketItem::demand
     */
    virtual uint32_t TellDemand(uint64_t windowBytes = UNLIMITED) = 0;

    /**
     * @param item a data packet of this PDC, complete but for its class
     * @return class that it takes
     */
    virtual uint8_t ChooseClass(const FabricPacketItem& item) const;

  protected:
    /// @return who serves it
    Asker* GetAsker() const
    {
        return m_asker;
    }

    void DoDispose() override;

  private:
    Asker* m_asker{nullptr}; //!< the PDC
};

} // namespace ns3

#endif /* RECEIVER_DRIVEN_CONTROL_H */
