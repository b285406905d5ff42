// SPDX-License-Identifier: GPL-2.0-only
#ifndef VOQ_ARBITER_H
#define VOQ_ARBITER_H

#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief A virtual input queue whose head could go to an output now.
 */
struct VoqCandidate
{
    uint16_t input; //!< ingress port
    uint64_t bytes; //!< waiting in the queue
};

/**
 * @ingroup dcfabric
 * @brief Chooses the input that an output of a VoqBuffer takes the next packet from. One instance
 * serves one switch.
 */
class VoqArbiter : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param output egress port
     * @param candidates at least one, in ascending order of inputs
     * @return index of one of them
     */
    virtual std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) = 0;
};

/**
 * @ingroup dcfabric
 * @brief Each output takes the inputs in turn: the first candidate behind the input it served last.
 */
class RoundRobinVoqArbiter : public VoqArbiter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) override;

  private:
    std::vector<uint16_t> m_next; //!< by output: input behind the last one served
};

/**
 * @ingroup dcfabric
 * @brief Each output takes the longest queue, of equal ones that of the lowest input.
 */
class LongestQueueVoqArbiter : public VoqArbiter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) override;
};

} // namespace ns3

#endif /* VOQ_ARBITER_H */
