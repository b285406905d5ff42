// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOST_LINK_H
#define HOST_LINK_H

#include "ns3/data-rate.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <deque>

namespace ns3
{

class FabricNetDevice;
class FabricNic;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief The way of data from a NIC into its host, such as PCIe: a rate, a latency, and the memory
 * of the NIC in which data waits.
 *
 * A data packet holds its place in that memory until the host has it: until all before it and
 * itself have passed at Rate, and for Latency more. Only then the transport sees it, and answers.
 * Control packets end in the NIC and do not pass.
 *
 * Where the memory is full, a packet is dropped. Under PFC the NIC pauses all classes of its ports
 * in time, by the headroom of their links; under credits these are given back when a packet leaves
 * the memory, so that they bound it, whatever BufferBytes is.
 *
 * Answers that tell how long they waited (FabricNic::EchoDelay) tell this wait, too: Swift's window
 * of endpoints follows it. A ReceiverControl can ask how full the memory is.
 */
class HostLink : public Object
{
  public:
    static constexpr uint32_t TIMER = UINT32_MAX - 4; //!< timer of the NIC: see OnTimer()

    /// @return the TypeId
    static TypeId GetTypeId();
    HostLink();
    ~HostLink() override;

    /// @return true if it has a rate or a latency; else data does not pass here
    bool IsUsed() const;

    /**
     * @brief Serve a NIC whose ports have their links and flow control.
     * @param nic outlives this object
     * @param maxFrame bytes of the largest frame
     * @throws FabricError if the memory has no room for the headroom of the ports
     */
    void Attach(FabricNic& nic, uint32_t maxFrame);

    /**
     * @brief A data packet has arrived.
     * @param port it came in by
     * @param item the packet
     */
    void OnData(FabricNetDevice& port, Ptr<FabricPacketItem> item);

    /**
     * @brief The time of TIMER has come.
     * @param nowPs time
     */
    void OnTimer(int64_t nowPs);

    /// @return bytes in memory
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return most bytes that ever were
    uint64_t GetMaxBytes() const
    {
        return m_maxBytes;
    }

    /// @return packets in memory
    uint64_t GetNPackets() const
    {
        return m_packets.size();
    }

    /// @return how full the memory is, 0 to 1; of one without limit, of 5 MB
    double GetFill() const;

  protected:
    void DoDispose() override;

  private:
    static LogComponent g_log; //!< of this class

    /// A packet in memory.
    struct Waiting
    {
        Ptr<FabricPacketItem> item; //!< the packet
        FabricNetDevice* port;      //!< it came in by
        int64_t arrivedPs;          //!< when
        int64_t donePs;             //!< when the host has it
    };

    /// Pause or resume what the ports receive.
    void SetPaused(bool paused);

    DataRate m_rate;               //!< attribute
    Time m_latency;                //!< attribute
    uint64_t m_bufferBytes{0};     //!< attribute
    FabricNic* m_nic{nullptr};     //!< the NIC
    bool m_pauses{false};          //!< ports have PFC, and memory is limited
    bool m_paused{false};          //!< it has been said
    uint64_t m_xoffBytes{0};       //!< beyond them ports are paused
    uint64_t m_xonBytes{0};        //!< from them on they are resumed
    std::deque<Waiting> m_packets; //!< in order
    int64_t m_freePs{0};           //!< when the last one has passed
    uint64_t m_bytes{0};           //!< in memory
    uint64_t m_maxBytes{0};        //!< ever
};

} // namespace ns3

#endif /* HOST_LINK_H */
