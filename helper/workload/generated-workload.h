// SPDX-License-Identifier: GPL-2.0-only
#ifndef GENERATED_WORKLOAD_H
#define GENERATED_WORKLOAD_H

#include "fabric-workload.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Base class of workloads that draw their flows, with what they share.
 *
 * Attributes: `Start`, when the workload begins, and `Priority` of its flows.
 */
class GeneratedWorkload : public FabricWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    /**
     * @param graph the network
     * @param name workload, for messages
     * @return its hosts
     * @throws FabricError if there are fewer than two
     */
    const std::vector<uint32_t>& NeedHosts(const FabricGraph& graph, const char* name) const;

    /**
     * @param offset which of the reserved streams
     * @return a fresh uniform variable on that stream
     */
    Ptr<UniformRandomVariable> MakeStream(uint32_t offset) const;

    /**
     * @brief Put the items into a random order, all orders equally likely.
     * @param items what to shuffle
     * @param random source of randomness
     */
    static void Shuffle(std::vector<uint32_t>& items, Ptr<UniformRandomVariable> random);

    /**
     * @param src sender
     * @param dst receiver
     * @param sizeBytes payload
     * @param offsetPs start after that of the workload, ps
     * @return the flow, with the workload's priority
     */
    FabricFlow MakeFlow(uint32_t src, uint32_t dst, uint64_t sizeBytes, int64_t offsetPs) const;

    /**
     * @param sizeBytes size of a flow
     * @param name workload, for messages
     * @throws FabricError if it is zero or beyond 2^63 - 1
     */
    static void CheckSize(uint64_t sizeBytes, const char* name);

  private:
    Time m_start;         //!< beginning of the workload
    uint8_t m_priority;   //!< of every flow
    int64_t m_stream{-1}; //!< first stream, -1 for automatic ones
};

} // namespace ns3

#endif /* GENERATED_WORKLOAD_H */
