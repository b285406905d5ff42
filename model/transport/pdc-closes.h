// SPDX-License-Identifier: GPL-2.0-only
#ifndef PDC_CLOSES_H
#define PDC_CLOSES_H

#include "ns3/fabric-packet-item.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace ns3
{

class FabricNic;
class LogComponent;
class SendingPdc;

/**
 * @ingroup dcfabric
 * @brief How PDCs of a NIC are closed, at both ends: where FabricNic::PdcClose says so, a sending
 * PDC that goes tells its receiver, which forgets it and answers.
 *
 * A request that is not answered for PdcTimeout is sent again, three times in all; a receiver that
 * hears nothing more removes the PDC by itself after that time. A packet that names a PDC which is
 * closed gets a NACK of code NO_PDC and is dropped.
 */
class PdcCloses
{
  public:
    static constexpr uint32_t TRIES = 3; //!< requests for a PDC

    /// @param nic the NIC
    explicit PdcCloses(FabricNic& nic);

    /**
     * @brief A sending PDC goes: all its packets are acknowledged.
     * @param pdc it, to be removed afterwards
     */
    void Begin(const SendingPdc& pdc);

    /**
     * @brief A packet of type CLOSE has arrived.
     * @param item it
     */
    void OnPacket(const FabricPacketItem& item);

    /**
     * @brief A request may have had no effect.
     * @param number of the PDC
     * @param nowPs time
     */
    void OnTimer(uint32_t number, int64_t nowPs);

    /**
     * @brief Answer a data packet for which there is no PDC.
     * @param item the packet
     */
    void Refuse(const FabricPacketItem& item);

    /// @return sending PDCs of which no receiver has said that they are closed
    std::size_t GetN() const
    {
        return m_closing.size();
    }

    /// Forget all.
    void Clear()
    {
        m_closing.clear();
    }

  private:
    static LogComponent g_log; //!< of this class

    /// What is left of a sending PDC.
    struct Closing
    {
        uint32_t dst;     //!< its destination
        uint32_t target;  //!< its number there
        uint16_t port;    //!< port of the NIC
        uint16_t entropy; //!< of its last packet
        uint32_t tries;   //!< requests so far
        int64_t duePs;    //!< when the next one is sent
    };

    /// Send a request.
    void Request(uint32_t number, Closing& closing);
    /// Send a packet of a PDC, complete but for what depends on its type.
    void Send(Ptr<FabricPacketItem> item, uint32_t dst, uint32_t pdc, uint16_t port);

    FabricNic& m_nic;                      //!< the NIC
    std::map<uint32_t, Closing> m_closing; //!< by number
};

} // namespace ns3

#endif /* PDC_CLOSES_H */
