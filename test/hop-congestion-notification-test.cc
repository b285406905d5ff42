// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/hop-congestion-notification.h"
#include "ns3/test.h"

#include <iostream>
#include <random>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Byte form of the notifications of regional congestion mitigation.
 */

namespace ns3::tests::hop_congestion_notification_test
{

/**
 * @ingroup dcfabric-tests
 * @brief The layout.
 */
class HopNotificationBytesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        HopCongestionNotification cn;
        NS_TEST_EXPECT_MSG_EQ((cn.Serialize() == std::vector<uint8_t>{1, 0, 0, 0, 0, 0, 0, 0}),
                              true,
                              "format 1 and nothing else");
        cn.priority = 3;
        cn.degree = 36;
        cn.queue = 0x0102;
        cn.flows = {{0x010203, 5, 0xc001}};
        cn.isKnown = true;
        const std::vector<uint8_t> bytes{1,    3,    36,   1,    1,  2, 1, 0, // header
                                         10,   1,    2,    3,    10, 0, 0, 5, // IPv4
                                         0xc0, 0x01, 0x12, 0xb7,              // UDP: entropy, 4791
                                         17,   0,    0,    0};                // UDP
        NS_TEST_EXPECT_MSG_EQ((cn.Serialize() == bytes), true, "one flow");
        NS_TEST_EXPECT_MSG_EQ(bytes.size(),
                              HopCongestionNotification::HEADER_BYTES +
                                  HopCongestionNotification::FLOW_BYTES,
                              "sizes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Six bits.
 */
class HopNotificationQuantizeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto quantize = [](double degree) {
            return +HopCongestionNotification::Quantize(degree);
        };
        NS_TEST_EXPECT_MSG_EQ(quantize(0), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(quantize(-1), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(quantize(1e-300), 1, "a congested queue never says 0");
        NS_TEST_EXPECT_MSG_EQ(quantize(0.5), 32, "31.5");
        NS_TEST_EXPECT_MSG_EQ(quantize(62.01 / 63), 63, "62.01");
        NS_TEST_EXPECT_MSG_EQ(quantize(1), 63, "largest");
        NS_TEST_EXPECT_MSG_EQ(quantize(2), 63, "clipped");
        HopCongestionNotification cn;
        for (cn.degree = 0; cn.degree <= HopCongestionNotification::MAX_DEGREE; ++cn.degree)
        {
            NS_TEST_EXPECT_MSG_EQ(quantize(cn.GetDegree()), +cn.degree, "there and back");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief There and back, and nothing else is accepted.
 */
class HopNotificationRoundTripTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = 7091972;
        std::cout << "dcfabric-wire-notification: seed " << seed << std::endl;
        std::mt19937 random(seed);
        int refused = 0;
        for (const std::size_t count : {0, 1, 2, 4, 16, 255})
        {
            HopCongestionNotification cn;
            cn.priority = random() % 8;
            cn.degree = random() % 64;
            cn.queue = static_cast<uint16_t>(random());
            cn.isKnown = random() % 2 == 1;
            for (std::size_t i = 0; i < count; ++i)
            {
                cn.flows.push_back({static_cast<uint32_t>(random() % (1 << 24)),
                                    static_cast<uint32_t>(random() % (1 << 24)),
                                    static_cast<uint16_t>(random())});
            }
            const std::vector<uint8_t> bytes = cn.Serialize();
            NS_TEST_ASSERT_MSG_EQ(bytes.size(), 8 + 16 * count, "size");
            HopCongestionNotification back;
            NS_TEST_ASSERT_MSG_EQ(HopCongestionNotification::Parse(bytes, back), true, "accepted");
            NS_TEST_EXPECT_MSG_EQ(+back.priority, +cn.priority, "class");
            NS_TEST_EXPECT_MSG_EQ(+back.degree, +cn.degree, "degree");
            NS_TEST_EXPECT_MSG_EQ(back.queue, cn.queue, "queue");
            NS_TEST_EXPECT_MSG_EQ((back.flows == cn.flows), true, "flows");
            NS_TEST_EXPECT_MSG_EQ(back.isKnown, cn.isKnown, "known");

            std::vector<uint8_t> longer = bytes;
            longer.push_back(0);
            NS_TEST_EXPECT_MSG_EQ(HopCongestionNotification::Parse(longer, back),
                                  false,
                                  "a byte too many");
            for (std::size_t length = 0; length < bytes.size(); ++length)
            {
                const std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + length);
                NS_TEST_EXPECT_MSG_EQ(HopCongestionNotification::Parse(cut, back),
                                      false,
                                      "cut " << length);
            }
            for (std::size_t bit = 0; count <= 16 && bit < 8 * bytes.size(); ++bit)
            {
                std::vector<uint8_t> other = bytes;
                other[bit / 8] ^= 1 << bit % 8;
                if (!HopCongestionNotification::Parse(other, back))
                {
                    ++refused;
                    continue;
                }
                NS_TEST_EXPECT_MSG_EQ((back.Serialize() == other), true, "bit " << bit);
            }
        }
        // constants: format 8, class 5 upper bits, degree 2, number of flows 8, known 7 and zeros 8
        // of a header; 2 x 8 of the addresses, port 16, protocol 8 and zeros 24 of a flow
        NS_TEST_EXPECT_MSG_EQ(refused, 5 * 38 + (1 + 2 + 4 + 16) * 64, "refused");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What does not fit is refused.
 */
class HopNotificationUnfitTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        HopCongestionNotification cn;
        cn.priority = 8;
        DCFABRIC_EXPECT_REFUSAL(cn.Serialize(), "class of a congestion notification");
        cn = HopCongestionNotification();
        cn.degree = 64;
        DCFABRIC_EXPECT_REFUSAL(cn.Serialize(), "congestion degree");
        cn = HopCongestionNotification();
        cn.flows = {{1 << 24, 0, 0}};
        DCFABRIC_EXPECT_REFUSAL(cn.Serialize(), "source of a congesting flow");
        cn.flows = {{0, 1 << 24, 0}};
        DCFABRIC_EXPECT_REFUSAL(cn.Serialize(), "destination of a congesting flow");
        cn.flows.assign(256, FlowKey());
        DCFABRIC_EXPECT_REFUSAL(cn.Serialize(), "number of congesting flows");
        cn.flows.resize(255);
        NS_TEST_EXPECT_MSG_EQ(cn.Serialize().size(), 8 + 16 * 255, "the most");
    }
};

/// Bytes of congestion notifications.
const SuiteCases g_cases("dcfabric-wire", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new HopNotificationBytesTestCase("congestion notification: bytes worked out by hand"));
    suite.AddTestCase(new HopNotificationQuantizeTestCase(
        "congestion notification: quantization: never zero while congested"));
    suite.AddTestCase(new HopNotificationRoundTripTestCase(
        "congestion notification: random notifications; every cut, every bit"));
    suite.AddTestCase(
        new HopNotificationUnfitTestCase("congestion notification: fields beyond their places"));
});

} // namespace ns3::tests::hop_congestion_notification_test
