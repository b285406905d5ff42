// SPDX-License-Identifier: GPL-2.0-only
#ifndef SPANNING_TREE_PATH_SELECTOR_H
#define SPANNING_TREE_PATH_SELECTOR_H

#include "path-selector.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Several spanning trees, one for each flow ([FNCC] section 3.1, observation 2, second
 * method; the idea is that of TCP-Bolt).
 *
 * A hash that does not depend on the direction assigns the flow to a tree, the same at every
 * switch. Within a tree there is one path between two switches, so that data and ACK share every
 * link on whatever topology whose hosts have one link each: one with several chooses by itself.
 * Routes along the trees come from GetRouteNeeds().
 */
class SpanningTreePathSelector : public PathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint16_t Predict(const PortGroup& group, const FabricPacketItem& item) const override;
    /// @return none: the next switch leads along the tree of the flow, not along that of another
    /// port @copydetails PathSelector::SelectAgain
    uint16_t SelectAgain(const PortGroup& rest, const FabricPacketItem& item) override;

    RouteNeeds GetRouteNeeds() const override
    {
        return {true, m_trees};
    }

    bool IsSymmetric() const override
    {
        return true;
    }

  private:
    uint32_t m_seed{0};  //!< changes which flow is on which tree
    uint32_t m_trees{0}; //!< number of spanning trees (up to 4096)
};

} // namespace ns3

#endif /* SPANNING_TREE_PATH_SELECTOR_H */
