// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/external-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/test.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What a function that decides is told, and that its answers take hold.
 *
 * The line rate is 100 Gb/s and T 10 us, so that the BDP is 125,000 B.
 */

namespace ns3::tests::external_congestion_control_test
{

constexpr double LINE_BPS = 1e11; //!< bit/s

/**
 * @ingroup dcfabric-tests
 * @brief A function that keeps what it is told and answers what the test wants.
 */
class ExternalTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /// Decide by this test from now on; the answer is to leave all as it is.
    void Connect()
    {
        m_calls.clear();
        m_answer = [](ExternalCongestionCall&) {};
        ExternalCongestionControl::SetDecider([this](ExternalCongestionCall& call) {
            m_calls.push_back(call);
            m_answer(call);
        });
    }

    /**
     * @param format of its INT records
     * @return a connection that has begun
     */
    Ptr<ExternalCongestionControl> Start(Ptr<IntFormat> format = nullptr)
    {
        auto cc = CreateObject<ExternalCongestionControl>();
        cc->Start(MakePath(100000000000, 10 * US, format), &m_host);
        return cc;
    }

    void DoTeardown() override
    {
        ExternalCongestionControl::SetDecider({});
    }

    ManualHost m_host;                                     //!< timers
    std::vector<ExternalCongestionCall> m_calls;           //!< so far
    std::function<void(ExternalCongestionCall&)> m_answer; //!< to the next calls
};

/**
 * @ingroup dcfabric-tests
 * @brief Each hook is told with its numbers.
 */
class ExternalCallTestCase : public ExternalTestCase
{
    using ExternalTestCase::ExternalTestCase;

    void DoRun() override
    {
        Connect();
        const auto first = Start();
        const auto second = Start();
        NS_TEST_ASSERT_MSG_EQ(m_calls.size(), 2, "two connections");
        NS_TEST_EXPECT_MSG_EQ(m_calls[0].kind, ExternalCongestionCall::START, "start");
        NS_TEST_EXPECT_MSG_EQ(m_calls[0].path->bdpBytes, 125000, "path");
        NS_TEST_EXPECT_MSG_EQ(m_calls[1].connection, 1, "in the order of their start");
        NS_TEST_EXPECT_MSG_EQ(first->GetWindow(), CongestionControl::UNLIMITED, "no window so far");
        NS_TEST_EXPECT_MSG_EQ(first->GetRate(), LINE_BPS, "line rate so far");

        AckInfo ack;
        ack.nowPs = 5 * US;
        ack.rttPs = 3 * US;
        ack.markedPackets = 2;
        m_calls.clear();
        second->Acknowledge(ack);
        second->TellCnp(6);
        second->TellLoss(7, 3000);
        second->TellTimeout(8);
        second->TellTimer(3, 9);
        NS_TEST_ASSERT_MSG_EQ(m_calls.size(), 5, "a call for each");
        const uint32_t kinds[] = {ExternalCongestionCall::ACK,
                                  ExternalCongestionCall::CNP,
                                  ExternalCongestionCall::LOSS,
                                  ExternalCongestionCall::TIMEOUT,
                                  ExternalCongestionCall::TIMER};
        const int64_t times[] = {5 * US, 6, 7, 8, 9};
        for (std::size_t i = 0; i < m_calls.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_calls[i].kind, kinds[i], "kind " << i);
            NS_TEST_EXPECT_MSG_EQ(m_calls[i].nowPs, times[i], "time " << i);
            NS_TEST_EXPECT_MSG_EQ(m_calls[i].connection, 1, "connection " << i);
            NS_TEST_EXPECT_MSG_EQ((m_calls[i].ack != nullptr), (i == 0), "ACK " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(m_calls[2].lostBytes, 3000, "lost");
        NS_TEST_EXPECT_MSG_EQ(m_calls[4].timer, 3, "timer");

        Connect();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_calls[0].connection, 0, "a new function counts anew");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Windows, rates and timers that are answered.
 */
class ExternalAnswerTestCase : public ExternalTestCase
{
    using ExternalTestCase::ExternalTestCase;

    void DoRun() override
    {
        Connect();
        m_answer = [](ExternalCongestionCall& call) {
            call.window = 50000;
            call.rate = 4e10;
            call.timersPs = {7 * US, ExternalCongestionCall::KEEP, 0, 9 * US};
        };
        const auto cc = Start();
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 50000, "initial window");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 4e10, "initial rate");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(0), 7 * US, "timer 0");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(1), ManualHost::NEVER, "timer 1 is kept unset");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(2), 0, "timer 2 is due");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(3), 9 * US, "timer 3");

        m_answer = [](ExternalCongestionCall& call) {
            call.rate = 2e11; // the line has half of that
            call.timersPs[0] = ExternalCongestionCall::CANCEL;
            call.timersPs[3] = 1; // has gone by
        };
        cc->Acknowledge(MakeAck(5 * US, 0));
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 50000, "window as it was");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), LINE_BPS, "rate clipped to the line");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(0), ManualHost::NEVER, "canceled");
        NS_TEST_EXPECT_MSG_EQ(m_host.GetTimer(3), 5 * US, "at once");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 0, "nothing was lowered");

        // of a rate of 1e-9 bit/s no time would hold the end of a packet
        Connect();
        m_answer = [](ExternalCongestionCall& call) { call.rate = 1e-9; };
        const auto slow = Start();
        NS_TEST_EXPECT_MSG_EQ(slow->GetRate(), 1.0, "initial rate, clipped to 1 bit/s");
        slow->TellCnp(5 * US);
        NS_TEST_EXPECT_MSG_EQ(slow->GetRate(), 1.0, "and later");
        slow->AddModifier(CreateObject<WithholdingModifier>());
        m_answer = [](ExternalCongestionCall& call) { call.rate = 2; };
        slow->TellCnp(6 * US);
        m_answer = [](ExternalCongestionCall& call) { call.rate = 1e-9; };
        slow->TellCnp(7 * US);
        NS_TEST_EXPECT_MSG_EQ(slow->GetRate(), 2.0, "withheld");
        slow->TellTimeout(8 * US);
        NS_TEST_EXPECT_MSG_EQ(slow->GetRate(), 1.0, "what was due is clipped as well");

        // a modifier may withhold a reaction to a signal, but not one to a loss, which takes along
        // what is due
        cc->AddModifier(CreateObject<WithholdingModifier>());
        m_answer = [](ExternalCongestionCall& call) { call.window /= 2; };
        cc->TellCnp(6 * US);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 50000, "withheld");
        cc->TellLoss(7 * US, 1000);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 12500, "loss");
        cc->TellTimeout(8 * US);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), 6250, "timeout");
        NS_TEST_EXPECT_MSG_EQ(cc->GetReductions(), 3, "all took hold");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Answers that make no sense, and nobody to ask.
 */
class ExternalRefusalTestCase : public ExternalTestCase
{
    using ExternalTestCase::ExternalTestCase;

    void DoRun() override
    {
        ExternalCongestionControl::SetDecider({});
        DCFABRIC_EXPECT_REFUSAL(Start(), "no function that decides");
        Connect();
        for (const double rate : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        {
            m_answer = [rate](ExternalCongestionCall& call) { call.rate = rate; };
            DCFABRIC_EXPECT_REFUSAL(Start(), "above zero");
        }
        m_answer = [](ExternalCongestionCall& call) { call.window = 0; };
        DCFABRIC_EXPECT_REFUSAL(Start(), "a window of 0 bytes");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief INT records go on where their fields wrap, and begin anew on another path.
 */
class ExternalHopsTestCase : public ExternalTestCase
{
    using ExternalTestCase::ExternalTestCase;

    void DoRun() override
    {
        Connect();
        const auto format = CreateObject<IntFormat>();
        const auto cc = Start(format);
        IntAckSource acks(cc, format);
        // 24 bits of ns and 20 bits of 128 B: the last values before both wrap
        constexpr int64_t LAST_PS = ((int64_t{1} << 24) - 1) * 1000;
        constexpr uint64_t LAST_BYTES = ((uint64_t{1} << 20) - 1) * 128;
        const IntSample near{1000000, 1280, 160, 100000000000};
        m_calls.clear();
        acks.Feed(20, 0, 0, {near, {LAST_PS, LAST_BYTES, 800, 400000000000}});
        acks.Feed(30, 0, 0, {near, {LAST_PS + 3000, LAST_BYTES + 512, 1600, 400000000000}});
        NS_TEST_ASSERT_MSG_EQ(m_calls.size(), 2, "two ACKs");
        NS_TEST_ASSERT_MSG_EQ(m_calls[1].hops.size(), 2, "two hops");
        Expect(m_calls[0].hops[1], LAST_PS, LAST_BYTES, 800);
        Expect(m_calls[1].hops[1], LAST_PS + 3000, LAST_BYTES + 512, 1600);
        Expect(m_calls[1].hops[0], 1000000, 1280, 160);
        NS_TEST_EXPECT_MSG_EQ(m_calls[1].hops[1].rateBps, 400000000000, "rate");

        acks.entropy = 8;
        acks.Feed(40, 0, 0, {near, {7000, 1280, 0, 400000000000}});
        Expect(m_calls[2].hops[1], 7000, 1280, 0);
        acks.Feed(50, 0, 0, {});
        NS_TEST_EXPECT_MSG_EQ(m_calls[3].hops.size(), 0, "an ACK without records");

        // Half of the shortest wrap, of 2^20 x 128 B at 400 Gb/s, is 1,342,177,280 ps: after a
        // longer pause nobody knows how often the bytes have wrapped, though they look less by 640.
        constexpr int64_t HALF_WRAP_PS = 1342177280;
        acks.Feed(60, 0, 0, {near, {7000, 1280, 0, 400000000000}});
        acks.Feed(60 + HALF_WRAP_PS, 0, 0, {near, {7000, 640, 0, 400000000000}});
        Expect(m_calls.back().hops[1], 7000, 1280 + (uint64_t{1} << 27) - 640, 0);
        acks.Feed(61 + 2 * HALF_WRAP_PS, 0, 0, {near, {9000, 256, 0, 400000000000}});
        Expect(m_calls.back().hops[1], 9000, 256, 0);

        // a record that was overtaken is 2 us and 128 B older, not almost a wrap newer
        acks.Feed(62 + 2 * HALF_WRAP_PS, 0, 0, {near, {7000, 128, 0, 400000000000}});
        Expect(m_calls.back().hops[1], 7000, 128, 0);
        acks.Feed(63 + 2 * HALF_WRAP_PS, 0, 0, {near, {10000, 384, 0, 400000000000}});
        Expect(m_calls.back().hops[1], 10000, 384, 0);

        // on ACKs the records come in the order of the way back
        IntAckSource back(Start(format), format, true);
        back.Feed(60, 0, 0, {{7000, 1280, 0, 400000000000}, near});
        Expect(m_calls.back().hops[0], 1000000, 1280, 160);
    }

    /**
     * @param hop a record
     * @param timePs,txBytes,queueBytes what it should be
     */
    void Expect(const IntSample& hop, int64_t timePs, uint64_t txBytes, uint64_t queueBytes)
    {
        NS_TEST_EXPECT_MSG_EQ(hop.timePs, timePs, "time");
        NS_TEST_EXPECT_MSG_EQ(hop.txBytes, txBytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(hop.queueBytes, queueBytes, "queue");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is needed of the network follows the attributes.
 */
class ExternalNeedsTestCase : public ExternalTestCase
{
    using ExternalTestCase::ExternalTestCase;

    void DoRun() override
    {
        const auto cc = CreateObject<ExternalCongestionControl>();
        CongestionControlNeeds needs = cc->GetNeeds();
        NS_TEST_EXPECT_MSG_EQ((needs.dataInt || needs.ackInt || needs.ecn || needs.symmetricPaths),
                              false,
                              "nothing by default");
        NS_TEST_EXPECT_MSG_EQ((needs.cnpIntervalPs < 0), true, "no CNPs by default");
        cc->SetAttribute("AckInt", BooleanValue(true));
        cc->SetAttribute("Ecn", BooleanValue(true));
        cc->SetAttribute("CnpInterval", TimeValue(MicroSeconds(50)));
        needs = cc->GetNeeds();
        NS_TEST_EXPECT_MSG_EQ((needs.ackInt && needs.symmetricPaths && needs.ecn), true, "as said");
        NS_TEST_EXPECT_MSG_EQ(needs.dataInt, false, "not said");
        NS_TEST_EXPECT_MSG_EQ(needs.cnpIntervalPs, 50 * US, "interval");
        cc->SetAttribute("CnpInterval", TimeValue(Seconds(0)));
        NS_TEST_EXPECT_MSG_EQ(cc->GetNeeds().cnpIntervalPs, 0, "a CNP for each marked packet");
    }
};

/// Congestion control by a function.
const SuiteCases g_cases("dcfabric-congestion-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ExternalCallTestCase("calls"));
    suite.AddTestCase(new ExternalAnswerTestCase("answers"));
    suite.AddTestCase(new ExternalRefusalTestCase("refusals"));
    suite.AddTestCase(new ExternalHopsTestCase("INT records"));
    suite.AddTestCase(new ExternalNeedsTestCase("needs"));
});

} // namespace ns3::tests::external_congestion_control_test
