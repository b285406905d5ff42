// SPDX-License-Identifier: GPL-2.0-only
#ifndef HERMES_PATH_H
#define HERMES_PATH_H

#include "discounting-rate.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What an edge switch knows of a path to another one under Hermes ([HERMES]_): delay, marks,
 * losses, and what it sends there itself.
 *
 * The delay is the RTT less what it is without queues, smoothed by halves. The share of marks is
 * that of a window of time in which at least MIN_SAMPLES packets were answered. Both are forgotten
 * when nothing has come back for a while; then the delay is taken for Limits::lowPs, and nothing
 * for marked.
 */
class HermesPath
{
  public:
    static constexpr uint32_t MIN_SAMPLES = 10;  //!< answered packets of which a share says much
    static constexpr uint32_t MIN_PACKETS = 100; //!< sent packets of which a share says much

    /// How good a path is.
    enum class State : uint8_t
    {
        GOOD,      //!< short delay and few marks
        GRAY,      //!< neither good nor congested, or nothing is known
        CONGESTED, //!< long delay and many marks
        FAILED,    //!< it loses packets
    };

    /// What tells the states apart.
    struct Limits
    {
        int64_t lowPs{0};        //!< a good path has less delay
        int64_t highPs{0};       //!< a congested one has more
        double markShare{0};     //!< a good path has less of marks, a congested one has that
        int64_t windowPs{1};     //!< least time in which marks are counted
        int64_t agePs{0};        //!< time after which what was measured is forgotten
        int64_t lossWindowPs{1}; //!< least time in which losses are counted
        double lossShare{0};     //!< a path that is not congested has failed with more of them
        uint32_t silences{1};    //!< time-outs after which it has failed, without any answer
        int64_t probePs{0};      //!< it has failed when a probe was not answered for so long
        int64_t failedPs{0};     //!< for how long it has, after time-outs and losses
    };

    /**
     * @brief Packets were answered.
     * @param nowPs time in ps, not before that of earlier calls
     * @param delayPs of the last one, 0 or more
     * @param packets how many, 0: a probe
     * @param marked of these
     * @param limits in use
     */
    void OnAnswer(int64_t nowPs,
                  int64_t delayPs,
                  uint32_t packets,
                  uint32_t marked,
                  const Limits& limits);

    /**
     * @brief A packet takes this path.
     * @param nowPs time in ps
     * @param isAgain it was sent before
     * @param limits in use
     */
    void OnSend(int64_t nowPs, bool isAgain, const Limits& limits);

    /**
     * @brief A flow on this path has timed out.
     * @param nowPs time in ps
     * @param limits in use
     */
    void OnSilence(int64_t nowPs, const Limits& limits);

    /// A probe takes this path. @param nowPs time in ps
    void OnProbe(int64_t nowPs)
    {
        m_waitingPs = m_waitingPs == NEVER ? nowPs : m_waitingPs;
    }

    /**
     * @param nowPs time in ps
     * @param limits in use
     * @return how good it is
     */
    State GetState(int64_t nowPs, const Limits& limits) const;

    /**
     * @param nowPs time in ps
     * @param limits in use
     * @return delay in ps
     */
    int64_t GetDelayPs(int64_t nowPs, const Limits& limits) const
    {
        return IsKnown(nowPs, limits) ? m_delayPs : limits.lowPs;
    }

    /**
     * @param nowPs time in ps
     * @param limits in use
     * @return share of marked packets
     */
    double GetMarkShare(int64_t nowPs, const Limits& limits) const
    {
        return IsKnown(nowPs, limits) ? m_share : 0;
    }

    DiscountingRate load; //!< what this switch sends there

  private:
    static constexpr int64_t NEVER = -1; //!< no time

    /// @return true if something has come back not long ago
    bool IsKnown(int64_t nowPs, const Limits& limits) const
    {
        return m_answerPs != NEVER && nowPs - m_answerPs <= limits.agePs;
    }

    int64_t m_answerPs{NEVER};  //!< last answer
    int64_t m_delayPs{0};       //!< smoothed
    int64_t m_windowPs{NEVER};  //!< begin of the window of marks
    uint32_t m_answered{0};     //!< packets in it
    uint32_t m_marked{0};       //!< of these
    double m_share{0};          //!< of the window before
    int64_t m_lossPs{NEVER};    //!< begin of the window of losses
    uint32_t m_sent{0};         //!< packets in it
    uint32_t m_again{0};        //!< of these, sent before
    uint32_t m_silences{0};     //!< time-outs since the last answer
    int64_t m_waitingPs{NEVER}; //!< when the first probe left that was not answered
    int64_t m_failedPs{NEVER};  //!< when it failed
};

} // namespace ns3

#endif /* HERMES_PATH_H */
