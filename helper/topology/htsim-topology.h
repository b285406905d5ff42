// SPDX-License-Identifier: GPL-2.0-only
#ifndef HTSIM_TOPOLOGY_H
#define HTSIM_TOPOLOGY_H

#include "path-topology.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Fat-tree from a topology file of the htsim simulators, see HtsimTopologyFile.
 *
 * Rates, delays and oversubscription are those of the file, so that every common option is refused.
 * The graph may have limits of queues, which FabricHelper takes for lossy networks only.
 */
class HtsimTopology : public PathTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HtsimTopology();
    ~HtsimTopology() override;

  private:
    std::string GetFormat() const override;
    std::string GetPrefix() const override;
    FabricGraph Read(const std::string& path) const override;
};

} // namespace ns3

#endif /* HTSIM_TOPOLOGY_H */
