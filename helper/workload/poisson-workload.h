// SPDX-License-Identifier: GPL-2.0-only
#ifndef POISSON_WORKLOAD_H
#define POISSON_WORKLOAD_H

#include "flow-size-distribution.h"
#include "generated-workload.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Flows arrive at every host as a Poisson process of its own, to a host drawn uniformly
 * among the others.
 *
 * The mean gap between the arrivals of a host is mean flow size x 8 / (load x line rate): the load
 * counts payload bits, and the line rate of a multi-homed host is the sum of its links. This is the
 * arrival model of the HPCC traffic generator.
 *
 * Every host draws from the stream of its own number, so that a host's flows depend neither on the
 * other hosts nor on the order in which anything was created.
 *
 * With `Groups` above 1 traffic stays within groups of equal size: a receiver is drawn among the
 * hosts of the sender's group. `GroupOrder` says which those are, for the i-th of n hosts and g
 * groups: contiguous, those with the same i / (n/g), which in the order of hosts of a fat-tree are
 * neighbors; strided, those with the same i mod g.
 */
class PoissonWorkload : public GeneratedWorkload
{
  public:
    /// Streams reserved by AssignStreams(): hosts must have smaller numbers.
    static constexpr uint32_t MAX_STREAMS = 1U << 21;

    /// Most flows that one call may draw on average, so that a mistyped duration ends in a message.
    static constexpr double MAX_FLOWS = 1e8;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;
    int64_t GetSpanPs() const override;

    double GetAskedLoad() const override
    {
        return m_load;
    }

    int64_t AssignStreams(int64_t stream) override;

    /**
     * @param name see FlowSizeDistribution::FromName(); a file is read at once
     * @throws FabricError for an unknown name or a malformed file
     */
    void SetCdf(std::string name);

    /// @return name of the distribution, empty after SetDistribution()
    std::string GetCdf() const
    {
        return m_cdf;
    }

    /**
     * @param distribution sizes to draw from
     */
    void SetDistribution(const FlowSizeDistribution& distribution);

    /// @return sizes to draw from
    const FlowSizeDistribution& GetDistribution() const
    {
        return m_distribution;
    }

    /**
     * @param load payload bits offered per host over its line rate, above 0, at most 1
     */
    void SetLoad(double load)
    {
        m_load = load;
    }

    /// @return offered load
    double GetLoad() const
    {
        return m_load;
    }

    /**
     * @param duration span in which flows arrive, from the workload's start, which it excludes at
     * its end
     */
    void SetDuration(Time duration)
    {
        m_durationPs = duration.GetPicoSeconds();
    }

    /// @return span in which flows arrive
    Time GetDuration() const
    {
        return PicoSeconds(static_cast<uint64_t>(m_durationPs));
    }

    /**
     * @param durationPs span in which flows arrive, ps, finer than a tick if need be
     */
    void SetDurationPs(int64_t durationPs)
    {
        m_durationPs = durationPs;
    }

    /// @return number of groups
    uint32_t GetGroupCount() const
    {
        return m_nGroups;
    }

    /**
     * @param order `contiguous` or `strided`
     * @throws FabricError for anything else
     */
    void SetGroupOrder(std::string order);

    /// @return which hosts are a group
    std::string GetGroupOrder() const;

  protected:
    /// Where a flow goes.
    struct Receiver
    {
        uint32_t host;     //!< host number
        uint16_t group{0}; //!< see FabricFlow::group
    };

    /**
     * @brief Draw the receiver of a flow; here uniform over the hosts of the
     * sender's group but the sender.
     * @param hosts host numbers
     * @param index index of the sender among them
     * @param random stream of the sender
     * @return the receiver
     */
    virtual Receiver DrawReceiver(const std::vector<uint32_t>& hosts,
                                  uint32_t index,
                                  Ptr<UniformRandomVariable> random);

  private:
    /// Draw the flows of one host.
    void GenerateHost(const FabricGraph& graph, uint32_t index, std::vector<FabricFlow>& flows);

    /// @return mean gap between the host's arrivals, ps
    double GetMeanGapPs(const FabricGraph& graph, uint32_t host) const;

    /// Refuse groups that are not equal or have one host.
    void CheckGroups(std::size_t nHosts) const;

    std::string m_cdf; //!< name of the distribution
    FlowSizeDistribution m_distribution{FlowSizeDistribution::FromName("websearch")}; //!< sizes
    uint32_t m_nGroups;   //!< groups between which there is no traffic
    bool m_strided;       //!< groups are by the remainder
    double m_load;        //!< offered load
    int64_t m_durationPs; //!< span of arrivals, ps
};

} // namespace ns3

#endif /* POISSON_WORKLOAD_H */
