// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_CRC_H
#define FRAME_CRC_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The check sequence of Ethernet frames (IEEE 802.3, 3.2.9), which ICRC of RoCEv2 is as
 * well, of bytes that come in pieces.
 *
 * The numbers are those of ns-3's CRC32Calculate(), which goes byte by byte. Here eight bytes are
 * taken at a time, and a long run of zeros, as payload that exists only as a size is, at once.
 */
class FrameCrc
{
  public:
    /**
     * @brief Continue with more bytes.
     * @param bytes the first of them
     * @param count how many
     */
    void Add(const uint8_t* bytes, std::size_t count);

    /// @return the check sequence of all bytes so far; 0 of none
    uint32_t Get() const
    {
        return ~m_state;
    }

    /**
     * @param bytes the first
     * @param count how many
     * @return their check sequence
     */
    static uint32_t Of(const uint8_t* bytes, std::size_t count)
    {
        FrameCrc crc;
        crc.Add(bytes, count);
        return crc.Get();
    }

  private:
    uint32_t m_state{UINT32_MAX}; //!< remainder, as the polynomial's register holds it
};

} // namespace ns3

#endif /* FRAME_CRC_H */
