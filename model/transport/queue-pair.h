// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_PAIR_H
#define QUEUE_PAIR_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Numbers of queue pairs (FabricMessages::Send()): those of channels say which of the ways
 * to the destination they take.
 *
 * A channel is one of several queue pairs between the same two ends, as NCCL has them to use all
 * NICs of a server: number c leaves by the c-th of the ports that lead to the destination, counted
 * round, instead of one that is drawn.
 */
struct QueuePair
{
    /**
     * @param number of the two ends at the sender, of which 23 bits count
     * @param channel 0 to 255
     * @return number of the queue pair, not 0
     */
    static uint32_t MakeChannel(uint32_t number, uint32_t channel)
    {
        return CHANNEL | (number << 8) | (channel & 0xff);
    }

    /**
     * @param queuePair number of a queue pair
     * @return true if it is one of a channel
     */
    static bool IsChannel(uint32_t queuePair)
    {
        return (queuePair & CHANNEL) != 0;
    }

    /**
     * @param queuePair number that MakeChannel() gave
     * @return the channel
     */
    static uint16_t GetChannel(uint32_t queuePair)
    {
        return static_cast<uint16_t>(queuePair & 0xff);
    }

  private:
    static constexpr uint32_t CHANNEL = uint32_t{1} << 31; //!< set in those of channels
};

} // namespace ns3

#endif /* QUEUE_PAIR_H */
