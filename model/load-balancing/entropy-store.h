// SPDX-License-Identifier: GPL-2.0-only
#ifndef ENTROPY_STORE_H
#define ENTROPY_STORE_H

#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Entropies that were acknowledged without mark and wait to be used again (paragraphs 26 to
 * 32 of [Patent]): a first-in first-out queue for each PDC of a NIC, or for each recurrent
 * connection.
 *
 * One store serves all PDCs of a NIC. Subclasses say how much room there is, and who gives up what
 * when it is used up.
 */
class EntropyStore : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Tell the size of what may arrive; before the first Open().
     * @param acksPerRtt ACKs that can reach the NIC within the largest base RTT, at least 1
     */
    virtual void Configure(uint64_t acksPerRtt);

    /**
     * @param expiryPs its entropies are valid for less than this time in ps, at least 1;
     * FabricTime::NEVER: for ever
     * @return a new empty queue, by number
     */
    uint32_t Open(int64_t expiryPs);

    /**
     * @param connection any number
     * @return the queue of a recurrent connection, with what an earlier PDC left there; its
     * entropies do not expire, and it is not closed
     */
    uint32_t OpenRecurrent(uint64_t connection);

    /**
     * @brief Forget a queue with all that it holds.
     * @param fifo a number of Open()
     */
    void Close(uint32_t fifo);

    /**
     * @brief Append an entropy; in a full store another one is given up for it.
     * @param fifo queue
     * @param entropy what
     * @param nowPs time in ps, not before that of earlier calls
     */
    virtual void Save(uint32_t fifo, uint16_t entropy, int64_t nowPs) = 0;

    /**
     * @brief Take the oldest valid entropy out; expired ones are forgotten.
     * @param fifo queue
     * @param nowPs time in ps
     * @param entropy set to it
     * @return false if there is none
     */
    virtual bool Take(uint32_t fifo, int64_t nowPs, uint16_t& entropy) = 0;

    /**
     * @brief Forget what a queue holds.
     * @param fifo queue
     */
    virtual void Clear(uint32_t fifo) = 0;

    /**
     * @param fifo queue
     * @return entropies that a queue holds, including expired ones that nobody has asked for since
     */
    virtual uint32_t GetCount(uint32_t fifo) const = 0;

    /**
     * @param fifo queue
     * @return the entropies that a queue holds, oldest first, including expired ones
     */
    virtual std::vector<uint16_t> List(uint32_t fifo) const = 0;

    /// @return recurrent connections and what they hold, in the order of connections
    std::map<uint64_t, std::vector<uint16_t>> ListRecurrent() const;

    /// @return entropies that were taken out to be used again, of all queues that ever were
    uint64_t GetNTaken() const
    {
        return m_taken;
    }

  protected:
    /// An entropy is used again.
    void CountTaken()
    {
        ++m_taken;
    }

    /**
     * @brief Make room for a queue, empty by now.
     * @param fifo its number: one that was closed, or the next
     * @param expiryPs as for Open()
     */
    virtual void Prepare(uint32_t fifo, int64_t expiryPs) = 0;

  private:
    std::vector<uint32_t> m_closed;                     //!< numbers to be used again
    std::unordered_map<uint64_t, uint32_t> m_recurrent; //!< queue by connection
    uint32_t m_nFifos{0};                               //!< numbers given out
    uint64_t m_taken{0};                                //!< entropies used again
};

} // namespace ns3

#endif /* ENTROPY_STORE_H */
