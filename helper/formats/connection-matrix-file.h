// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONNECTION_MATRIX_FILE_H
#define CONNECTION_MATRIX_FILE_H

#include "ns3/fabric-flow.h"
#include "ns3/flow-trigger.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Connection matrices (`.cm`) of the htsim family of simulators.
 *
 * `#` begins a comment. The header has `Nodes N` and `Connections C`, and `Triggers T` and
 * `Failures F` where there are such lines; then, in any order,
 *
 *     src->dst [id n] [start t | trigger n] size bytes [send_done_trigger n] [recv_done_trigger n]
 *              [prio n]
 *     trigger id n oneshot|multishot|barrier [count k]
 *     failure switch_type TOR|AGG|CORE switch_id n link_id n
 *
 * A flow of size 0 has no end. `prio` orders the pulls of a receiver; it is kept and has no effect.
 * `msg` of the Ultra Ethernet version, the number of a message on a connection that several lines
 * with the same `id` share, is refused: here each line has a connection of its own.
 *
 * The unit of `start` is not part of the format: some tools of the family take picoseconds, others
 * microseconds.
 */
struct ConnectionMatrixFile
{
    static constexpr int32_t NO_PRIORITY = -1; //!< no `prio` is given

    /// A flow, as written.
    struct Connection
    {
        uint32_t src{0};               //!< sender
        uint32_t dst{0};               //!< receiver, never src
        uint32_t id{0};                //!< number, unique; 0: none
        int64_t startPs{0};            //!< start, ps, or FabricFlow::ON_TRIGGER
        uint32_t trigger{0};           //!< trigger that starts it; 0: none
        uint64_t sizeBytes{0};         //!< payload; 0: without end
        uint32_t sendDoneTrigger{0};   //!< activated by the last ACK; 0: none
        uint32_t recvDoneTrigger{0};   //!< activated by the arrival; 0: none
        int32_t priority{NO_PRIORITY}; //!< of its pulls at the receiver, or NO_PRIORITY
        uint32_t line{0};              //!< where it stands, for messages

        /**
         * @param o another
         * @return true if all but the line is equal
         */
        bool operator==(const Connection& o) const;
    };

    /// A trigger, as written.
    struct Trigger
    {
        uint32_t id{0};                                //!< number, unique, not 0
        FlowTrigger::Kind kind{FlowTrigger::ONE_SHOT}; //!< what activations do
        uint32_t count{0};                             //!< of a barrier; 0: not given
        uint32_t line{0};                              //!< where it stands, for messages

        /**
         * @param o another
         * @return true if all but the line is equal
         */
        bool operator==(const Trigger& o) const;
    };

    /// A link that is down, as written.
    struct Failure
    {
        std::string switchType; //!< TOR, AGG or CORE
        uint32_t switchId{0};   //!< number of the switch among those
        uint32_t linkId{0};     //!< number of the link of that switch
        uint32_t line{0};       //!< where it stands, for messages

        /**
         * @param o another
         * @return true if all but the line is equal
         */
        bool operator==(const Failure& o) const;
    };

    std::string path;                    //!< file read, for messages
    uint32_t nodes{0};                   //!< hosts are 0 to nodes - 1
    uint32_t nodesLine{0};               //!< line of Nodes, for messages
    std::vector<Connection> connections; //!< in the order of the file
    std::vector<Trigger> triggers;       //!< in the order of the file
    std::vector<Failure> failures;       //!< in the order of the file

    /**
     * @param priority class of all of them: `prio` is none
     * @return the flows in the order of the file
     */
    std::vector<FabricFlow> GetFlows(uint8_t priority) const;

    /// @return the triggers in the order of the file
    std::vector<FlowTrigger> GetTriggers() const;
};

/**
 * @ingroup dcfabric
 * @brief Read a connection matrix.
 * @param path file to read
 * @param unit unit of `start`: ps, ns, us, ms or s; empty if all starts are 0
 * @return its contents; that the network has its hosts is not known here
 * @throws FabricError with file and line for everything that is not exactly the format, for a start
 * other than 0 without a unit, and for triggers that cannot work (see FindFlowTriggerFault())
 */
ConnectionMatrixFile ReadConnectionMatrix(const std::string& path, const std::string& unit);

/**
 * @ingroup dcfabric
 * @brief Write a connection matrix that ReadConnectionMatrix() reads back the same.
 *
 * The file appears whole or not at all.
 *
 * @param file contents
 * @param path file to write
 * @param unit unit of `start`: ps, ns, us, ms or s
 * @throws FabricError if the unit is unknown or the file cannot be written
 */
void WriteConnectionMatrix(const ConnectionMatrixFile& file,
                           const std::string& path,
                           const std::string& unit);

} // namespace ns3

#endif /* CONNECTION_MATRIX_FILE_H */
