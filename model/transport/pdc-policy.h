// SPDX-License-Identifier: GPL-2.0-only
#ifndef PDC_POLICY_H
#define PDC_POLICY_H

#include "ns3/object-factory.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What decides on window, rate and entropies of a sending PDC: types and attributes.
 */
struct PdcPolicy
{
    ObjectFactory congestionControl; //!< of a CongestionControl
    std::vector<ObjectFactory>
        modifiers;              //!< of CongestionModifiers, in the order in which they act
    ObjectFactory loadBalancer; //!< of a LoadBalancer
};

} // namespace ns3

#endif /* PDC_POLICY_H */
