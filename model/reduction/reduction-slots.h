// SPDX-License-Identifier: GPL-2.0-only
#ifndef REDUCTION_SLOTS_H
#define REDUCTION_SLOTS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a switch keeps of the packets of one tree: for each the children that have
 * contributed, and the sum, which becomes the result.
 *
 * Of a window of W packets there are 2W slots; packet k has slot k mod 2W. A host sends packet
 * k + 2W only when it has the result of k + W, for which all hosts have contributed; a host does
 * that only when it has the result of k. So nobody asks for k any more when its slot is taken. (Two
 * versions of each slot, as in SwitchML: Sapio et al., "Scaling Distributed Machine Learning with
 * In-Network Aggregation", NSDI 2021.)
 */
class ReductionSlots
{
  public:
    /// Where a slot stands.
    enum class State : uint8_t
    {
        FILLING, //!< children are missing
        ADDING,  //!< all have contributed, and the sum is not complete
        SUMMED,  //!< the sum has gone up
        RESULT,  //!< it is the result
    };

    /// A slot.
    struct Slot
    {
        static constexpr uint64_t NONE = UINT64_MAX; //!< #number of a slot that was never taken

        uint64_t number{NONE};       //!< of the packet
        uint32_t missing{0};         //!< children that have not contributed
        uint32_t ranks{0};           //!< whose contributions are in the sum
        uint32_t root{0};            //!< ReductionFields::root
        uint16_t payloadBytes{0};    //!< of the sum
        uint8_t operation{0};        //!< ReductionFields::Operation
        State state{State::FILLING}; //!< where it stands
    };

    /// What a contribution means.
    enum class Verdict : uint8_t
    {
        NEW,    //!< the child's first
        LAST,   //!< likewise, and now all have contributed
        REPEAT, //!< the child had contributed to it before
        LATE,   //!< all hosts have its result
    };

    /**
     * @param window most packets of a host without result, at least 1
     * @param children number of children, at least 1
     */
    ReductionSlots(uint32_t window, uint32_t children);

    /**
     * @brief Take a contribution; after the last one the slot is ADDING.
     * @param number of the packet
     * @param child number of the child
     * @return what it means
     */
    Verdict Contribute(uint64_t number, uint32_t child);

    /**
     * @brief A child contributes again to a sum that has gone up: the result has not come, and the
     * sum may have been lost. What many children ask for at a time is done once.
     * @param number of the packet, which is SUMMED
     * @param child number of the child
     * @return true if the sum is to be sent again
     */
    bool Asks(uint64_t number, uint32_t child);

    /**
     * @param number of a packet
     * @return its slot, which may be another packet's
     */
    Slot& At(uint64_t number)
    {
        return m_slots[number % m_slots.size()];
    }

    /// @return how many there are
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_slots.size());
    }

    /**
     * @param number of a packet whose slot is FILLING
     * @return numbers of the children that have not contributed
     */
    std::vector<uint32_t> ListMissing(uint64_t number) const;

  private:
    /// @return the bits of a packet's slot, one for each child
    uint64_t* GetBits(uint64_t number)
    {
        return &m_bits[number % m_slots.size() * m_words];
    }

    uint32_t m_children;          //!< number of children
    std::size_t m_words;          //!< of bits of a slot
    std::vector<Slot> m_slots;    //!< by number modulo their number
    std::vector<uint64_t> m_bits; //!< FILLING: children that have contributed; SUMMED: that ask
};

} // namespace ns3

#endif /* REDUCTION_SLOTS_H */
