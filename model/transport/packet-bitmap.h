// SPDX-License-Identifier: GPL-2.0-only
#ifndef PACKET_BITMAP_H
#define PACKET_BITMAP_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One bit for each sequence number from a moving base on: a ring that grows as far as it has
 * to.
 *
 * Sequence numbers have 64 bits here; the 24 bits of the wire are extended at the edges.
 */
class PacketBitmap
{
  public:
    /**
     * @param seq number
     * @return true if the bit is set; bits below the base and beyond the ring are not
     */
    bool Test(uint64_t seq) const
    {
        return m_count != 0 && seq - m_base < Capacity() && ((Word(seq) >> (seq % 64)) & 1);
    }

    /**
     * @brief Set a bit.
     * @param seq number, at least the base
     * @return false if it was set before
     */
    bool Set(uint64_t seq)
    {
        if (seq - m_base >= Capacity())
        {
            Grow(seq);
        }
        uint64_t& word = m_words[(seq / 64) & m_mask];
        const uint64_t bit = uint64_t{1} << (seq % 64);
        const bool fresh = (word & bit) == 0;
        word |= bit;
        m_count += fresh;
        return fresh;
    }

    /**
     * @brief Clear a bit.
     * @param seq number; nothing happens if it is not set
     */
    void Clear(uint64_t seq)
    {
        if (Test(seq))
        {
            m_words[(seq / 64) & m_mask] &= ~(uint64_t{1} << (seq % 64));
            --m_count;
        }
    }

    /**
     * @brief Clear all bits below a new base.
     * @param base not below the present one
     */
    void AdvanceTo(uint64_t base);

    /**
     * @param first number of bit 0, at least the base
     * @return 64 bits from a number on, bit 0 first
     */
    uint64_t Extract(uint64_t first) const;

    /// @return number of set bits
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return the lowest number that may be set
    uint64_t GetBase() const
    {
        return m_base;
    }

  private:
    /// @return how many numbers from the base on have a place
    uint64_t Capacity() const
    {
        // the word of the base may be partly used by numbers below it
        return m_words.empty() ? 0 : m_words.size() * 64 - m_base % 64;
    }

    /// @return the word of a number within the capacity
    uint64_t Word(uint64_t seq) const
    {
        return m_words[(seq / 64) & m_mask];
    }

    /// Make room for a number.
    void Grow(uint64_t seq);

    std::vector<uint64_t> m_words; //!< ring, a power of two long
    uint64_t m_mask{0};            //!< size of m_words - 1
    uint64_t m_base{0};            //!< lowest number
    uint64_t m_count{0};           //!< set bits
};

} // namespace ns3

#endif /* PACKET_BITMAP_H */
