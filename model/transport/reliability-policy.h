// SPDX-License-Identifier: GPL-2.0-only
#ifndef RELIABILITY_POLICY_H
#define RELIABILITY_POLICY_H

#include "send-limits.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class SendWindow;

/**
 * @ingroup dcfabric
 * @brief How lost packets are found and sent again. Has no state of its own; one instance serves a
 * NIC.
 */
class ReliabilityPolicy : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return true if the receiver keeps packets that arrive before their turn; false: it drops
    /// them and sends a NACK
    virtual bool AcceptsOutOfOrder() const = 0;

    /// @return flags of the data packets of a connection beside those that differ from packet to
    /// packet, such as FabricPacketItem::FLAG_NO_PDC: the receiver keeps no PDC for them
    virtual uint32_t GetDataFlags() const
    {
        return 0;
    }

    /// @return false if no packet is answered: a message is complete at its sender when its last
    /// packet has left, whatever becomes of it
    virtual bool AwaitsAnswers() const
    {
        return true;
    }

    /// @return where no packet is answered, for how long after the last one has left those on
    /// their way count as such, in ps
    virtual int64_t GetLingerPs() const
    {
        return 0;
    }

    /**
     * @brief A connection begins. A policy that goes by time has the window keep times.
     * @param window of the sender
     * @param baseRttPs base RTT in ps: of the pair of hosts, or T if that is larger
     * @param isLossless flow control keeps links from dropping
     * @return true if GetTimerPs() and GetProbeDelayPs() are to be asked
     */
    virtual bool Start(SendWindow& window, int64_t baseRttPs, bool isLossless) const;

    /**
     * @brief An ACK has been entered into the window.
     * @param window of the sender
     * @param sentPs when the packet left that it answers
     * @param nowPs time in ps
     * @return packets newly found lost
     */
    virtual uint64_t OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const = 0;

    /**
     * @brief A NACK has been entered into the window.
     * @param window of the sender
     * @param sentPs when the packet left that it answers
     * @param nowPs time in ps
     * @return packets newly found lost
     */
    virtual uint64_t OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const = 0;

    /**
     * @brief A switch tells that it has dropped a packet.
     * @param window of the sender
     * @param seq number of the packet
     * @param nowPs time in ps
     * @return packets newly found lost
     */
    virtual uint64_t OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const = 0;

    /**
     * @brief Nothing was acknowledged for the time-out.
     * @param window of the sender
     * @param nowPs time in ps
     */
    virtual void OnTimeout(SendWindow& window, int64_t nowPs) const = 0;

    /**
     * @brief The time of GetTimerPs() has come.
     * @param window of the sender
     * @param nowPs time in ps
     * @return packets newly found lost
     */
    virtual uint64_t OnTimer(SendWindow& window, int64_t nowPs) const;

    /**
     * @brief When packets may be lost, if nothing answers them until then. Asked after each ACK
     * and timer, if Start() says so.
     * @param window of the sender
     * @return ps; NEVER if time alone shows nothing
     */
    virtual int64_t GetTimerPs(SendWindow& window) const;

    /**
     * @brief How long after the last packet and answer a probe asks whether what is on its way has
     * arrived (TailProbe). Asked likewise while GetTimerPs() is NEVER; no probe is sent when
     * nothing is on its way, nor after the time-out.
     * @param window of the sender
     * @param smoothedPs SRTT in ps, negative before the first RTT
     * @param baseRttPs base RTT in ps, as for Start()
     * @return ps, at most 1e15; NEVER if none is to be sent
     */
    virtual int64_t GetProbeDelayPs(const SendWindow& window,
                                    int64_t smoothedPs,
                                    int64_t baseRttPs) const;

    /**
     * @brief The answer to a probe has been entered into the window. Nothing was sent since the
     * probe.
     * @param window of the sender
     * @param sentPs when the probe left
     * @param nowPs time in ps
     * @return packets newly found lost; the default is OnAck()
     */
    virtual uint64_t OnProbeAnswer(SendWindow& window, int64_t sentPs, int64_t nowPs) const;

    /**
     * @brief How long a receiver waits before it sends a NACK again while the packet that it named
     * is missing.
     * @param pairRttPs base RTT of the pair of hosts in ps
     * @return ps, above 0
     */
    virtual int64_t GetNackIntervalPs(int64_t pairRttPs) const
    {
        return pairRttPs;
    }

    /**
     * @brief What limits a connection beside its congestion control.
     * @param bdpBytes rate x T of its path
     * @param payloadBytes of a full packet
     * @param baseRttPs base RTT in ps, as for Start()
     * @param isLossless flow control keeps links from dropping
     * @return by default nothing
     */
    virtual SendLimits GetLimits(uint64_t bdpBytes,
                                 uint32_t payloadBytes,
                                 int64_t baseRttPs,
                                 bool isLossless) const;
};

/**
 * @ingroup dcfabric
 * @brief Selective repeat: packets are placed in any order, and only what is missing is sent again.
 *
 * A copy of a packet, the first or a later one, is lost when one sent ReorderThreshold packets
 * later has arrived. Where flow control keeps links from dropping, and the time-out is long, a
 * probe (TailProbe) asks for what is not answered: it leaves so long after the last packet that
 * more than ReorderThreshold could have been sent since, and so shows to be lost what is missing.
 */
class SelectiveRepeat : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    uint64_t OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const override;
    void OnTimeout(SendWindow& window, int64_t nowPs) const override;
    bool Start(SendWindow& window, int64_t baseRttPs, bool isLossless) const override;
    int64_t GetProbeDelayPs(const SendWindow& window,
                            int64_t smoothedPs,
                            int64_t baseRttPs) const override;
    uint64_t OnProbeAnswer(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;

  private:
    uint32_t m_reorderThreshold{3}; //!< packets
    double m_probeRtts{25}; //!< base RTTs after the last packet and answer until a probe asks
};

/**
 * @ingroup dcfabric
 * @brief Go-back-N as in RoCE: the receiver takes packets in order only and answers the first one
 * out of order with a NACK; the sender starts again from the packet it names.
 *
 * While packets come that are not the missing one, the NACK is sent again each NackInterval: it
 * may have been lost, and nothing but a time-out would tell. A sender knows by the time at which
 * the answered packet left whether it has gone back since, and goes back once for each loss.
 */
class GoBackN : public ReliabilityPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    bool AcceptsOutOfOrder() const override;
    uint64_t OnAck(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnNack(SendWindow& window, int64_t sentPs, int64_t nowPs) const override;
    uint64_t OnDropNotice(SendWindow& window, uint64_t seq, int64_t nowPs) const override;
    void OnTimeout(SendWindow& window, int64_t nowPs) const override;
    int64_t GetNackIntervalPs(int64_t pairRttPs) const override;

  private:
    Time m_nackInterval; //!< least time between two NACKs of a receiver for the same packet
};

} // namespace ns3

#endif /* RELIABILITY_POLICY_H */
