// SPDX-License-Identifier: GPL-2.0-only
#ifndef HOT_SPOT_WORKLOAD_H
#define HOT_SPOT_WORKLOAD_H

#include "poisson-workload.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Poisson arrivals of which most go to few hosts.
 *
 * All hosts send, at the offered load and with the flow sizes of PoissonWorkload. A share `Traffic`
 * of the flows, the hot ones, goes to the hot hosts, evenly; the rest, the background, evenly to
 * the others (`Cold` = others) or to all hosts, hot ones included (all). By default 85 % of the
 * flows go to 15 % of the hosts. The hot hosts are drawn by the seed. A sender that is the only
 * possible receiver of a hot or background flow sends one of the other kind instead.
 *
 * With load L the hot hosts are offered L x Traffic / HotHosts of their line rate (5.7 L with the
 * defaults: the backlog drains when arrivals have ended), and with Cold = all
 * L x (Traffic / HotHosts + 1 - Traffic). PoissonWorkload::Groups above 1 is refused.
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

    /// @return `background` and `hot`: as which a flow was drawn
    std::vector<std::string> GetGroups() const override
    {
        return {"background", "hot"};
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return PoissonWorkload::AssignStreams(stream) + 1; // the last one draws the hot hosts
    }

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

    /**
     * @brief Say where the background goes.
     * @param receivers `others`: to hosts that are not hot; `all`: to all hosts
     * @throws FabricError for anything else
     */
    void SetCold(std::string receivers);

    /// @return where the background goes
    std::string GetCold() const;

    /// @return the hot hosts of the last Generate(), in ascending order
    const std::vector<uint32_t>& GetHot() const
    {
        return m_hot;
    }

  protected:
    Receiver DrawReceiver(const std::vector<uint32_t>& hosts,
                          uint32_t index,
                          Ptr<UniformRandomVariable> random) override;

  private:
    /// @return one of some hosts, in ascending order, but the sender, uniformly
    static uint32_t DrawFrom(const std::vector<uint32_t>& group,
                             uint32_t self,
                             Ptr<UniformRandomVariable> random);

    bool m_everywhere;            //!< the background goes to all hosts
    double m_traffic;             //!< share of the flows
    double m_hotHosts;            //!< share of the hosts
    std::vector<uint32_t> m_hot;  //!< hot hosts
    std::vector<uint32_t> m_cold; //!< other hosts
};

} // namespace ns3

#endif /* HOT_SPOT_WORKLOAD_H */
