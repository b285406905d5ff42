// SPDX-License-Identifier: GPL-2.0-only
#ifndef HEAD_STARTS_H
#define HEAD_STARTS_H

#include "ns3/fabric-engine.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-options.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Decides whether the nodes of a scenario may have head starts (option `head-start`), which
 * change nothing but the speed (FabricEngine::SetHeadStarts()).
 *
 * They may where all that nodes do to one another goes over links, and nobody looks at several of
 * them but between events. That is what lets several processes simulate one network, too.
 */
class HeadStarts
{
  public:
    /**
     * @brief Look at the options.
     * @param network what is sent
     * @param options of the run
     * @throws FabricError for a word that is none
     */
    void Read(const ScenarioNetwork& network, const ScenarioOptions& options);

    /**
     * @brief The network is there: have its nodes find how far ahead they may be.
     * @param network of Read()
     * @return the engine that can let them; null: they may not, or nothing can
     */
    FabricEngine* Find(const ScenarioNetwork& network);

    /// @return least delay of a link of the network, in ps; 0 unless Find() has found an engine
    int64_t GetLeastDelayPs() const
    {
        return m_leastDelayPs;
    }

  private:
    bool m_isPossible{false};  //!< as far as the options tell
    int64_t m_leastDelayPs{0}; //!< see GetLeastDelayPs()
};

} // namespace ns3

#endif /* HEAD_STARTS_H */
