// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/closed-wings.h"
#include "ns3/test.h"
#include "ns3/type-id.h"

#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What is in a build is not refused as left out; test/python/test_wings.py asks a build that
 * leaves all wings out.
 */

namespace ns3::tests::closed_wings_test
{

/**
 * @ingroup dcfabric-tests
 * @brief All classes that are registered, and names that are of none.
 */
class ClosedWingsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const std::string name = TypeId::GetRegistered(i).GetName();
            NS_TEST_EXPECT_MSG_EQ(FindClosedWing(name), "", name << " is here");
        }
        for (const std::string name : {"", "=", ",", "ns3::", "ns3::FabricNi", "RCM"})
        {
            NS_TEST_EXPECT_MSG_EQ(FindClosedWing(name), "", name);
            NS_TEST_EXPECT_MSG_EQ(RefusalOf([&]() { RefuseClosedWing(name, "it"); }),
                                  "(accepted)",
                                  name);
        }
    }
};

/// Parts that a build leaves out.
const SuiteCases g_cases("dcfabric-errors", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ClosedWingsTestCase("nothing that is here counts as left out"));
});

} // namespace ns3::tests::closed_wings_test
