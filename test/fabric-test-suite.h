// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_SUITE_H
#define FABRIC_TEST_SUITE_H

#include "ns3/abort.h"
#include "ns3/test.h"

#include <map>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Suites whose cases are in several files.
 */

namespace ns3::tests
{

/**
 * @ingroup dcfabric-tests
 * @brief A test case that gets its name where it joins its suite. Inherit the constructor.
 */
class NamedCase : public TestCase
{
  public:
    /**
     * @brief Make the test case.
     * @param name what it checks
     */
    explicit NamedCase(const std::string& name)
        : TestCase(name)
    {
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief A suite that takes cases from others.
 */
class Suite : public TestSuite
{
  public:
    using TestCase::AddTestCase;
    using TestSuite::TestSuite;
};

/**
 * @ingroup dcfabric-tests
 * @brief The cases that a file gives to a suite: an object at file scope.
 */
class SuiteCases
{
  public:
    /**
     * @brief Add cases. The first file that names a suite makes it, whichever that is.
     * @param name dcfabric- and the part of the module that the suite tests
     * @param type the same in all files of the suite
     * @param add adds the cases
     */
    SuiteCases(const std::string& name, TestSuite::Type type, void (*add)(Suite& suite))
    {
        static std::map<std::string, Suite> suites;
        Suite& suite = suites.try_emplace(name, name, type).first->second;
        NS_ABORT_MSG_IF(suite.GetTestType() != type, name << " has cases of two types");
        add(suite);
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_SUITE_H */
