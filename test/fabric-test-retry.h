// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RETRY_H
#define FABRIC_TEST_RETRY_H

#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/link-retry.h"
#include "ns3/wire-errors.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A link with link-level retry: 100 Gb/s (80 ps a byte), 20 B of gap, 1 us of delay.
 *
 * Frames have 980 B, 80 ns with the gap, and arrive 1080 ns after they begin; an ordered set takes
 * 0.64 ns. Acknowledgements are 2048 B apart, 163.84 ns. A round trip is 2000 + 80 + 80 + 163.84 +
 * 0.64 = 2324.48 ns, and the time without progress twice that, 4648.96 ns.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief Such a link. The left node sends.
 */
class RetryLinkTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    static constexpr int64_t FRAME = 80000;     //!< ps of a frame with its gap
    static constexpr int64_t SET = 640;         //!< ps of an ordered set
    static constexpr int64_t DELAY = 1000000;   //!< ps of the link
    static constexpr int64_t TIMEOUT = 4648960; //!< ps without progress

    /// Sets attributes before the link is used.
    using Setter = std::function<void(LinkRetry&)>;

    /**
     * @brief Lay the link.
     * @param set sets attributes of both ends
     */
    void Create(const Setter& set = nullptr)
    {
        Simulator::Destroy();
        m_link = std::make_unique<TestLink>(100 * GBPS, MicroSeconds(1));
        int end = 0;
        for (const auto& port : {m_link->leftPort, m_link->rightPort})
        {
            m_retry[end] = CreateObject<LinkRetry>();
            if (set)
            {
                set(*m_retry[end]);
            }
            port->SetRetry(m_retry[end]);
            m_retry[end]->SetMaxFrameBytes(980);
            ++end;
        }
    }

    /**
     * @brief Send frames from the left, now.
     * @param count how many
     * @param first tag of the first
     */
    void Send(uint32_t count, uint32_t first = 0)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_link->leftPort->Enqueue(MakeData(980, first + i));
        }
    }

    /**
     * @brief Lose all that arrives at a port in a time.
     * @param port which
     * @param fromPs from when on, in whole ns
     * @param toPs until when, likewise: the simulator may have ticks of 1 ns, and what arrives
     * within one is handled in the next
     */
    static void Lose(Ptr<FabricNetDevice> port, int64_t fromPs, int64_t toPs)
    {
        const Ptr<WireErrors> errors = port->GetWireErrors();
        CallIn(NanoSeconds(fromPs / 1000), [errors]() { errors->SetLoss(1); });
        CallIn(NanoSeconds(toPs / 1000), [errors]() { errors->SetLoss(0); });
    }

    /**
     * @brief Damage all that arrives at a port in a time.
     * @param port which
     * @param fromPs from when on
     * @param toPs until when
     */
    static void Damage(Ptr<FabricNetDevice> port, int64_t fromPs, int64_t toPs)
    {
        const Ptr<WireErrors> errors = port->GetWireErrors();
        CallIn(NanoSeconds(fromPs / 1000), [errors]() { errors->SetCorruption(1); });
        CallIn(NanoSeconds(toPs / 1000), [errors]() { errors->SetCorruption(0); });
    }

    /// @return when frames arrived at the right, in ps; checks that each came once, in order
    std::vector<int64_t> GetArrivals()
    {
        std::vector<int64_t> times;
        for (const auto& arrival : m_link->right->arrivals)
        {
            NS_TEST_EXPECT_MSG_EQ(arrival.packet->data.tag, times.size(), "in order, once");
            times.push_back(arrival.timePs);
        }
        return times;
    }

    /// Forget the link.
    void Clear()
    {
        m_link = nullptr;
        m_retry[0] = nullptr;
        m_retry[1] = nullptr;
        Simulator::Destroy();
    }

    std::unique_ptr<TestLink> m_link; //!< the link
    Ptr<LinkRetry> m_retry[2];        //!< left and right
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_RETRY_H */
