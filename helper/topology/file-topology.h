// SPDX-License-Identifier: GPL-2.0-only
#ifndef FILE_TOPOLOGY_H
#define FILE_TOPOLOGY_H

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
    /// @return the TypeId
    static TypeId GetTypeId();

    FabricGraph BuildGraph() const override;

    void Configure(const FabricTopologyOptions& options) override;

  protected:
    /**
     * @param prefix what stands before the path in the text of a topology
     * @param format name of the format, for messages
     * @param read reads a file, throws FabricError if it is malformed
     */
    PathTopology(const char* prefix,
                 const char* format,
                 FabricGraph (*read)(const std::string& path));

    std::string m_path; //!< file to read

  private:
    const char* m_prefix;                        //!< before the path
    const char* m_format;                        //!< for messages
    FabricGraph (*m_read)(const std::string& p); //!< the plan in a file
};

/**
 * @ingroup dcfabric
 * @brief Topology from a file in the format of the HPCC and ConWeave simulators. Node numbers are
 * those of the file.
 */
class FileTopology : public PathTopology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FileTopology();
};

} // namespace ns3

#endif /* FILE_TOPOLOGY_H */
