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
 * @brief A virtual output queue whose head could go to an output now.
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

    /**
     * @brief The choice was carried out: not so if the input was busy.
     * @param output egress port
     * @param input ingress port
     */
    virtual void OnServed(uint16_t output, uint16_t input);
};

/**
 * @ingroup dcfabric
 * @brief When each output served each input, counted in packets of the output.
 */
class VoqTurns
{
  public:
    /**
     * @brief An input was served.
     * @param output egress port
     * @param input ingress port
     */
    void Count(uint16_t output, uint16_t input)
    {
        if (output >= m_nOutputs || input >= m_nInputs)
        {
            MakeRoom(output, input);
        }
        uint64_t* turns = m_turns.data() + std::size_t{output} * (m_nInputs + 1U);
        turns[input + 1U] = ++turns[0];
    }

    /**
     * @param output egress port
     * @return packets that the output has taken
     */
    uint64_t GetNow(uint16_t output) const
    {
        return output < m_nOutputs ? m_turns[std::size_t{output} * (m_nInputs + 1U)] : 0;
    }

    /**
     * @param output egress port
     * @param input ingress port
     * @return number of an input's last packet at an output, from 1; 0 if it had none
     */
    uint64_t GetLast(uint16_t output, uint16_t input) const
    {
        return output < m_nOutputs && input < m_nInputs
                   ? m_turns[std::size_t{output} * (m_nInputs + 1U) + input + 1U]
                   : 0;
    }

    /**
     * @param output egress port
     * @param candidates at least one
     * @return index of the candidate that was not served for the longest time, of those never
     * served the lowest input
     */
    std::size_t FindLongestAgo(uint16_t output, const std::vector<VoqCandidate>& candidates) const;

  private:
    /// Have an output and an input.
    void MakeRoom(uint16_t output, uint16_t input);

    uint32_t m_nOutputs{0};        //!< that have a place
    uint32_t m_nInputs{0};         //!< likewise
    std::vector<uint64_t> m_turns; //!< by output: its packets so far, then the last by input
};

/**
 * @ingroup dcfabric
 * @brief Each output takes the inputs in turn: the candidate that it has not served for the longest
 * time, of those it has never served the lowest.
 *
 * An input that is busy with another output when its turn comes does not lose it; a pointer that
 * moves on would give an input with packets for several outputs less than its share of each.
 */
class RoundRobinVoqArbiter final : public VoqArbiter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) const override;

    void OnServed(uint16_t output, uint16_t input) override
    {
        m_turns.Count(output, input);
    }

  private:
    VoqTurns m_turns; //!< what was served
};

/**
 * @ingroup dcfabric
 * @brief Each output takes the longest queue, of equal ones that of the lowest input; but a
 * candidate that it has not served for MaxTurns packets goes before all others.
 *
 * Without that bound an input whose queue is shorter for good, such as one of a slower link under
 * flow control, would never be served. With it, each of k such inputs gets a packet in MaxTurns +
 * k at least.
 */
class LongestQueueVoqArbiter : public VoqArbiter
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    std::size_t Select(uint16_t output, const std::vector<VoqCandidate>& candidates) const override;
    void OnServed(uint16_t output, uint16_t input) override;

  private:
    VoqTurns m_turns; //!< what was served
    /// Packets that an output takes from other inputs before one whose packets wait goes first
    uint32_t m_maxTurns{32};
};

} // namespace ns3

#endif /* VOQ_ARBITER_H */
