// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_BTS_CONTROL_H
#define FABRIC_TEST_BTS_CONTROL_H

#include "fabric-test-congestion.h"

#include "ns3/back-to-sender-signals.h"
#include "ns3/bts-congestion-control.h"
#include "ns3/bts-packet.h"
#include "ns3/test.h"

#include <cmath>
#include <cstdint>
#include <string>

/**
 * @file
 * @brief What the suites of the control that notifications drive share: a sender, and what it
 * hears.
 *
 * The line rate is 100 Gb/s, T 10 us and a packet 1000 B: at R Gb/s the window is 1250 R + 1000 B.
 * Rates in comments are in Gb/s.
 */

namespace ns3::tests
{

using Signals = BackToSenderSignals; //!< short name

/// @return a notification that tells nothing
inline BtsFields
Bare()
{
    return {};
}

/**
 * @param queue it
 * @return a notification that tells of a queue in 1/1024 of a full one
 */
inline BtsFields
QueueOf(uint16_t queue)
{
    BtsFields fields{};
    fields.signals = Signals::QUEUE;
    fields.relativeQueue = queue;
    return fields;
}

/**
 * @param flows active ones
 * @param queue in 1/1024 of a full one
 * @param gradient in Mb/s
 * @return one with all that is told by default, of a link of 100 Gb/s
 */
inline BtsFields
ShareOf(uint16_t flows, uint16_t queue = 1024, int32_t gradient = 1)
{
    BtsFields fields = QueueOf(queue);
    fields.signals |= Signals::FLOWS | Signals::RATE | Signals::GRADIENT;
    fields.activeFlows = flows;
    fields.rateMbps = 100000;
    fields.gradientMbps = gradient;
    return fields;
}

/**
 * @ingroup dcfabric-tests
 * @brief A sender, and what it hears.
 */
class BtsControlTestCase : public ControlTestCase<BtsCongestionControl>
{
  protected:
    using ControlTestCase::ControlTestCase;

    /**
     * @brief A notification arrives.
     * @param ps when
     * @param fields what it tells
     */
    void BtsAt(int64_t ps, const BtsFields& fields)
    {
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
        item->As<BtsFields>() = fields;
        BtsNotice notice = MakeNotice(ps, fields.dropped, fields.marked);
        notice.item = PeekPointer(item);
        m_cc->TellBts(notice);
    }

    /**
     * @brief A notification arrives.
     * @param us when
     * @param fields what it tells
     */
    void Bts(int64_t us, const BtsFields& fields)
    {
        BtsAt(us * US, fields);
    }

    /**
     * @brief A notification of a drop arrives.
     * @param us when
     * @param fields what it tells
     * @param repeated it is the second one of its packet
     */
    void Drop(int64_t us, BtsFields fields, bool repeated = false)
    {
        fields.dropped = true;
        fields.marked = repeated;
        Bts(us, fields);
    }

    /**
     * @brief An ACK arrives.
     * @param ps when
     * @param packets that it answers
     * @param marked of these
     */
    void AckAt(int64_t ps, uint32_t packets, uint32_t marked = 0)
    {
        m_cc->Acknowledge(MakeAck(ps, packets, marked));
    }

    /**
     * @brief An ACK arrives.
     * @param us when
     * @param packets that it answers
     * @param marked of these
     */
    void Ack(int64_t us, uint32_t packets, uint32_t marked = 0)
    {
        AckAt(us * US, packets, marked);
    }

    /**
     * @brief Compare rate and window.
     * @param rate in Gb/s
     * @param what it shows
     */
    void Expect(double rate, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate() / 1e9, rate, 1e-9, what);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(),
                              static_cast<uint64_t>(std::floor(rate * 1250 + 1e-6)) + 1000,
                              what << ": window");
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_BTS_CONTROL_H */
