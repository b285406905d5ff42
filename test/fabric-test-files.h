// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_FILES_H
#define FABRIC_TEST_FILES_H

#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What the suites of files share: contents, and refusals that name their place.
 */

namespace ns3::tests
{

/// A network of the HPCC format: hosts 0, 1, 4 and switches 2, 3, with two parallel links between
/// the switches.
constexpr const char* HPCC_TOPOLOGY = "5 2 5\n"
                                      "2 3\n"
                                      "0 2 100Gbps 1000ns 0.000000\n"
                                      "1 2 25Gbps 0.001ms 0\n"
                                      "2 3 400Gbps 1500ns 0.001\n"
                                      "2 3 400Gbps 1500ns 1e-3\n"
                                      "3 4 33300Mbps 1us 0\n";

/// Three HPCC flows, not in order of start.
constexpr const char* HPCC_FLOWS = "3\n"
                                   "0 1 3 100 2000000 2.000000000\n"
                                   "4 0 0 200 5000000000 2.000000001\n"
                                   "1 4 7 100 1 0\n";

/// The same in ConWeave's format, apart from the ports.
constexpr const char* CONWEAVE_FLOWS = "3\n"
                                       "0 1 3 2000000 2.000000000\n"
                                       "4 0 0 5000000000 2.000000001\n"
                                       "1 4 7 1 0\n";

/// A distribution with a flat part and a point mass.
constexpr const char* FLOW_SIZE_CDF = "0 0\n1000 25\n3000 25\n4000 75\n4000 100\n";

/// Faults of every kind, in any order and notation.
constexpr const char* FAULTS = "# a link fails and comes back slower\n"
                               "120us down 16 24  # both directions\n"
                               "\n"
                               "0.3ms up 16 24\n"
                               "  300us rate 16:2 24:0 50Gbps\r\n"
                               "0s rate 3 16:11 2.5Gbps #\n"
                               "1.000001us\tdown 7 16\n";

/**
 * @brief Write a new file: some file systems write one that replaces another to the disk at once.
 * @param path where
 * @param text what
 */
inline void
WriteText(const std::string& path, const std::string& text)
{
    std::remove(path.c_str());
    std::ofstream(path, std::ios::binary) << text;
}

/// A malformed file.
struct Malformed
{
    std::string text; //!< contents
    std::string part; //!< what the message should contain after the path, line first
};

/**
 * @ingroup dcfabric-tests
 * @brief Base of cases about malformed files.
 */
class FileTestCase : public NamedCase
{
  public:
    using NamedCase::NamedCase;

  protected:
    /// Reads a file.
    using Reader = std::function<void(const std::string&)>;

    /**
     * @brief Expect each file to be refused with its place.
     * @param read the reader
     * @param table malformed files
     */
    void ExpectRefusals(const Reader& read, const std::vector<Malformed>& table)
    {
        const std::string path = CreateTempDirFilename("malformed");
        for (const Malformed& entry : table)
        {
            WriteText(path, entry.text);
            const std::string refusal = RefusalOf([&]() { read(path); });
            const std::string wanted = path + ":" + entry.part;
            NS_TEST_EXPECT_MSG_EQ(Contains(refusal, wanted),
                                  true,
                                  "wanted '" << wanted << "', got '" << refusal << "' for:\n"
                                             << entry.text);
        }
    }
};

} // namespace ns3::tests

#endif /* FABRIC_TEST_FILES_H */
