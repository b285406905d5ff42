// SPDX-License-Identifier: GPL-2.0-only
#ifndef WAIT_GRAPH_H
#define WAIT_GRAPH_H

#include "shortest-cycle.h"

#include "ns3/fabric.h"

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
 *
 * Where several processes (ranks) simulate the network, each looks at its own switches and tells
 * the others, as far as pauses may form a cycle of switches; all of them get the same graph, which
 * is that of one process.
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
        const void* item{nullptr}; //!< where it is in the memory of its process
        int64_t sendTimePs{0};     //!< as FabricPacketItem::sendTimePs
        uint32_t psn{0};           //!< as FabricPacketItem::psn

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
     * @brief Draw it; all ranks have to do so together, when everything before a time has happened.
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
    /// A port of a switch that is stopped by the switch at its other end.
    struct Stopped
    {
        uint32_t node;   //!< the switch
        uint16_t port;   //!< number of the port
        uint8_t classes; //!< bit mask
        bool perOutput;  //!< what is stopped depends on the packet
    };

    /// What is seen of a packet that holds room.
    struct Note
    {
        /// What it does.
        enum class Kind : uint8_t
        {
            MOVES, //!< it can move
            WAITS, //!< it waits for another place
            ASKS,  //!< it waits for another place if that holds anybody back
        };

        Place here;  //!< whose room it holds
        Place there; //!< for which it waits
        Head head;   //!< the packet
        Kind kind;   //!< what it does
    };

    /// Find the ports that are stopped by switches, of all ranks.
    void FindStopped(const Fabric& fabric);
    /// Forget ports that lead out of all cycles of switches. @return true if any is left
    bool KeepCycles(const FabricGraph& graph);
    /// @return what is seen at the ports of the switches that are left, of all ranks
    std::vector<Note> TakeNotes(const Fabric& fabric) const;
    /// Enter what was seen.
    void Enter(const Fabric& fabric, const std::vector<Note>& notes);
    /// Keep what stands.
    void KeepStanding();
    /// @return number of a place, which is added if it is new
    uint32_t Number(const Place& place);

    friend class WaitNotes;

    std::map<uint32_t, std::vector<Stopped>> m_stopped; //!< by switch
    std::map<Place, uint32_t> m_numbers;                //!< of places
    std::vector<Place> m_places;                        //!< by number
    SuccessorLists m_waits;                             //!< by number
    std::vector<Head> m_heads;                          //!< by number; no item: nobody is there
    std::vector<bool> m_moves;                          //!< by number: a packet can move
};

} // namespace ns3

#endif /* WAIT_GRAPH_H */
