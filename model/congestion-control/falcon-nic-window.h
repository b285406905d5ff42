// SPDX-License-Identifier: GPL-2.0-only
#ifndef FALCON_NIC_WINDOW_H
#define FALCON_NIC_WINDOW_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Falcon's window of the receiving NIC, in packets, by a level and its target.
 *
 * A level below the target adds a step, if the last change was a decrease or is a round trip ago.
 * Any other level multiplies the window by 1 - min(beta (level - target) / level, maxDecrease), if
 * the last change is a round trip ago. The unit of the level is of no importance: only ratios
 * count.
 */
class FalconNicWindow
{
  public:
    /// Constants.
    struct Parameters
    {
        double increase{1};      //!< step, packets
        double beta{0.8};        //!< multiplicative decrease constant
        double maxDecrease{0.5}; //!< most that a decrease takes
        double least{1};         //!< packets, above 0
        double most{256};        //!< packets
    };

    /**
     * @brief Begin.
     * @param parameters constants
     * @param packets the window, which is bounded
     */
    void Start(const Parameters& parameters, double packets)
    {
        m_parameters = parameters;
        m_hasChanged = false;
        m_hasDecreased = false;
        Set(packets);
    }

    /// @return the window in packets
    double Get() const
    {
        return m_packets;
    }

    /**
     * @brief Replace the window by what others allow.
     * @param packets the window, which is bounded
     */
    void Set(double packets)
    {
        m_packets = std::max(m_parameters.least, std::min(packets, m_parameters.most));
    }

    /**
     * @brief An ACK has arrived.
     * @param nowPs time in ps
     * @param rttPs round-trip time by which changes are spaced, in ps
     * @param level that the window controls
     * @param target its target, above 0
     * @param grows false: the window does not hold the sender back
     */
    void OnAck(int64_t nowPs, double rttPs, double level, double target, bool grows)
    {
        const bool isAgo = !m_hasChanged || static_cast<double>(nowPs - m_changePs) >= rttPs;
        if (level < target)
        {
            if (grows && (isAgo || m_hasDecreased))
            {
                Change(nowPs, m_packets + m_parameters.increase);
            }
        }
        else if (isAgo)
        {
            const double excess = m_parameters.beta * (level - target) / level;
            Change(nowPs, m_packets * (1 - std::min(excess, m_parameters.maxDecrease)));
        }
    }

    /// The last decrease was never made: nothing need wait for it.
    void ForgetDecrease()
    {
        m_hasChanged = m_hasChanged && !m_hasDecreased;
        m_hasDecreased = false;
    }

  private:
    /// Take a new window; note it unless it is the same.
    void Change(int64_t nowPs, double packets)
    {
        const double before = m_packets;
        Set(packets);
        if (m_packets != before)
        {
            m_hasChanged = true;
            m_hasDecreased = m_packets < before;
            m_changePs = nowPs;
        }
    }

    Parameters m_parameters;    //!< constants
    double m_packets{1};        //!< the window
    int64_t m_changePs{0};      //!< last change
    bool m_hasChanged{false};   //!< there was one
    bool m_hasDecreased{false}; //!< it was a decrease
};

} // namespace ns3

#endif /* FALCON_NIC_WINDOW_H */
