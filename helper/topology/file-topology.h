// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_TOPOLOGY_H
#define FILE_TOPOLOGY_H

#include "fabric-topology.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Topology from a file in the format of the HPCC and ConWeave simulators.
 *
 * Node numbers are those of the file. Rates and delays are those of the file too, so that every
 * common option is refused.
 */
class FileTopology : public FabricTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FileTopology();
    ~FileTopology() override;

    FabricGraph BuildGraph() const override;

    void Configure(const FabricTopologyOptions& options) override;

    /**
     * @param path file to read
     */
    void SetPath(std::string path);

    /// @return file to read
    std::string GetPath() const;

  private:
    std::string m_path; //!< file to read
};

} // namespace ns3

#endif /* FILE_TOPOLOGY_H */
