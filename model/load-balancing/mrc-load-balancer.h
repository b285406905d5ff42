// SPDX-License-Identifier: GPL-2.0-only
#ifndef MRC_LOAD_BALANCER_H
#define MRC_LOAD_BALANCER_H

#include "oblivious-spray-load-balancer.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Spraying over a set of entropies of which each has a state, as in MRC (Multipath Reliable
 * Connection 1.0, Open Compute Project 2026).
 *
 * - GOOD: used when its turn comes (ObliviousSprayLoadBalancer).
 * - SKIP: a packet on it was marked, or trimmed before the last hop: it misses one turn. A packet
 *   that comes to it takes another one and makes it good, but only one entropy for a packet.
 * - ASSUMED_BAD: a packet on it was lost without a word. Nothing uses it but, each ProbeInterval,
 *   one packet as a probe, whose ACK makes it good again.
 * - DENIED: by the attribute Denied, as a control plane would; never used.
 *
 * If no entropy is good, a packet takes one that it has just made good, or else one that is assumed
 * bad, in turn. Denied ones remain so, unless all are, which is refused.
 *
 * Planes are networks of their own between hosts with several ports; here they are the ports, which
 * entropies choose. When one fails the entropies that lead there become ASSUMED_BAD one by one.
 *
 * The specification was not read: states, the mark that skips once, and that a packet makes one
 * entropy good at most are from notes of others that cite it (sections 7.5.5.5, 9.3.1 and 11.2.2).
 * When an entropy is assumed bad, and how it is probed, are our own.
 */
class MrcLoadBalancer : public ObliviousSprayLoadBalancer
{
  public:
    /// What is known of an entropy.
    enum class State : uint8_t
    {
        GOOD,        //!< used
        SKIP,        //!< misses its next turn
        ASSUMED_BAD, //!< used by probes only
        DENIED,      //!< never used
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @copydoc LoadBalancer::Start @throws FabricError if all entropies are denied
    void Start(uint16_t entropy) override;
    uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) override;
    void OnAck(int64_t nowPs, uint16_t entropy, bool marked) override;
    void OnTrim(int64_t nowPs, uint16_t entropy, bool lastHop) override;
    void OnLoss(int64_t nowPs, uint16_t entropy) override;

    bool NeedsLosses() const override
    {
        return true;
    }

    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;

    /**
     * @param place in the set, from 0
     * @return its state
     */
    State GetState(uint32_t place) const
    {
        return m_entries[place].state;
    }

    /**
     * @brief Set the places of the set that are denied.
     * @param text numbers, such as `3,7`; empty: none
     * @throws FabricError for what is no number from 0 to 65535
     */
    void SetDenied(std::string text);

    /// @return the list as it was set
    std::string GetDenied() const
    {
        return m_deniedText;
    }

  private:
    /// An entropy of the set.
    struct Entry
    {
        State state;     //!< what is known
        int64_t probePs; //!< ASSUMED_BAD: when the next packet may probe it
    };

    /// Make an entropy miss its next turn.
    void Skip(uint16_t entropy);

    Time m_probeInterval;           //!< between two probes of an entropy
    std::string m_deniedText;       //!< as it was set
    std::vector<uint16_t> m_denied; //!< places
    std::vector<Entry> m_entries;   //!< of each place
};

} // namespace ns3

#endif /* MRC_LOAD_BALANCER_H */
