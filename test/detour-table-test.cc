// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/detour-table.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <random>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Detours of flows, against cases worked out by hand and a naive model.
 */

namespace ns3::tests::detour_table_test
{

const FlowKey A{1, 9, 100};            //!< a flow
const FlowKey B{2, 9, 100};            //!< another one
constexpr int64_t TIMEOUT = 100000000; //!< in ps

using Path = DetourTable::Path;
constexpr DetourTable::Settling AT_ONCE{0, 0}; //!< a move has its effect
using Group = std::vector<Path>;

/**
 * @brief What a switch does for a packet.
 * @param detours table
 * @param flow its flow
 * @param routed port that routing gives it
 * @param mayMove it may leave it
 * @param group ports
 * @param nowPs time
 * @return the port to take
 */
uint16_t
Choose(DetourTable& detours,
       const FlowKey& flow,
       uint16_t routed,
       bool mayMove,
       const Group& group,
       int64_t nowPs)
{
    const uint16_t present = detours.GetPort(detours.Find(flow.GetNumber()), routed, nowPs);
    const bool isUp = std::any_of(group.begin(), group.end(), [present](const Path& path) {
        return path.port == present && path.isUp;
    });
    return present != routed && isUp ? present
           : mayMove                 ? detours.Choose(routed, group, nowPs)
                                     : routed;
}

/**
 * @ingroup dcfabric-tests
 * @brief To which port.
 */
class DetourChoiceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Time timeout = MicroSeconds(100);
        DetourTable detours(timeout);
        const auto choose = [&](bool mayMove, const Group& group) {
            return Choose(detours, A, 4, mayMove, group, 0);
        };
        const Group free{{4, true, 0.5, 0}, {5, true, 0.2, 9}, {6, true, 0.1, 9}};
        NS_TEST_EXPECT_MSG_EQ(choose(false, free), 4, "a hit stays");
        NS_TEST_EXPECT_MSG_EQ(choose(true, free), 6, "a miss moves to the least degree");
        NS_TEST_EXPECT_MSG_EQ(choose(true, {{4, true, 0.5, 0}, {6, true, 0, 9}, {5, true, 0, 9}}),
                              5,
                              "of equal ones to the lowest port");
        NS_TEST_EXPECT_MSG_EQ(choose(true, {{4, true, 0.5, 0}, {5, true, 0, 9}, {6, true, 0, 8}}),
                              6,
                              "or that with fewer bytes");
        NS_TEST_EXPECT_MSG_EQ(choose(true, {{4, true, 0.5, 0}}), 4, "no other port");
        NS_TEST_EXPECT_MSG_EQ(choose(true, {{4, true, 0.5, 9}, {5, true, 0.5, 0}}),
                              4,
                              "none is better");
        NS_TEST_EXPECT_MSG_EQ(
            choose(true, {{4, true, 0.5, 0}, {5, true, 0.2, 9}, {6, false, 0, 0}}),
            5,
            "the best one is down");
        NS_TEST_EXPECT_MSG_EQ(choose(true, {{4, true, 0.5, 0}, {5, false, 0, 0}}),
                              4,
                              "all others are down");
        NS_TEST_EXPECT_MSG_EQ(choose(true, {}), 4, "no group");
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 0, "asking leaves no trace");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow stays on its detour.
 */
class DetourLifeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Time timeout = MicroSeconds(100); // 100 us
        DetourTable detours(timeout);
        const Group group{{4, true, 0.5, 0}, {5, true, 0.2, 0}, {6, true, 0.1, 0}};
        const Group turned{{4, true, 0, 0}, {5, true, 0, 0}, {6, true, 0.9, 0}};
        const Group down{{4, true, 0.5, 0}, {5, true, 0.2, 0}, {6, false, 0.1, 0}};
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(A.GetNumber()), 4, 0), 4, "as routed");
        detours.OnTaken(A.GetNumber(), 4, 6, 0, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(A.GetNumber()), 4, 0), 6, "detoured");
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(B.GetNumber()), 4, 0),
                              4,
                              "not the other flow");
        NS_TEST_EXPECT_MSG_EQ(Choose(detours, A, 4, true, turned, TIMEOUT), 6, "stays there");
        NS_TEST_EXPECT_MSG_EQ(Choose(detours, A, 4, false, group, TIMEOUT),
                              6,
                              "also if harmful now");
        NS_TEST_EXPECT_MSG_EQ(Choose(detours, A, 4, false, group, TIMEOUT + 1), 4, "a new flow");
        detours.OnTaken(A.GetNumber(), 4, 6, TIMEOUT, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(A.GetNumber()), 4, 2 * TIMEOUT),
                              6,
                              "prolonged");
        NS_TEST_EXPECT_MSG_EQ(detours.GetNDetours(), 1, "the same one");
        NS_TEST_EXPECT_MSG_EQ(Choose(detours, A, 4, true, down, 2 * TIMEOUT),
                              5,
                              "its port is down");
        NS_TEST_EXPECT_MSG_EQ(Choose(detours, A, 4, false, down, 2 * TIMEOUT),
                              4,
                              "back, if harmful");
        detours.OnTaken(A.GetNumber(), 4, 5, 2 * TIMEOUT, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetNDetours(), 2, "another one");
        detours.OnTaken(A.GetNumber(), 4, 5, 4 * TIMEOUT, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetNDetours(), 3, "anew after a pause");
        // routing itself now leads where it is
        NS_TEST_EXPECT_MSG_EQ(Choose(detours, A, 5, false, group, 4 * TIMEOUT), 5, "as routed");
        detours.OnTaken(A.GetNumber(), 5, 5, 5 * TIMEOUT, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 0, "no detour any more");

        timeout = Seconds(0);
        detours.OnTaken(B.GetNumber(), 4, 6, 7, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(B.GetNumber()), 4, 7),
                              6,
                              "at the same time");
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(B.GetNumber()), 4, 8), 4, "no longer");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A flow moves again, and no other one in its wake.
 */
class DetourSettlingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Time timeout = NanoSeconds(2);
        DetourTable detours(timeout);
        const Group group{{4, true, 0.9, 0}, {5, true, 0, 0}, {6, true, 0.45, 0}};
        const Group little{{4, true, 0.9, 0}, {5, true, 0.46, 0}};
        const auto mayLeave = [&](const FlowKey& flow, uint16_t port, int64_t nowPs) {
            return detours.MayLeave(detours.Find(flow.GetNumber()), port, nowPs);
        };
        NS_TEST_EXPECT_MSG_EQ(detours.Choose(4, little, 0), 4, "not worth it");
        NS_TEST_EXPECT_MSG_EQ(detours.Choose(4, group, 0), 5, "the least");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(A, 4, 0), true, "nobody has moved");
        detours.OnTaken(A.GetNumber(), 4, 5, 0, {1000, 100});
        NS_TEST_EXPECT_MSG_EQ(mayLeave(A, 5, 1999), false, "it has just moved");
        NS_TEST_EXPECT_MSG_EQ(detours.MayLeave(nullptr, 5, 100), true, "if it has to");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(B, 4, 999), false, "another one has just left");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(B, 5, 99), false, "another one has just come");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(B, 5, 100), true, "has its effect here");
        NS_TEST_EXPECT_MSG_EQ(detours.Choose(4, group, 99), 6, "another one is coming to 5");
        NS_TEST_EXPECT_MSG_EQ(detours.Choose(4, group, 100), 5, "it has come");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(B, 4, 1000), true, "what A left behind has gone");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(A, 5, 2000), true, "the timeout is over");
        // back home, which is a move as well
        detours.OnTaken(A.GetNumber(), 4, 4, 2000, {50, 10});
        NS_TEST_EXPECT_MSG_EQ(detours.GetNDetours(), 1, "no other detour");
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(A.GetNumber()), 4, 2000), 4, "home");
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(A.GetNumber()), 6, 2000),
                              6,
                              "wherever that is");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(A, 4, 3999), false, "it has just moved");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(B, 4, 2010), true, "not the other one");
        detours.OnTaken(A.GetNumber(), 4, 4, 3999, {50, 10});
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 1, "remembered for so long");
        detours.OnTaken(A.GetNumber(), 4, 4, 4000, {50, 10});
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 0, "and no longer");
        // from detour to detour, leaving more than goes in a timeout
        detours.OnTaken(A.GetNumber(), 4, 5, 5000, {2500, 10});
        NS_TEST_EXPECT_MSG_EQ(mayLeave(A, 5, 7499), false, "what it left behind is still there");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(A, 5, 7500), true, "no longer");
        detours.OnTaken(A.GetNumber(), 4, 5, 7000, {0, 0}); // its next packet
        detours.OnTaken(A.GetNumber(), 4, 6, 7500, {50, 10});
        NS_TEST_EXPECT_MSG_EQ(detours.GetPort(detours.Find(A.GetNumber()), 4, 7500), 6, "on 6");
        NS_TEST_EXPECT_MSG_EQ(mayLeave(B, 5, 7549), false, "A has left it");
        NS_TEST_EXPECT_MSG_EQ(detours.GetNDetours(), 3, "two more");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The table does not grow for ever.
 */
class DetourRemovalTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Time timeout = MicroSeconds(100);
        DetourTable detours(timeout);
        for (uint32_t src = 0; src < 1023; ++src)
        {
            detours.OnTaken(FlowKey{src, 9, 100}.GetNumber(), 4, 5, 0, AT_ONCE);
        }
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 1023, "all");
        detours.OnTaken(FlowKey{2000, 9, 100}.GetNumber(), 4, 5, TIMEOUT, AT_ONCE);
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 1024, "none is old");
        for (uint32_t src = 3000; src < 4024; ++src)
        {
            detours.OnTaken(FlowKey{src, 9, 100}.GetNumber(), 4, 5, TIMEOUT + 1, AT_ONCE);
        }
        NS_TEST_EXPECT_MSG_EQ(detours.GetNEntries(), 1025, "at 2048 the first 1023 go");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Random flows against a list of all packets.
 */
class DetourPropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 1543;
        std::cout << "dcfabric-routing, detours: seed " << seed << std::endl;
        std::mt19937 random(seed);
        uint64_t moved = 0;
        for (int run = 0; run < 100; ++run)
        {
            Time timeout = MicroSeconds(100);
            DetourTable detours(timeout);
            std::vector<std::array<int64_t, 3>> packets; // flow, port, time
            int64_t nowPs = 0;
            for (int packet = 0; packet < 200; ++packet)
            {
                nowPs += random() % (TIMEOUT / 3);
                const uint32_t src = random() % 5;
                const auto routed = static_cast<uint16_t>(4 + src % 3); // as ECMP would
                const bool mayMove = random() % 2 == 0;
                Group group;
                for (uint16_t port = 4; port < 7; ++port)
                {
                    const bool isUp = port == routed || random() % 4 > 0;
                    group.push_back({port, isUp, random() % 3 / 2.0, random() % 2});
                }
                // where its last packet went, if that is not too long ago
                uint16_t expected = routed;
                for (const auto& [flow, port, timePs] : packets)
                {
                    if (flow == src)
                    {
                        expected = nowPs - timePs <= TIMEOUT ? static_cast<uint16_t>(port) : routed;
                    }
                }
                NS_TEST_ASSERT_MSG_EQ(
                    detours.GetPort(detours.Find(FlowKey{src, 9, 100}.GetNumber()), routed, nowPs),
                    expected,
                    "run " << run);
                if (expected == routed || !group[expected - 4U].isUp)
                {
                    expected = routed;
                    const double own = group[routed - 4U].degree;
                    const auto isBetter = [&](const Path& a, const Path& b) {
                        return a.degree != b.degree ? a.degree < b.degree
                               : a.bytes != b.bytes ? a.bytes < b.bytes
                                                    : a.port < b.port;
                    };
                    std::sort(group.begin(), group.end(), isBetter);
                    const auto best = std::find_if(group.begin(),
                                                   group.end(),
                                                   [](const Path& path) { return path.isUp; });
                    expected = mayMove && best->degree < own ? best->port : routed;
                }
                const FlowKey flow{src, 9, 100};
                const uint16_t port = Choose(detours, flow, routed, mayMove, group, nowPs);
                NS_TEST_ASSERT_MSG_EQ(port, expected, "run " << run << " packet " << packet);
                detours.OnTaken(flow.GetNumber(), routed, port, nowPs, AT_ONCE);
                packets.push_back({src, port, nowPs});
            }
            moved += detours.GetNDetours();
        }
        NS_TEST_EXPECT_MSG_GT(moved, 1000, "there was something to move");
    }
};

/// Detours of flows.
const SuiteCases g_cases("dcfabric-routing", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new DetourChoiceTestCase("detours: hit stays, miss moves, ties, no other port, port down"));
    suite.AddTestCase(new DetourLifeTestCase("detours: life of a detour"));
    suite.AddTestCase(
        new DetourSettlingTestCase("detours: a flow moves again, no other one in its wake"));
    suite.AddTestCase(new DetourRemovalTestCase("detours: old entries are removed"));
    suite.AddTestCase(
        new DetourPropertyTestCase("detours: random flows, against a list of all packets"));
});

} // namespace ns3::tests::detour_table_test
