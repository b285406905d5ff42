// SPDX-License-Identifier: GPL-2.0-only
#ifndef RCCC_RECEIVER_CONTROL_H
#define RCCC_RECEIVER_CONTROL_H

#include "fabric-credit-rate.h"
#include "host-backlog.h"
#include "receiver-control.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Receiver's half of the receiver credit congestion control of Ultra Ethernet, as the
 * consortium's public simulator uet-htsim (commit 40ccb05) has it; it descends from EQDS
 * (Olteanu et al., NSDI 2022).
 *
 * Flows that want credit take turns: a turn is Quantum full packets, or what is wanted if that is
 * less, at Share of the rate of the links. While none wants any, the others take turns up to
 * SlowWindow beyond what they want ("slow credit"), so that a message to come starts at once. A
 * trimmed packet wants credit for its repetition.
 */
class RcccReceiverControl : public ReceiverControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    void OnArrival(const ReceiverArrival& arrival) override;
    void OnGone(uint32_t flow) override;
    std::optional<Grant> NextGrant(int64_t nowPs) override;
    double GetRate(int64_t nowPs) override;

  private:
    /// In which list a flow is.
    enum class Place : uint8_t
    {
        NONE,   //!< in none
        ACTIVE, //!< of those that want credit
        IDLE    //!< of those that may get slow credit
    };

    /// What is kept of a flow.
    struct Entry
    {
        Place place{Place::NONE}; //!< where it is
        bool queued{false};       //!< it has a place in the list of idle ones, perhaps in vain
        bool gone{false};         //!< its PDC is gone
    };

    /// Enter a flow in the list where it belongs with so many units granted.
    void Enter(uint32_t number, uint64_t granted);
    /// @return rate at which the host takes data, in bit/s
    double GetHostRate() const;

    double m_share;                //!< of the rate of the links
    uint32_t m_quantum;            //!< packets of a turn
    double m_slowWindow;           //!< in BDPs
    double m_hostShare;            //!< rate of the host in rates of the links; 0: no limit
    uint64_t m_slowUnits{0};       //!< that may be granted beyond what is wanted
    HostBacklog m_hostBacklog;     //!< of the NIC
    std::vector<Entry> m_entries;  //!< by flow
    std::deque<uint32_t> m_active; //!< flows, in turn
    std::deque<uint32_t> m_idle;   //!< likewise; those that are not idle any more are skipped
};

/**
 * @ingroup dcfabric
 * @brief RcccReceiverControl that also sees congestion inside the fabric: it grants at less than
 * Share of the rate of the links while many packets are marked, or trimmed before the last hop
 * (FabricCreditRate).
 */
class RcccFabricReceiverControl : public RcccReceiverControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoStart() override;
    void OnArrival(const ReceiverArrival& arrival) override;
    double GetRate(int64_t nowPs) override;

  private:
    double m_oversubscription;           //!< of the fabric
    FabricCreditRate m_part{1};          //!< of the rate
    int64_t m_updatePs{0};               //!< when an interval ends
    Ptr<UniformRandomVariable> m_random; //!< lengths of intervals
};

} // namespace ns3

#endif /* RCCC_RECEIVER_CONTROL_H */
