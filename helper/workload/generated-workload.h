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

  private:
    Time m_start;          //!< beginning of the workload
    uint8_t m_priority{0}; //!< of every flow
    int64_t m_stream{-1};  //!< first stream, -1 for automatic ones
};

/**
 * @ingroup dcfabric
 * @brief Base class of generated workloads with one size, the attribute `Size` of each of them.
 */
class SizedWorkload : public GeneratedWorkload
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param sizeBytes size in bytes, at least 1
     */
    void SetSize(uint64_t sizeBytes)
    {
        m_size = sizeBytes;
    }

    /// @return size in bytes
    uint64_t GetSize() const
    {
        return m_size;
    }

  protected:
    /**
     * @brief Declare the size.
     * @param tid class of the workload
     * @param bytes default
     * @param help what it is of
     * @return the class
     */
    static TypeId AddSize(TypeId tid,
                          uint64_t bytes,
                          const char* help = "Payload of each flow, bytes.");

    /**
     * @copydoc GeneratedWorkload::NeedHosts
     * Also if the size is zero or beyond 2^63 - 1.
     */
    const std::vector<uint32_t>& NeedHosts(const FabricGraph& graph, const char* name) const;

    uint64_t m_size{0}; //!< bytes of each flow
};

} // namespace ns3

#endif /* GENERATED_WORKLOAD_H */
