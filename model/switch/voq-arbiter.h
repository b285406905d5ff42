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
    virtual std::size_t Select(uint16_t output,
                               const std::vector<VoqCandidate>& candidates) const = 0;

    /// @brief The choice was carried out: not so if the input was busy. @param output egress port
    /// @param input ingress port
    virtual void OnServed(uint16_t output, uint16_t input);
};

/**
 * @ingroup dcfabric
 * @brief Each output takes the inputs in turn: the candidate that it has not served for the longest
 * time, of those it has never served the lowest.
 *
 * An input that is busy with another output when its turn comes does not lose it; a pointer that
 * moves on would give an input with packets for several outputs less than its share of each.
 */
class RoundRobinVoqArbiter : public VoqArbiter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) const override;
    void OnServed(uint16_t output, uint16_t input) override;

  private:
    /// @return number of an input's last turn, 0 if it had none @param output egress @param input
    /// ingress
    uint64_t GetTurn(uint16_t output, uint16_t input) const;

    std::vector<std::vector<uint64_t>> m_served; //!< by output and input: number of its last turn
    uint64_t m_turns{0};                         //!< so far, at all outputs
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
    std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) const override;
};

} // namespace ns3

#endif /* VOQ_ARBITER_H */
