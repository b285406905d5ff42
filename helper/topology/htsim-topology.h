// SPDX-License-Identifier: GPL-2.0-only
#ifndef HTSIM_TOPOLOGY_H
#define HTSIM_TOPOLOGY_H

#include "fabric-topology.h"

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
class HtsimTopology : public FabricTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HtsimTopology();
    ~HtsimTopology() override;

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

#endif /* HTSIM_TOPOLOGY_H */
