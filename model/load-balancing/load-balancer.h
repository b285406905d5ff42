// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOAD_BALANCER_H
#define LOAD_BALANCER_H

#include "ns3/object.h"
#include "ns3/policy-default.h"
#include "ns3/prototype-factory.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Gives each packet of a sending PDC its entropy, by which switches choose the path. One
 * instance serves one PDC.
 */
class LoadBalancer : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return true if SetRandomVariable() has to be called
    virtual bool NeedsRandomVariable() const
    {
        return false;
    }

    /**
     * @brief Draw from this variable; called before Start().
     * @param random of the NIC, shared by all its PDCs
     */
    virtual void SetRandomVariable(Ptr<UniformRandomVariable> random);

    /**
     * @brief Make what all balancers of a NIC share; the NIC asks the first one only, and hands it
     * to each by Join().
     * @param acksPerRtt ACKs that can reach the NIC within the largest base RTT, at least 1
     * @return null: they share nothing, and Join() is not called
     */
    virtual Ptr<Object> MakeShared(uint64_t acksPerRtt) const;

    /// @return number of the group whose balancers of a NIC share it, of whichever policy; 0: those
    /// of one policy do
    virtual uint32_t GetGroup() const
    {
        return 0;
    }

    /**
     * @brief Take part in what the NIC's balancers share; called before Start().
     * @param shared of MakeShared()
     * @param connection the same for all PDCs to a host and in a class
     */
    virtual void Join(Ptr<Object> shared, uint64_t connection);

    /**
     * @brief Learn how long answers take; called before Start().
     * @param rttPs RTT of the pair of hosts without queues, of a full packet and its ACK, in ps, at
     * least 1
     */
    virtual void SetBaseRtt([[maybe_unused]] int64_t rttPs)
    {
    }

    /**
     * @brief The PDC starts.
     * @param entropy random bits of this PDC, drawn by the NIC
     */
    virtual void Start(uint16_t entropy) = 0;

    /**
     * @param nowPs time in ps
     * @param retransmission the packet has been sent before
     * @return entropy of the next packet
     */
    virtual uint16_t ChooseEntropy(int64_t nowPs, bool retransmission) = 0;

    /**
     * @brief An acknowledgement arrived.
     * @param nowPs time in ps
     * @param entropy of the packet that triggered it
     * @param marked that packet was marked
     */
    virtual void OnAck(int64_t nowPs, uint16_t entropy, bool marked);

    /**
     * @brief A queue on the way has cut off the payload of a packet, which is to be sent again.
     * @param nowPs time in ps
     * @param entropy of that packet
     * @param lastHop it was the queue of the port to the receiver, which all paths share
     */
    virtual void OnTrim([[maybe_unused]] int64_t nowPs,
                        [[maybe_unused]] uint16_t entropy,
                        [[maybe_unused]] bool lastHop)
    {
    }

    /// @return true if OnLoss() is wanted (asked once, after Start())
    virtual bool NeedsLosses() const
    {
        return false;
    }

    /**
     * @brief A packet has been found lost, by what is acknowledged or by a time-out, and nobody has
     * told of it: its path may be dead. Called if NeedsLosses(), once for each copy.
     * @param nowPs time in ps
     * @param entropy of that packet
     */
    virtual void OnLoss([[maybe_unused]] int64_t nowPs, [[maybe_unused]] uint16_t entropy)
    {
    }

    /**
     * @brief The retransmission timer expired.
     * @param nowPs time in ps
     */
    virtual void OnTimeout([[maybe_unused]] int64_t nowPs)
    {
    }

    /**
     * @brief A switch has found no good path for the packets and asks their sender for another.
     * @param nowPs time in ps
     * @return true if the packets to come take another path; false: they are spread over paths by
     * rules of the balancer's own, or it has no other
     */
    virtual bool OnReroute([[maybe_unused]] int64_t nowPs)
    {
        return false;
    }

    /**
     * @param network where the policy is to work
     * @return what it needs of others where the user has set nothing, with its attributes as they
     * are; the default is what holds where packets overtake, if it has
     * several paths or moves flows
     */
    virtual std::vector<PolicyDefault> ListDefaults(const PolicyNetwork& network) const;

    /**
     * @param entropy of a packet that was sent
     * @return true if all packets to come have been moved to another path since; false also where
     * packets are spread over paths
     */
    virtual bool HasLeft([[maybe_unused]] uint16_t entropy) const
    {
        return false;
    }

    /// @return in how many ways at most the packets of one PDC go; UINT32_MAX if there is no bound
    virtual uint32_t GetMaxPaths() const = 0;

    /// @return true if, seldom, it moves all packets to come to another path because of congestion;
    /// not for moves after time-outs, or when a switch asks
    virtual bool MovesFlows() const
    {
        return false;
    }

    /// @return true if OnDelay() is wanted (asked once, after Start())
    virtual bool NeedsDelays() const
    {
        return false;
    }

    /**
     * @brief An acknowledgement tells how long a packet was on its way; before its OnAck(), if
     * NeedsDelays().
     * @param nowPs time in ps
     * @param entropy of the packet that triggered it
     * @param rttPs since that packet was sent, in ps
     * @param hostPs part of this at the receiver, in ps; 0: it does not tell (FabricNic::EchoDelay)
     */
    virtual void OnDelay([[maybe_unused]] int64_t nowPs,
                         [[maybe_unused]] uint16_t entropy,
                         [[maybe_unused]] int64_t rttPs,
                         [[maybe_unused]] int64_t hostPs)
    {
    }
};

/**
 * @ingroup dcfabric
 * @brief All packets of a PDC have the same entropy: per-flow ECMP.
 *
 * When nothing comes back for RepathTimeouts time-outs in a row, the path may be dead: another
 * entropy is taken, and again at each further time-out; likewise when a switch asks for another
 * path.
 */
class PerFlowLoadBalancer : public LoadBalancer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Start(uint16_t entropy) override
    {
        m_entropy = entropy;
    }

    uint16_t ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */) override
    {
        return m_entropy;
    }

    void OnAck(int64_t /* nowPs */, uint16_t /* entropy */, bool /* marked */) override
    {
        m_timeouts = 0;
    }

    void OnTimeout(int64_t nowPs) override;
    bool OnReroute(int64_t nowPs) override;

    bool HasLeft(uint16_t entropy) const override
    {
        return entropy != m_entropy;
    }

    uint32_t GetMaxPaths() const override
    {
        return 1;
    }

  private:
    /// Time-outs in a row, without acknowledgement, from which on each one changes the path
    uint32_t m_repathTimeouts{2};
    uint32_t m_timeouts{0}; //!< since the last acknowledgement
    uint32_t m_moves{0};    //!< because a switch asked
    uint16_t m_entropy{0};  //!< of all packets
};

} // namespace ns3

#endif /* LOAD_BALANCER_H */
