// SPDX-License-Identifier: GPL-2.0-only
#ifndef HERMES_PATH_SELECTOR_H
#define HERMES_PATH_SELECTOR_H

#include "ecmp-path-selector.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Hermes: HermesFeature, which every switch gets with it, leads flows by what is known of
 * whole paths; what has no tag is hashed as by ECMP.
 */
class HermesPathSelector : public EcmpPathSelector
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RouteNeeds GetRouteNeeds() const override;

    /**
     * @copydoc PathSelector::ListDefaults
     *
     * Times of HermesFeature in base RTTs T, which is also about what a queue delays whose length a
     * control holds: a delay of T/4 is short and one of 3/2 T long, and a path has to be better by
     * T. A flow moves after 8 bandwidth-delay products. The authors' simulation, with T of 60 us
     * and a queue of 80 us, has 18, 135 and 100 us, and 8.5 products. Probes go each 8 T (500 us
     * there), an answer is waited for 40 T.
     */
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    uint32_t GetMaxPaths() const override
    {
        return UINT32_MAX;
    }
};

} // namespace ns3

#endif /* HERMES_PATH_SELECTOR_H */
