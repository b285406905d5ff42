// SPDX-License-Identifier: GPL-2.0-only
#ifndef UGAL_ROUTING_H
#define UGAL_ROUTING_H

#include "ns3/attribute-range.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"
#include "ns3/via-feature.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief UGAL-L (Singh, 2005): each packet takes the minimal way or one as under Valiant routing,
 * by the queues of the switch at which it enters the network (UgalFeature). Whatever the network
 * is.
 * @tparam Valiant Valiant routing of the network
 */
template <class Valiant>
class UgalRouting : public Valiant
{
  public:
    Ptr<SwitchFeature> MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const override
    {
        const auto feature = CreateObjectWithAttributes<UgalFeature>("FlowletGap",
                                                                     TimeValue(this->m_flowletGap),
                                                                     "Bias",
                                                                     TimeValue(m_bias));
        feature->SetPlan(plan);
        return feature;
    }

  protected:
    /**
     * @param tid of a derived class
     * @return the same, with the attributes of this one
     */
    static TypeId AddAttributes(TypeId tid)
    {
        return tid.AddAttribute(
            "Bias",
            "Wait in a queue times links between switches by which the minimal way may be "
            "worse and is taken nevertheless: some full packets in a queue say little.",
            TimeValue(MicroSeconds(4)),
            MakeTimeAccessor(&UgalRouting::m_bias),
            MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()));
    }

  private:
    Time m_bias; //!< wait times links by which the minimal way may be worse and is taken
};

} // namespace ns3

#endif /* UGAL_ROUTING_H */
