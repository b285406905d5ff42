// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_TOPOLOGY_H
#define FILE_TOPOLOGY_H

#include "path-topology.h"

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
class FileTopology : public PathTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FileTopology();
    ~FileTopology() override;

  private:
    std::string GetFormat() const override;
    std::string GetPrefix() const override;
    FabricGraph Read(const std::string& path) const override;
};

} // namespace ns3

#endif /* FILE_TOPOLOGY_H */
