// SPDX-License-Identifier: GPL-2.0-only
#ifndef IB_CONGESTION_CONTROL_H
#define IB_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief The sender of InfiniBand's congestion control (annex A10 of its specification): a table
 * of delays between packets, and an index that BECNs raise and a timer lowers.
 *
 * Switches mark packets with FECN (FecnFeature), receivers answer with BECN: by the ACK of a marked
 * packet, or by a CNP, of which a connection gets one in CnpInterval. Each BECN raises the index
 * CCTI by CctiIncrease, up to CctiLimit. While CCTI is above CctiMin a timer of CctiTimer x 1.024
 * us runs, which lowers it by one each time; BECNs do not put it off. Between two packets the
 * sender waits CCT[CCTI] times the time that a packet takes: the rate is that of the line over 1 +
 * CCT[CCTI].
 *
 * The table is what a subnet manager fills in. By default CCT[i] = i: the share of a sender among
 * i + 1.
 *
 * **Ours.** The annex was not read; the rules are general knowledge, and names and ranges those of
 * the attributes that subnet managers set. Each connection has an index of its own (the annex also
 * knows one for all of a service level). The timer begins with the first BECN. InfiniBand loses
 * nothing by congestion; where packets are lost here, that is a BECN with a sure cause, one in a
 * base RTT at most. CnpInterval is 12 us, the default T, and CctiTimer twice that: a sender hears
 * of what it has done before it does more, and takes two intervals to try what one has taken away.
 */
class IbCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const override;
    void OnAck(const AckInfo& ack) override;
    void OnCnp(int64_t nowPs) override;
    void OnLoss(int64_t nowPs, uint64_t lostBytes) override;
    void OnTimeout(int64_t nowPs) override;
    void OnTimer(uint8_t timer, int64_t nowPs) override;

    /// @return CCTI
    uint32_t GetIndex() const
    {
        return m_index;
    }

    static constexpr int64_t TIMER_UNIT_PS = 1024000; //!< 1.024 us
    static constexpr uint32_t MAX_ENTRIES = 16384;    //!< of a table
    static constexpr double MAX_DELAY = 16383;        //!< packets, 14 bits

  protected:
    /// @throws FabricError if table and indices do not fit one another
    void DoStart() override;
    void OnModified(int64_t nowPs, ModifierEffect effect) override;

  private:
    /// Make the table. @throws FabricError if it is none
    void ReadTable();
    /// @return the rate at an index, in bit/s
    double GetRateAt(uint32_t index) const;
    /// A BECN has come, or what counts as one.
    void Raise(int64_t nowPs, CongestionCause cause);
    /// Propose the rate of the index.
    void ProposeIndex(int64_t nowPs, CongestionCause cause);
    /// Take the index whose rate is not above one in force.
    void SetFromRate(double rate);
    /// Have the timer run while the index is above the least.
    void RunTimer(int64_t nowPs);

    std::string m_cct;           //!< delays between packets, by index; empty: the index
    uint16_t m_increase;         //!< CCTI_Increase
    uint16_t m_timer;            //!< CCTI_Timer, in 1.024 us
    uint16_t m_least;            //!< CCTI_Min
    uint16_t m_limit;            //!< CCTI_Limit
    Time m_cnpInterval;          //!< least time between two CNPs; zero: BECN by ACKs
    uint32_t m_index{0};         //!< CCTI
    int64_t m_lossPs{0};         //!< last loss that counted
    bool m_hasLost{false};       //!< there was one
    bool m_running{false};       //!< the timer
    std::vector<double> m_table; //!< CCT; empty: the index
};

} // namespace ns3

#endif /* IB_CONGESTION_CONTROL_H */
