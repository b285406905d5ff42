// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/congestion-signal.h"
#include "ns3/ewma-gate-modifier.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/median-filter-modifier.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a congestion control is told behind a median filter, against numbers worked out by
 * hand.
 */

namespace ns3::tests::median_filter_test
{

/// A congestion control that remembers what it was told.
class ListeningControl : public CongestionControl
{
  public:
    void OnAck(const AckInfo& ack) override
    {
        told = ack;
    }

    void OnCnp(int64_t /* nowPs */) override
    {
        ++cnps;
    }

    void OnLoss(int64_t /* nowPs */, uint64_t /* lostBytes */) override
    {
        ++losses;
    }

    void OnTimeout(int64_t /* nowPs */) override
    {
        ++losses;
    }

    AckInfo told;       //!< the last ACK
    uint32_t cnps{0};   //!< of which it was told
    uint32_t losses{0}; //!< and time-outs

  protected:
    void DoStart() override
    {
    }
};

/**
 * @param signals of the median
 * @return a filter
 */
Ptr<MedianFilterModifier>
MakeFilter(uint32_t signals)
{
    return CreateObjectWithAttributes<MedianFilterModifier>("Signals", UintegerValue(signals));
}

/**
 * @param filter of a connection
 * @return a control behind it, started
 */
Ptr<ListeningControl>
MakeListener(Ptr<MedianFilterModifier> filter)
{
    const auto cc = CreateObject<ListeningControl>();
    cc->AddModifier(filter);
    cc->Start(MakePath(), nullptr);
    return cc;
}

/**
 * @ingroup dcfabric-tests
 * @brief Round trips.
 */
class MedianRttTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Of the last five, and before of those there are the lower median: {10}; {10, 12}; {10,
        // 12, 40}; {10, 11, 12, 40}; {10, 11, 12, 13, 40}; {11, 12, 13, 39, 40}; {11, 13, 38, 39,
        // 40}. One outlier never passes, three of five do.
        Check(5, {10, 12, 40, 11, 13, 39, 38}, {10, 10, 12, 11, 12, 13, 38}, 4);
        Check(1, {10, 12, 40, 11}, {10, 12, 40, 11}, 0);
        // {40}; {10, 40}; {10, 40, 40}; {10, 10, 40}: fewer than it keeps, then as many, then one
        // leaves
        Check(3, {40, 10, 40, 10}, {40, 10, 40, 10}, 0);
        // 10 comes in only when the second 30 goes
        Check(3, {30, 30, 10, 10, 10}, {30, 30, 30, 10, 10}, 1);

        // two connections with one kind of filter know nothing of each other
        const auto one = MakeListener(MakeFilter(3));
        const auto other = MakeListener(MakeFilter(3));
        for (const int64_t us : {10, 10, 50})
        {
            one->Acknowledge(MakeAck(0, 1, 0, us * US));
        }
        other->Acknowledge(MakeAck(0, 1, 0, 50 * US));
        NS_TEST_EXPECT_MSG_EQ(one->told.rttPs, 10 * US, "one");
        NS_TEST_EXPECT_MSG_EQ(other->told.rttPs, 50 * US, "other");
        // one that starts again begins anew
        one->Start(MakePath(), nullptr);
        one->Acknowledge(MakeAck(0, 1, 0, 50 * US));
        NS_TEST_EXPECT_MSG_EQ(one->told.rttPs, 50 * US, "again");

        // What the receiver took is not of the network and is told as it is: delays of 10, 10 and
        // 30 us, of which the last ACK waited for 7 us more: 10 + 7.
        const auto waiting = MakeListener(MakeFilter(3));
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        for (const int64_t us : {10, 10, 30})
        {
            const int64_t waitedUs = us == 30 ? 7 : 0;
            item->echoDelayNs = static_cast<uint32_t>(waitedUs * 1000);
            AckInfo ack = MakeAck(0, 1, 0, (us + waitedUs) * US);
            ack.item = PeekPointer(item);
            waiting->Acknowledge(ack);
        }
        NS_TEST_EXPECT_MSG_EQ(waiting->told.rttPs, 17 * US, "waited at the receiver");
    }

    /**
     * @brief Compare what is told with what should be.
     * @param signals of the median
     * @param cameUs RTTs
     * @param toldUs what is to be told
     * @param acts of these, those that differ
     */
    void Check(uint32_t signals,
               const std::vector<int64_t>& cameUs,
               const std::vector<int64_t>& toldUs,
               uint64_t acts)
    {
        const auto filter = MakeFilter(signals);
        const auto cc = MakeListener(filter);
        for (size_t i = 0; i < cameUs.size(); ++i)
        {
            AckInfo ack = MakeAck(static_cast<int64_t>(i) * US, 1, 0, cameUs[i] * US);
            ack.ackedPayload = 1000 + i;
            cc->Acknowledge(ack);
            NS_TEST_EXPECT_MSG_EQ(cc->told.rttPs, toldUs[i] * US, signals << ", " << i);
            NS_TEST_EXPECT_MSG_EQ(cc->told.ackedPayload, 1000 + i, "all else is as it came");
            NS_TEST_EXPECT_MSG_EQ(cc->told.nowPs, static_cast<int64_t>(i) * US, "and when");
        }
        NS_TEST_EXPECT_MSG_EQ(filter->GetNActs(), acts, signals);
        NS_TEST_EXPECT_MSG_EQ(filter->GetNWithheld(), 0, "it withholds no cut");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Marks, CNPs and losses.
 */
class MedianMarksTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Of three: no, yes, yes, no, no. {0}; {0, 1}: 0; {0, 1, 1}: 1; {1, 1, 0}: 1; {1, 0, 0}: 0.
        const auto cc = MakeListener(MakeFilter(3));
        uint32_t n = 0;
        for (const auto& [came, told] :
             std::vector<std::pair<uint32_t, uint32_t>>{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}})
        {
            AckInfo ack = MakeAck(0, 1, came, 10 * US);
            ack.triggerMarked = came > 0;
            cc->Acknowledge(ack);
            NS_TEST_EXPECT_MSG_EQ(cc->told.markedPackets, told, "ACK " << n);
            NS_TEST_EXPECT_MSG_EQ(cc->told.triggerMarked, (told > 0), "ACK " << n);
            ++n;
        }

        // Parts of ACKs of several packets: 1/4, 3/4, 1/2 of 8, 2, 4: {1/4}; {1/4, 3/4}: 1/4; all:
        // 1/2. An ACK that answers no packet has no part and changes none: still 1/2, of 4 packets
        // when the next comes ({3/4, 1/2, 0}).
        const auto parts = MakeListener(MakeFilter(3));
        const auto feed = [&parts](uint32_t covered, uint32_t marked) {
            parts->Acknowledge(MakeAck(0, covered, marked, 10 * US));
            return parts->told.markedPackets;
        };
        NS_TEST_EXPECT_MSG_EQ(feed(8, 2), 2, "1/4 of 8");
        NS_TEST_EXPECT_MSG_EQ(feed(4, 3), 1, "1/4 of 4");
        NS_TEST_EXPECT_MSG_EQ(feed(0, 0), 0, "of none");
        NS_TEST_EXPECT_MSG_EQ(feed(2, 1), 1, "1/2 of 2");
        NS_TEST_EXPECT_MSG_EQ(feed(4, 0), 2, "1/2 of 4");

        // A CNP is of a marked packet, the newest: with nothing before, {1}, it passes; behind one
        // ACK without a mark, {0, 1}, not; behind a mark and two, {1, 1} of the last three, it
        // does.
        for (const auto& [before, passes] :
             std::vector<std::pair<std::vector<bool>, uint32_t>>{{{}, 1},
                                                                 {{false}, 0},
                                                                 {{true}, 1},
                                                                 {{false, false, true}, 1},
                                                                 {{true, false, false}, 0}})
        {
            const auto filter = MakeFilter(3);
            const auto listener = MakeListener(filter);
            for (const bool marked : before)
            {
                AckInfo ack = MakeAck(0, 1, marked, 10 * US);
                ack.triggerMarked = marked;
                listener->Acknowledge(ack);
            }
            const uint64_t acts = filter->GetNActs();
            listener->TellCnp(1);
            NS_TEST_EXPECT_MSG_EQ(listener->cnps, passes, before.size() << " ACKs");
            NS_TEST_EXPECT_MSG_EQ(filter->GetNActs() - acts, 1 - passes, "counted");
            listener->TellCnp(2);
            NS_TEST_EXPECT_MSG_EQ(listener->cnps, 2 * passes, "it does not count as an ACK");
        }

        // losses and time-outs are told, and change no median
        const auto losing = MakeListener(MakeFilter(3));
        losing->Acknowledge(MakeAck(0, 1, 0, 10 * US));
        losing->TellLoss(1, 1000);
        losing->TellTimeout(2);
        NS_TEST_EXPECT_MSG_EQ(losing->losses, 2, "told");
        losing->Acknowledge(MakeAck(3, 1, 0, 50 * US));
        NS_TEST_EXPECT_MSG_EQ(losing->told.rttPs, 10 * US, "the signals are still there");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief U of HPCC, gates in front, and refusals.
 */
class MedianUtilizationTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // T = 10 us at 100 Gb/s. Records every 10 us, so that each measurement counts whole: u is
        // (bytes sent + the shorter of both queues) / 125,000 B.
        const auto format = ExactFormat();
        const auto cc = CreateObject<HpccCongestionControl>();
        const auto filter = MakeFilter(3);
        cc->AddModifier(filter);
        cc->Start(MakePath(100 * GBPS, 10 * US, format), nullptr);
        IntAckSource acks(cc, format);
        const std::vector<uint64_t> queues{0, 0, 125000, 125000, 0, 125000, 125000, 125000};
        const std::vector<double> medians{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.5};
        // u: 0.5 (queues 0, 0), 0.5 (0, 125000), 1.5, 0.5 (125000, 0), 0.5 (0, 125000), 1.5, 1.5:
        // {0.5}, {0.5, 0.5}, {0.5, 0.5, 1.5}, {0.5, 1.5, 0.5}, {1.5, 0.5, 0.5}, {0.5, 0.5, 1.5},
        // {0.5, 1.5, 1.5}
        for (size_t i = 0; i < queues.size(); ++i)
        {
            const auto us = static_cast<int64_t>(10 * i);
            acks.Feed((us + 20) * US,
                      1000 * (i + 1),
                      1000000,
                      {{us * US, 62500 * i, queues[i], 100 * GBPS}});
            if (i > 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(cc->GetUtilization(), medians[i - 1], 1e-12, "U " << i);
            }
        }

        // a gate is told what came, whichever of both is installed first
        for (const bool filterFirst : {false, true})
        {
            const auto gate = CreateObjectWithAttributes<EwmaGateModifier>(
                "Signal",
                PointerValue(CreateObject<RttExcessSignal>()));
            const std::vector<Ptr<CongestionModifier>> both{gate, MakeFilter(5)};
            const auto listener = CreateObject<ListeningControl>();
            listener->AddModifier(both[filterFirst]);
            listener->AddModifier(both[!filterFirst]);
            listener->Start(MakePath(), nullptr);
            listener->Acknowledge(MakeAck(0, 1, 0, 10 * US));
            listener->Acknowledge(MakeAck(1 * US, 1, 0, 40 * US));
            NS_TEST_EXPECT_MSG_EQ(listener->told.rttPs, 10 * US, "the median");
            NS_TEST_EXPECT_MSG_GT(gate->GetAverage(), 0, "what came");
        }

        for (const uint32_t even : {2, 4, 1022})
        {
            DCFABRIC_EXPECT_REFUSAL(MakeListener(MakeFilter(even)),
                                    "Signals of " + std::to_string(even) + " is even");
        }
        const auto links =
            CreateObjectWithAttributes<HpccCongestionControl>("PerLink", BooleanValue(true));
        links->AddModifier(MakeFilter(3));
        DCFABRIC_EXPECT_REFUSAL(links->Start(MakePath(100 * GBPS, 10 * US, format), nullptr),
                                "PerLink keeps a U for each link");
    }
};

/// The median filter.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new MedianRttTestCase(
        "median filter: RTTs; first ones, outliers, several connections, waits at receivers"));
    suite.AddTestCase(new MedianMarksTestCase(
        "median filter: marks of one packet and of several, CNPs; losses are told"));
    suite.AddTestCase(new MedianUtilizationTestCase("median filter: U, gates beside it, refusals"));
});

} // namespace ns3::tests::median_filter_test
