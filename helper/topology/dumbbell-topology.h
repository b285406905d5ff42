// SPDX-License-Identifier: GPL-2.0-only
#ifndef DUMBBELL_TOPOLOGY_H
#define DUMBBELL_TOPOLOGY_H

#include "tiered-topology.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A chain of M switches with N senders at the first and N receivers at the last.
 *
 * Nodes 0 .. N-1 are the senders, N .. 2N-1 the receivers, 2N .. 2N+M-1 the switches in the order
 * of the chain. The first and last switch have their hosts on the lower ports. All switches are
 * tier 1. With M = 1 all hosts share one switch.
 */
class DumbbellTopology : public TieredTopology
{
  public:
    /// Largest number of switches or senders.
    static constexpr uint32_t MAX_COUNT = 65536;

    /// @return the TypeId
    static TypeId GetTypeId();

    FabricGraph BuildGraph() const override;

    const char* GetUsualWorkload() const override
    {
        return "pairs:size=2MB";
    }

    /// @param switches number M of switches in the chain, from 1 to MAX_COUNT
    void SetSwitches(uint32_t switches)
    {
        m_switches = switches;
    }

    /// @param senders number N of senders, and of receivers, from 1 to MAX_COUNT
    void SetSenders(uint32_t senders)
    {
        m_senders = senders;
    }

  private:
    uint32_t m_switches; //!< number M of switches in the chain, from 1 to MAX_COUNT
    uint32_t m_senders;  //!< number N of senders, and of receivers, from 1 to MAX_COUNT
};

} // namespace ns3

#endif /* DUMBBELL_TOPOLOGY_H */
