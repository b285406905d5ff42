// SPDX-License-Identifier: GPL-2.0-only
#ifndef QCN_CONGESTION_POINT_H
#define QCN_CONGESTION_POINT_H

#include "ns3/fabric-time.h"
#include "ns3/hop-congestion-notification.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Congestion point of QCN (IEEE 802.1Qau): detects congestion of one queue by samples of its
 * length.
 *
 * With Q the length of the queue and Qold that at the sample before, Fb = (Q - Qeq) + wq (Q -
 * Qold); the queue is congested while Fb > 0. The degree is Fb over its limit, Qeq (2 wq + 1), at
 * which QCN clips. The next sample is due after sampleBytes / (1 + k), where k is an eighth of the
 * degree in 63 steps: the ratios of QCN's table, as is the jitter of 15 %.
 *
 * When arrivals stop nothing is sampled any more. The owner therefore samples a congested queue
 * that is empty at a departure (OnDeparture()), so that congestion ends.
 */
class QcnCongestionPoint
{
  public:
    /// What may differ between congestion points.
    struct Parameters
    {
        uint64_t qeq{0};         //!< equilibrium length in bytes, above 0
        double wq{0};            //!< weight of the growth
        uint64_t sampleBytes{0}; //!< from one sample to the next while uncongested
        Time notifySpacing;      //!< least time between two notifications of congestion
    };

    /// @param parameters outlive this object
    explicit QcnCongestionPoint(const Parameters& parameters)
        : m_parameters(&parameters)
    {
    }

    /**
     * @brief A packet has entered the queue.
     * @param bytes its size
     * @return true if a sample is due: of the first packet, then one for each interval
     */
    bool OnArrival(uint32_t bytes)
    {
        m_left -= bytes;
        return m_left <= 0;
    }

    /**
     * @brief A packet has left the queue.
     * @param queueBytes length of the queue without it
     * @return true if a sample is due, as the queue was congested and is empty
     */
    bool OnDeparture(uint64_t queueBytes) const
    {
        return queueBytes == 0 && m_degree > 0;
    }

    /**
     * @brief Take the sample that is due.
     * @param queueBytes length of the queue
     * @param draw random number from 0 to 1
     */
    void Sample(uint64_t queueBytes, double draw)
    {
        const Parameters& p = *m_parameters;
        const auto length = static_cast<double>(queueBytes);
        const auto equilibrium = static_cast<double>(p.qeq);
        const double fb = length - equilibrium + p.wq * (length - m_oldBytes);
        m_degree = std::clamp(fb / (equilibrium * (2 * p.wq + 1)), 0.0, 1.0);
        m_oldBytes = length;
        const int divisor = 1 + HopCongestionNotification::Quantize(m_degree) / 8;
        m_left = static_cast<double>(p.sampleBytes) / divisor * (1 + JITTER * (2 * draw - 1));
    }

    /// @return congestion degree of the latest sample, 0 (not congested) to 1
    double GetDegree() const
    {
        return m_degree;
    }

    /**
     * @brief Asked after a sample: is where the packets come from to be told? It is while the queue
     * is congested, though not within notifySpacing of the last time, and once when it no longer
     * is.
     *
     * QCN tells at each sample, and has no end.
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
    /// Part by which the distance of samples varies.
    static constexpr double JITTER = 0.15;

    const Parameters* m_parameters; //!< of this and others
    double m_left{0};               //!< bytes to arrive before the next sample
    double m_oldBytes{0};           //!< length at the latest sample
    double m_degree{0};             //!< of the latest sample
    bool m_told{false};             //!< the other side takes the queue for congested
    int64_t m_nextPs{0};            //!< it may be told again from then on
};

} // namespace ns3

#endif /* QCN_CONGESTION_POINT_H */
