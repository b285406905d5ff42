// SPDX-License-Identifier: GPL-2.0-only
#ifndef RECEIVE_WINDOW_H
#define RECEIVE_WINDOW_H

#include "packet-bitmap.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What a receiver knows of the packets of a PDC: which have arrived.
 */
class ReceiveWindow
{
  public:
    /**
     * @param expected first packet that has not arrived
     */
    explicit ReceiveWindow(uint64_t expected = 0)
        : m_expected(expected),
          m_highest(expected)
    {
        m_early.AdvanceTo(expected);
    }

    /// @return next packet expected in order: the cumulative acknowledgement
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /// @return behind the highest packet that has arrived
    uint64_t GetHighest() const
    {
        return m_highest;
    }

    /**
     * @param seq number
     * @return true if the packet has arrived before
     */
    bool HasArrived(uint64_t seq) const
    {
        return seq < m_expected || m_early.Test(seq);
    }

    /**
     * @brief A packet arrives for the first time.
     * @param seq number, not HasArrived()
     */
    void Arrive(uint64_t seq)
    {
        m_highest = std::max(m_highest, seq + 1);
        if (seq != m_expected)
        {
            m_early.Set(seq);
            return;
        }
        ++m_expected;
        if (m_early.GetCount() != 0)
        {
            while (m_early.Test(m_expected))
            {
                ++m_expected;
            }
        }
        m_early.AdvanceTo(m_expected);
    }

    /// @return packets that have arrived before their turn
    uint64_t GetNEarly() const
    {
        return m_early.GetCount();
    }

    /**
     * @brief The selective acknowledgement that shows a packet.
     * @param seq the packet that triggers the acknowledgement
     * @param base set to the number of bit 0
     * @return 64 bits from base on; zero if nothing has arrived early
     */
    uint64_t MakeSack(uint64_t seq, uint64_t& base) const
    {
        base = m_expected;
        if (m_early.GetCount() == 0)
        {
            return 0;
        }
        // the packet that triggers must be shown, or its arrival would stay unknown
        if (seq >= base + 64)
        {
            base = seq - 63;
        }
        return m_early.Extract(base);
    }

  private:
    uint64_t m_expected{0}; //!< next in order
    uint64_t m_highest{0};  //!< behind the highest
    PacketBitmap m_early;   //!< arrived before their turn
};

} // namespace ns3

#endif /* RECEIVE_WINDOW_H */
