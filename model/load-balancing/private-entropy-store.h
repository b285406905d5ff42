// SPDX-License-Identifier: GPL-2.0-only
#ifndef PRIVATE_ENTROPY_STORE_H
#define PRIVATE_ENTROPY_STORE_H

#include "entropy-store.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Each PDC has a ring of its own; in a full one a new entropy takes the place of the oldest.
 */
class PrivateEntropyStore : public EntropyStore
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    void Save(uint32_t fifo, uint16_t entropy, int64_t nowPs) override;
    bool Take(uint32_t fifo, int64_t nowPs, uint16_t& entropy) override;
    void Clear(uint32_t fifo) override;
    std::vector<uint16_t> List(uint32_t fifo) const override;

    uint32_t GetCount(uint32_t fifo) const override
    {
        return m_rings[fifo].count;
    }

  protected:
    void Prepare(uint32_t fifo, int64_t expiryPs) override;

  private:
    /// An entropy.
    struct Entry
    {
        int64_t savedPs;  //!< when
        uint16_t entropy; //!< what
    };

    /// A circular queue.
    struct Ring
    {
        std::vector<Entry> entries; //!< places, from the first Save() on
        int64_t expiryPs;           //!< entropies are valid for less
        uint32_t head;              //!< place of the oldest
        uint32_t count;             //!< places in use
    };

    /// Let the head of a ring go that is not empty.
    static void DropHead(Ring& ring);

    uint32_t m_capacity{256};  //!< most entropies that a PDC keeps (1 to 65536)
    std::vector<Ring> m_rings; //!< by number
};

} // namespace ns3

#endif /* PRIVATE_ENTROPY_STORE_H */
