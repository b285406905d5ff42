// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/queue-pair-turns.h"
#include "ns3/queue-pair.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Which queue pair a message between ranks takes.
 */

namespace ns3::tests::queue_pair_turns_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Queue pairs of a pair of ranks take turns; those of channels do not.
 */
class QueuePairTurnsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        QueuePairTurns own; // each message has one of its own
        NS_TEST_EXPECT_MSG_EQ(own.Take(0, 1), 0, "of its own");
        NS_TEST_EXPECT_MSG_EQ(own.TakeChannel(0, 1, 3), 0, "of its own");

        QueuePairTurns one(1);
        NS_TEST_EXPECT_MSG_EQ(one.Take(0, 1), 1, "the only one");
        NS_TEST_EXPECT_MSG_EQ(one.Take(0, 1), 1, "the only one");

        QueuePairTurns turns(2);
        NS_TEST_EXPECT_MSG_EQ(turns.Take(7, 8), 1, "1 and 2 are of the first pair");
        NS_TEST_EXPECT_MSG_EQ(turns.Take(8, 7), 3, "3 and 4 of the way back");
        NS_TEST_EXPECT_MSG_EQ(turns.TakeChannel(7, 8, 1), QueuePair::MakeChannel(1, 0), "channel");
        NS_TEST_EXPECT_MSG_EQ(turns.TakeChannel(7, 8, 2), QueuePair::MakeChannel(1, 1), "channel");
        NS_TEST_EXPECT_MSG_EQ(turns.Take(7, 8), 2, "no turn was lost");
        NS_TEST_EXPECT_MSG_EQ(turns.Take(7, 8), 1, "again");
        NS_TEST_EXPECT_MSG_EQ(turns.TakeChannel(5, 5, 1), QueuePair::MakeChannel(5, 0), "new pair");
        NS_TEST_EXPECT_MSG_EQ(turns.Take(5, 5), 5, "its first one");
    }
};

const SuiteCases g_cases("dcfabric-results", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new QueuePairTurnsTestCase("queue pairs of ranks take turns"));
});

} // namespace ns3::tests::queue_pair_turns_test
