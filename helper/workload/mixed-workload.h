// SPDX-License-Identifier: GPL-2.0-only
#ifndef MIXED_WORKLOAD_H
#define MIXED_WORKLOAD_H

#include "fabric-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Several workloads at once, such as an all-to-all beside an incast.
 *
 * Flows of the first part come first, in its order, then those of the next. Each has the label of
 * its part; a part with labels of its own adds them, as in `hotspot/hot`.
 */
class MixedWorkload : public FabricWorkload
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Append a part.
     * @param name of the part; if there is one of that name, the label gets a number, as in
     * `incast-2`
     * @param workload the part
     * @param startPs how much later its flows start, in ps, at least 0
     */
    void Add(const std::string& name, Ptr<FabricWorkload> workload, int64_t startPs = 0);

    /// A part.
    struct Part
    {
        std::string label;            //!< of its flows
        Ptr<FabricWorkload> workload; //!< the part
        int64_t startPs;              //!< how much later its flows start
        uint32_t firstFlow;           //!< index of its first flow
        uint32_t firstGroup;          //!< FabricFlow::group of the first label it has
        bool isMute{false};           //!< see MuteAllBut()
    };

    /**
     * @brief Keep all parts but some from sending anything. Others draw what they would draw.
     * @param labels of those that send
     * @throws FabricError if there is no part of such a label
     */
    void MuteAllBut(const std::vector<std::string>& labels);

    /// @return the parts in the order of flows; after Generate() with their first flows and groups
    const std::vector<Part>& GetParts() const
    {
        return m_parts;
    }

    // from FabricWorkload
    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;
    std::vector<FlowTrigger> GetTriggers() const override;
    std::vector<std::string> GetGroups() const override;
    /// @copydoc FabricWorkload::GetOfferedLoad Those of all parts together.
    OfferedLoad GetOfferedLoad(const FabricGraph& graph,
                               const std::vector<FabricFlow>& flows) const override;
    std::vector<TypeId> GetTypes() const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    std::vector<Part> m_parts; //!< see GetParts()
};

} // namespace ns3

#endif /* MIXED_WORKLOAD_H */
