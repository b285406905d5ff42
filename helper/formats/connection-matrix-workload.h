// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONNECTION_MATRIX_WORKLOAD_H
#define CONNECTION_MATRIX_WORKLOAD_H

#include "ns3/fabric-workload.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Flows from a connection matrix of the htsim simulators, see ConnectionMatrixFile.
 *
 * Flows that wait for triggers start during the run, at the time at which the last flow they wait
 * for is complete. Node n of the file is the n-th host of the network. All flows have the class of
 * the attribute `Priority`; `prio` has no effect, which is said in a warning. Files with failures
 * are refused: links of this module do not fail.
 */
class ConnectionMatrixWorkload : public FabricWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param graph the network
     * @return the flows in the order of the file
     * @throws FabricError with file and line for a malformed file, a start other than 0 without a
     * unit or after 24 h, a failure, or more nodes than the network has hosts
     */
    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    std::vector<FlowTrigger> GetTriggers() const override
    {
        return m_triggers;
    }

  private:
    std::string m_path;                  //!< file to read
    std::string m_unit;                  //!< of starts
    uint8_t m_priority;                  //!< of all flows
    std::vector<FlowTrigger> m_triggers; //!< of the last Generate()
};

} // namespace ns3

#endif /* CONNECTION_MATRIX_WORKLOAD_H */
