// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWIFT_WINDOW_H
#define SWIFT_WINDOW_H

#include "congestion-info.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief One window of Swift (SIGCOMM 2020, algorithm 1): in packets, also fractions of one.
 *
 * A delay below the target raises it, by ai per window acknowledged if it is at least a packet, by
 * ai per packet acknowledged below. Any other delay multiplies it by
 * max(1 - beta (delay - target) / delay, 1 - maxDecrease). A fast recovery and a time-out multiply
 * it by 1 - maxDecrease; the resetThreshold-th time-out in a row sets it to the least. All
 * decreases but that reset are at least a round-trip time apart. An ACK or a fast recovery ends the
 * row of time-outs.
 *
 * The time of the last decrease is that of the last one that lowered the window: a delay above the
 * target that may not decrease yet does not put the next decrease off.
 */
class SwiftWindow
{
  public:
    /// Constants.
    struct Parameters
    {
        double increase{1};         //!< ai, packets
        double beta{0.8};           //!< multiplicative decrease constant
        double maxDecrease{0.5};    //!< max_mdf
        double least{0.01};         //!< min_cwnd, packets, above 0
        double most{1000};          //!< max_cwnd, packets
        uint32_t resetThreshold{5}; //!< RETX_RESET_THRESHOLD
    };

    /**
     * @brief Begin.
     * @param parameters constants
     * @param packets the window, which is bounded
     */
    void Start(const Parameters& parameters, double packets);

    /// @return the window in packets
    double Get() const
    {
        return m_packets;
    }

    /**
     * @brief Replace the window by what others allow.
     * @param packets the window, which is bounded
     */
    void Set(double packets);

    /**
     * @brief An ACK has arrived.
     * @param nowPs time in ps
     * @param rttPs round-trip time by which decreases are spaced, in ps
     * @param delayPs delay that this window controls, in ps
     * @param targetPs its target in ps
     * @param ackedPackets packets newly acknowledged, also fractions; 0 does not raise the window
     */
    void OnAck(int64_t nowPs, double rttPs, double delayPs, double targetPs, double ackedPackets);

    /**
     * @brief Packets are sent again because later ones arrived.
     * @param nowPs time in ps
     * @param rttPs as for OnAck()
     */
    void OnFastRecovery(int64_t nowPs, double rttPs);

    /**
     * @brief The retransmission timer expired.
     * @param nowPs time in ps
     * @param rttPs as for OnAck()
     */
    void OnTimeout(int64_t nowPs, double rttPs);

    /// The last decrease was never made: the next one need not wait for it.
    void ForgetDecrease()
    {
        m_hasDecreased = false;
    }

    /**
     * @param path the connection
     * @param packets a window
     * @return payload bytes that the PDC may have in flight: whole packets, or a part of one, at
     * least 1
     */
    static uint64_t GetBytes(const PathInfo& path, double packets);

    /**
     * @param path the connection
     * @param packets a window
     * @param rttPs round-trip time in ps; 0: not known
     * @return bit/s at which packets follow one another: below a packet one each rttPs / packets
     */
    static double GetPace(const PathInfo& path, double packets, double rttPs);

  private:
    /// Multiply the window by a factor from 0 to 1, if the last decrease is a round-trip time ago.
    void Decrease(int64_t nowPs, double rttPs, double factor);

    Parameters m_parameters;     //!< constants
    double m_packets{1};         //!< the window
    int64_t m_lastDecreasePs{0}; //!< time of the last decrease
    bool m_hasDecreased{false};  //!< there was one
    uint32_t m_timeouts{0};      //!< in a row
};

} // namespace ns3

#endif /* SWIFT_WINDOW_H */
