// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCM_DETECTOR_H
#define RCM_DETECTOR_H

#include "rcm-notification.h"
#include "rcm-parameters.h"

#include "ns3/fabric-time.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Congestion detection on one queue of a switch, input or output (CRD, [RCM] section 3.2).
 *
 * Arriving packets are sampled, as by a congestion point of QCN (IEEE 802.1Qau). With Q the length
 * of the queue and Qold that at the sample before, Fb = (Q - Qeq) + wq (Q - Qold); the queue is
 * congested while Fb > 0. The degree is Fb over its limit, Qeq (2 wq + 1), at which QCN clips. The
 * next sample is due after SampleBytes / (1 + k), where k is an eighth of the degree in 63 steps:
 * the ratios of QCN's table, as is the jitter of 15 %.
 *
 * When arrivals stop nothing is sampled any more. A congested queue that is empty at a departure is
 * therefore sampled at once, so that congestion ends.
 */
class RcmDetector
{
  public:
    /// @param parameters outlive this object
    explicit RcmDetector(const RcmParameters& parameters)
        : m_parameters(&parameters)
    {
    }

    /**
     * @brief A packet has entered the queue.
     * @param bytes its size
     * @param queueBytes length of the queue, this packet included
     * @param draw random number from 0 to 1
     * @return true if a sample was taken: of the first packet, then one for each interval
     */
    bool OnArrival(uint32_t bytes, uint64_t queueBytes, double draw)
    {
        m_left -= bytes;
        return m_left <= 0 && Sample(queueBytes, draw);
    }

    /**
     * @brief A packet has left the queue.
     * @param queueBytes length of the queue without it
     * @param draw random number from 0 to 1
     * @return true if a sample was taken
     */
    bool OnDeparture(uint64_t queueBytes, double draw)
    {
        return queueBytes == 0 && m_degree > 0 && Sample(queueBytes, draw);
    }

    /// @return congestion degree of the latest sample, 0 (not congested) to 1
    double GetDegree() const
    {
        return m_degree;
    }

    /**
     * @brief Asked after a sample: is the neighbor to be told? It is while the queue is congested,
     * though not within NotifySpacing of the last time, and once when it no longer is.
     *
     * The paper tells of the first detection only, and has no end.
     * @param nowPs time in ps
     * @return true if a notification is to be sent, which counts as done
     */
    bool TakeNotification(int64_t nowPs)
    {
        const bool wasTold = m_told;
        if (m_degree == 0)
        {
            m_told = false;
            return wasTold;
        }
        if (nowPs < m_nextPs)
        {
            return false;
        }
        m_told = true;
        m_nextPs = nowPs + FabricTime::ToPs(m_parameters->notifySpacing);
        return true;
    }

  private:
    /// Part by which the distance of samples varies, that of QCN.
    static constexpr double JITTER = 0.15;

    /// @brief Take a sample. @param queueBytes length @param draw random number @return true
    bool Sample(uint64_t queueBytes, double draw)
    {
        const RcmParameters& p = *m_parameters;
        const auto length = static_cast<double>(queueBytes);
        const auto equilibrium = static_cast<double>(p.qeq);
        const double fb = length - equilibrium + p.wq * (length - m_oldBytes);
        m_degree = std::clamp(fb / (equilibrium * (2 * p.wq + 1)), 0.0, 1.0);
        m_oldBytes = length;
        const int divisor = 1 + RcmNotification::Quantize(m_degree) / 8;
        m_left = static_cast<double>(p.sampleBytes) / divisor * (1 + JITTER * (2 * draw - 1));
        return true;
    }

    const RcmParameters* m_parameters; //!< attributes
    double m_left{0};                  //!< bytes to arrive before the next sample
    double m_oldBytes{0};              //!< length at the latest sample
    double m_degree{0};                //!< of the latest sample
    bool m_told{false};                //!< the neighbor takes the queue for congested
    int64_t m_nextPs{0};               //!< it may be told again from then on
};

} // namespace ns3

#endif /* RCM_DETECTOR_H */
