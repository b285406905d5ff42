// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_RETRY_H
#define LINK_RETRY_H

#include "fabric-time.h"
#include "replay-buffer.h"
#include "retry-receiver.h"

#include "ns3/drop-reason.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/link-packets.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

class FabricNetDevice;
class LogComponent;

/**
 * @ingroup dcfabric
 * @brief Link-level retry (LLR) of Ultra Ethernet at one end of a link: frames that the wire loses
 * or damages are sent again by the port, and no one above learns of it but by the time.
 *
 * Each frame, those of flow control included, has a number of 20 bits in its preamble and is kept
 * in a ReplayBuffer until the other end has acknowledged it; when that is full, new frames wait.
 * Acknowledgements, one NACK for each loss, and what begins the numbers anew are ordered sets of 8
 * bytes without a gap. Here they go between frames, where hardware inserts them into a frame: they
 * come later by up to one frame time. A NACK, or a time without progress (ReplayTimeout), has all
 * frames sent again that are not acknowledged, in order; that goes ahead of new frames, and pauses
 * and credits do not hold it up, because those frames have been let go before.
 *
 * *Giving up*: after ReplayCountMax replays without progress the frames that are kept are flushed,
 * and lost for DropReason::LINK_DOWN, as all are that are kept when the link goes down. Then, and
 * when the link comes up again, both ends begin anew: INIT, repeated until INIT_ECHO answers.
 * Meanwhile frames wait, or go without retry (BestEffort).
 *
 * Flow control is not concerned: it sees each packet once, when it is sent first and when it is
 * taken, and its own frames keep their place among packets. Both ends of a link have retry or none.
 *
 * Source: third-party notes on the specification of Ultra Ethernet, not read here, and the proposal
 * "Link Layer Retry" for SAI of November 2025. Not modeled: the limit on the age of data, and
 * frames that are discarded during INIT.
 */
class LinkRetry : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    LinkRetry();

    /// Size of an ordered set.
    static constexpr uint32_t ORDERED_SET_BYTES = 8;

    /// ReplayCountMax: never give up.
    static constexpr uint8_t FOR_EVER = 255;

    /// Counters of what is sent; those of what comes are of the RetryReceiver.
    struct Counters
    {
        uint64_t ok{0};       //!< frames that the other end has acknowledged
        uint64_t replays{0};  //!< frames sent again
        uint64_t timeouts{0}; //!< replays for want of progress
        uint64_t discards{0}; //!< frames given up
        uint64_t acks{0};     //!< acknowledgements sent
        uint64_t nacks{0};    //!< NACKs sent
        uint64_t inits{0};    //!< times that an INIT was sent
    };

    /**
     * @brief Serve a port.
     * @param device the port, outlives this object
     */
    void Attach(FabricNetDevice* device);

    /**
     * @brief Learn the largest frame of either end, for the limits that are computed; the link is
     * laid. Frames are numbered from now on, as on a link that is up.
     * @param maxFrameBytes bytes
     * @throws FabricError if an attribute does not fit
     */
    void SetMaxFrameBytes(uint32_t maxFrameBytes);

    // For the port.

    /// @return true if a new frame may be sent
    bool IsOpen() const;

    /// @return true if TakeFrame() would return something
    bool HasFrame() const;

    /// @return true if something may be sent
    bool MaySend() const
    {
        return HasFrame() || IsOpen();
    }

    /// @return what goes ahead of new frames, which is being sent: an ordered set or a replay; null
    /// if there is none
    Ptr<FabricPacketItem> TakeFrame();

    /**
     * @brief A new frame is being sent; IsOpen() holds.
     * @param item the frame, which gets its number
     */
    void OnTransmit(FabricPacketItem& item);

    /**
     * @brief Something has come, or was lost on its way.
     * @param item what
     * @param loss why it is lost; NONE: it is not
     * @return a frame that is taken, which may be another one; null: none is
     */
    Ptr<FabricPacketItem> OnArrival(Ptr<FabricPacketItem> item, DropReason loss);

    /**
     * @brief A timer is due.
     * @param which as given in the calendar
     * @param nowPs time in ps
     */
    void HandleTimer(uint32_t which, int64_t nowPs);

    /// The link has gone down.
    void OnLinkDown();
    /// The link has come up again.
    void OnLinkUp();
    /// The link has another rate.
    void OnRateChange();

    /**
     * @brief What a lossless class needs more headroom for: so much may come behind a pause later
     * than on a link without errors if one frame is lost. That is a full ReplayBuffer, and what
     * fits into ReplayTimeout, for the pause itself.
     * @return bytes
     */
    uint64_t GetLateBytes() const;

    // For results and tests.

    /// @return the counters
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// @return what has come
    const RetryReceiver& GetReceiver() const
    {
        return m_receiver;
    }

    /// @return what is not acknowledged
    const ReplayBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    /// @return ReplayTimeout in ps, given or computed
    int64_t GetTimeoutPs() const
    {
        return m_timeoutPs;
    }

    /**
     * @return time in ps from the begin of a frame to the end of its acknowledgement, at most, if
     * nothing is lost and the other end has the same rate: both delays, the frame, one of the other
     * end in the way of the acknowledgement, its spacing, and itself
     */
    int64_t ComputeRoundTripPs() const;

    /**
     * @param entry number of an entry of the calendar
     * @return the port
     */
    static uint16_t GetTimerPort(uint32_t entry)
    {
        return static_cast<uint16_t>(entry);
    }

    /**
     * @param entry number of an entry of the calendar
     * @return which timer
     */
    static uint32_t GetTimer(uint32_t entry)
    {
        return entry >> 16;
    }

  protected:
    void DoDispose() override;

  private:
    /// The sending end.
    enum class State : uint8_t
    {
        OFF,    //!< the link is down
        INIT,   //!< the other end has not answered INIT
        ADVANCE //!< frames have numbers; those of the buffer are sent again as it says
    };

    /// Timers of a port.
    enum Timer : uint32_t
    {
        REPLAY_TIMER, //!< no progress
        ACK_TIMER,    //!< an acknowledgement may be sent again
        N_TIMERS
    };

    static LogComponent g_log; //!< of this class

    /**
     * @param word what is said
     * @param number of a frame
     * @return an item of a size of an ordered set
     */
    static Ptr<FabricPacketItem> MakeItem(RetryWord word, uint32_t number);
    /**
     * @param timePs in ps
     * @return bytes that the wire carries meanwhile, rounded up
     */
    uint64_t ToBytes(int64_t timePs) const;
    /// @throws FabricError if ReplayTimeout is shorter than a round trip
    void CheckTimeout() const;
    /// Compute what depends on the rate.
    void ComputeLimits();
    /// Have a timer called; once, however often it is put off.
    void Arm(Timer timer, int64_t timePs);
    /// An ordered set has come.
    void OnWord(RetryWord word, uint32_t number);
    /// Frames up to a number have arrived.
    void OnProgress(uint32_t number);
    /// Begin a replay, or give up.
    void Replay();
    /// Forget what is kept.
    void Flush();
    /// Count packets as lost that will not be sent again.
    void Lose(const std::vector<Ptr<FabricPacketItem>>& items);
    /// What has been taken has to be told, now or when the spacing allows it.
    void PlanAck();

    // attributes
    uint32_t m_maxFrames{0};     //!< room in frames; 0: computed
    uint64_t m_maxBytes{0};      //!< room in bytes; 0: computed
    Time m_timeout;              //!< see GetTimeoutPs(); 0: computed
    uint8_t m_replayCountMax{0}; //!< replays without progress
    uint32_t m_ackSpacing{0};    //!< bytes
    uint32_t m_firstNumber{0};   //!< of frames
    bool m_bestEffort{false};    //!< frames go during INIT

    FabricNetDevice* m_device{nullptr}; //!< the port
    uint32_t m_maxFrameBytes{0};        //!< of either end; 0: not in use
    int64_t m_timeoutPs{0};             //!< see GetTimeoutPs()
    int64_t m_spacingPs{0};             //!< m_ackSpacing on the wire
    uint64_t m_maxKeptBytes{0};         //!< most bytes of frames that are kept
    State m_state{State::OFF};          //!< see there
    ReplayBuffer m_buffer;              //!< not acknowledged
    uint32_t m_tries{0};                //!< replays without progress
    int64_t m_duePs{FabricTime::NEVER}; //!< end of the time without progress; NEVER: nothing waits
    bool m_wantsInit{false};            //!< to be sent
    bool m_wantsEcho{false};            //!< to be sent
    bool m_wantsAck{false};             //!< to be sent, when the spacing allows it
    uint32_t m_echoed{0};               //!< number of the INIT that is answered
    int64_t m_nextAckPs{0};             //!< when the spacing allows an acknowledgement
    RetryReceiver m_receiver;           //!< what comes
    Counters m_counters;                //!< statistics
    std::array<int64_t, N_TIMERS> m_armedPs{{FabricTime::NEVER, FabricTime::NEVER}}; //!< entries
};

} // namespace ns3

#endif /* LINK_RETRY_H */
