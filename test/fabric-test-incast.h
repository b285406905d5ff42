// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_INCAST_H
#define FABRIC_TEST_INCAST_H

#include "fabric-test-plan.h"
#include "fabric-test-schedule.h"
#include "fabric-test-transport.h"

#include "ns3/fabric-net-device.h"
#include "ns3/nstime.h"
#include "ns3/sending-pdc.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

/**
 * @file
 * @brief Many long flows into one host.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Long flows into one host, observed for a while.
 */
class Incast
{
  public:
    /**
     * @param n senders
     * @param helper policies
     * @param fromUs begin of the observation
     * @param toUs end of it and of the run
     * @param receiverBps rate of the receiver's link
     * @param delayPs of links
     */
    Incast(uint32_t n,
           const FabricHelper& helper,
           int64_t fromUs,
           int64_t toUs,
           uint64_t receiverBps = 100 * GBPS,
           int64_t delayPs = US)
        : m_network(MakePlan(n, receiverBps, delayPs), helper),
          m_n(n)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            m_network.MessagesOf(i).SendAt(0, n, uint64_t{1} << 40, i);
        }
        CallIn(MicroSeconds(fromUs), [this]() { m_before = Count(); });
        const FabricNetDevice* port = m_network.fabric->GetPort(n + 1, n);
        for (int64_t us = fromUs; us < toUs; ++us)
        {
            CallIn(MicroSeconds(us), [this, port]() {
                most = std::max(most, static_cast<double>(port->GetQueue().GetClassBytes(3)));
                least = std::min(least, static_cast<double>(port->GetQueue().GetClassBytes(3)));
                if (onSample)
                {
                    onSample();
                }
            });
        }
        m_toUs = toUs;
        m_fromUs = fromUs;
    }

    /// Run to the end.
    void Run()
    {
        Simulator::Stop(MicroSeconds(m_toUs));
        Simulator::Run();
        const std::vector<uint64_t> after = Count();
        double sum = 0;
        double squares = 0;
        for (uint32_t i = 0; i < m_n; ++i)
        {
            const auto sent = static_cast<double>(after[i] - m_before[i]);
            sum += sent;
            squares += sent * sent;
        }
        jain = sum * sum / (m_n * squares);
        packetsPerUs = static_cast<double>(after[m_n] - m_before[m_n]) /
                       static_cast<double>(m_toUs - m_fromUs);
    }

    /**
     * @tparam T its class
     * @param sender which
     * @return control of a sender
     */
    template <typename T>
    Ptr<T> Control(uint32_t sender) const
    {
        return DynamicCast<T>(
            m_network.Nic(sender).GetSendingPdcs().GetBusy().at(0)->GetCongestionControl());
    }

    /// @return the network
    const TestNetwork& GetNetwork() const
    {
        return m_network;
    }

    std::function<void()> onSample; //!< called each us of the observation
    double most{0};                 //!< bytes in the queue
    double least{1e18};             //!< bytes in the queue
    double jain{0};                 //!< Jain's index of what was sent
    double packetsPerUs{0};         //!< that arrived

  private:
    /**
     * @param n the receiver
     * @param receiverBps rate of its link
     * @param delayPs of links
     * @return hosts 0 to n at switch n + 1
     */
    static FabricGraph MakePlan(uint32_t n, uint64_t receiverBps, int64_t delayPs)
    {
        std::vector<uint64_t> rates(n, 100 * GBPS);
        rates.push_back(receiverBps);
        return MakeStar(rates, delayPs);
    }

    /// @return packets sent by each sender, and packets that arrived
    std::vector<uint64_t> Count() const
    {
        std::vector<uint64_t> counts;
        for (uint32_t i = 0; i < m_n; ++i)
        {
            counts.push_back(m_network.Nic(i).GetCounters().dataSent);
        }
        counts.push_back(m_network.Nic(m_n).GetCounters().dataDelivered);
        return counts;
    }

    TestNetwork m_network;          //!< the network
    uint32_t m_n;                   //!< senders
    int64_t m_fromUs{0};            //!< see Incast()
    int64_t m_toUs{0};              //!< see Incast()
    std::vector<uint64_t> m_before; //!< counts at the begin
};

/**
 * @ingroup dcfabric-tests
 * @brief 16 flows of 200 kB into one host, which are given 20 ms. Alone, its link needs 16 x 200 x
 * 86.56 ns = 277 us.
 */
struct ShortIncast
{
    static constexpr uint32_t N = 16; //!< senders

    /**
     * @param helper policies
     * @param every n-th packet is lost at the switch, 0: none
     */
    explicit ShortIncast(FabricHelper helper, uint32_t every = 0)
        : network(MakeStar(N + 1), WithTimeout(helper))
    {
        uint32_t count = 0;
        if (every > 0)
        {
            AddTap(network, N + 1)->SetRule([&count, every](FabricPacketItem&) {
                return ++count % every != 0;
            });
        }
        for (uint32_t i = 0; i < N; ++i)
        {
            network.MessagesOf(i).SendAt(0, N, 200000, i);
        }
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
    }

    TestNetwork network; //!< as it is then

  private:
    /// @return policies with a time-out of 500 us @param helper they
    static FabricHelper& WithTimeout(FabricHelper& helper)
    {
        helper.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        return helper;
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_INCAST_H */
