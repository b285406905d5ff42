// SPDX-License-Identifier: GPL-2.0-only
#ifndef RETRY_RECEIVER_H
#define RETRY_RECEIVER_H

#include "replay-buffer.h"

#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The receiving end of a link with link-level retry: takes frames in the order of their
 * numbers, and nothing else.
 *
 * The first frame that is damaged or not the expected one is answered with one NACK; then all are
 * dropped, silently, until the expected one comes.
 *
 * What is dropped will be sent again, as a stand-in with number and size (RetryWord::REPLAY). The
 * packet itself is kept here from its first arrival on, also where nothing of it arrived: that is
 * knowledge of the simulation, which no rule uses, and costs less than a copy at each hop. So it is
 * also known of each packet whether it was lost in the end, once.
 */
class RetryReceiver
{
  public:
    /// What the far end is to be told.
    enum class State : uint8_t
    {
        OFF,       //!< nothing: frames have no numbers
        ACKS,      //!< up to which frame all have arrived
        SEND_NACK, //!< that one is missing
        NACK_SENT  //!< nothing, until that one comes
    };

    /// Counters.
    struct Counters
    {
        uint64_t ok{0};         //!< frames taken, sent again or not
        uint64_t damaged{0};    //!< frames that arrived damaged
        uint64_t missing{0};    //!< frames that came before their turn
        uint64_t duplicates{0}; //!< frames that had been taken before
    };

    /**
     * @brief Take frames from a number on.
     * @param number of the first
     */
    void Begin(uint32_t number);

    /**
     * @brief Take no frames with numbers any longer.
     * @return the packets that will not be sent again, in their order
     */
    std::vector<Ptr<FabricPacketItem>> End();

    /**
     * @brief Give up what is kept.
     * @return the packets, in their order
     */
    std::vector<Ptr<FabricPacketItem>> GiveUp();

    /**
     * @brief A frame with a number has come for the first time.
     * @param item the packet
     * @param loss whether it was lost or damaged
     * @return it, if it is taken; else null: it is kept
     */
    Ptr<FabricPacketItem> OnFrame(Ptr<FabricPacketItem> item, DropReason loss);

    /**
     * @brief A frame has come again.
     * @param number of the frame
     * @param loss whether it was lost or damaged
     * @return the packet, if it is taken; else null
     */
    Ptr<FabricPacketItem> OnReplay(uint32_t number, DropReason loss);

    /// The NACK is on the wire.
    void OnNackSent()
    {
        m_state = State::NACK_SENT;
    }

    /// @return see State
    State GetState() const
    {
        return m_state;
    }

    /// @return number of the last frame that was taken
    uint32_t GetLast() const
    {
        return LinkNumber::Add(m_expected, -1);
    }

    /// @return true if a frame has been taken, or come twice, since this was asked last
    bool TakeNews()
    {
        const bool news = m_hasNews;
        m_hasNews = false;
        return news;
    }

    /// @return packets that are kept, without link-level frames
    uint64_t GetNPackets() const;

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /**
     * @brief Follow the rules for a frame.
     * @return true if it is the expected one, and good
     */
    bool Take(uint32_t number, DropReason loss);

    State m_state{State::OFF};                //!< see there
    uint32_t m_expected{0};                   //!< number of the next frame
    bool m_hasNews{false};                    //!< see TakeNews()
    std::deque<Ptr<FabricPacketItem>> m_kept; //!< from the expected one on, as sent
    Counters m_counters;                      //!< statistics
};

} // namespace ns3

#endif /* RETRY_RECEIVER_H */
