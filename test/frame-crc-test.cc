// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/crc32.h"
#include "ns3/frame-crc.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The check sequence of frames against ns-3's, which goes byte by byte.
 */

namespace ns3::tests::frame_crc_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Any bytes, in any pieces, with runs of zeros of any length.
 */
class FrameCrcTest : public NamedCase
{
    using NamedCase::NamedCase;

    /// @param bytes whose check sequence is compared, at once and in pieces
    void Compare(const std::vector<uint8_t>& bytes)
    {
        const uint32_t expected = CRC32Calculate(bytes.data(), static_cast<int>(bytes.size()));
        NS_TEST_ASSERT_MSG_EQ(FrameCrc::Of(bytes.data(), bytes.size()),
                              expected,
                              bytes.size() << " bytes at once");
        FrameCrc pieces;
        for (std::size_t begin = 0; begin < bytes.size();)
        {
            const std::size_t count = std::min<std::size_t>(m_random() % 80, bytes.size() - begin);
            pieces.Add(bytes.data() + begin, count);
            begin += count;
        }
        NS_TEST_ASSERT_MSG_EQ(pieces.Get(), expected, bytes.size() << " bytes in pieces");
    }

    void DoRun() override
    {
        // the standard check of the polynomial and of the order of bits; of no bytes it is 0
        const std::string digits = "123456789";
        NS_TEST_EXPECT_MSG_EQ(FrameCrc::Of(reinterpret_cast<const uint8_t*>(digits.data()), 9),
                              0xcbf43926,
                              "check value");
        NS_TEST_EXPECT_MSG_EQ(FrameCrc().Get(), 0, "of nothing");
        const uint32_t seed = std::random_device()();
        std::cout << "dcfabric-wire check sequences: seed " << seed << std::endl;
        m_random.seed(seed);
        for (std::size_t count = 0; count < 300; ++count)
        {
            std::vector<uint8_t> bytes(count);
            std::generate(bytes.begin(), bytes.end(), [this] {
                return static_cast<uint8_t>(m_random());
            });
            Compare(bytes);
        }
        // Zeros are taken eight by eight, and at once from 64 of them on, in powers of two up to
        // 1,024: one below, at and above each limit, behind 0 to 8 bytes that are none.
        for (const std::size_t zeros : {1, 7, 8, 63, 64, 65, 72, 127, 128, 1000, 1023, 1024, 9000})
        {
            for (std::size_t before = 0; before <= 8; ++before)
            {
                std::vector<uint8_t> bytes(before, 0xa5);
                bytes.insert(bytes.end(), zeros, 0);
                Compare(bytes);
                bytes.push_back(1);
                Compare(bytes);
            }
        }
    }

    std::mt19937 m_random; //!< of bytes and pieces
};

/// The check sequence.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new FrameCrcTest("check sequences are those of ns-3"));
});

} // namespace ns3::tests::frame_crc_test
