// SPDX-License-Identifier: GPL-2.0-only
#ifndef STATE_PATH_SELECTOR_H
#define STATE_PATH_SELECTOR_H

#include "path-selector.h"
#include "port-loads.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base of path selectors that look at the state of their switch and draw: packets of one
 * entropy take different paths.
 */
class StatePathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    StatePathSelector();

    void SetPortLoads(const PortLoads* loads) override
    {
        m_loads = loads;
    }

    int64_t AssignStreams(int64_t stream) override;

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }

  protected:
    /**
     * @param count at least 1
     * @return 0 to count - 1, all alike
     */
    uint32_t Draw(uint32_t count);

    const PortLoads* m_loads{nullptr}; //!< of the switch

  private:
    Ptr<UniformRandomVariable> m_random; //!< of this switch
};

} // namespace ns3

#endif /* STATE_PATH_SELECTOR_H */
