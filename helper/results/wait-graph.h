// SPDX-License-Identifier: GPL-2.0-only
#ifndef WAIT_GRAPH_H
#define WAIT_GRAPH_H

#include "ns3/fabric.h"
#include "ns3/shortest-cycle.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Who waits for whom in a network at one moment.
 *
 * A *place* is the room at the input of a switch, for one class of one port: what the port at the
 * other end of the link waits for when it is paused or lacks credits. With credits for each virtual
 * queue it is that of packets to one output. The packets that hold the room of a place wait for
 * other places, or they can move: where the next port is not stopped, or what stops it is not a
 * switch that lacks room. A place *stands* if all of its packets wait for places that stand: as
 * long as nothing is thrown away, none of them will ever move.
 */
class WaitGraph
{
  public:
    /// Room at the input of a switch.
    struct Place
    {
        uint32_t node;    //!< switch
        uint16_t port;    //!< at which packets come in
        uint8_t priority; //!< class, 0 to 7
        uint16_t output;  //!< port to which they go, where each has room of its own; else NO_PORT

        /**
         * @param other another
         * @return true if this one comes first
         */
        bool operator<(const Place& other) const
        {
            return std::tie(node, port, priority, output) <
                   std::tie(other.node, other.port, other.priority, other.output);
        }

        /**
         * @param other another
         * @return true if it is the same
         */
        bool operator==(const Place& other) const
        {
            return std::tie(node, port, priority, output) ==
                   std::tie(other.node, other.port, other.priority, other.output);
        }
    };

    /// What the first packet of a place is known by: if it is the same, none has moved.
    struct Head
    {
        const FabricPacketItem* item{nullptr}; //!< where it is in memory
        int64_t sendTimePs{0};                 //!< as FabricPacketItem::sendTimePs
        uint32_t psn{0};                       //!< as FabricPacketItem::psn

        /**
         * @param other another
         * @return true if it is the same packet
         */
        bool operator==(const Head& other) const
        {
            return item == other.item && sendTimePs == other.sendTimePs && psn == other.psn;
        }
    };

    /**
     * @brief Draw it.
     * @param fabric installed
     */
    explicit WaitGraph(const Fabric& fabric);

    /// @return the places that stand; what they wait for is in GetWaits()
    const std::vector<Place>& GetStanding() const
    {
        return m_places;
    }

    /// @return for each place that stands those for which its packets wait, by number
    const SuccessorLists& GetWaits() const
    {
        return m_waits;
    }

    /**
     * @param number of a place that stands
     * @return its first packet: that in front of the first of its queues
     */
    const Head& GetHead(uint32_t number) const
    {
        return m_heads[number];
    }

  private:
    /// A port that is stopped by the switch at its other end.
    struct Stopped
    {
        FabricNetDevice* port; //!< the port
        uint8_t classes;       //!< bit mask
    };

    /// Find the ports that are stopped by switches.
    void FindStopped(const Fabric& fabric);
    /// Forget ports that lead out of all cycles of switches. @return true if any is left
    bool KeepCycles();
    /// Note what waits at a port. @param stopped classes that may not leave
    void NotePort(const FabricSwitch& sw, const FabricNetDevice& port, uint8_t stopped);
    /// Note a packet that holds room. @param port to which it goes @param isStopped it may not
    /// leave
    void NotePacket(const FabricSwitch& sw,
                    const FabricNetDevice& port,
                    const FabricPacketItem& item,
                    bool isStopped);
    /// Keep what stands.
    void KeepStanding();
    /// @return number of a place, which is added if it is new
    uint32_t Number(const Place& place);

    std::map<uint32_t, std::vector<Stopped>> m_stopped; //!< by switch
    std::map<Place, uint32_t> m_numbers;                //!< of places
    std::vector<Place> m_places;                        //!< by number
    SuccessorLists m_waits;                             //!< by number
    std::vector<Head> m_heads;                          //!< by number; no item: nobody is there
    std::vector<bool> m_moves;                          //!< by number: a packet can move
};

} // namespace ns3

#endif /* WAIT_GRAPH_H */
