// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_FAULT_FILE_H
#define FABRIC_FAULT_FILE_H

#include "ns3/fabric-text.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @brief Fault files: what fails in a network, and when.
 *
 * A fault on each line: a time with a unit, a verb, and what the verb takes. `#` begins a comment.
 * Lines may stand in any order.
 *
 *     120us down 16 24         # the link between nodes 16 and 24, both directions
 *     300us up 16 24
 *     300us rate 16:2 24 50Gbps # of parallel links the one at port 2 of node 16
 *     300us down leaf-0 spine-1 # nodes by the names that plans call them
 *     300us loss 16 24 0.001    # each frame of the link is lost with this probability
 *     300us corrupt 16 24 0.001 # or arrives damaged
 *     400us switch-down 24      # with all its links
 *     500us switch-up 24
 *     600us storm 3             # host 3 pauses its switch for ever
 *     700us calm 3
 *
 * The first field is always the time and the second the verb, so that a further verb with operands
 * of its own changes nothing for the others.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Something that happens to a link or a node of a network at a time.
 */
struct FabricFault
{
    /// What happens.
    enum Kind : uint8_t
    {
        DOWN,        //!< the link goes down
        UP,          //!< the link comes up
        RATE,        //!< the link has another rate
        LOSS,        //!< the link loses frames from now on, in both directions
        CORRUPT,     //!< frames of the link arrive damaged from now on, in both directions
        SWITCH_DOWN, //!< the switch fails, and with it its links
        SWITCH_UP,   //!< the switch comes back, empty
        STORM,       //!< the host sends pauses for ever
        CALM         //!< the host sends none any longer
    };

    /// @return true if something happens to a node, a, and not to a link
    bool IsOfNode() const;

    /// One end of a link.
    struct End
    {
        static constexpr uint32_t ANY_PORT = UINT32_MAX; //!< there is only one link to choose from

        /**
         * @param number of the node
         * @param portNumber of the port at the node
         */
        End(uint32_t number = 0, uint32_t portNumber = ANY_PORT)
            : node(number),
              port(portNumber)
        {
        }

        /**
         * @param text NODE or NODE:PORT, the node by number or name
         * @param where for messages
         * @return the end
         * @throws FabricError if it is none
         */
        static End Parse(const std::string& text, const FabricText& where);

        uint32_t node;      //!< number of the node, unless it has a name here
        uint32_t port;      //!< port at the node
        std::string name{}; //!< of the node; empty: it is given by number

        /**
         * @param o another end
         * @return true if equal
         */
        bool operator==(const End& o) const
        {
            return node == o.node && port == o.port && name == o.name;
        }
    };

    /// Latest time of a fault, 24 h in ps: later ones are forgotten units.
    static constexpr int64_t MAX_TIME_PS = 86400000000000000;

    int64_t timePs{0};   //!< when, in ps, up to MAX_TIME_PS
    Kind kind{DOWN};     //!< what
    End a;               //!< one end of the link, or the node
    End b;               //!< its other end; of no meaning of a node
    uint64_t rateBps{0}; //!< of RATE, in bit/s; 0 of others
    double share{0};     //!< of LOSS and CORRUPT, the probability of each frame; 0 of others
    FabricText place{};  //!< file and line, for messages; empty for one that was not read

    /**
     * @param o another fault
     * @return true if all but the place is equal
     */
    bool operator==(const FabricFault& o) const
    {
        return timePs == o.timePs && kind == o.kind && a == o.a && b == o.b &&
               rateBps == o.rateBps && share == o.share;
    }

    /// @return the line of a fault file that says this
    std::string ToText() const;
};

/**
 * @ingroup dcfabric
 * @param path file to read
 * @return its faults in the order of lines; that nodes exist is not known here
 * @throws FabricError with file and line for everything that is not exactly the format
 */
std::vector<FabricFault> ReadFabricFaults(const std::string& path);

/**
 * @ingroup dcfabric
 * @brief Write faults so that ReadFabricFaults() reads them back. The file appears whole or not at
 * all.
 * @param faults what to write
 * @param path file to write
 * @throws FabricError if the file cannot be written
 */
void WriteFabricFaults(const std::vector<FabricFault>& faults, const std::string& path);

} // namespace ns3

#endif /* FABRIC_FAULT_FILE_H */
