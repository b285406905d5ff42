// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_RESULTS_H
#define FABRIC_TEST_RESULTS_H

#include "ns3/fabric-warning.h"

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a run leaves behind: files and warnings.
 */

namespace ns3::tests
{

/**
 * @param path the file
 * @return contents of a file, `(none)` without it
 */
inline std::string
ReadAll(const std::string& path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? text.str() : "(none)";
}

/**
 * @ingroup dcfabric-tests
 * @brief The warnings given as long as it lives, which nobody else gets. No member of a test case:
 * these are made before main.
 */
class CapturedWarnings
{
  public:
    CapturedWarnings()
        : m_before(
              SetFabricWarningSink([this](const FabricText& text) { texts.push_back(text.Say()); }))
    {
    }

    ~CapturedWarnings()
    {
        SetFabricWarningSink(m_before);
    }

    CapturedWarnings(const CapturedWarnings&) = delete;
    CapturedWarnings& operator=(const CapturedWarnings&) = delete;

    std::vector<std::string> texts; //!< so far

  private:
    std::function<void(const FabricText&)> m_before; //!< who got them before
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_RESULTS_H */
