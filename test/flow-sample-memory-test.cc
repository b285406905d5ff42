// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/flow-sample-memory.h"
#include "ns3/test.h"

#include <algorithm>
#include <deque>
#include <iostream>
#include <random>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Memory of sampled flows, against numbers worked out by hand and a list of all
 * samples.
 */

namespace ns3::tests::flow_sample_memory_test
{

const FlowKey A{1, 9, 100}; //!< a flow
const FlowKey B{2, 9, 100}; //!< another one
const FlowKey C{3, 9, 100}; //!< another one

/// 3 of 8 samples, 3000 bytes apart.
constexpr FlowSampleMemory::Parameters EIGHT{8, 3, 3000};

/**
 * @brief A packet passes.
 * @param memory what may sample it
 * @param flow its flow
 * @param bytes its size
 * @param draw random number
 * @return true if it was sampled
 */
bool
Pass(FlowSampleMemory& memory, const FlowKey& flow, uint32_t bytes, double draw)
{
    const bool isSampled = memory.OnPacket(bytes, draw);
    if (isSampled)
    {
        memory.Store(flow);
    }
    return isSampled;
}

/**
 * @ingroup dcfabric-tests
 * @brief Samples, their replacement and hits.
 */
class SampleMemoryTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param cam with samples
     * @return the frequent flows by their sources
     */
    static std::string Frequent(const FlowSampleMemory& cam)
    {
        std::string text;
        for (const auto& sample : cam.CollectFrequent())
        {
            text += static_cast<char>('A' + sample.flow.src - 1);
        }
        return text;
    }

    void DoRun() override
    {
        FlowSampleMemory::Parameters p = EIGHT;
        FlowSampleMemory cam(p);
        NS_TEST_EXPECT_MSG_EQ(cam.IsFrequent(A), false, "nothing sampled");
        NS_TEST_EXPECT_MSG_EQ(Frequent(cam), "", "nothing sampled");
        cam.Store(A);
        cam.Store(A);
        NS_TEST_EXPECT_MSG_EQ(cam.IsFrequent(A), false, "two hits");
        cam.Store(A);
        NS_TEST_EXPECT_MSG_EQ(cam.IsFrequent(A), true, "three hits");
        NS_TEST_EXPECT_MSG_EQ(cam.IsFrequent({1, 9, 101}), false, "another port");
        NS_TEST_EXPECT_MSG_EQ(cam.IsFrequent({9, 1, 100}), false, "the way back");
        for (const FlowKey& flow : {B, C, B, C, B})
        {
            cam.Store(flow);
        }
        // A A A B C B C B: full
        NS_TEST_EXPECT_MSG_EQ(cam.CountHits(A), 3, "full");
        NS_TEST_EXPECT_MSG_EQ(Frequent(cam), "BA", "three each, B sampled last");
        cam.Store(C);
        NS_TEST_EXPECT_MSG_EQ(cam.CountHits(A), 2, "the ninth takes the place of the first");
        NS_TEST_EXPECT_MSG_EQ(Frequent(cam), "CB", "three each, C sampled last");
        cam.Store(B);
        cam.Store(B);
        NS_TEST_EXPECT_MSG_EQ(cam.CountHits(A), 0, "A replaced");
        NS_TEST_EXPECT_MSG_EQ(Frequent(cam), "BC", "five and three");
        for (int i = 0; i < 8; ++i)
        {
            cam.Store(A);
        }
        NS_TEST_EXPECT_MSG_EQ(Frequent(cam), "A", "round again");
        cam.Clear();
        NS_TEST_EXPECT_MSG_EQ(Frequent(cam), "", "cleared");
        for (int i = 0; i < 7; ++i)
        {
            cam.Store(A);
        }
        NS_TEST_EXPECT_MSG_EQ(cam.IsFull(), false, "7 of 8");
        cam.Store(A);
        NS_TEST_EXPECT_MSG_EQ(cam.IsFull(), true, "8 of 8");

        // one sample is enough; an empty place is no sample
        p.minHits = 1;
        FlowSampleMemory letter(p);
        NS_TEST_EXPECT_MSG_EQ(letter.IsFrequent(FlowKey()), false, "empty places are of nobody");
        for (uint32_t src = 1; src <= 5; ++src)
        {
            letter.Store({src, 9, 100});
        }
        NS_TEST_EXPECT_MSG_EQ(Frequent(letter), "EDCBA", "all five");
        p.camDepth = 1;
        FlowSampleMemory one(p);
        one.Store(A);
        one.Store(B);
        NS_TEST_EXPECT_MSG_EQ(Frequent(one), "B", "depth 1");

        // the depth is an attribute, which may change at any time
        p.camDepth = 4;
        one.Store(A);
        one.Store(B);
        one.Store(C);
        NS_TEST_EXPECT_MSG_EQ(Frequent(one), "CBA", "deeper");
        p.camDepth = 2;
        one.Store(A);
        NS_TEST_EXPECT_MSG_EQ(Frequent(one), "A", "begins anew");
        one.Store(B);
        one.Store(C);
        NS_TEST_EXPECT_MSG_EQ(Frequent(one), "CB", "depth 2");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which packets are sampled.
 */
class SampleDistanceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FlowSampleMemory::Parameters p = EIGHT;
        FlowSampleMemory cam(p);
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, A, 1, 0.5), true, "the first packet");
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, A, 2999, 0), false, "2 x 0.5 x 3000");
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, A, 1, 0), true, "3000");
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, B, 64, 1), true, "draw 0: the next packet");
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, C, 5999, 0), false, "draw 1: twice the mean");
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, C, 9000, 0.5), true, "one sample for a packet");
        NS_TEST_EXPECT_MSG_EQ(Pass(cam, C, 2999, 0.5), false, "the excess is forgotten");
        NS_TEST_EXPECT_MSG_EQ(cam.CountHits(A), 2, "samples of A");
        NS_TEST_EXPECT_MSG_EQ(cam.CountHits(B), 1, "samples of B");
        NS_TEST_EXPECT_MSG_EQ(cam.CountHits(C), 1, "samples of C");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which flows of figure 6 are frequent: the burst, which has every second packet, not the
 * four of the incast, which have one in eight.
 */
class SampledBurstTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 615;
        std::cout << "dcfabric-queue-disc, samples of flows, figure 6: seed " << seed << std::endl;
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> draw(0, 1);
        const FlowSampleMemory::Parameters p{16, 5, 1500};
        FlowSampleMemory cam(p);
        int samples = 0;
        int burst = 0;
        int incast = 0;
        for (uint32_t packet = 0; packet < 100000; ++packet)
        {
            // round robin of two inputs; in one of them the four flows take turns
            const uint32_t src = packet % 2 == 0 ? 5 : 1 + packet / 2 % 4;
            if (Pass(cam, {src, 9, 100}, 1500, draw(random)))
            {
                ++samples;
                burst += cam.IsFrequent({5, 9, 100}) ? 1 : 0;
                incast += cam.IsFrequent({1, 9, 100}) ? 1 : 0;
            }
        }
        // A sample is one or two packets after the last, each as likely: one of the burst with 1/2,
        // whatever was sampled before. At least 5 of 16: 1 - (1 + 16 + 120 + 560 + 1820) / 65536 =
        // 0.9616. Of 66667 samples each sixteenth is independent: four standard errors are 0.012.
        NS_TEST_EXPECT_MSG_EQ_TOL(samples, 66667, 700, "samples");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(burst) / samples, 0.9616, 0.012, "burst");
        // With 1/8 and independent samples 0.0407; less, because a flow of the incast is never
        // sampled twice in a row.
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(incast) / samples, 0.0407, "incast");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which flows stand out: by hand, in figure 6, and among any number of equal ones.
 */
class OutstandingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param cam with samples
     * @return the flows that stand out, by their sources
     */
    static std::string Find(const FlowSampleMemory& cam)
    {
        std::string text;
        for (const auto& sample : cam.CollectOutstanding())
        {
            text += static_cast<char>('A' + sample.flow.src - 1) + std::to_string(sample.origin);
        }
        return text;
    }

    /**
     * @brief Have samples stored.
     * @param cam memory
     * @param flow of which they are
     * @param count how many
     * @param origin of the last one; that of the others is 9
     */
    static void Store(FlowSampleMemory& cam, const FlowKey& flow, int count, uint16_t origin)
    {
        for (int i = 1; i < count; ++i)
        {
            cam.Store(flow, 9);
        }
        cam.Store(flow, origin);
    }

    void DoRun() override
    {
        FlowSampleMemory::Parameters p{16, 1, 750, 2};
        FlowSampleMemory cam(p);
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "", "nothing sampled");
        Store(cam, A, 16, 3);
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "A3", "alone; where its last packet came in");
        // two flows: 8 each on the mean, 8 + 2 sqrt(8) = 13.66
        Store(cam, B, 3, 1);
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "", "13 of 16");
        cam.Clear();
        Store(cam, A, 14, 3);
        Store(cam, B, 2, 1);
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "A3", "14 of 16");
        // three flows: 5.33, 5.33 + 2 x 2.31 = 9.95
        cam.Clear();
        Store(cam, A, 9, 3);
        Store(cam, B, 6, 1);
        Store(cam, C, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "", "9 of 16");
        cam.Clear();
        Store(cam, A, 10, 3);
        Store(cam, B, 5, 1);
        Store(cam, C, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "A3", "10 of 16");
        p.minHits = 11;
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "", "not frequent");
        p.minHits = 1;
        p.standOut = 255;
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "", "the letter: nobody does");
        p.standOut = 0;
        NS_TEST_EXPECT_MSG_EQ(Find(cam), "A3", "all above the mean");

        // Packets of 1500 bytes, samples at most 1500 apart: each packet is one. Figure 6: 12 of
        // the 24 are of the burst, 3 of each of the four. d = 5: 4.8 + 2 x 2.19 = 9.18.
        const FlowSampleMemory::Parameters q{24, 1, 750, 2};
        FlowSampleMemory burst(q);
        for (uint32_t packet = 0; packet < 1000; ++packet)
        {
            Pass(burst, {packet % 2 == 0 ? 5 : 1 + packet / 2 % 4, 9, 100}, 1500, 0.999);
            NS_TEST_EXPECT_MSG_EQ((!burst.IsFull() || Find(burst) == "E0"), true, packet);
        }
        NS_TEST_EXPECT_MSG_EQ(burst.CountHits({5, 9, 100}), 12, "every packet");
        // n equal flows in turn have 24 / n or one more of it: nobody stands out, all are found
        // that the memory can hold
        for (const uint32_t n : {2, 3, 4, 5, 8, 16, 23, 24, 25, 64})
        {
            FlowSampleMemory equal(q);
            for (uint32_t packet = 0; packet < 1000; ++packet)
            {
                Pass(equal, {1 + packet % n, 9, 100}, 1500, 0.999);
                NS_TEST_EXPECT_MSG_EQ((equal.IsFull() && !Find(equal).empty()), false, n);
            }
            NS_TEST_EXPECT_MSG_EQ(equal.CollectFrequent().size(), std::min(n, 24U), n);
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random samples against a list of all that were taken.
 */
class SampleMemoryPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 1917;
        std::cout << "dcfabric-queue-disc, samples of flows: seed " << seed << std::endl;
        std::mt19937 random(seed);
        for (int run = 0; run < 200; ++run)
        {
            const uint32_t depth = 1 + random() % 20;
            const uint32_t minHits = 1 + random() % depth;
            const uint32_t nFlows = 1 + random() % 6;
            const FlowSampleMemory::Parameters p{depth, minHits, 1500};
            FlowSampleMemory cam(p);
            std::deque<uint32_t> list; // latest first
            for (int sample = 0; sample < 100; ++sample)
            {
                list.push_front(random() % nFlows);
                list.resize(std::min<std::size_t>(list.size(), depth));
                cam.Store({list.front(), 0, 0});
                // by hits, then by place in the list
                std::vector<std::tuple<int, int, uint32_t>> order;
                for (uint32_t src = 0; src < nFlows; ++src)
                {
                    const auto hits = std::count(list.begin(), list.end(), src);
                    const auto place = std::find(list.begin(), list.end(), src) - list.begin();
                    NS_TEST_ASSERT_MSG_EQ(cam.CountHits({src, 0, 0}), hits, "run " << run);
                    const bool isFrequent = hits >= minHits;
                    NS_TEST_ASSERT_MSG_EQ(cam.IsFrequent({src, 0, 0}), isFrequent, "run " << run);
                    if (isFrequent)
                    {
                        order.emplace_back(-hits, place, src);
                    }
                }
                std::sort(order.begin(), order.end());
                const std::vector<FlowSampleMemory::Sample> flows = cam.CollectFrequent();
                NS_TEST_ASSERT_MSG_EQ(flows.size(), order.size(), "frequent, run " << run);
                for (std::size_t i = 0; i < flows.size(); ++i)
                {
                    NS_TEST_ASSERT_MSG_EQ(flows[i].flow.src, std::get<2>(order[i]), "run " << run);
                }
            }
        }
    }
};

/// Memories of sampled flows.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SampleMemoryTestCase("samples of flows: cyclic writing, hits, order"));
    suite.AddTestCase(new SampleDistanceTestCase("samples of flows: distance"));
    suite.AddTestCase(new SampledBurstTestCase(
        "samples of flows: burst and incast, 5 of 16 samples tell them apart"));
    suite.AddTestCase(new OutstandingTestCase(
        "samples of flows: a burst stands out, one of any number of equal flows does not"));
    suite.AddTestCase(new SampleMemoryPropertyTestCase(
        "samples of flows: random ones, against a list of them all"));
});

} // namespace ns3::tests::flow_sample_memory_test
