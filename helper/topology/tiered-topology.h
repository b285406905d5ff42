// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIERED_TOPOLOGY_H
#define TIERED_TOPOLOGY_H

#include "fabric-topology.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of generated topologies: what the links of each tier are like.
 *
 * Tier 0 are the links of the hosts, tier 1 those above the edge switches, tier 2 those above the
 * aggregation switches. Attributes: `Rate` and `Delay` hold for all tiers; `TierRates` and
 * `TierDelays` (comma lists, host tier first, one item per tier) replace them; `Oversubscription`
 * (one ratio per switch tier, edge first; a missing one is 1) derives the rates above the host tier
 * so that a switch has that many times more capacity down than up. Rates from `TierRates` and from
 * `Oversubscription` exclude one another. Delays given as text keep every picosecond at any time
 * resolution.
 */
class TieredTopology : public FabricTopology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Configure(const FabricTopologyOptions& options) override;

    /// @param rate rate of all links
    void SetRate(DataRate rate)
    {
        m_rateBps = rate.GetBitRate();
    }

    /// @return rate of all links without one of their own
    DataRate GetRate() const
    {
        return DataRate(m_rateBps);
    }

    /// @param delay delay of all links
    void SetDelay(Time delay)
    {
        m_delayPs = delay.GetPicoSeconds();
    }

    /// @return delay of all links without one of their own
    Time GetDelay() const
    {
        return PicoSeconds(static_cast<uint64_t>(m_delayPs));
    }

    /// @param list comma list of rates, host tier first; empty for none
    void SetTierRates(std::string list)
    {
        m_tierRates = list;
    }

    /// @param list comma list of delays, host tier first; empty for none
    void SetTierDelays(std::string list)
    {
        m_tierDelays = list;
    }

  protected:
    /// What the links of one tier are like.
    struct Tier
    {
        uint64_t rateBps; //!< line rate, bit/s
        int64_t delayPs;  //!< delay, ps
    };

    /**
     * @brief Work out all tiers.
     * @param upCapacity for each switch tier, edge first, ports up divided by ports down
     * @return one entry per link tier, upCapacity.size() + 1 of them
     * @throws FabricError for lists of the wrong length, malformed items or contradictions
     */
    std::vector<Tier> GetTiers(const std::vector<double>& upCapacity) const;

    /**
     * @brief Work out the tiers of a network in which no link leads up or down.
     * @param count link tiers, those of hosts first
     * @param what the topology, for messages, such as `a torus`
     * @return one entry per link tier
     * @throws FabricError as GetTiers(), and if the user gave an oversubscription
     */
    std::vector<Tier> GetFlatTiers(size_t count, const std::string& what) const;

    /**
     * @brief Declare numbers from 1 to a largest one.
     * @tparam T class of the topology
     */
    template <typename T>
    struct Counts
    {
        /// A number.
        struct Count
        {
            const char* name;    //!< of the attribute
            const char* help;    //!< what is counted
            uint32_t value;      //!< default
            uint32_t T::*member; //!< where it is
        };

        /**
         * @param tid class of the topology
         * @param counts numbers
         * @return the class
         */
        static TypeId Add(TypeId tid, std::initializer_list<Count> counts)
        {
            for (const Count& count : counts)
            {
                tid = tid.AddAttribute(count.name,
                                       count.help,
                                       UintegerValue(count.value),
                                       MakeUintegerAccessor(count.member),
                                       MakeUintegerChecker<uint32_t>(1, T::MAX_COUNT));
            }
            return tid;
        }
    };

  private:
    uint64_t m_rateBps;             //!< rate of all tiers, bit/s
    int64_t m_delayPs;              //!< delay of all tiers, ps
    std::string m_tierRates;        //!< rates by tier
    std::string m_tierDelays;       //!< delays by tier
    std::string m_oversubscription; //!< down / up capacity by switch tier
};

} // namespace ns3

#endif /* TIERED_TOPOLOGY_H */
