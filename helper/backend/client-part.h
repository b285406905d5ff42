// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLIENT_PART_H
#define CLIENT_PART_H

#include "client-flow-source.h"
#include "client-workload.h"

#include "ns3/mixed-workload.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Has a client make flows, alone (`workload=client`) or beside other workloads
 * (`workload=incast+client`).
 */
class ClientPart : public ScenarioPart
{
  public:
    /**
     * @brief Have scenarios of this process know the workload `client`. A program that is none
     * does without, so that nobody asks it for one.
     */
    static void Register();

    /**
     * @param network of a scenario with that workload, which is built
     * @return its source
     */
    static ClientFlowSource& Find(const ScenarioNetwork& network);

    void TakeWorkload(const Ptr<FabricWorkload>& workload,
                      const ScenarioOptions& options,
                      ScenarioNetwork& network,
                      std::vector<TypeId>& used) override;
    void Record(FlowRecorder& recorder, const ScenarioNetwork& network) override;
    bool NeedsOrder() const override;
    void Write(const std::string& folder) override;

  private:
    /**
     * @brief Keep the workload of a client.
     * @param workload it, or another, which is passed over
     * @param options of the run
     * @throws FabricError for a second one
     */
    void Take(const Ptr<FabricWorkload>& workload, const ScenarioOptions& options);

    Ptr<ClientWorkload> m_workload;             //!< null: there is no client
    Ptr<MixedWorkload> m_mix;                   //!< that it is a part of; null: it is alone
    std::unique_ptr<ClientFlowSource> m_source; //!< makes the flows
};

} // namespace ns3

#endif /* CLIENT_PART_H */
