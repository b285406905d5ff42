// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_CREDITS_H
#define FABRIC_TEST_CREDITS_H

#include "fabric-test-network.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"

#include "ns3/credit-flow-control.h"
#include "ns3/error-model.h"
#include "ns3/link-flow-control.h"

#include <cstdint>
#include <list>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A link with credits: 100 Gb/s (80 ps a byte), 20 B of gap, 1 us of delay.
 *
 * Packets have 980 B: 80,000 ps; a unit is 980 B unless said otherwise, so that a credit is a
 * packet. The left node sends; at the right one the output of a packet is its destination, and what
 * goes to the outputs below 10 is released at once.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A node whose outputs are the destinations.
 */
class OutputActor : public RecordingActor
{
  public:
    uint16_t PredictPort(const FabricPacketItem& item) const override
    {
        ++nPredictions;
        return static_cast<uint16_t>(item.dst);
    }

    mutable uint64_t nPredictions{0}; //!< calls of PredictPort()
};

/**
 * @ingroup dcfabric-tests
 * @brief A link with credits at both ends.
 * @tparam Credits a flow control
 */
template <typename Credits>
class CreditLinkTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /**
     * @brief Send packets from the left as soon as they may.
     * @param count how many
     */
    virtual void Send(uint32_t count) = 0;

    /**
     * @brief Lay the link.
     * @param packets buffer
     * @param initialTotal attribute
     * @param known the ends have been told of each other
     * @param unitBytes attribute
     */
    void Create(uint32_t packets,
                uint32_t initialTotal = 0,
                bool known = false,
                uint32_t unitBytes = 980)
    {
        m_left = MakeActor(0);
        m_right = CreateObject<OutputActor>();
        m_right->Attach(CreateObject<Node>(), 1);
        m_leftPort = AddPort(m_left, 100 * GBPS);
        m_rightPort = AddPort(m_right, 100 * GBPS);
        Join(m_leftPort, m_rightPort, MicroSeconds(1));
        int end = 0;
        for (const auto& port : {m_leftPort, m_rightPort})
        {
            m_credits[end] = CreateObject<Credits>();
            m_credits[end]->SetAttribute("UnitBytes", UintegerValue(unitBytes));
            m_credits[end]->SetAttribute("BufferBytes", UintegerValue(980 * packets));
            m_credits[end]->SetAttribute("ReturnBytes", UintegerValue(unitBytes));
            m_credits[end]->SetAttribute("InitialTotal", UintegerValue(initialTotal));
            port->SetFlowControl(m_credits[end]);
            m_credits[end]->SetMaxFrameBytes(980);
            ++end;
        }
        if (known)
        {
            m_credits[0]->LearnPeer(*m_credits[1]);
            m_credits[1]->LearnPeer(*m_credits[0]);
        }
        CallIn(Seconds(0), [this]() {
            m_credits[0]->Start();
            m_credits[1]->Start();
        });
        m_right->onReceive = [](FabricNetDevice& port, Ptr<FabricPacketItem> item) {
            if (item->dst < 10)
            {
                port.GetFlowControl()->OnBufferReleased(*item, item->size);
            }
        };
    }

    /**
     * @brief Lose what arrives at a port.
     * @param port which
     * @param which by number from 0
     */
    static void Lose(Ptr<FabricNetDevice> port, const std::list<uint32_t>& which)
    {
        Ptr<ReceiveListErrorModel> errors = CreateObject<ReceiveListErrorModel>();
        errors->SetList(which);
        port->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    }

    /**
     * @param output of which
     * @param transmissionPs of a packet without its gap
     * @return when packets that arrived at the right were begun, in ps
     */
    std::vector<int64_t> GetBegun(uint32_t output = 1, int64_t transmissionPs = 80000) const
    {
        std::vector<int64_t> times;
        for (const auto& arrival : m_right->arrivals)
        {
            if (arrival.packet->dst == output)
            {
                times.push_back(arrival.timePs - 1000000 - transmissionPs);
            }
        }
        return times;
    }

    /// Write down the credits of class 3 that the left end uses.
    void NoteUsed()
    {
        m_credits[0]->TraceConnectWithoutContext("UsedCredits",
                                                 MakeCallback(&CreditLinkTestCase::Note, this));
    }

    /**
     * @brief Check when each of 90 packets begins, for buffers of 1 to 100.
     *
     * A packet's credit is back 80,000 + 1,000,000 (packet) + framePs after it began. 26 packets
     * take 2,080,000 ps, which is less, 27 take 2,160,000 ps. At line rate the left end's own
     * frame, after two buffers full, takes its time of the wire; with fewer credits it falls into a
     * pause.
     * @tparam F takes a number
     * @param framePs from the begin of a credit frame to its arrival, below 1,080,000
     * @param check what else to check at the end, by the buffer in packets
     */
    template <typename F>
    void CheckRate(int64_t framePs, F check)
    {
        for (const uint32_t buffer : {1, 2, 13, 26, 27, 28, 100})
        {
            // totals wrap after 16 packets, which may be within the first buffer
            for (const auto& [initial, known] :
                 std::vector<std::pair<uint32_t, bool>>{{0, false},
                                                        {0xfffffff0U, false},
                                                        {0, true},
                                                        {0xfffffff0U, true}})
            {
                Create(buffer, initial, known);
                Send(90);
                Simulator::Run();
                const std::vector<int64_t> begun = GetBegun();
                NS_TEST_ASSERT_MSG_EQ(begun.size(), 90, "all, buffer " << buffer);
                for (uint32_t i = 0; i < 90; ++i)
                {
                    const int64_t expected =
                        (known ? 0 : framePs) +
                        (buffer >= 27
                             ? i * int64_t{80000} + i / (2 * buffer) * (framePs - 1000000)
                             : i / buffer * (1080000 + framePs) + i % buffer * int64_t{80000});
                    NS_TEST_EXPECT_MSG_EQ(begun[i],
                                          expected,
                                          "packet " << i << ", buffer " << buffer
                                                    << ", totals from " << initial << ", known "
                                                    << known);
                }
                NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetUsedUnits(3), 0, "none used");
                NS_TEST_EXPECT_MSG_EQ(m_credits[0]->GetNRequests(), 0, "nobody had to ask");
                check(buffer);
                Clear();
            }
        }
    }

    /// Forget the link.
    void Clear()
    {
        m_left = nullptr;
        m_right = nullptr;
        m_leftPort = nullptr;
        m_rightPort = nullptr;
        m_credits[0] = nullptr;
        m_credits[1] = nullptr;
        m_used.clear();
        Simulator::Destroy();
    }

    Ptr<RecordingActor> m_left;       //!< one node
    Ptr<OutputActor> m_right;         //!< other node
    Ptr<FabricNetDevice> m_leftPort;  //!< its port
    Ptr<FabricNetDevice> m_rightPort; //!< its port
    Ptr<Credits> m_credits[2];        //!< left and right
    std::vector<uint32_t> m_used;     //!< by class 3 at the left, at each change

  private:
    /**
     * @brief Write down.
     * @param priority class
     * @param units used
     */
    void Note(Ptr<const FabricNetDevice> /* device */, uint8_t priority, uint32_t units)
    {
        if (priority == 3)
        {
            m_used.push_back(units);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The left end sends as long as there are credits.
 */
class CreditTestCase : public CreditLinkTestCase<CreditFlowControl>
{
  public:
    using CreditLinkTestCase::CreditLinkTestCase;

  protected:
    void Send(uint32_t count) override
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            m_leftPort->Enqueue(MakeData(980, i));
        }
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_CREDITS_H */
