// SPDX-License-Identifier: GPL-2.0-only
#include "../fabric-test-suite.h"

#include "ns3/double.h"
#include "ns3/rcm-region.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Place of an output in a congested region, against numbers worked out by hand and the whole
 * history.
 */

namespace ns3::tests::rcm_region_test
{

const FlowKey A{1, 9, 100};         //!< a flow
const FlowKey B{2, 9, 100};         //!< another one
const FlowKey C{3, 9, 100};         //!< a third one
constexpr int64_t LIFE = 200000000; //!< RemoteTimeout in ps

/**
 * @param queue output of the neighbor
 * @param degree quantized
 * @param flows harmful ones
 * @return a notification
 */
HopCongestionNotification
Make(uint16_t queue, uint8_t degree, const std::vector<FlowKey>& flows = {})
{
    HopCongestionNotification notification;
    notification.queue = queue;
    notification.degree = degree;
    notification.flows = flows;
    return notification;
}

/**
 * @ingroup dcfabric-tests
 * @brief Flags and the role that follows from them.
 */
class RcmRoleTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        RcmRegion region(*p);
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::OUTSIDE, "no flag");
        region.SetLocal(3, 0.5);
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::ROOT, "local only");
        region.SetLocal(0, 0.2);
        NS_TEST_EXPECT_MSG_EQ(region.GetLocalDegree(), 0.5, "the larger one");
        region.GetNeighbor().OnNotification(Make(7, 63), 0);
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::INNER, "both");
        region.SetLocal(3, 0);
        NS_TEST_EXPECT_MSG_EQ(region.GetLocalDegree(), 0.2, "the other queue still is");
        region.SetLocal(0, 0);
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::EDGE, "remote only");
        region.GetNeighbor().OnNotification(Make(7, 0), 1);
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::OUTSIDE, "none");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Equation 2.
 */
class RcmMixTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>(); // w = 0.5
        RcmRegion region(*p);
        NS_TEST_EXPECT_MSG_EQ(region.Mix(0.6), 0.6, "none: Fb");
        region.GetNeighbor().OnNotification(Make(0, 63), 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(region.Mix(0.6), 0.8, 1e-12, "0.5 x 0.6 + 0.5 x 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(region.Mix(0), 0.5, 1e-12, "edge: 0.5 x 1");
        p->SetAttribute("RemoteWeight", DoubleValue(0.25));
        region.GetNeighbor().OnNotification(Make(0, 21), 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(region.Mix(0.6), 0.45 + 0.25 / 3, 1e-12, "0.75 x 0.6 + 0.25 / 3");
        p->SetAttribute("RemoteWeight", DoubleValue(1));
        NS_TEST_EXPECT_MSG_EQ_TOL(region.Mix(0.6), 1.0 / 3, 1e-12, "Fbr only");
        p->SetAttribute("RemoteWeight", DoubleValue(0));
        NS_TEST_EXPECT_MSG_EQ_TOL(region.Mix(0.6), 0.6, 1e-12, "Fb only");
        p->SetAttribute("RemoteWeight", DoubleValue(0.5));
        region.GetNeighbor().Expire(1 + LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.Mix(0.6), 0.6, "no longer valid: Fb");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Notifications that are lost, late, twice, simultaneous.
 */
class RcmLifeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>(); // 200 us
        RcmRegion region(*p);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().Expire(0), false, "nothing to forget");
        region.GetNeighbor().OnNotification(Make(0, 10), 0);
        region.GetNeighbor().OnNotification(Make(0, 10), 0);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(), 2, "twice");
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().Expire(LIFE - 1), false, "still valid");
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::EDGE, "still valid");
        // the end is lost
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().Expire(LIFE), true, "timed out");
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().Expire(LIFE), false, "once");
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::OUTSIDE, "timed out");
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(), 0, "timed out");
        region.GetNeighbor().OnNotification(Make(0, 0), LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.GetRole(), RcmRegion::OUTSIDE, "the end is late");
        region.GetNeighbor().OnNotification(Make(0, 20), 5 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(), 1, "counts anew");
        region.GetNeighbor().OnNotification(Make(0, 5), 5 * LIFE + 9);
        NS_TEST_EXPECT_MSG_EQ_TOL(region.GetRemoteDegree(), 5.0 / 63, 1e-12, "the latest");
        region.GetNeighbor().Expire(6 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(),
                              2,
                              "the second one prolongs");
        // the next one comes after a silence, and nobody has looked meanwhile
        region.GetNeighbor().OnNotification(Make(0, 5), 8 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(), 1, "counts anew");

        // two outputs of the neighbor at the same time
        region.GetNeighbor().OnNotification(Make(4, 60), 8 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(), 2, "of both");
        NS_TEST_EXPECT_MSG_EQ_TOL(region.GetRemoteDegree(), 60.0 / 63, 1e-12, "the larger one");
        region.GetNeighbor().OnNotification(Make(1, 0), 8 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().GetNNotifications(),
                              2,
                              "the end of a third one");
        region.GetNeighbor().OnNotification(Make(4, 0), 8 * LIFE);
        NS_TEST_EXPECT_MSG_EQ_TOL(region.GetRemoteDegree(), 5.0 / 63, 1e-12, "the other goes on");
        NS_TEST_EXPECT_MSG_EQ(region.GetNeighbor().Expire(9 * LIFE), true, "and times out");

        // no output: no way for these flows
        NeighborCongestion& neighbor = region.GetNeighbor();
        neighbor.OnNotification(Make(FabricPacketItem::NO_PORT, 63, {A}), 10 * LIFE);
        neighbor.OnNotification(Make(0, 5, {A, B}), 10 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(neighbor.HasNoWay(A), true, "named for no output, too");
        NS_TEST_EXPECT_MSG_EQ(neighbor.HasNoWay(B), false, "named, but for an output");
        NS_TEST_EXPECT_MSG_EQ(neighbor.HasNoWay(C), false, "not named");
        neighbor.Expire(11 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(neighbor.HasNoWay(A), false, "forgotten");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief At the edge and within, the IDs of the root replace the own ones.
 */
class RcmReplaceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        p->SetAttribute("CamDepth", UintegerValue(8));
        p->SetAttribute("MinHits", UintegerValue(3));
        p->SetAttribute("MaxFlows", UintegerValue(4));
        RcmRegion region(*p);
        const auto sample = [&region](const FlowKey& flow, int count) {
            for (int i = 0; i < count; ++i)
            {
                region.OnPacket(flow, 1000000, 0.5); // each is sampled
            }
        };
        sample(B, 100);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), false, "not congested");
        region.SetLocal(0, 0.1);
        sample(A, 7);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), false, "7 of 8 samples since then");
        region.SetLocal(1, 0.2);
        sample(A, 1);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "recognized");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), false, "of the time before");
        sample(B, 100);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "though it is held and hardly sampled");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), false, "takes the room that A leaves");
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{A}), true, "A");
        region.GetNeighbor().OnNotification(Make(0, 1, {B}), 0);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), false, "A is a victim");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), true, "B was named");
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{B}), true, "root");
        region.GetNeighbor().OnNotification(Make(5, 1, {A, B}), 0);
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{B, A}),
                              true,
                              "of both outputs, each once");
        // the root names those that it recognizes now; the others may be so again next time
        region.GetNeighbor().OnNotification(Make(5, 1, {B}), LIFE / 2);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "was named not long ago");
        region.GetNeighbor().OnNotification(Make(0, 0), LIFE / 2);
        region.GetNeighbor().OnNotification(Make(5, 0), LIFE / 2);
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{A}),
                              true,
                              "own again: the region is over");
        region.GetNeighbor().OnNotification(Make(5, 1), LIFE - 1);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "named at 0, though not by this one");
        region.GetNeighbor().Expire(LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), false, "named too long ago");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), true, "named at half that time");
        region.GetNeighbor().Expire(2 * LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "own again: nobody tells any more");
        region.Recognize();
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{B}),
                              true,
                              "those of the samples that there are now");
        region.SetLocal(0, 0);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), false, "the output queue is free");
        region.Recognize();
        sample(B, 8);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(B), false, "though that of an input is not");
        region.SetLocal(0, 1);
        sample(A, 8);
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{A}), true, "anew");
        region.SetLocal(0, 0);
        region.SetLocal(1, 0);

        std::vector<FlowKey> six;
        for (uint32_t src = 1; src <= 6; ++src)
        {
            six.push_back({src, 9, 100});
        }
        region.GetNeighbor().OnNotification(Make(0, 1, six), 2 * LIFE);
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == six), true, "all are held here");
        NS_TEST_EXPECT_MSG_EQ(region.TakeHarmful(7).empty(), true, "none has come by there");
        for (uint32_t src = 2; src <= 6; ++src)
        {
            region.GetNeighbor().OnArrival({src, 9, 100}, 7);
        }
        region.GetNeighbor().OnArrival({1, 9, 100}, 8);
        NS_TEST_EXPECT_MSG_EQ((region.TakeHarmful(8) == std::vector<FlowKey>{six[0]}),
                              true,
                              "that of the input");
        NS_TEST_EXPECT_MSG_EQ(
            (region.TakeHarmful(7) == std::vector<FlowKey>{six[1], six[2], six[3], six[4]}),
            true,
            "MaxFlows are passed on");
        NS_TEST_EXPECT_MSG_EQ(
            (region.TakeHarmful(7) == std::vector<FlowKey>{six[5], six[1], six[2], six[3]}),
            true,
            "then others");
        region.GetNeighbor().OnArrival({2, 9, 100}, 8);
        NS_TEST_EXPECT_MSG_EQ((region.TakeHarmful(8) == std::vector<FlowKey>{six[0], six[1]}),
                              true,
                              "moved on its way to here");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow that stood out, was held and does not stand out any more: others are no more
 * harmful for it until it is clear what the flow does when it is not held.
 */
class RcmDoubtTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        p->SetAttribute("CamDepth", UintegerValue(8));
        RcmRegion region(*p);
        const auto sample = [&region](int a, int b) {
            for (int i = 0; i < a + b; ++i)
            {
                region.OnPacket(i < a ? A : B, 1000000, 0.5, 1); // each is sampled
            }
        };
        region.SetLocal(0, 0.1);
        sample(8, 0);
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), true, "alone");
        sample(4, 4);
        region.Recognize(); // a cut is due
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), false, "4 each; 4 + 2 x 2 would stand out");
        NS_TEST_EXPECT_MSG_EQ(region.CollectHeld().empty(), true, "let go");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "but still the one");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), true, "B is no more harmful than before");
        sample(3, 4);
        region.Recognize();
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), true, "7 of 8 samples since then");
        sample(1, 0);
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), false, "4 each: no more than the mean");
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{A, B}), true, "all");
        sample(8, 0);
        sample(4, 4);
        region.Recognize();
        sample(5, 3);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), true, "5 of a mean of 4");
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), false, "nor does A");
        sample(4, 4);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), false, "4 of 4");
        sample(8, 0);
        sample(4, 4);
        region.Recognize();
        sample(8, 0);
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), true, "A again");
        sample(4, 4);
        region.Recognize();
        region.SetLocal(0, 0);
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), false, "the output queue is free");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Equal flows whose lines are no faster than the output did not congest it.
 */
class RcmLeftoverTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        p->SetAttribute("CamDepth", UintegerValue(8));
        // output 0 with 100 Gb/s, inputs with 50, 50 and 25
        std::vector<uint64_t> rates{100, 50, 50, 25};
        RcmRegion region(*p, &rates, 0);
        const auto sample = [&region](const FlowKey& flow, uint16_t input) {
            for (int i = 0; i < 4; ++i)
            {
                region.OnPacket(flow, 1000000, 0.5, input); // each is sampled
            }
        };
        region.SetLocal(0, 0.1);
        sample(A, 1);
        sample(B, 2);
        // 4 each; 4 + 2 x 2 = 8 would stand out. 50 + 50 Gb/s are not more than 100
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), true, "nobody");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), false, "cannot congest");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(A), true, "is not to be marked");
        NS_TEST_EXPECT_MSG_EQ(region.CollectHarmful().empty(), true, "nobody");
        NS_TEST_EXPECT_MSG_EQ(region.TakeHarmful(1).empty(), true, "nobody is named");
        NS_TEST_EXPECT_MSG_EQ(region.CollectHeld().empty(), true, "nobody is held");
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), false, "equal");
        NS_TEST_EXPECT_MSG_EQ(region.GetNSharing(), 2, "A and B");
        sample(A, 1);
        sample(C, 3);
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), true, "50 + 25");
        rates[0] = 74; // the line has become slower
        sample(A, 1);
        sample(C, 3);
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), false, "50 + 25 are more than 74");
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{C, A}), true, "all");
        rates[0] = 100;
        for (int i = 0; i < 2; ++i)
        {
            sample(A, 1);
        }
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), true, "alone, be it no faster");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), true, "as ever");
        region.SetLocal(0, 0);
        region.SetLocal(0, 0.1);
        sample(A, 1);
        sample(B, 2);
        // what the neighbor tells is of the neighbor's output
        region.GetNeighbor().OnNotification(Make(0, 1), 0);
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), false, "somebody, there");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(A), false, "perhaps A");

        // those that were named while nobody was known are forgotten once somebody is
        NeighborCongestion& neighbor = region.GetNeighbor();
        HopCongestionNotification known = Make(0, 1, {C});
        known.isKnown = true;
        neighbor.OnNotification(Make(0, 1, {A}), 0);
        neighbor.OnNotification(Make(5, 1, {B}), 0);
        neighbor.OnNotification(known, 0);
        NS_TEST_EXPECT_MSG_EQ((neighbor.CollectFlows() == std::vector<FlowKey>{B, C}),
                              true,
                              "C, and what another output has named");
        known.flows.clear();
        neighbor.OnNotification(known, 0);
        NS_TEST_EXPECT_MSG_EQ(neighbor.Names(C), true, "was known, and is remembered");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Equal flows, one that stands out of them, and who is harmless.
 */
class RcmEqualTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        p->SetAttribute("CamDepth", UintegerValue(8));
        RcmRegion region(*p);
        const auto sample = [&region](const FlowKey& flow, int count, uint16_t input) {
            for (int i = 0; i < count; ++i)
            {
                region.OnPacket(flow, 1000000, 0.5, input); // each is sampled
            }
        };
        const FlowKey never{7, 9, 100};
        region.SetLocal(0, 0.1);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(never), false, "nobody is known yet");
        sample(A, 4, 1);
        sample(B, 4, 2);
        // 4 each; 4 + 2 x 2 = 8 would stand out
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{B, A}), true, "all");
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), false, "equal");
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), false, "equal");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(never), false, "no better than those");
        NS_TEST_EXPECT_MSG_EQ(region.CollectHeld().empty(), true, "nobody would gain by it");
        NS_TEST_EXPECT_MSG_EQ((region.TakeHarmful(1) == std::vector<FlowKey>{A}), true, "of 1");
        NS_TEST_EXPECT_MSG_EQ((region.TakeHarmful(2) == std::vector<FlowKey>{B}), true, "of 2");
        NS_TEST_EXPECT_MSG_EQ(region.TakeHarmful(3).empty(), true, "of 3");
        // equal ones are looked at again after each 8 samples, also while they are held
        sample(C, 7, 3);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(C), false, "7 of 8 samples since then");
        sample(B, 1, 2);
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), false, "7 of 4 + 2 x 2");
        NS_TEST_EXPECT_MSG_EQ((region.CollectHarmful() == std::vector<FlowKey>{C, B}), true, "now");
        sample(C, 8, 3);
        NS_TEST_EXPECT_MSG_EQ(region.StandsOut(), true, "alone");
        NS_TEST_EXPECT_MSG_EQ((region.CollectHeld() == std::vector<FlowKey>{C}), true, "held");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(C), false, "it is the one");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(never), true, "all others are harmless");
        sample(A, 100, 1);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(C), true, "one that stands out stays");
        region.SetLocal(0, 0);
        NS_TEST_EXPECT_MSG_EQ(region.KnowsHarmful(), false, "over");

        // told: those that were named, and then the others are harmless for as long as it is known
        region.GetNeighbor().OnNotification(Make(0, 9), 0);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(A), false, "named nobody");
        HopCongestionNotification known = Make(0, 9);
        known.isKnown = true;
        region.GetNeighbor().OnNotification(known, 0);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(A), true, "it is those of other inputs");
        region.GetNeighbor().OnNotification(Make(0, 9, {A}), 0);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(A), false, "named");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), true, "not named");
        region.GetNeighbor().OnNotification(Make(0, 0), 1);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), true, "over, but may begin again");
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmful(A), false, "over");
        region.GetNeighbor().Expire(LIFE);
        NS_TEST_EXPECT_MSG_EQ(region.IsHarmless(B), false, "forgotten");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random notifications against the whole history.
 */
class RcmRegionPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// A notification that came.
    struct Event
    {
        int64_t timePs;                         //!< when
        HopCongestionNotification notification; //!< what
    };

    void DoRun() override
    {
        const uint32_t seed = 3105;
        std::cout << "dcfabric-rcm-region: seed " << seed << std::endl;
        std::mt19937 random(seed);
        for (int run = 0; run < 100; ++run)
        {
            Ptr<RcmParameters> p = CreateObject<RcmParameters>();
            RcmRegion region(*p);
            std::vector<Event> history;
            int64_t nowPs = 0;
            for (int step = 0; step < 150; ++step)
            {
                nowPs += random() % 4 == 0 ? 0 : random() % LIFE;
                const auto queue = static_cast<uint16_t>(random() % 3);
                const auto degree = static_cast<uint8_t>(random() % 3 == 0 ? 0 : random() % 64);
                history.push_back({nowPs, Make(queue, degree, {{1 + degree % 5U, 9, 100}})});
                region.GetNeighbor().OnNotification(history.back().notification, nowPs);
                nowPs += random() % 2 == 0 ? 0 : random() % LIFE;
                region.GetNeighbor().Expire(nowPs);

                double remote = 0;
                uint32_t count = 0;
                std::set<uint32_t> named;
                for (uint16_t out = 0; out < 3; ++out)
                {
                    uint32_t told = 0;
                    int64_t lapsePs = 0;
                    const HopCongestionNotification* last = nullptr;
                    for (const Event& event : history)
                    {
                        if (event.notification.queue == out)
                        {
                            told = event.notification.degree == 0 ? 0
                                   : event.timePs >= lapsePs      ? 1
                                                                  : told + 1;
                            lapsePs = told > 0 ? event.timePs + LIFE : 0;
                            last = &event.notification;
                        }
                        if (event.notification.degree > 0 && nowPs < event.timePs + LIFE)
                        {
                            named.insert(event.notification.flows[0].src);
                        }
                    }
                    if (told > 0 && nowPs < lapsePs)
                    {
                        remote = std::max(remote, last->degree / 63.0);
                        count += told;
                    }
                }
                if (remote == 0)
                {
                    named.clear();
                }
                NS_TEST_ASSERT_MSG_EQ_TOL(region.GetRemoteDegree(), remote, 1e-12, "run " << run);
                NS_TEST_ASSERT_MSG_EQ(region.GetNeighbor().GetNNotifications(),
                                      count,
                                      "run " << run);
                NS_TEST_ASSERT_MSG_EQ(region.CollectHarmful().size(), named.size(), "run " << run);
                for (uint32_t src = 1; src <= 5; ++src)
                {
                    NS_TEST_ASSERT_MSG_EQ(region.IsHarmful({src, 9, 100}),
                                          (named.count(src) == 1),
                                          "run " << run);
                }
            }
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief When flows are to leave an output.
 */
class RcmDetourSignsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RcmParameters> p = CreateObject<RcmParameters>();
        RcmRegion told(*p);
        NS_TEST_EXPECT_MSG_EQ(told.CallsForDetours(0), false, "none");
        told.GetNeighbor().OnNotification(Make(0, 63), 0);
        NS_TEST_EXPECT_MSG_EQ(told.CallsForDetours(0), false, "notified once");
        told.GetNeighbor().OnNotification(Make(0, 1), 0);
        NS_TEST_EXPECT_MSG_EQ(told.CallsForDetours(0), true, "again");
        told.GetNeighbor().OnNotification(Make(0, 0), 0);
        NS_TEST_EXPECT_MSG_EQ(told.CallsForDetours(0), false, "over");
        RcmRegion own(*p);
        NS_TEST_EXPECT_MSG_EQ(own.CallsForDetours(90000), false, "0.9 of 100000");
        NS_TEST_EXPECT_MSG_EQ(own.CallsForDetours(90001), true, "beyond");
        own.SetLocal(3, 0.1);
        NS_TEST_EXPECT_MSG_EQ(own.CallsForDetours(0), true, "congested itself");
        p->SetAttribute("DetourDegree", DoubleValue(0.5));
        told.GetNeighbor().OnNotification(Make(0, 31), 0);
        NS_TEST_EXPECT_MSG_EQ(told.CallsForDetours(0), false, "31/63 is not severe");
        told.GetNeighbor().OnNotification(Make(0, 0), 0);
        told.GetNeighbor().OnNotification(Make(0, 32), 0);
        NS_TEST_EXPECT_MSG_EQ(told.CallsForDetours(0), true, "32/63 is");
    }
};

/// Flags and degree of an output.
const SuiteCases g_cases("dcfabric-rcm", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new RcmRoleTestCase("flags to roles, largest degree of the queues"));
    suite.AddTestCase(new RcmMixTestCase("regional degree with and without a valid notification"));
    suite.AddTestCase(new RcmLifeTestCase("life of the remote flag"));
    suite.AddTestCase(new RcmReplaceTestCase("which flows are harmful"));
    suite.AddTestCase(new RcmEqualTestCase("equal flows, one that stands out, harmless ones"));
    suite.AddTestCase(new RcmDoubtTestCase("a flow that stood out does so no more"));
    suite.AddTestCase(new RcmLeftoverTestCase("equal flows that cannot congest the output"));
    suite.AddTestCase(new RcmDetourSignsTestCase("signs that call for detours"));
    suite.AddTestCase(
        new RcmRegionPropertyTestCase("random notifications, against the whole history"));
});

} // namespace ns3::tests::rcm_region_test
