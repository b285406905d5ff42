// SPDX-License-Identifier: GPL-2.0-only
#ifndef BACK_TO_SENDER_NOTIFIER_H
#define BACK_TO_SENDER_NOTIFIER_H

#include "congestion-measure.h"
#include "marking-profile.h"
#include "timing-profile.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcfabric
 * @brief Weighted random early back-to-sender notification ([Patent] (10) to (16)): which packets
 * of a queue make it notify their sender, and what it says. The settings, without state: one object
 * serves any number of queue discs.
 *
 * The probability follows Profile over Measure, for packets that arrive or, AtDeparture, for those
 * that leave. Without Profile it is that by which the queue disc would mark ([Patent] (13)), as it
 * is; if it has none, or Measure is another one than its length, PiecewiseMarkingProfile. One draw
 * decides on mark and notification: the classes that are covered have no other ECN marking. A
 * packet that carries a mark already triggers nothing, nor does one that is not ECN-capable; but
 * each ECN-capable packet that is dropped does. Where TimingProfile holds a notification back, the
 * packet is not marked either, and may trigger at a later queue.
 */
class BackToSenderNotifier : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return bit mask of the classes that it covers
    uint8_t GetClasses() const
    {
        return m_classes;
    }

    /// @return true if it decides on packets that leave, not on those that arrive
    bool IsAtDeparture() const
    {
        return m_atDeparture;
    }

    /// @return true if senders are to be told the opposite of the ECN bit
    bool IsEcnInverted() const
    {
        return m_invertEcn;
    }

    /// @return the profile, null: that of the queue
    const MarkingProfile* GetProfile() const
    {
        return PeekPointer(m_profile);
    }

    /// @return true if the marking profile of the queue counts, where it has one
    bool SharesProfile() const
    {
        return !m_profile && m_measure && m_measure->IsOfMarks();
    }

    /// @return the profile of queues that have none, nor one that fits the measure
    const MarkingProfile& GetLastProfile() const
    {
        return *m_lastProfile;
    }

    /**
     * @return the measure whose forks serve the queues
     * @throws FabricError if there is none
     */
    const CongestionMeasure& GetMeasure() const;

    /// @return the timing profile, null for none
    const TimingProfile* GetTimingProfile() const
    {
        return PeekPointer(m_timing);
    }

    /// @return rate in bit/s of the link for which profiles are given; 0: any
    uint64_t GetReferenceRateBps() const
    {
        return m_referenceRate.GetBitRate();
    }

    /// @return the signals that notifications carry, BackToSenderSignals::Signal bits
    uint8_t GetSignals() const;

    /// @return bytes of a queue that is told as full, at the reference rate
    uint64_t GetFullQueueBytes() const
    {
        return m_fullQueueBytes;
    }

    /// @return bit mask of the QoS group whose occupancy is told
    uint8_t GetGroupClasses() const
    {
        return m_groupClasses;
    }

    /// @return for how long a packet makes its flow an active one, in ps
    int64_t GetFlowWindowPs() const;
    /// @return least time over which the growth that is told is measured, in ps
    int64_t GetGradientIntervalPs() const;

  protected:
    void NotifyConstructionCompleted() override;

  private:
    Ptr<MarkingProfile> m_profile;     //!< probability of a notification over the measure
    Ptr<MarkingProfile> m_lastProfile; //!< in its place, if the queue has none either
    Ptr<CongestionMeasure> m_measure;  //!< what congestion is measured by
    Ptr<TimingProfile> m_timing;       //!< least time between notifications to one source
    DataRate m_referenceRate;          //!< rate of the link for which the profiles are given
    uint8_t m_classes;                 //!< bit mask of the classes whose packets notify
    uint8_t m_groupClasses;            //!< bit mask of the QoS group whose occupancy is told
    bool m_atDeparture;                //!< decide when a packet leaves, not when it arrives
    bool m_invertEcn;                  //!< tell senders the opposite of the ECN bit of the packet
    bool m_tellQueue;     //!< notifications carry the length of the queue over FullQueue
    bool m_tellFlows;     //!< notifications carry the number of active flows of the queue
    bool m_tellGradient;  //!< notifications carry how fast the queue grows
    bool m_tellRate;      //!< notifications carry the rate of the link
    bool m_tellSent;      //!< notifications carry bytes sent by port and queue, and a time stamp
    bool m_tellOccupancy; //!< notifications carry the occupancy of port, buffer and QoS group
    uint64_t m_fullQueueBytes; //!< bytes of a queue that is told as full, at ReferenceRate
    Time m_flowWindow;       //!< for how long a packet makes its flow an active one, for the signal
    Time m_gradientInterval; //!< least time over which growth is measured, for the signal
};

} // namespace ns3

#endif /* BACK_TO_SENDER_NOTIFIER_H */
