// SPDX-License-Identifier: GPL-2.0-only
#ifndef SHARED_ENTROPY_STORE_H
#define SHARED_ENTROPY_STORE_H

#include "entropy-store.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The PDCs of a NIC share places, as many as ACKs can arrive within the largest base RTT
 * (paragraph 32 of [Patent]).
 *
 * In a full store the PDC that holds most gives up its oldest entropy: the one that saves if nobody
 * holds more than it does, otherwise, among equals, the one that has held so many for longest. A
 * PDC that stopped sending with many is thus the first to lose them. All operations take constant
 * time, whatever the number of PDCs.
 */
class SharedEntropyStore : public EntropyStore
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Configure(uint64_t acksPerRtt) override;
    void Save(uint32_t fifo, uint16_t entropy, int64_t nowPs) override;
    bool Take(uint32_t fifo, int64_t nowPs, uint16_t& entropy) override;
    void Clear(uint32_t fifo) override;
    std::vector<uint16_t> List(uint32_t fifo) const override;

    uint32_t GetCount(uint32_t fifo) const override
    {
        return m_fifos[fifo].count;
    }

    /// @return places for entropies
    uint32_t GetCapacity() const
    {
        return m_capacity;
    }

    /// @return places in use
    uint32_t GetTotal() const
    {
        return m_total;
    }

  protected:
    void Prepare(uint32_t fifo, int64_t expiryPs) override;

  private:
    static constexpr uint32_t NONE = UINT32_MAX; //!< end of a chain

    /// A place.
    struct Entry
    {
        int64_t savedPs;  //!< when
        uint32_t next;    //!< younger one of the same queue, or next free place
        uint16_t entropy; //!< what
    };

    /// A queue: a chain of places, and a link in the chain of queues that hold equally many.
    struct Fifo
    {
        int64_t expiryPs;  //!< entropies are valid for less
        uint32_t oldest;   //!< place
        uint32_t youngest; //!< place
        uint32_t count;    //!< places in use
        uint32_t before;   //!< queue that has held as many for longer
        uint32_t after;    //!< queue that has not held as many for so long
    };

    /// Queues that hold equally many, in the order in which they came to.
    struct Level
    {
        uint32_t first{NONE}; //!< for longest
        uint32_t last{NONE};  //!< came last
    };

    /// Change how many places a queue has.
    void SetCount(uint32_t fifo, uint32_t count);
    /// @return the oldest entropy of a queue that is not empty, removed
    Entry TakeOldest(uint32_t fifo);

    uint32_t m_override{0};      //!< entropies that a NIC keeps
    uint32_t m_capacity{1};      //!< places
    uint32_t m_total{0};         //!< places in use
    uint32_t m_free{NONE};       //!< first free place among those that were in use
    uint32_t m_most{0};          //!< most that a queue holds
    std::vector<Entry> m_places; //!< up to the most that were in use
    std::vector<Fifo> m_fifos;   //!< by number
    std::vector<Level> m_levels; //!< by number of places; nothing is kept of level 0
};

} // namespace ns3

#endif /* SHARED_ENTROPY_STORE_H */
