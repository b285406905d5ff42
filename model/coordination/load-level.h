// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_LEVEL_H
#define LOAD_LEVEL_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Is a port loaded? Judged by the bytes that wait for it, with hysteresis: between the two
 * thresholds the last verdict stands, so that a queue at a threshold does not change it with each
 * packet.
 */
class LoadLevel
{
  public:
    /**
     * @brief Set the thresholds; the verdict stays until the next Update().
     * @param lowBytes at which, or below, a port is light
     * @param highBytes from which on it is heavy, more than lowBytes
     */
    void Configure(uint64_t lowBytes, uint64_t highBytes)
    {
        m_lowBytes = lowBytes;
        m_highBytes = highBytes;
    }

    /**
     * @brief What waits has changed.
     * @param bytes that wait now
     * @return true if the verdict is another one than before
     */
    bool Update(uint64_t bytes)
    {
        const bool was = m_isHeavy;
        m_isHeavy = bytes >= m_highBytes || (m_isHeavy && bytes > m_lowBytes);
        return m_isHeavy != was;
    }

    /// @return the verdict; light at first
    bool IsHeavy() const
    {
        return m_isHeavy;
    }

    /// @return bytes from which on a port is heavy
    uint64_t GetHighBytes() const
    {
        return m_highBytes;
    }

  private:
    uint64_t m_lowBytes{0};           //!< light at most
    uint64_t m_highBytes{UINT64_MAX}; //!< heavy at least
    bool m_isHeavy{false};            //!< verdict
};

} // namespace ns3

#endif /* LOAD_LEVEL_H */
