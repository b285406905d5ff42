// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIGGYBACK_ROUTING_H
#define PIGGYBACK_ROUTING_H

#include "switch-rails.h"

#include "ns3/attribute-range.h"
#include "ns3/double.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/piggyback-feature.h"
#include "ns3/told-links.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Adaptive routing by the use of links that switches tell one another (PB; Jiang, Kim and
 * Dally, ISCA 2009): each packet takes the minimal way or one as under Valiant routing
 * (PiggybackFeature). Whatever the network is: which links are told is for derived classes.
 * @tparam Valiant Valiant routing of the network
 */
template <class Valiant>
class PiggybackRouting : public Valiant
{
  public:
    void Attach(const FabricGraph& graph) override
    {
        Valiant::Attach(graph);
        m_links = MakeLinks();
    }

    Ptr<SwitchFeature> MakeViaFeature(const std::shared_ptr<const ViaPlan>& plan) const override
    {
        const uint64_t slowest = FindSlowestLink(*this->m_graph);
        const Time window =
            std::max(m_window.IsZero() ? PiggybackFeature::GetUsualWindow(slowest, GetRoundTrip())
                                       : m_window,
                     NanoSeconds(1));
        const double leastUse =
            m_leastUse > 0 ? m_leastUse : PiggybackFeature::GetUsualLeastUse(slowest, window);
        const auto feature =
            CreateObjectWithAttributes<PiggybackFeature>("FlowletGap",
                                                         TimeValue(this->m_flowletGap),
                                                         "Window",
                                                         TimeValue(window),
                                                         "LeastUse",
                                                         DoubleValue(leastUse),
                                                         "Step",
                                                         DoubleValue(m_step));
        feature->SetPlan(plan);
        feature->SetLinks(m_links);
        return feature;
    }

  protected:
    /**
     * @param tid of a derived class
     * @return the same, with the attributes of this one
     */
    static TypeId AddAttributes(TypeId tid)
    {
        return tid
            .AddAttribute("Window",
                          "Time in which what came for a link ages to 1/e; zero: a round trip on "
                          "the longest minimal way, in which a congestion control reacts, or what "
                          "64 kB take, if that is longer.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&PiggybackRouting::m_window),
                          MakeTimeChecker(Seconds(0), AttributeRange::GetMaxTime()))
            .AddAttribute("LeastUse",
                          "Share of its rate up to which a link is good enough for the minimal "
                          "way, whatever others are; zero: 24 kB in a window, half its rate at "
                          "most, as less traffic is too uneven to say anything.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PiggybackRouting::m_leastUse),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Step",
                          "Share of its rate by which a link is used more than others have been "
                          "told when they are told again: at 1/8 a full link makes a notice in "
                          "0.13 windows.",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&PiggybackRouting::m_step),
                          MakeDoubleChecker<double>(0.001, 1));
    }

  private:
    /// @return the links of which switches tell one another
    virtual std::shared_ptr<const ToldLinks> MakeLinks() const = 0;

    /// @return delays of the links of the longest minimal way, there and back
    virtual Time GetRoundTrip() const = 0;

    std::shared_ptr<const ToldLinks> m_links; //!< of which switches tell one another
    Time m_window;                            //!< in which use ages; zero: GetRoundTrip()
    double m_leastUse{0};                     //!< see PiggybackFeature; zero: the usual one
    double m_step{0};                         //!< likewise
};

} // namespace ns3

#endif /* PIGGYBACK_ROUTING_H */
