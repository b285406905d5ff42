// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLAY_BUFFER_H
#define REPLAY_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <deque>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Numbers of 20 bits that frames have on a link with link-level retry.
 */
class LinkNumber
{
  public:
    static constexpr uint32_t MASK = 0xfffff; //!< largest number

    /// Most frames that numbers tell apart: one more could be new or old.
    static constexpr uint32_t MOST = 1U << 19;

    /**
     * @param number a number
     * @param steps how far to go on, may be negative
     * @return the number behind it
     */
    static uint32_t Add(uint32_t number, int32_t steps)
    {
        return (number + static_cast<uint32_t>(steps)) & MASK;
    }

    /**
     * @param a a number
     * @param b another one
     * @return how many frames a is behind b, -2^19 to 2^19 - 1
     */
    static int32_t Distance(uint32_t a, uint32_t b)
    {
        return static_cast<int32_t>((a - b) << 12) >> 12;
    }
};

/**
 * @ingroup dcfabric
 * @brief What the sending end of a link with link-level retry keeps of frames that are not
 * acknowledged: their numbers and sizes, in order.
 */
class ReplayBuffer
{
  public:
    /// A frame that is kept.
    struct Frame
    {
        uint32_t number; //!< on the link
        uint32_t bytes;  //!< its size
    };

    /**
     * @brief Set the room.
     * @param maxFrames frames, 1 to LinkNumber::MOST - 1
     * @param maxBytes bytes, above 0; the last frame may go beyond
     */
    void SetRoom(uint32_t maxFrames, uint64_t maxBytes)
    {
        m_maxFrames = maxFrames;
        m_maxBytes = maxBytes;
    }

    /**
     * @brief Forget all frames.
     * @param number of the next one
     */
    void Begin(uint32_t number);

    /**
     * @brief A frame is sent for the first time.
     * @param bytes its size
     * @return its number
     */
    uint32_t Append(uint32_t bytes);

    /**
     * @brief Frames have arrived.
     * @param number of the last of them; one that is not kept changes nothing
     * @return how many are no longer kept
     */
    std::size_t Acknowledge(uint32_t number);

    /// Send all that is kept again, from the first frame on.
    void Replay()
    {
        m_next = 0;
    }

    /// @return true if a frame is to be sent again
    bool HasReplay() const
    {
        return m_next < m_sizes.size();
    }

    /// @return the next frame that is to be sent again, which is being sent; HasReplay() holds
    Frame TakeReplay();

    /// @return true if no frame may be added
    bool IsFull() const
    {
        return m_sizes.size() >= m_maxFrames || m_bytes >= m_maxBytes;
    }

    /// @return frames that are kept
    std::size_t GetNFrames() const
    {
        return m_sizes.size();
    }

    /// @return bytes that are kept
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    std::deque<uint32_t> m_sizes; //!< bytes of the frames, the first one first
    uint32_t m_first{0};          //!< number of the first one
    std::size_t m_next{0};        //!< frames before this one need not be sent again
    uint64_t m_bytes{0};          //!< of all
    uint32_t m_maxFrames{1};      //!< see SetRoom()
    uint64_t m_maxBytes{1};       //!< see SetRoom()
};

} // namespace ns3

#endif /* REPLAY_BUFFER_H */
