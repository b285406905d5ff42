// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLIENT_WORKLOAD_H
#define CLIENT_WORKLOAD_H

#include "client-flow-source.h"

#include "ns3/fabric-workload.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Ranks of a client, which sends as it likes: no flows before the run, but a place for each
 * rank (see ClientFlowSource).
 */
class ClientWorkload : public FabricWorkload
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param graph the network
     * @return nothing
     * @throws FabricError if the network has too few hosts
     */
    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    /// @return where ranks are, once Generate() was called
    const ClientFlowSource::Settings& GetSettings() const
    {
        return m_settings;
    }

  private:
    uint32_t m_ranks;                      //!< number of ranks; 0: as many as there is room for
    uint32_t m_perHost;                    //!< ranks of a host
    uint8_t m_priority;                    //!< class of all messages
    uint32_t m_queuePairs;                 //!< see ClientFlowSource::Settings
    Time m_localDelay;                     //!< likewise
    ClientFlowSource::Settings m_settings; //!< see GetSettings()
};

} // namespace ns3

#endif /* CLIENT_WORKLOAD_H */
