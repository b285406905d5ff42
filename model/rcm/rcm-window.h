// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_WINDOW_H
#define RCM_WINDOW_H

#include "rcm-parameters.h"

#include "ns3/flow-key.h"
#include "ns3/share-limiter.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Regional congestion control of one output: a window of bytes, of which harmful flows may
 * send a part that congestion cuts (RCC, [RCM] section 3.4).
 *
 * *Measured*: from the first Cut() on, what the output takes is counted until each harmful flow has
 * sent a packet and MeasureBytes have passed, or MaxMeasureBytes; then W is all of it and Wc what
 * was of harmful flows. The paper has no least length: after one packet, W would be Wc. If no
 * harmful flow has sent anything by then, or in the time that MaxMeasureBytes take on the line,
 * those flows have ended, and it is time to recognize others.
 *
 * *Cut*: Wc <- Wc (1 - degree / 2), the paper's 1 - Fb Gd with Fbmax Gd = 1/2, but never below
 * MinShare of W. Cuts within CutSpacing of the last have no effect; those while measuring count
 * once, the deepest. If others are harmful by then, W and Wc are measured anew.
 *
 * *Held*: a harmful flow that has used up Wc waits for the next window (ShareLimiter).
 */
class RcmWindow
{
  public:
    /// What it does.
    enum State : uint8_t
    {
        IDLE,        //!< no congestion
        MEASURING,   //!< finds W and Wc
        CONTROLLING, //!< holds harmful flows back
    };

    /**
     * @param parameters outlive this object
     * @param rateBps rate of the line in bit/s, above 0
     */
    RcmWindow(const RcmParameters& parameters, uint64_t rateBps);

    /**
     * @brief The line has another rate.
     * @param rateBps bit/s, above 0
     */
    void SetRate(uint64_t rateBps)
    {
        m_limiter.SetRate(rateBps);
    }

    /**
     * @brief Congestion was detected, or the neighbor has told of it.
     * @param degree congestion degree, 0 to 1; 0 has no effect
     * @param harmful the harmful flows; without any nothing begins
     * @param nowPs time in ps, not before that of any earlier call
     */
    void Cut(double degree, const std::vector<FlowKey>& harmful, int64_t nowPs);

    /**
     * @param nowPs time in ps
     * @return true if the harmful flows are to be recognized anew for the next Cut(): none is held,
     * those that are to be held do not send, or it is time for another cut
     */
    bool IsDue(int64_t nowPs) const;

    /// @brief The congestion is over.
    void Stop();

    /**
     * @brief The output has taken a packet.
     * @param flow its flow
     * @param isHarmful it is
     * @param bytes its size
     * @param nowPs time in ps, not before that of any earlier call
     */
    void OnSent(const FlowKey& flow, bool isHarmful, uint32_t bytes, int64_t nowPs);

    /**
     * @param nowPs time in ps
     * @return true if harmful flows may send; others always may
     */
    bool MayHarmfulSend(int64_t nowPs) const
    {
        return m_limiter.MaySend(nowPs);
    }

    /**
     * @param nowPs time in ps at which they may not
     * @return when they may even if nothing is sent, later than that
     */
    int64_t GetRetryPs(int64_t nowPs) const
    {
        return m_limiter.GetRetryPs(nowPs);
    }

    /// @return what it does
    State GetState() const
    {
        return m_state;
    }

    /// @return cuts so far
    uint64_t GetNCuts() const
    {
        return m_cuts;
    }

    /// @return W in bytes; 0 unless controlling
    int64_t GetWindowBytes() const
    {
        return m_limiter.GetWindow();
    }

    /// @return Wc in bytes; 0 unless controlling. Wnc is the rest of W
    int64_t GetHarmfulBytes() const
    {
        return m_limiter.GetPart();
    }

  private:
    static constexpr double MAX_CUT = 0.5; //!< Fbmax Gd

    /**
     * @brief Reduce Wc.
     * @param degree congestion degree
     * @param nowPs time
     */
    void Apply(double degree, int64_t nowPs);

    /**
     * @brief Count a packet.
     * @param flow its flow
     * @param isHarmful it is
     * @param bytes its size
     * @param nowPs time
     */
    void Measure(const FlowKey& flow, bool isHarmful, uint32_t bytes, int64_t nowPs);

    const RcmParameters* m_parameters; //!< attributes
    State m_state{IDLE};               //!< what it does
    double m_pending{0};               //!< degree of the first cut
    std::vector<FlowKey> m_harmful;    //!< that are held
    std::vector<FlowKey> m_missing;    //!< of these, those of which no packet was measured
    int64_t m_measurePs{0};            //!< measuring began
    int64_t m_sent{0};                 //!< bytes since measuring began
    int64_t m_harmfulSent{0};          //!< of these, of harmful flows
    ShareLimiter m_limiter;            //!< holds harmful flows once W and Wc are known
    int64_t m_cutPs{0};                //!< latest cut
    uint64_t m_cuts{0};                //!< so far
};

} // namespace ns3

#endif /* RCM_WINDOW_H */
