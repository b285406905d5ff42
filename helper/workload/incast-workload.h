// SPDX-License-Identifier: GPL-2.0-only
#ifndef INCAST_WORKLOAD_H
#define INCAST_WORKLOAD_H

#include "generated-workload.h"

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Several hosts send to one at the same time.
 *
 * The senders are distinct, drawn by the seed, never the receiver; flows are in the order of their
 * host numbers.
 */
class IncastWorkload : public SizedWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<FabricFlow> Generate(const FabricGraph& graph) override;

    /**
     * @param fanIn number of senders, from 1 to the number of hosts - 1
     */
    void SetFanIn(uint32_t fanIn)
    {
        m_fanIn = fanIn;
    }

    /// @return number of senders
    uint32_t GetFanIn() const
    {
        return m_fanIn;
    }

    /**
     * @param dst host number of the receiver
     */
    void SetDst(uint32_t dst)
    {
        m_dst = dst;
    }

    /// @return host number of the receiver
    uint32_t GetDst() const
    {
        return m_dst;
    }

  private:
    uint32_t m_fanIn; //!< number of senders
    uint32_t m_dst;   //!< host number of the receiver
};

} // namespace ns3

#endif /* INCAST_WORKLOAD_H */
