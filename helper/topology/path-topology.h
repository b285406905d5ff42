// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_TOPOLOGY_H
#define PATH_TOPOLOGY_H

#include "fabric-topology.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A topology that a file describes completely, so that every common option is refused.
 */
class PathTopology : public FabricTopology
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PathTopology();
    ~PathTopology() override;

    FabricGraph BuildGraph() const override;

    void Configure(const FabricTopologyOptions& options) override;

    /**
     * @param path file to read
     */
    void SetPath(std::string path);

    /// @return file to read
    std::string GetPath() const;

  private:
    /// @return the format as messages name it
    virtual std::string GetFormat() const = 0;

    /// @return what stands before the path in the text of a topology
    virtual std::string GetPrefix() const = 0;

    /**
     * @param path file to read
     * @return the plan in a file
     * @throws FabricError if it is malformed
     */
    virtual FabricGraph Read(const std::string& path) const = 0;

    std::string m_path; //!< file to read
};

} // namespace ns3

#endif /* PATH_TOPOLOGY_H */
