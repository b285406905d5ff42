// SPDX-License-Identifier: GPL-2.0-only
#ifndef CNP_SENDER_H
#define CNP_SENDER_H

#include "transport-settings.h"
#include "vector-queue.h"

#include "ns3/fabric-packet-item.h"
#include "ns3/fabric-time.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief What a NIC does about congestion notification packets (CNPs): when a connection may have
 * one, how late it leaves, and whether the NIC notifies of what arrives too fast.
 *
 * A marked packet gives its connection a CNP if the last decision for one is CnpInterval ago, and
 * CnpSpacing times the number of connections that receive. The CNP leaves after CnpDelay; the next
 * interval counts from the decision, not from the departure.
 *
 * **The meter** is a token bucket for each port, as those of policers: it holds CnpMeterBytes and
 * drains at CnpMeterRate. A data packet whose frame finds no room in it is treated as marked, and
 * does not enter.
 */
class CnpSender
{
  public:
    static constexpr uint32_t TIMER = UINT32_MAX - 3; //!< timer of the NIC: a CNP is to leave

    /// @param nic the NIC
    explicit CnpSender(FabricNic& nic);

    /**
     * @brief A data packet has arrived.
     * @param item the packet
     * @param nowPs time
     * @return true if the meter is over
     */
    bool IsOver(const FabricPacketItem& item, int64_t nowPs)
    {
        return m_settings.cnpMeterBps > 0 && Meter(item, nowPs);
    }

    /**
     * @param lastPs last decision for a CNP of the connection
     * @param nowPs time
     * @return true if it may have another one
     */
    bool IsDue(int64_t lastPs, int64_t nowPs) const;

    /**
     * @brief Send a CNP because of a packet, now or after the delay.
     * @param data the packet
     * @param src fabric address of its sender
     * @param pdc number of the PDC there
     * @param nowPs time
     */
    void Send(const FabricPacketItem& data, uint32_t src, uint32_t pdc, int64_t nowPs);

    /**
     * @brief The time of TIMER has come.
     * @param nowPs time
     */
    void OnTimer(int64_t nowPs);

    /// Forget what is to leave.
    void Clear();

  private:
    static LogComponent g_log; //!< of this class

    /// A CNP.
    struct Notification
    {
        int64_t duePs;     //!< when it leaves
        uint32_t src;      //!< sender of the data
        uint32_t pdc;      //!< number of the PDC there
        uint32_t flowHash; //!< of the data
        uint16_t entropy;  //!< of the data
        uint16_t port;     //!< that the data came in by
    };

    /// A token bucket.
    struct Bucket
    {
        double bytes{0};    //!< level
        int64_t sincePs{0}; //!< at that time
    };

    /// @return true if a packet finds no room in the bucket of its port
    bool Meter(const FabricPacketItem& item, int64_t nowPs);
    /// Have a CNP leave.
    void Leave(const Notification& what);

    FabricNic& m_nic;                    //!< the NIC
    const TransportSettings& m_settings; //!< of the NIC
    VectorQueue<Notification> m_waiting; //!< to leave, in order
    std::vector<Bucket> m_buckets;       //!< by port
};

} // namespace ns3

#endif /* CNP_SENDER_H */
