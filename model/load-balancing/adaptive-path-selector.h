// SPDX-License-Identifier: GPL-2.0-only
#ifndef ADAPTIVE_PATH_SELECTOR_H
#define ADAPTIVE_PATH_SELECTOR_H

#include "path-selector.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Adaptive routing: each packet takes the port for which the fewest bytes wait, one drawn
 * uniformly among equals. Packets of a flow overtake one another.
 */
class AdaptivePathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    AdaptivePathSelector();
    void SetPortLoads(const PortLoads* loads) override;
    uint16_t Select(const PortGroup& group, const FabricPacketItem& item) override;
    int64_t AssignStreams(int64_t stream) override;
    uint32_t GetMaxPaths() const override;
    bool KeepsOrder() const override;

  private:
    const PortLoads* m_loads{nullptr};   //!< queues of the switch
    Ptr<UniformRandomVariable> m_random; //!< decides between equals
    std::vector<uint16_t> m_least;       //!< scratch
};

} // namespace ns3

#endif /* ADAPTIVE_PATH_SELECTOR_H */
