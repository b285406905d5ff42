// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGA_PATH_SELECTOR_H
#define CONGA_PATH_SELECTOR_H

#include "ecmp-path-selector.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief CONGA: CongaFeature, which every switch gets with it, leads flowlets by the congestion of
 * whole ways; what has no tag is hashed as by ECMP.
 */
class CongaPathSelector : public EcmpPathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RouteNeeds GetRouteNeeds() const override;

    /**
     * @copydoc PathSelector::ListDefaults
     *
     * Losses are found by time: where queues are longer than expected, flowlets overtake one
     * another. Times of CongaFeature in base RTTs T. A flowlet ends after 2 T: by so much ways
     * differ where a congestion control holds each of two queues at one T. A period is 6 T and a
     * value lasts 60 T, which with T of 8.3 us are the 50 and 500 us of the public simulator of
     * [CONWEAVE]_ (its flowlets end after 100 us, 12 T).
     */
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }
};

} // namespace ns3

#endif /* CONGA_PATH_SELECTOR_H */
