// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_ERRORS_H
#define FABRIC_TEST_ERRORS_H

#include "ns3/fabric-error.h"

#include <string>

/**
 * @file
 * @brief What the test suites share to look at refusals.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @tparam F a callable
 * @param f what should be refused
 * @return message of the FabricError that it throws, or `(accepted)`
 */
template <typename F>
std::string
RefusalOf(F f)
{
    try
    {
        f();
    }
    catch (const FabricError& error)
    {
        return error.what();
    }
    return "(accepted)";
}

/**
 * @ingroup dcfabric-tests
 * @param text some text
 * @param part what it should contain
 * @return true if it does
 */
inline bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace ns3::tests

/**
 * @ingroup dcfabric-tests
 * @brief Expect an expression to be refused with a message that contains a text.
 * @param expression what should throw
 * @param part text that the message should contain
 */
#define DCFABRIC_EXPECT_REFUSAL(expression, part)                                                  \
    do                                                                                             \
    {                                                                                              \
        const std::string refusal = ns3::tests::RefusalOf([&]() { expression; });                  \
        NS_TEST_EXPECT_MSG_EQ(ns3::tests::Contains(refusal, part),                                 \
                              true,                                                                \
                              #expression " should be refused with '" << (part)                    \
                                                                      << "', got: " << refusal);   \
    } while (false)

#endif /* FABRIC_TEST_ERRORS_H */
