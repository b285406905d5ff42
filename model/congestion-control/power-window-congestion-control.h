// SPDX-License-Identifier: GPL-2.0-only
#ifndef POWER_WINDOW_CONGESTION_CONTROL_H
#define POWER_WINDOW_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief What PowerTCP and theta-PowerTCP (NSDI 2022) have in common: a rate that is divided by the
 * power of the path.
 *
 * Power is what arrives at a link (current) times what is on the way to be sent by it (voltage:
 * queue and bandwidth-delay product), here in parts of its value for a link that is full and has no
 * queue. A measurement U that covers dt enters the average
 *
 *   Us <- (Us (T - dt) + U dt) / T, dt at most T,
 *
 * and the rate becomes
 *
 *   R = Gamma (Rb x target / Us + beta) + (1 - Gamma) Rb,
 *
 * where beta = line rate / Flows. The reference Rb is replaced by R once an RTT: at the first ACK
 * of a packet that was sent after it was replaced last. The window is R x T. The first ACK only
 * begins the first RTT; Us begins at 1.
 *
 * **Sources.** Rule, gains and the once-an-RTT reference are those of the code that the authors
 * published (ns3-datacenter). The paper has beta as a window, host rate x T / N for N flows that
 * share a host's link, and takes as Rb the window at the time when the acknowledged packet was
 * sent. That code adds 150 Mb/s, and its hosts have 25 Gb/s: the default of Flows is that quotient.
 */
class PowerWindowCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return Us, the average power in parts of that of a full link without a queue
    double GetPower() const
    {
        return m_power;
    }

    /// @return Rb in bit/s
    double GetReferenceRate() const
    {
        return m_reference;
    }

  protected:
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

    /**
     * @brief Begin at line rate.
     * @param basePs T in ps
     * @param target power that the rate aims at, in parts of that of a full link
     * @throws FabricError if there is no line rate or no T, or MinRate is above the line rate
     */
    void StartAt(int64_t basePs, double target);

    /**
     * @brief The first ACK has come, of which nothing can be measured: the first RTT begins.
     * @param ack the ACK
     */
    void BeginRound(const AckInfo& ack)
    {
        m_lastUpdateSeq = ack.sentBytes;
    }

    /**
     * @brief Take a measurement and set window and rate.
     * @param ack the ACK
     * @param power U
     * @param spanPs time that it covers, in ps; 0: nothing new
     * @param share weight of it beside those of other paths, 1 for one path
     */
    void React(const AckInfo& ack, double power, double spanPs, double share);

    /// @return T in ps
    double GetT() const
    {
        return m_t;
    }

    /// @return the gain, an attribute of each control, which has its own default
    double GetGamma() const
    {
        return m_gamma;
    }

    /// @param gamma the gain
    void SetGamma(double gamma)
    {
        m_gamma = gamma;
    }

  private:
    /// @return a rate within its limits, in bit/s
    double Clamp(double rate) const;

    double m_gamma{1};  //!< attribute of derived classes
    double m_flows;     //!< N of the paper: flows that share a host's link
    DataRate m_minRate; //!< least rate

    double m_t{1};               //!< T in ps
    double m_target{1};          //!< see StartAt()
    double m_increase{0};        //!< beta / T in bit/s
    double m_power{1};           //!< Us
    double m_reference{0};       //!< Rb in bit/s
    uint64_t m_lastUpdateSeq{0}; //!< payload bytes
};

} // namespace ns3

#endif /* POWER_WINDOW_CONGESTION_CONTROL_H */
