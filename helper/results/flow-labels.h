// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_LABELS_H
#define FLOW_LABELS_H

#include "flow-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Labels that tell flows apart (FabricFlow::group), and what has arrived of the flows of
 * each.
 */
class FlowLabels
{
  public:
    /**
     * @brief There are none.
     * @param table the flows; must outlive this object
     */
    explicit FlowLabels(const FlowTable& table);
    ~FlowLabels();
    FlowLabels(const FlowLabels&) = delete;
    FlowLabels& operator=(const FlowLabels&) = delete;

    /**
     * @brief Tell flows apart.
     * @param labels by FabricFlow::group, as FabricWorkload::GetGroups() has them; call before the
     * run
     * @throws FabricError if a flow has no label, or if a label is empty, occurs twice or has a
     * character that a CSV file would have to quote
     */
    void Set(std::vector<std::string> labels);

    /// @return labels by FabricFlow::group; empty: flows have none
    const std::vector<std::string>& Get() const
    {
        return m_labels;
    }

    /// @return payload that has arrived and was new, in bytes, by label
    const std::vector<uint64_t>& GetDeliveredBytes() const
    {
        return m_bytes;
    }

    /**
     * @brief Learn what has arrived in another process.
     * @param bytes what GetDeliveredBytes() gave there
     */
    void Join(const std::vector<uint64_t>& bytes);

  private:
    /// Connect the sinks of all NICs, or disconnect them.
    void Watch(bool connect);
    /// New payload of a flow has arrived.
    void OnPayload(Ptr<const FabricPacketItem> item);

    const FlowTable& m_table;          //!< flows
    std::vector<std::string> m_labels; //!< see Get()
    std::vector<uint64_t> m_bytes;     //!< see GetDeliveredBytes()
};

} // namespace ns3

#endif /* FLOW_LABELS_H */
