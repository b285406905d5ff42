// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONWEAVE_PATH_SELECTOR_H
#define CONWEAVE_PATH_SELECTOR_H

#include "ecmp-path-selector.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief ConWeave: ConweaveFeature, which every switch gets with it, moves flows whose packets are
 * slow and puts them in order again; what has no tag is hashed as by ECMP.
 */
class ConweavePathSelector : public EcmpPathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RouteNeeds GetRouteNeeds() const override;

    /**
     * @copydoc PathSelector::ListDefaults
     *
     * Losses are found by time: a tail that is given up comes late. Times of ConweaveFeature in
     * base RTTs T: a reply may be late by T / 2, a tail by 2 T, is waited for 24 T, and a flow has
     * paused after 36 T; a way is bad for 2 T. With T of 8.3 us these are those of the public
     * simulator of [CONWEAVE]_ in its leaf-spine network: 4, 16, 200, 300 and 16 us.
     */
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }
};

} // namespace ns3

#endif /* CONWEAVE_PATH_SELECTOR_H */
