// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-random.h"
#include "fabric-test-suite.h"

#include "ns3/source-pdcs.h"
#include "ns3/test.h"

#include <cstdint>
#include <iostream>
#include <map>
#include <utility>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Numbers of the sources' PDCs at a receiver.
 */

namespace ns3::tests::source_pdcs_test
{

/**
 * @ingroup dcfabric-tests
 * @brief In and out of order, twice, and removed.
 */
class SourcePdcsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @return number, or -1 if there is none
    static int64_t Find(const SourcePdcs& all, uint32_t src, uint32_t pdc)
    {
        const uint32_t* number = all.Find(src, pdc);
        return number ? int64_t{*number} : -1;
    }

    void DoRun() override
    {
        SourcePdcs all;
        NS_TEST_EXPECT_MSG_EQ(Find(all, 1, 0), -1, "nobody");
        all.Remove(1, 0);
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, 5, 50), true, "first");
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, 9, 90), true, "in order");
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, 7, 70), true, "late");
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, 0, 1), true, "earliest");
        NS_TEST_EXPECT_MSG_EQ(all.Add(2, 7, 71), true, "another source");
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, 7, 72), false, "twice");
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, 9, 72), false, "the last one twice");
        NS_TEST_EXPECT_MSG_EQ(all.Add(1, UINT32_MAX, 2), true, "the largest number");
        for (const auto& [pdc, number] :
             std::map<uint32_t, int64_t>{{0, 1}, {5, 50}, {6, -1}, {7, 70}, {9, 90}, {10, -1}})
        {
            NS_TEST_EXPECT_MSG_EQ(Find(all, 1, pdc), number, "PDC " << pdc);
        }
        NS_TEST_EXPECT_MSG_EQ(Find(all, 1, UINT32_MAX), 2, "the largest number");
        NS_TEST_EXPECT_MSG_EQ(Find(all, 2, 7), 71, "of the other source");
        all.Remove(1, 7);
        all.Remove(1, 6);
        NS_TEST_EXPECT_MSG_EQ(Find(all, 1, 7), -1, "removed");
        NS_TEST_EXPECT_MSG_EQ(Find(all, 1, 9), 90, "the others are there");
        all.Clear();
        NS_TEST_EXPECT_MSG_EQ(Find(all, 1, 9), -1, "none is left");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The same as of a map.
 */
class RandomPdcsTestCase : public NamedCase, private tests::RandomDraws
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t SEED = 7701;
        std::cout << "dcfabric-pdc: numbers of sources from seed " << SEED << std::endl;
        Seed(SEED);
        SourcePdcs all;
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
        for (uint32_t turn = 0; turn < 20000; ++turn)
        {
            const std::pair<uint32_t, uint32_t> key{Draw(3), turn / 100 + Draw(60)};
            if (Draw(4) == 0)
            {
                all.Remove(key.first, key.second);
                expected.erase(key);
            }
            else if (Draw(2))
            {
                const bool fresh = expected.emplace(key, turn).second;
                NS_TEST_ASSERT_MSG_EQ(all.Add(key.first, key.second, turn), fresh, "turn " << turn);
            }
            const auto known = expected.find(key);
            const uint32_t* found = all.Find(key.first, key.second);
            NS_TEST_ASSERT_MSG_EQ((found != nullptr), (known != expected.end()), "turn " << turn);
            if (found)
            {
                NS_TEST_ASSERT_MSG_EQ(*found, known->second, "turn " << turn);
            }
        }
    }
};

/// Numbers at a receiver.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SourcePdcsTestCase("PDCs of sources are found, in whatever order"));
    suite.AddTestCase(new RandomPdcsTestCase("PDCs of sources are found as in a map"));
});

} // namespace ns3::tests::source_pdcs_test
