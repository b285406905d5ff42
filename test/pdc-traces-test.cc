// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-control.h"
#include "fabric-test-results.h"
#include "fabric-test-schedule.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/config.h"
#include "ns3/flow-recorder.h"
#include "ns3/pdc-traces.h"
#include "ns3/test.h"
#include "ns3/trace-series.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Trace sources of sending PDCs: CongestionWindow, Rate, RTT and State, by hand.
 *
 * The network is MakeStar(): see by_hand. A window of the line is BDP = 4.192 us x 100 Gb/s =
 * 52,400 bytes.
 */

namespace ns3::tests::pdc_traces_test
{

using namespace by_hand;

/// Notes what the trace sources of host 0 tell, with the times in ps.
class TraceLog
{
  public:
    /// @param network whose host 0
    explicit TraceLog(const TestNetwork& network)
        : m_nic(network.Nic(0))
    {
        const std::string path = "/NodeList/0/$ns3::FabricNic/";
        Config::Connect(path + "CongestionWindow", MakeCallback(&TraceLog::OnWindow, this));
        Config::Connect(path + "Rate", MakeCallback(&TraceLog::OnRate, this));
        Config::Connect(path + "RTT", MakeCallback(&TraceLog::OnRtt, this));
        Config::Connect(path + "State", MakeCallback(&TraceLog::OnState, this));
    }

    std::ostringstream windows; //!< `TIME:OLD>NEW ` in bytes
    std::ostringstream rates;   //!< likewise, in bit/s
    std::ostringstream rtts;    //!< likewise, in ps
    std::ostringstream states;  //!< likewise, names
    std::string paths;          //!< contexts that are not of their source

  private:
    /**
     * @brief Note a change.
     * @param os where
     * @param path context
     * @param source its end
     * @param pdc which
     * @param before value
     * @param now value
     */
    template <typename T>
    void Note(std::ostream& os,
              const std::string& path,
              const std::string& source,
              const SendingPdc& pdc,
              const T& before,
              const T& now)
    {
        const bool known = &pdc.GetNic() == &m_nic && pdc.GetDestination() == 1;
        if (!known || path != "/NodeList/0/$ns3::FabricNic/" + source)
        {
            paths += path + ' ';
        }
        os << m_nic.GetNowPs() << ':' << before << '>' << now << ' ';
    }

    /**
     * @brief Sink.
     * @param path context
     * @param pdc which
     * @param before bytes
     * @param now bytes
     */
    void OnWindow(std::string path, const SendingPdc& pdc, uint64_t before, uint64_t now)
    {
        Note(windows, path, "CongestionWindow", pdc, before, now);
    }

    /**
     * @brief Sink.
     * @param path context
     * @param pdc which
     * @param before rate
     * @param now rate
     */
    void OnRate(std::string path, const SendingPdc& pdc, DataRate before, DataRate now)
    {
        Note(rates, path, "Rate", pdc, before.GetBitRate(), now.GetBitRate());
    }

    /**
     * @brief Sink.
     * @param path context
     * @param pdc which
     * @param before RTT
     * @param now RTT
     */
    void OnRtt(std::string path, const SendingPdc& pdc, Time before, Time now)
    {
        Note(rtts, path, "RTT", pdc, FabricTime::ToPs(before), FabricTime::ToPs(now));
    }

    /**
     * @brief Sink.
     * @param path context
     * @param pdc which
     * @param before state
     * @param now state
     */
    void OnState(std::string path, const SendingPdc& pdc, PdcState before, PdcState now)
    {
        static const std::string names[] = {"blocked", "ready", "paced", "paused", "parked"};
        Note(states,
             path,
             "State",
             pdc,
             names[static_cast<int>(before)],
             names[static_cast<int>(now)]);
    }

    const FabricNic& m_nic; //!< of host 0
};

/**
 * @param timePs when
 * @param before value
 * @param now value
 * @return a change as TraceLog notes it
 */
template <typename Old, typename New>
std::string
Change(int64_t timePs, const Old& before, const New& now)
{
    std::ostringstream os;
    os << timePs << ':' << before << '>' << now << ' ';
    return os.str();
}

/**
 * @brief Have the switch mark packet 0.
 * @param network a star
 * @param node the switch
 */
void
MarkFirst(const TestNetwork& network, uint32_t node)
{
    AddTap(network, node)->SetRule([](FabricPacketItem& item) {
        if (item.type == DATA && item.psn == 0)
        {
            item.Mark();
        }
        return true;
    });
}

/**
 * @ingroup dcfabric-tests
 * @brief A lone message without congestion control: its rate is that of the line, each RTT that of
 * the empty path, and there is no window.
 */
class LonePathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        TestNetwork network(MakeStar(2));
        TraceLog log(network);
        network.MessagesOf(0).SendAt(3 * US, 1, 10000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.windows.str(), "", "none");
        NS_TEST_EXPECT_MSG_EQ(log.rates.str(), Change(3 * US, 0, 100 * GBPS), "the line");
        // the same for all ten packets
        NS_TEST_EXPECT_MSG_EQ(log.rtts.str(), Change(3 * US + RTT, 0, RTT), "RTT");
        NS_TEST_EXPECT_MSG_EQ(log.paths, "", "contexts and PDCs");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The first mark halves DCTCP's window, for its alpha is 1; the other ACKs change nothing,
 * for 20 packets are less than what is left of it.
 */
class DctcpCutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DctcpCongestionControl");
        SetMarks(helper, 300000);
        TestNetwork network(MakeStar(2), helper);
        MarkFirst(network, 2);
        TraceLog log(network);
        network.MessagesOf(0).SendAt(0, 1, 20000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.windows.str(),
                              Change(0, 0, 52400) + Change(RTT, 52400, 26200),
                              "the BDP, then half of it");
        NS_TEST_EXPECT_MSG_EQ(log.rates.str(), Change(0, 0, 100 * GBPS), "not paced");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The first CNP halves DCQCN's rate, for its alpha is 1.
 */
class DcqcnCutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        SetMarks(helper, 300000);
        TestNetwork network(MakeStar(2), helper);
        MarkFirst(network, 2);
        TraceLog log(network);
        network.MessagesOf(0).SendAt(0, 1, 60000, 0);
        Simulator::Run();
        // Packet 0 is at the receiver at 2 F + 2 us. Its CNP, a frame of 62 + 16 bytes, goes first,
        // and both links take (78 + 20) x 80 ps for it.
        const int64_t cnpPs = 2 * F + 2 * US + 2 * (98 * 80 + US);
        NS_TEST_EXPECT_MSG_EQ(log.rates.str(),
                              Change(0, 0, 100 * GBPS) + Change(cnpPs, 100 * GBPS, 50 * GBPS),
                              "the line, then half of it");
        NS_TEST_EXPECT_MSG_EQ(log.windows.str(), "", "none");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What a PDC waits for: a window of one packet, half the rate of the line, a class that is
 * paused for a while, credits for one packet.
 */
class StatesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param helper policies
     * @param packets of it
     * @param pause class 3 from 500 ns to 3 us
     * @return what State told of a message
     */
    std::string Run(const FabricHelper& helper, uint32_t packets, bool pause = false)
    {
        TestNetwork network(MakeStar(2), helper);
        TraceLog log(network);
        if (pause)
        {
            FabricNetDevice* port = network.Nic(0).GetPort(0);
            CallIn(NanoSeconds(500), [port]() { port->SetPausedClasses(8); });
            CallIn(MicroSeconds(3), [port]() { port->SetPausedClasses(0); });
        }
        network.MessagesOf(0).SendAt(US, 1, packets * 1000, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "complete");
        return log.states.str();
    }

    void DoRun() override
    {
        std::string expected;
        for (int64_t i = 0; i < 3; ++i)
        {
            expected += Change(US + i * RTT, "blocked", "ready");
            expected += Change(US + i * RTT, "ready", "blocked");
        }
        NS_TEST_EXPECT_MSG_EQ(Run(MakeFixed(1000), 3), expected, "a packet for each ACK");

        const int64_t gap = 1062 * 160; // ps of a frame at 50 Gb/s
        NS_TEST_EXPECT_MSG_EQ(
            Run(MakeFixed(CongestionControl::UNLIMITED, 50e9), 3),
            Change(US, "blocked", "ready") + Change(US, "ready", "paced") +
                Change(US + gap, "paced", "ready") + Change(US + gap, "ready", "paced") +
                Change(US + 2 * gap, "paced", "ready") + Change(US + 2 * gap, "ready", "blocked"),
            "a packet at its time");

        NS_TEST_EXPECT_MSG_EQ(Run(MakeFixed(CongestionControl::UNLIMITED), 3, true),
                              Change(US, "blocked", "ready") + Change(US, "ready", "paused") +
                                  Change(3 * US, "paused", "ready") +
                                  Change(3 * US + 2 * F, "ready", "blocked"),
                              "a pause");

        // 17 units of 64 bytes hold a packet of 1062. They are there again when it has arrived,
        // goes on at once, and a frame of 88 bytes and 20 of gap has come back.
        FabricHelper credits = MakeFixed(CongestionControl::UNLIMITED);
        credits.SetFlowControl("ns3::CreditFlowControl",
                               "BufferBytes",
                               UintegerValue(17 * 64),
                               "ReturnBytes",
                               UintegerValue(1));
        const int64_t again = F + US + 108 * 80 + US;
        NS_TEST_EXPECT_MSG_EQ(Run(credits, 2),
                              Change(US, "blocked", "ready") + Change(US + F, "ready", "paused") +
                                  Change(US + again, "paused", "ready") +
                                  Change(US + again, "ready", "blocked"),
                              "credits of a class");

        FabricHelper queues = MakeFixed(CongestionControl::UNLIMITED);
        queues.SetBuffer("ns3::VoqBuffer");
        queues.SetFlowControl("ns3::VoqCreditFlowControl",
                              "BufferBytes",
                              UintegerValue(17 * 64),
                              "ReturnBytes",
                              UintegerValue(1));
        // likewise, with a frame of 104 bytes; packet 2 is made, and waits
        NS_TEST_EXPECT_MSG_EQ(Run(queues, 2),
                              Change(US, "blocked", "ready") + Change(US + F, "ready", "parked") +
                                  Change(US + F + US + 124 * 80 + US, "parked", "blocked"),
                              "credits of a queue");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Sinks change nothing: an incast under DCQCN with a gate has the same events and times.
 */
class NoEffectTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param traced with sinks
     * @param events how many the run had
     * @return times of all messages
     */
    static std::string Run(bool traced, uint64_t& events)
    {
        FabricHelper helper;
        helper.SetCongestionControl("ns3::DcqcnCongestionControl");
        helper.AddModifier("ns3::EwmaGateModifier");
        SetMarks(helper, 5000, 20000);
        TestNetwork network(MakeStar(5), helper);
        std::optional<TraceLog> log;
        if (traced)
        {
            log.emplace(network);
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            network.MessagesOf(i).SendAt(0, 4, 300000, i);
        }
        Simulator::Run();
        events = Simulator::GetEventCount();
        std::ostringstream os;
        for (const auto& event : network.completed)
        {
            os << event.tag << ' ' << event.nowPs << ' ' << event.reductions << '\n';
        }
        return os.str();
    }

    void DoRun() override
    {
        uint64_t without = 0;
        uint64_t with = 0;
        const std::string expected = Run(false, without);
        NS_TEST_EXPECT_MSG_EQ(Run(true, with), expected, "times");
        NS_TEST_EXPECT_MSG_EQ(with, without, "events");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief windows.csv of a message of two packets with a window of one, to the letter.
 */
class WindowsFileTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        FabricHelper helper = MakeFixed(1000);
        Ptr<Fabric> fabric = helper.Install(MakeStar(3));
        FlowRecorder recorder(fabric, {{2, 1, 1000, 0, 3}, {0, 1, 2000, 10 * US, 3}});
        const std::string folder = CreateTempDirFilename("");
        const auto windows = TraceSeriesTable::Find("windows")->Open(recorder, folder);
        recorder.Start();
        Simulator::Run();
        windows->Finish(FabricTime::ToPs(Simulator::Now()));
        // an RTT is 4192 ns; at one time there is one row, with what holds after it
        const std::string fixed = "1000,100000000000,";
        NS_TEST_EXPECT_MSG_EQ(ReadAll(folder + "/windows.csv"),
                              "time_ns,flow,node,pdc,window_bytes,rate_bps,rtt_ns,state\n"
                              "0,0,2,0," +
                                  fixed +
                                  "0,blocked\n"
                                  "4192,0,2,0," +
                                  fixed +
                                  "4192,blocked\n"
                                  "10000,1,0,0," +
                                  fixed +
                                  "0,blocked\n"
                                  "14192,1,0,0," +
                                  fixed + "4192,blocked\n",
                              "rows");
        Simulator::Destroy();
    }
};

/// Trace sources of sending PDCs.
const SuiteCases g_cases("dcfabric-pdc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new LonePathTestCase("trace sources: a lone message"));
    suite.AddTestCase(new DctcpCutTestCase("trace sources: a cut of DCTCP"));
    suite.AddTestCase(new DcqcnCutTestCase("trace sources: a cut of DCQCN"));
    suite.AddTestCase(new StatesTestCase("trace sources: states"));
    suite.AddTestCase(new NoEffectTestCase("trace sources: no effect on results"));
    suite.AddTestCase(new WindowsFileTestCase("trace sources: windows.csv"));
});

} // namespace ns3::tests::pdc_traces_test
