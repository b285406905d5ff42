// SPDX-License-Identifier: GPL-2.0-only
#ifndef REORDERING_MEMORY_H
#define REORDERING_MEMORY_H

#include "ns3/object.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief How long the re-ordering windows of a host's connections have been, for those to come.
 *
 * A message of a few packets has sent them all before it has seen an RTT. As RFC 9040 has
 * connections share what they know of a network, a new one begins with the longest window that
 * others of its host have needed of late: in the present era and the last. An era lasts 16 windows,
 * as RFC 8985 keeps a larger window for 16 recoveries.
 */
class ReorderingMemory : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param host a NIC
     * @return its memory, which is aggregated to it at the first call
     */
    static Ptr<ReorderingMemory> Of(Object& host);

    /**
     * @brief A connection needs a window.
     * @param windowPs in ps, above 0
     * @param nowPs time
     */
    void Note(int64_t windowPs, int64_t nowPs)
    {
        Advance(nowPs);
        m_presentPs = std::max(m_presentPs, windowPs);
    }

    /**
     * @param nowPs time
     * @return the longest window of late in ps; 0: none
     */
    int64_t GetPs(int64_t nowPs)
    {
        Advance(nowPs);
        return std::max(m_presentPs, m_lastPs);
    }

  private:
    static constexpr int64_t ERA = 16; //!< windows

    /// End an era that is over.
    void Advance(int64_t nowPs)
    {
        if (nowPs < m_endPs)
        {
            return;
        }
        m_lastPs = nowPs - m_endPs < ERA * m_presentPs ? m_presentPs : 0;
        m_presentPs = 0;
        m_endPs = nowPs + ERA * m_lastPs;
    }

    int64_t m_presentPs{0}; //!< longest of the present era
    int64_t m_lastPs{0};    //!< longest of the last
    int64_t m_endPs{0};     //!< of the present era
};

} // namespace ns3

#endif /* REORDERING_MEMORY_H */
