// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHIFT_WORKLOAD_H
#define SHIFT_WORKLOAD_H

#include "generated-workload.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Host i sends one flow to host (i + By) modulo the number of hosts.
 *
 * The adversarial traffic of direct networks: on a dragonfly with By hosts in a group, group i
 * sends all it has to group i + 1. Nothing is drawn; all flows start together.
 */
class ShiftWorkload : public SizedWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

  private:
    uint32_t m_by; //!< how many hosts further on each receiver is
};

} // namespace ns3

#endif /* SHIFT_WORKLOAD_H */
