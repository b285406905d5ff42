// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROCC_FAIR_RATE_H
#define ROCC_FAIR_RATE_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The fair rate of one queue: RoCC (CoNEXT 2020), algorithm 1.
 *
 * Each Update() does one of three things. With F the rate, Fmin and Fmax its bounds and Q lengths
 * of the queue:
 * - Q >= Qmax and F > Fmax/8: F <- Fmin.
 * - otherwise, Q - Qold >= Qmid and F > Fmax/8: F <- F/2.
 * - otherwise F <- F - alpha (Q - Qref) - beta (Q - Qold), where alpha and beta are the static
 *   gains over 1 for F >= Fmax/2, 2 for F >= Fmax/4, and so on up to 32 below Fmax/32.
 *
 * F is kept within its bounds; it starts at Fmax with an empty queue. Rates are in units of
 * deltaF, lengths in whole units of deltaQ. F keeps its fraction, so that small gains are not lost
 * to rounding; only the message rounds.
 */
class RoccFairRate
{
  public:
    /// What a queue is controlled with.
    struct Parameters
    {
        double alpha{0};   //!< static gain of the deviation, units of F per unit of Q
        double beta{0};    //!< static gain of the growth, units of F per unit of Q
        double minRate{0}; //!< Fmin
        double maxRate{0}; //!< Fmax
        int64_t qRef{0};   //!< reference length
        int64_t qMid{0};   //!< growth that halves the rate
        int64_t qMax{0};   //!< length that sets the rate to Fmin
    };

    /// Gains and thresholds for a link, in their natural units.
    struct Defaults
    {
        double alpha;       //!< static gain
        double beta;        //!< static gain
        uint64_t qRefBytes; //!< reference length
        uint64_t qMidBytes; //!< growth that halves the rate
        uint64_t qMaxBytes; //!< length that sets the rate to Fmin
    };

    /**
     * @brief What the paper sets for a rate, carried on to others.
     *
     * Section 6 of the paper: 0.3, 1.5, 150, 300 and 360 KB at 40 Gb/s; 0.45, 2.25, 300, 600 and
     * 660 KB at 100 Gb/s. Ours: lengths are in proportion to the rate below 40 Gb/s and above 100
     * Gb/s, as the bandwidth-delay product with the interval is; the gains stay as they are there,
     * because the gain of the loop (section 5.1) does not depend on the rate of the link; in
     * between everything is interpolated.
     * @param rateBps rate of the link in bit/s, greater than 0
     * @return gains and thresholds
     */
    static Defaults GetDefaults(uint64_t rateBps);

    RoccFairRate() = default;

    /**
     * @param parameters bounds, gains and thresholds; 0 < Fmin <= Fmax, 0 < Qref < Qmid < Qmax
     */
    explicit RoccFairRate(const Parameters& parameters);

    /**
     * @brief The link has another rate: F stays as far as its bounds allow.
     * @param parameters as at the beginning
     */
    void SetParameters(const Parameters& parameters);

    /**
     * @brief One interval is over.
     * @param queue present length in units of deltaQ
     * @return F in units of deltaF
     */
    double Update(int64_t queue);

    /// @return F in units of deltaF
    double GetRate() const
    {
        return m_rate;
    }

    /// @return what the static gains are divided by at the present F: 1, 2, 4, 8, 16 or 32
    uint32_t GetGainDivisor() const;

    /// @return true if an empty queue would change nothing
    bool IsAtRest() const
    {
        return m_rate >= m_parameters.maxRate && m_old == 0;
    }

  private:
    Parameters m_parameters; //!< of the queue
    double m_rate{0};        //!< F
    int64_t m_old{0};        //!< Qold
};

} // namespace ns3

#endif /* ROCC_FAIR_RATE_H */
