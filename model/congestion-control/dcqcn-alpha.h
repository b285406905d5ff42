// SPDX-License-Identifier: GPL-2.0-only
#ifndef DCQCN_ALPHA_H
#define DCQCN_ALPHA_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief DCQCN's estimate of congestion, without a timer: what the timer would have done is made up
 * for when the value is needed.
 *
 * On arrival: a notification moves alpha up at once, alpha <- (1-g) alpha + g, and starts the
 * interval afresh; each interval that passes without one moves it down, alpha <- (1-g) alpha
 * (DCQCN, SIGCOMM 2015, equations 1 and 2). A notification that comes just as the interval ends
 * comes in time.
 *
 * Periodic: at each multiple of the interval after the start, alpha moves up if a notification came
 * since the last, down otherwise. One that comes just at a multiple counts for the next.
 */
class DcqcnAlpha
{
  public:
    /**
     * @brief Set the parameters.
     * @param g gain, 0 to 1
     * @param intervalPs interval in ps, above 0
     * @param periodic see the class
     */
    void Configure(double g, int64_t intervalPs, bool periodic);

    /**
     * @brief Have another interval from now on.
     * @param nowPs time in ps
     * @param intervalPs interval in ps, above 0
     */
    void SetInterval(int64_t nowPs, int64_t intervalPs);

    /**
     * @brief The first notification: alpha becomes 1.
     * @param nowPs time in ps
     */
    void Start(int64_t nowPs);

    /**
     * @brief Another notification.
     * @param nowPs time in ps
     */
    void Notify(int64_t nowPs);

    /**
     * @param nowPs time in ps, not before the last call
     * @return the value, 0 to 1
     */
    double Get(int64_t nowPs);

  private:
    /// Move down so many times.
    void Decay(int64_t times);

    double m_keep{1};        //!< 1 - g
    double m_gain{0};        //!< g
    double m_value{1};       //!< alpha at m_basePs
    int64_t m_intervalPs{1}; //!< interval
    int64_t m_basePs{0};     //!< up to when m_value is current
    bool m_periodic{false};  //!< see the class
    bool m_arrived{false};   //!< periodic: a notification came since m_basePs
};

} // namespace ns3

#endif /* DCQCN_ALPHA_H */
