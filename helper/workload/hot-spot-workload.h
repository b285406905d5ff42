// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOT_SPOT_WORKLOAD_H
#define HOT_SPOT_WORKLOAD_H

#include "poisson-workload.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Poisson arrivals of which most go to few hosts.
 *
 * All hosts send, at the offered load and with the flow sizes of PoissonWorkload. A share `Traffic`
 * of the flows goes to the hot hosts, evenly, the rest evenly to the others; by default 85 % of the
 * flows go to 15 % of the hosts. The hot hosts are drawn by the seed. A sender that is the only
 * host of its group sends to the other group. With load L the hot hosts are offered
 * L x Traffic / HotHosts of their line rate (2.8 times as much with the defaults): the backlog
 * drains when arrivals have ended.
 */
class HotSpotWorkload : public PoissonWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    /// @return `background` and `hot`, for flows that go to a hot host
    std::vector<std::string> GetGroups() const override;

    int64_t AssignStreams(int64_t stream) override;

    /**
     * @param share share of the flows that go to hot hosts, 0 to 1
     */
    void SetTraffic(double share)
    {
        m_traffic = share;
    }

    /**
     * @param share share of the hosts that are hot, above 0, below 1; at least one host is hot and
     * at least one is not
     */
    void SetHotHosts(double share)
    {
        m_hotHosts = share;
    }

    /// @return the hot hosts of the last Generate(), in ascending order
    const std::vector<uint32_t>& GetHot() const;

  protected:
    Receiver DrawReceiver(const std::vector<uint32_t>& hosts,
                          uint32_t index,
                          Ptr<UniformRandomVariable> random) override;

  private:
    double m_traffic;             //!< share of the flows
    double m_hotHosts;            //!< share of the hosts
    std::vector<uint32_t> m_hot;  //!< hot hosts
    std::vector<uint32_t> m_cold; //!< other hosts
};

} // namespace ns3

#endif /* HOT_SPOT_WORKLOAD_H */
