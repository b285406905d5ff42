// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RECEIVER_H
#define FABRIC_TEST_RECEIVER_H

#include "fabric-test-congestion.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/credit-congestion-control.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/grant-packet.h"
#include "ns3/object-factory.h"
#include "ns3/receiver-control.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/**
 * @file
 * @brief What the suites of receiver-driven control share: a NIC that grants, and a PDC that is
 * granted, without a network.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Services of a NIC for a ReceiverControl, whose timer the test runs by hand.
 */
class ManualReceiver : public ReceiverControl::Host
{
  public:
    /// A grant that was sent.
    struct Sent
    {
        int64_t nowPs;    //!< when
        uint32_t flow;    //!< to whom
        uint32_t total;   //!< as told
        uint8_t priority; //!< likewise
    };

    /**
     * @brief Begin with a new object.
     * @param type its class
     * @param packetBytes frame of a full packet
     * @param rateBps of the links, gaps taken off
     * @param rttPs base RTT
     * @param lossless flow control stops classes
     */
    void Create(const std::string& type,
                uint32_t packetBytes = 4096,
                double rateBps = 100e9,
                int64_t rttPs = 12 * US,
                bool lossless = false)
    {
        sent.clear();
        nowPs = 0;
        m_rate = rateBps;
        m_timerPs = NEVER;
        control = ObjectFactory(type).Create<ReceiverControl>();
        ReceiverInfo info;
        info.baseRttPs = rttPs;
        info.packetBytes = packetBytes;
        info.lossless = lossless;
        control->AssignStreams(1);
        control->Start(info, this);
    }

    /**
     * @brief A packet arrives at #nowPs.
     * @param flow of which PDC
     * @param demand units wanted in all
     * @param frameBytes as it arrives
     * @param trimmed without its payload
     */
    void Arrive(uint32_t flow, uint64_t demand, uint32_t frameBytes = 4096, bool trimmed = false)
    {
        ReceiverArrival arrival;
        arrival.nowPs = nowPs;
        arrival.flow = flow;
        arrival.frameBytes = frameBytes;
        arrival.demand = CreditUnits::ToDemand(demand);
        arrival.trimmed = trimmed;
        control->TellArrival(arrival);
    }

    /**
     * @brief A demand without payload arrives at #nowPs.
     * @param flow of which PDC
     * @param demand units wanted in all
     */
    void Ask(uint32_t flow, uint64_t demand)
    {
        ReceiverArrival arrival;
        arrival.nowPs = nowPs;
        arrival.flow = flow;
        arrival.frameBytes = 66;
        arrival.demand = CreditUnits::ToDemand(demand);
        arrival.asks = true;
        control->TellArrival(arrival);
    }

    /**
     * @brief Let time go by.
     * @param untilPs up to then
     */
    void RunUntil(int64_t untilPs)
    {
        while (m_timerPs <= untilPs)
        {
            nowPs = m_timerPs;
            m_timerPs = NEVER;
            control->TellTimer(nowPs);
        }
        nowPs = untilPs;
    }

    /// @return flows of the grants so far, in order
    std::string GetFlows() const
    {
        std::string flows;
        for (const Sent& one : sent)
        {
            flows += std::to_string(one.flow);
        }
        return flows;
    }

    // from ReceiverControl::Host
    void SendGrant(uint32_t flow, uint32_t total, uint8_t priority) override
    {
        sent.push_back({nowPs, flow, total, priority});
    }

    void SetTimer(int64_t atPs) override
    {
        m_timerPs = atPs;
    }

    double GetLineRate() const override
    {
        return m_rate;
    }

    int64_t nowPs{0};             //!< time
    std::vector<Sent> sent;       //!< grants
    Ptr<ReceiverControl> control; //!< under test

  private:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

    double m_rate{0};         //!< of the links
    int64_t m_timerPs{NEVER}; //!< when the timer is due
};

/**
 * @ingroup dcfabric-tests
 * @brief A PDC's services for a ReceiverDrivenControl; what is in flight the test says.
 */
class ManualAsker : public ReceiverDrivenControl::Asker
{
  public:
    // from ReceiverDrivenControl::Asker
    void Ask() override
    {
        ++asks;
    }

    uint64_t GetInFlightBytes() const override
    {
        return inFlight;
    }

    void NoteDemand(bool begins) override
    {
        demands += begins ? 1 : -1;
    }

    uint32_t GetNDemands() const override
    {
        return demands;
    }

    uint32_t asks{0};     //!< demands without payload that were wanted
    uint64_t inFlight{0}; //!< payload bytes
    uint32_t demands{0};  //!< PDCs with something to send
};

/**
 * @param total units granted
 * @param priority class
 * @return a grant
 */
inline Ptr<FabricPacketItem>
MakeGrant(uint32_t total, uint8_t priority = GrantFields::OWN_PRIORITY)
{
    auto item = FabricPacketItem::Create(FabricPacketType::GRANT);
    item->Begin<GrantFields>() = {total, priority};
    return item;
}

} // namespace ns3::tests

#endif /* FABRIC_TEST_RECEIVER_H */
