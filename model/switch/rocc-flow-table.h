// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROCC_FLOW_TABLE_H
#define ROCC_FLOW_TABLE_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The flows that a congestion point tells its rate: those with a packet in its queue, and
 * those whose last packet left it not long ago (RoCC, CoNEXT 2020, section 3.4, options 1 and 2).
 *
 * A first-in first-out queue needs no count for each flow: a flow's last packet is still there
 * while fewer bytes have left the queue than had entered it with that packet. What left the queue
 * without being counted, because it was dropped, only keeps some flows in the table a little
 * longer.
 */
class RoccFlowTable
{
  public:
    /// A flow, as the messages to its source need it.
    struct Flow
    {
        uint32_t src{0};       //!< source
        uint32_t dst{0};       //!< destination
        uint32_t pdc{0};       //!< PDC number at the source
        uint16_t entropy{0};   //!< of its last packet
        uint64_t endByte{0};   //!< bytes that have left the queue when its last packet has
        int64_t lastSeenPs{0}; //!< latest time at which it is known to have been in the queue
    };

    /**
     * @param agePs how long a flow stays after its last packet has left, in ps; 0: not at all
     */
    explicit RoccFlowTable(int64_t agePs = 0)
        : m_agePs(agePs)
    {
    }

    /**
     * @brief A packet of a flow enters the queue.
     * @param flow the flow; only its addresses and entropy are read
     * @param queueBytes bytes in the queue, this packet included
     * @param nowPs time in ps
     */
    void Enter(const Flow& flow, uint64_t queueBytes, int64_t nowPs);

    /**
     * @brief A packet, of whatever kind, leaves the queue.
     * @param bytes its size
     */
    void Leave(uint32_t bytes)
    {
        m_leftBytes += bytes;
    }

    /**
     * @brief Forget flows that are too old.
     * @param nowPs time in ps, not before that of any earlier call
     * @return the others, ordered by source and PDC; valid until the next call
     */
    const std::vector<Flow>& Collect(int64_t nowPs);

    /// @return flows in the table
    std::size_t GetSize() const
    {
        return m_flows.size();
    }

  private:
    int64_t m_agePs;                            //!< how long a flow stays
    uint64_t m_leftBytes{0};                    //!< bytes that have left the queue
    std::unordered_map<uint64_t, Flow> m_flows; //!< by source and PDC
    std::vector<Flow> m_collected;              //!< result of Collect()
};

} // namespace ns3

#endif /* ROCC_FLOW_TABLE_H */
