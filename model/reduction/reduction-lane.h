// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_LANE_H
#define REDUCTION_LANE_H

#include "reduction-packet.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a host sends into one tree, one packet after the other, and what it has got back.
 *
 * At most a window of packets is under way from the first one without result on: results clock what
 * is sent. Packets of a tree do not overtake one another, so that a packet is lost, on its way up
 * or down or that of another host, when the result of one that left later has come; it is sent
 * again. Only results of packets that were sent once tell that: which copy brought another one is
 * not known.
 *
 * When nothing comes for a time, the oldest packet is sent again. Once it has its result, either
 * results of what left before its second copy follow, because all was only late; or, when none has
 * come for two round trips, all that is lost, too.
 */
class ReductionLane
{
  public:
    /// What a lane is.
    struct Settings
    {
        uint32_t group{0};        //!< number of the tree
        uint16_t port{0};         //!< of the NIC, that leads to the tree
        uint32_t parent{0};       //!< switch there
        uint8_t priority{3};      //!< class of its packets
        uint32_t window{1};       //!< most packets under way
        uint32_t ranks{1};        //!< of this host, whose vectors it has added
        uint32_t totalRanks{1};   //!< of all hosts
        uint32_t payloadBytes{1}; //!< of a full packet
        int64_t rttPs{1};         //!< round trip of a full packet in the tree, at least 1
    };

    /// Part of a vector that is treated alike.
    struct Segment
    {
        ReductionFields::Operation operation{ReductionFields::ALL_REDUCE}; //!< what with
        uint32_t root{0};      //!< ReductionFields::root
        bool hasPayload{true}; //!< this host has data for it
        uint64_t bytes{0};     //!< its length; 0: one packet without payload
    };

    /// What it has done.
    struct Counts
    {
        uint64_t sent{0};       //!< packets, those sent again included
        uint64_t sentAgain{0};  //!< of these, not the first copy
        uint64_t timeouts{0};   //!< when nothing had come
        uint64_t results{0};    //!< that were new
        uint64_t duplicates{0}; //!< that were not
    };

    /**
     * @param settings of the lane
     * @param timeoutPs time without result after which a packet is sent again
     */
    ReductionLane(const Settings& settings, int64_t timeoutPs);

    /// @return what it is
    const Settings& GetSettings() const
    {
        return m_settings;
    }

    /**
     * @brief Be told of progress, and asked whether there is any hope.
     * @param onDone is called when all packets before a number have their results, for numbers that
     * Append() has given
     * @param isHopeless asked after time-outs, of which there were so many in a row; true: the lane
     * gives up
     */
    void SetCallbacks(std::function<void(uint64_t number)> onDone,
                      std::function<bool(uint32_t tries)> isHopeless);

    /**
     * @brief Send a segment behind all others.
     * @param segment it
     * @return number of the packet behind its last one
     */
    uint64_t Append(const Segment& segment);

    /**
     * @param bytes length of a segment
     * @param payloadBytes of a full packet
     * @return how many packets it has
     */
    static uint64_t CountPackets(uint64_t bytes, uint32_t payloadBytes)
    {
        return bytes == 0 ? 1 : (bytes + payloadBytes - 1) / payloadBytes;
    }

    /// @return true if a packet may be sent
    bool HasPacket() const
    {
        return !m_again.empty() || (m_next < m_end && m_next - m_base < m_settings.window);
    }

    /**
     * @brief Send the next packet. HasPacket() is true.
     * @param nowPs time
     * @return its fields
     */
    ReductionFields Take(int64_t nowPs);

    /**
     * @brief A result has come.
     * @param fields of its packet
     * @param nowPs time
     */
    void OnResult(const ReductionFields& fields, int64_t nowPs);

    /**
     * @brief Time has passed.
     * @param nowPs time
     */
    void OnTime(int64_t nowPs);

    /// @return when OnTime() has to be called, in ps; FabricTime::NEVER: it need not
    int64_t GetDuePs() const;

    /// @return number of the first packet without result
    uint64_t GetBase() const
    {
        return m_base;
    }

    /// @return number behind the last packet there is
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @return true if it has given up
    bool HasGivenUp() const
    {
        return m_gaveUp;
    }

    /// @return what it has done
    const Counts& GetCounts() const
    {
        return m_counts;
    }

  private:
    /// A packet under way.
    struct Packet
    {
        uint64_t turn{0};     //!< among all that were sent, of its last copy
        int64_t sentPs{0};    //!< when that left
        bool once{true};      //!< there is one copy
        bool timedOut{false}; //!< the last copy was sent because nothing came
        bool done{false};     //!< it has its result
        bool waits{false};    //!< it is to be sent again
    };

    /// A copy in the order of sending.
    struct Copy
    {
        uint64_t number; //!< of the packet
        uint64_t turn;   //!< among all that were sent
    };

    /// A segment that is not done.
    struct Open
    {
        Segment segment; //!< it
        uint64_t first;  //!< number of its first packet
        uint64_t end;    //!< number behind its last one
    };

    /// @return a packet under way
    Packet& At(uint64_t number)
    {
        return m_packets[number % m_packets.size()];
    }

    /// @return the same
    const Packet& At(uint64_t number) const
    {
        return m_packets[number % m_packets.size()];
    }

    /// @return fields of a packet
    ReductionFields Describe(uint64_t number) const;
    /// See which copies that left before one of a turn are lost.
    void FindLost(uint64_t turn, int64_t nowPs);
    /// Send again what left before the turn that is suspected, and has no result.
    void SendSuspected();
    /// A packet is to be sent again. @param number of it
    void SendAgain(uint64_t number);

    Settings m_settings;                    //!< of the lane
    int64_t m_timeoutPs;                    //!< without doubling
    uint64_t m_base{0};                     //!< first packet without result
    uint64_t m_next{0};                     //!< first that was never sent
    uint64_t m_end{0};                      //!< behind the last one
    uint64_t m_turn{0};                     //!< of the last copy
    uint32_t m_tries{0};                    //!< time-outs since the last result
    int64_t m_resultPs{0};                  //!< when that came
    uint64_t m_suspect{0};                  //!< what left before this turn may be lost; 0: nothing
    bool m_gaveUp{false};                   //!< see HasGivenUp()
    std::vector<Packet> m_packets;          //!< of the window, by number modulo its size
    std::deque<Copy> m_copies;              //!< under way, in the order of sending
    std::deque<uint64_t> m_again;           //!< to be sent again
    std::deque<Open> m_segments;            //!< not done
    std::function<void(uint64_t)> m_onDone; //!< see SetCallbacks()
    std::function<bool(uint32_t)> m_isHopeless; //!< likewise
    Counts m_counts;                            //!< statistics
};

} // namespace ns3

#endif /* REDUCTION_LANE_H */
