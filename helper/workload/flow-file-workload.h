// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_FILE_WORKLOAD_H
#define FLOW_FILE_WORKLOAD_H

#include "fabric-workload.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Flows from a file of the HPCC or ConWeave simulator, see FlowFile.
 *
 * Start times are kept as they are, also the two seconds that public files begin at by habit.
 */
class FlowFileWorkload : public FabricWorkload
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
     * @throws FabricError with file and line for a malformed file, a flow whose ends are not hosts
     * of the network, or a start after 24 h
     */
    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

  private:
    std::string m_path; //!< file to read
};

} // namespace ns3

#endif /* FLOW_FILE_WORKLOAD_H */
