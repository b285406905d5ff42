// SPDX-License-Identifier: GPL-2.0-only
#ifndef PROGRAM_WORKLOAD_H
#define PROGRAM_WORKLOAD_H

#include "job-placement.h"
#include "placed-jobs.h"
#include "rank-job.h"

#include "ns3/fabric-workload.h"
#include "ns3/nstime.h"

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

    /**
     * @param name of the job among others
     * @param group FabricFlow::group of its messages
     * @return the job as it asks for hosts beside others, once Generate() was called
     * @throws FabricError if the name cannot be one
     */
    JobRequest MakeRequest(const std::string& name, uint16_t group) const;

    /// @return name of the job: the one that was given, or that of its file without folders and
    /// suffix
    std::string GetName() const;

    /// @return true if somebody has given a name
    bool HasName() const
    {
        return !m_name.empty();
    }

    /// @return true if it is a job that has a start, a name or a placement
    bool IsScheduled() const
    {
        return HasName() || !m_placement.empty() || !m_start.IsZero();
    }

    int64_t AssignStreams(int64_t stream) override;

    /// @return class of all messages
    uint8_t GetPriority() const
    {
        return m_priority;
    }

  private:
    /// Set the name. @param name it; empty: that of the file
    void SetName(std::string name);

    std::string m_name;                   //!< see HasName()
    std::string m_placement;              //!< as a user writes it; empty: it depends on the file
    Time m_start;                         //!< when the programs begin
    Ptr<JobPlacement> m_placer;           //!< made of m_placement; null: none was given
    std::vector<uint32_t> m_places;       //!< of hosts, as of JobRequest; of the last Generate()
    std::string m_path;                   //!< file with the programs of ranks
    uint8_t m_priority;                   //!< class of all messages
    std::shared_ptr<const RankJob> m_job; //!< of the last Generate()
};

} // namespace ns3

#endif /* PROGRAM_WORKLOAD_H */
