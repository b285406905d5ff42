// SPDX-License-Identifier: GPL-2.0-only
#ifndef PORT_LINK_H
#define PORT_LINK_H

#include "fabric-time.h"
#include "hot-lines.h"
#include "link-change.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

class FabricChannel;
class FabricNetDevice;
class LogComponent;
class WireCrossing;

/**
 * @ingroup dcfabric
 * @brief One end of a link: its rate, what is on its way to here, and what happens to it.
 *
 * Transmission times are exact: whole picoseconds per byte where the rate allows, else the
 * remainder is carried from packet to packet. The link can go down, come up and change its rate
 * (ScheduleChange()). While it is down nothing is sent, link-level frames included; what was being
 * sent or on its way is lost, and counted at the time at which it would have arrived.
 */
class PortLink
{
  public:
    /**
     * @param port owns this object
     */
    explicit PortLink(FabricNetDevice& port);

    /**
     * @brief Become one end of a link.
     * @param channel the link
     * @param peer the other end
     */
    void Connect(Ptr<FabricChannel> channel, FabricNetDevice* peer);
    /// Lose what is on its way to here, and the link.
    void Dispose();

    /// @return the link, null before Connect()
    const Ptr<FabricChannel>& GetChannel() const
    {
        return m_channel;
    }

    /// @return the other end
    FabricNetDevice* GetPeer() const
    {
        return m_peer;
    }

    /// @return true if the link is connected, and not taken down
    bool IsUp() const
    {
        return m_up;
    }

    /**
     * @brief Set the rate, from the next packet on.
     * @param rate more than 0
     * @throws FabricError for a rate of 0
     */
    void SetRate(DataRate rate);

    /// @return the rate
    DataRate GetRate() const
    {
        return m_rate;
    }

    /**
     * @brief Let what is sent take longer than at the rate, as by a slow clock, from the next
     * packet on.
     * @param ppb billionths by which the clock is slow
     */
    void SetClockLag(uint32_t ppb);

    /// @return the rate in bit/s at which the packet on the wire began
    uint64_t GetWireRateBps() const
    {
        return m_lastEndPs > m_formerEndPs ? m_rate.GetBitRate() : m_formerRateBps;
    }

    /// @return delay of the link in ps, one way
    int64_t GetDelayPs() const
    {
        return m_delayPs;
    }

    /// @return when the last packet on the wire ends or ended, in ps, whether the link is up or
    /// down
    int64_t GetLastEndPs() const
    {
        return m_lastEndPs;
    }

    /**
     * @param bytes all bytes
     * @return the time on the wire of a number of bytes in ps, rounded down
     */
    int64_t TransmissionPs(uint64_t bytes) const;

    /**
     * @brief A frame begins.
     * @param bytes with the gap
     * @param nowPs the present
     * @return when it ends, in ps
     */
    int64_t Begin(uint64_t bytes, int64_t nowPs)
    {
        m_lastEndPs = nowPs + NextTransmissionPs(bytes);
        return m_lastEndPs;
    }

    /// A packet on the wire. The time stands here, so that arming the next arrival does not wait
    /// for the packet itself.
    struct OnWire
    {
        int64_t arrivalPs : 63; //!< when its last bit arrives
        bool lost : 1;          //!< the link went down meanwhile
        FabricPacketItem* item; //!< the packet; the wire owns a reference
    };

    static_assert(sizeof(OnWire) == 16, "four to a cache line");

    /**
     * @brief A packet has been sent towards this end.
     * @param item owns a reference
     * @param arrivalPs when it arrives
     * @return true if it is the only one
     */
    bool Append(FabricPacketItem* item, int64_t arrivalPs)
    {
        if (m_wire.full() && !MakeRoom(item, arrivalPs))
        {
            return false;
        }
        m_wire.push_back({arrivalPs, false, item});
        return m_wire.size() == 1;
    }

    /**
     * @brief A packet has been sent towards this end by another process, which may be before the
     * present, but arrives after it.
     * @param item owns a reference
     * @param beganPs when its first bit was sent
     * @param arrivalPs when it arrives
     * @return true if it is the only one
     */
    bool AppendLate(FabricPacketItem* item, int64_t beganPs, int64_t arrivalPs);

    /**
     * @brief This end is simulated by another process.
     * @param crossing takes what is sent towards it; null: no packet will be
     */
    void SetCrossing(WireCrossing* crossing);

    /// @return the packet that arrives, removed; its reference is the caller's
    OnWire TakeArrival()
    {
        const OnWire arrival = m_wire.front();
        m_wire.pop_front();
        return arrival;
    }

    /// @return the packet that arrives next, null if there is none
    const OnWire* PeekArrival() const
    {
        return m_wire.empty() ? nullptr : &m_wire.front();
    }

    /// @return packets that are on the wire towards this end, those that will be sent again
    /// included
    uint64_t GetNPackets() const;

    /**
     * @brief Refuse a rate that one of the two ends is not made for.
     * @param rateBps of what this end sends, in bit/s
     * @throws FabricError if so
     */
    void CheckRate(uint64_t rateBps) const;

    /**
     * @brief Have something happen to this end of the link; FabricChannel::ScheduleChange() does so
     * for both ends, which is what a link needs.
     *
     * Taking a link down that is down, or up that is up, has no effect.
     * @param change what and when, not before the present
     * @throws FabricError for a time in the past, a rate of 0 or one that CheckRate() refuses, or a
     * port that is not connected
     */
    void ScheduleChange(const LinkChange& change);
    /**
     * @brief Something happens to the link.
     * @param timePs the time of the calendar entry
     */
    void HandleChange(int64_t timePs);
    /**
     * @brief Have somebody called when the link goes up or down.
     * @param callback who
     */
    void AddChangeCallback(const Callback<void>& callback);

    /**
     * @brief Name what the other end reads of this object to append a packet.
     * @param lines takes it
     */
    void NameHotLines(const HotLines& lines) const
    {
        lines.Add<1>(&m_wire);
    }

    /**
     * @brief Name what TakeArrival() reads behind this object.
     * @param lines takes it
     */
    void NameWireLines(const HotLines& lines) const
    {
        if (!m_wire.empty())
        {
            lines.Add<1>(&m_wire.front());
        }
    }

  private:
    static LogComponent g_log; //!< of this class

    /// The rate or the clock has changed.
    void FollowClock();
    /**
     * @brief Let something happen to the link.
     * @param change what; its time is the present
     */
    void Apply(const LinkChange& change);
    /**
     * @brief The link goes down.
     * @param timePs the present
     */
    void TakeDown(int64_t timePs);
    /**
     * @brief There is no more room on the wire.
     * @param item as of Append()
     * @param arrivalPs as of Append()
     * @return false if the packet has been given to another process
     */
    bool MakeRoom(FabricPacketItem* item, int64_t arrivalPs);
    /**
     * @brief What is on its way to here is lost.
     * @param timePs from which on nothing arrives
     */
    void LoseIncoming(int64_t timePs);

    /**
     * @param bytes with the gap
     * @return time on the wire of the next frame, in ps; carries the remainder
     */
    int64_t NextTransmissionPs(uint64_t bytes)
    {
        if (m_psPerByte != 0)
        {
            return static_cast<int64_t>(bytes) * m_psPerByte;
        }
        const uint64_t scaled = bytes * FabricTime::PS_PER_BYTE_AT_1_BPS + m_remainder;
        m_remainder = scaled % m_clockBps;
        return static_cast<int64_t>(scaled / m_clockBps);
    }

    // what each packet needs
    boost::circular_buffer<OnWire> m_wire; //!< packets on their way to here, in order of arrival
    FabricNetDevice* m_peer{nullptr};      //!< other end
    int64_t m_lastEndPs{0};                //!< end of the last packet
    int64_t m_delayPs{0};                  //!< of the link
    int64_t m_psPerByte{80};               //!< 0 if it is not a whole number

    FabricNetDevice& m_port;           //!< the port
    DataRate m_rate;                   //!< of the link
    uint64_t m_clockBps{0};            //!< the same by the clock of the sender
    uint32_t m_clockLagPpb{0};         //!< by which that clock is slow
    uint64_t m_remainder{0};           //!< of the division for rates without whole ps per byte
    Ptr<FabricChannel> m_channel;      //!< the link
    int64_t m_formerEndPs{0};          //!< end of the last packet at the former rate
    uint64_t m_formerRateBps{0};       //!< rate before the present one
    std::vector<LinkChange> m_changes; //!< that are to come, the next one first
    TracedCallback<> m_onChange;       //!< link state callbacks
    WireCrossing* m_crossing{nullptr}; //!< to the process that simulates this end; null: this one
    int64_t m_lostPs{-1};              //!< when packets on their way to here were lost last
    uint32_t m_downs{0};               //!< times the link went down
    bool m_up{false};                  //!< connected, and not taken down
};

} // namespace ns3

#endif /* PORT_LINK_H */
