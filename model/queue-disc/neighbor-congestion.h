// SPDX-License-Identifier: GPL-2.0-only
#ifndef NEIGHBOR_CONGESTION_H
#define NEIGHBOR_CONGESTION_H

#include "ns3/hop-congestion-notification.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What the neighbor at an output has told of its congestion (HopCongestionNotification).
 *
 * It tells of each of its outputs. What it told holds until it says that the congestion of the
 * output is over, or until it has told nothing of it for a timeout: a notification can be lost, and
 * a neighbor can die. Flows are remembered for the timeout, in whichever notification they were
 * named: what samples miss at one time they meet at another. One that was named for no output
 * (FabricPacketItem::NO_PORT) has no way by the neighbor. Flows that were named while it was not
 * known who congests the output are forgotten once that is known.
 */
class NeighborCongestion
{
  public:
    /// @param timeout how long what was told holds; may change, outlives this object
    explicit NeighborCongestion(const Time& timeout)
        : m_timeout(&timeout)
    {
    }

    /**
     * @brief The neighbor has told.
     * @param notification what
     * @param nowPs time in ps
     */
    void OnNotification(const HopCongestionNotification& notification, int64_t nowPs);

    /**
     * @brief Forget what was told too long ago; to be called before this object is asked.
     * @param nowPs time in ps
     * @return true if that ends the congestion
     */
    bool Expire(int64_t nowPs);

    /// @return the largest degree that holds; 0: the neighbor tells of no congestion
    double GetDegree() const
    {
        return m_degree;
    }

    /// @return notifications since congestion began, of outputs that are still congested
    uint32_t GetNNotifications() const;

    /**
     * @param flow any
     * @return true if it was named
     */
    bool Names(const FlowKey& flow) const
    {
        return std::any_of(m_named.begin(), m_named.end(), [&flow](const Named& named) {
            return named.flow == flow;
        });
    }

    /**
     * @param flow any
     * @return true if the neighbor has told that it has no way for it
     */
    bool HasNoWay(const FlowKey& flow) const
    {
        return std::any_of(m_named.begin(), m_named.end(), [&flow](const Named& named) {
            return named.hasNoWay && named.flow == flow;
        });
    }

    /**
     * @brief A packet has come that is to leave by this output.
     * @param flow its flow
     * @param input where it came in
     */
    void OnArrival(const FlowKey& flow, uint16_t input)
    {
        for (Named& named : m_named)
        {
            if (named.flow == flow)
            {
                named.input = input;
            }
        }
    }

    /// @return true if it is known which flows congest the neighbor, be they all of other inputs
    bool KnowsFlows() const
    {
        return m_isKnown || !m_named.empty();
    }

    /// @return the flows that were named, those that were first ones first
    std::vector<FlowKey> CollectFlows() const;

    /**
     * @param input of this switch
     * @return those of them whose latest packet came by it
     */
    std::vector<FlowKey> CollectFlows(uint16_t input) const;

  private:
    /// What the neighbor has told of one of its outputs.
    struct Told
    {
        HopCongestionNotification last; //!< the latest
        int64_t lapsePs;                //!< not valid from then on
        uint32_t count;                 //!< since the first
    };

    /// A flow that the neighbor has named.
    struct Named
    {
        FlowKey flow;                              //!< which
        int64_t lapsePs;                           //!< not valid from then on
        uint16_t input{FabricPacketItem::NO_PORT}; //!< where its latest packet came in
        bool hasNoWay{false};                      //!< it was named for no output
        bool isKnown{false};                       //!< it was known, the last time, to congest
        uint16_t queue{0};                         //!< the output of the last time
    };

    /// @brief Find m_degree and m_isKnown.
    void Summarize();

    const Time* m_timeout;      //!< of the owner
    double m_degree{0};         //!< the largest of those told
    bool m_isKnown{false};      //!< that which holds says so
    std::vector<Named> m_named; //!< flows
    std::vector<Told> m_told;   //!< by outputs of the neighbor
};

} // namespace ns3

#endif /* NEIGHBOR_CONGESTION_H */
