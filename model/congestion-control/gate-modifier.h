// SPDX-License-Identifier: GPL-2.0-only
#ifndef GATE_MODIFIER_H
#define GATE_MODIFIER_H

#include "congestion-modifier.h"
#include "congestion-signal.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Lets reductions take hold only while it is open.
 *
 * A reduction that was withheld takes hold when the gate opens within Hold: an algorithm may be
 * told of congestion once in 50 us (DCQCN), or react once per RTT, and a gate that opens an instant
 * later would otherwise wait for the next time while queues grow. Within a round trip it is due
 * (see CongestionControl::GetDueWindow()), and takes hold as it would have by then. Later it is the
 * same part of the window and of the rate; of several that were withheld, the last one.
 *
 * Reductions because of a loss or time-out are not withheld, and what is due takes hold with them.
 */
class GateModifier : public CongestionModifier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.markDelay = true;
        return needs;
    }

    void Start(const PathInfo& path) override;
    void Modify(CongestionProposal& proposal) override;
    bool Lower(int64_t nowPs, uint64_t& window, double& rate) override;

    bool IsWithholding() const override
    {
        return !IsOpen();
    }

    /// @return true if reductions take hold now
    virtual bool IsOpen() const = 0;

  protected:
    /**
     * @brief Declare what a gate that averages a signal goes by: Signal, Gain and NoticePackets.
     * @param tid class of the gate
     * @param gain default of Gain
     * @param help of Gain
     * @return the class
     */
    static TypeId AddSignal(TypeId tid, double gain, const std::string& help);

    /**
     * @brief Whether what an ACK or a notification tells is of use.
     * @param info of which packet
     * @return false if the connection has left its path, and LeaveOutRerouted
     */
    template <typename Info>
    bool Counts(const Info& info) const
    {
        return !(info.rerouted && m_leaveOutRerouted);
    }

    /// @return attribute Gain
    double GetGain() const
    {
        return m_gain;
    }

    /**
     * @brief An ACK tells of packets.
     * @param average over packets
     * @param ack what it tells
     * @param gain weight of a packet, 0 to 1
     */
    void Enter(SignalAverage& average, const AckInfo& ack, double gain) const
    {
        average.Enter(ack, GetPath(), *m_signal, gain);
    }

    /**
     * @brief A queue tells of a packet.
     * @param average over packets
     * @param gain weight of a packet, 0 to 1
     */
    void EnterNotified(SignalAverage& average, double gain) const
    {
        average.EnterNotified(m_noticePackets, gain);
    }

  private:
    Ptr<CongestionSignal> m_signalAttribute; //!< what is averaged
    Ptr<CongestionSignal> m_signal;          //!< what is averaged
    double m_gain{0};                        //!< weight of the newest value in the average
    /// Packets that met congestion for which a notification of a queue stands
    double m_noticePackets{0};
    /// Do not count packets of a path that the connection has left since
    bool m_leaveOutRerouted{true};

    Time m_hold;            //!< for how long a withheld reduction may still take hold
    int64_t m_holdPs{0};    //!< likewise
    bool m_held{false};     //!< a reduction waits
    int64_t m_heldPs{0};    //!< since when
    double m_windowPart{1}; //!< of the window that it leaves
    double m_ratePart{1};   //!< of the rate that it leaves
};

} // namespace ns3

#endif /* GATE_MODIFIER_H */
