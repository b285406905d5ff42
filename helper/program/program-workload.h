// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRAM_WORKLOAD_H
#define PROGRAM_WORKLOAD_H

#include "rank-job.h"

#include "ns3/fabric-workload.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Programs of ranks: no flows before the run, but a job for a RankRunner, which makes them.
 */
class ProgramWorkload : public FabricWorkload
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param graph the network
     * @return nothing
     * @throws FabricError with file and line for a malformed file, and if the network has too few
     * hosts
     */
    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    /// @return what the ranks do, once Generate() was called
    std::shared_ptr<const RankJob> GetJob() const
    {
        return m_job;
    }

    /// @return class of all messages
    uint8_t GetPriority() const
    {
        return m_priority;
    }

  private:
    std::string m_path;                   //!< file with the programs of ranks
    uint8_t m_priority;                   //!< class of all messages
    std::shared_ptr<const RankJob> m_job; //!< of the last Generate()
};

} // namespace ns3

#endif /* PROGRAM_WORKLOAD_H */
