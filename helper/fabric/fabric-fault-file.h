// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_FAULT_FILE_H
#define FABRIC_FAULT_FILE_H

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
 *
 * The first field is always the time and the second the verb, so that a further verb with operands
 * of its own changes nothing for the others.
 */

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Something that happens to a link of a network at a time.
 */
struct FabricFault
{
    /// What happens.
    enum Kind : uint8_t
    {
        DOWN, //!< the link goes down
        UP,   //!< the link comes up
        RATE  //!< the link has another rate
    };

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

        uint32_t node; //!< number of the node
        uint32_t port; //!< port at the node

        /**
         * @param o another end
         * @return true if equal
         */
        bool operator==(const End& o) const
        {
            return node == o.node && port == o.port;
        }
    };

    /// Latest time of a fault, 24 h in ps: later ones are forgotten units.
    static constexpr int64_t MAX_TIME_PS = 86400000000000000;

    int64_t timePs{0};   //!< when, in ps, up to MAX_TIME_PS
    Kind kind{DOWN};     //!< what
    End a;               //!< one end of the link
    End b;               //!< its other end
    uint64_t rateBps{0}; //!< of RATE, in bit/s; 0 of others
    std::string place{}; //!< file and line, for messages; empty for one that was not read

    /**
     * @param o another fault
     * @return true if all but the place is equal
     */
    bool operator==(const FabricFault& o) const
    {
        return timePs == o.timePs && kind == o.kind && a == o.a && b == o.b && rateBps == o.rateBps;
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
