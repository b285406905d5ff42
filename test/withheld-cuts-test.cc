// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-duration.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/bts-congestion-control.h"
#include "ns3/bts-packet.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/dctcp-congestion-control.h"
#include "ns3/double.h"
#include "ns3/ewma-gate-modifier.h"
#include "ns3/external-congestion-control.h"
#include "ns3/fabric-packet-item.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rate-packet.h"
#include "ns3/string.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

// the class of the example; the program is none of ours
#define main CustomCongestionControlMain
#include "../examples/dcfabric-custom-congestion-control.cc"
#undef main

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief What gates withhold never stands in the way of a reaction to a loss.
 */

namespace ns3::tests::withheld_cuts_test
{

constexpr uint64_t LINE_BPS = 100000000000; //!< 100 Gb/s
constexpr int64_t BASE_US = 10;             //!< base RTT, thus a BDP of 125,000 B

/// What may reach a sender.
enum Event : uint8_t
{
    MARK,    //!< an ACK with a mark, over a path whose queue is long
    CNP,     //!< a CNP, and from RoCC's switches a fair rate
    BTS,     //!< an early notification of a queue
    RTT,     //!< an ACK without mark, of a packet that took long
    LOSS,    //!< packets are found lost
    TIMEOUT, //!< nothing came for long
    DROP,    //!< the packet of BTS was dropped, or another if there was none
    N_EVENTS
};

/**
 * @param event it
 * @return name of an event
 */
std::string
NameOf(Event event)
{
    const char* names[N_EVENTS] = {"mark", "CNP", "BTS", "RTT", "loss", "time-out", "drop"};
    return names[event];
}

/**
 * @ingroup dcfabric-tests
 * @brief A sending end without network.
 */
class Sender
{
  public:
    /**
     * @param cc the algorithm, not started
     * @param gates its modifiers
     * @param gapsTell of losses
     */
    Sender(Ptr<CongestionControl> cc,
           const std::vector<Ptr<CongestionModifier>>& gates,
           bool gapsTell = true)
        : m_cc(cc),
          m_format(ExactFormat())
    {
        for (const auto& gate : gates)
        {
            cc->AddModifier(gate);
        }
        PathInfo path = MakePath(LINE_BPS, BASE_US * US, m_format);
        path.paths = 2;
        path.gapsTell = gapsTell;
        cc->Start(path, &m_host);
        Ack(0, false, BASE_US); // the first one of each path only records INT, and that of all ends
        Ack(1, false, BASE_US); // a window of one packet
    }

    /**
     * @brief Hand over an event.
     * @param us when
     * @param event what
     */
    void Feed(int64_t us, Event event)
    {
        const int64_t nowPs = us * US;
        m_host.RunUntil(*m_cc, nowPs);
        switch (event)
        {
        case MARK:
            Ack(us, true, BASE_US);
            break;
        case RTT:
            Ack(us, false, 40);
            break;
        case CNP: {
            m_cc->TellCnp(nowPs);
            const auto rate = FabricPacketItem::Create(FabricPacketType::RATE);
            rate->As<RateFields>().rateMbps = 20000;
            m_cc->TellNotice(*rate, nowPs);
            break;
        }
        case BTS:
        case DROP:
            Notify(nowPs, event == DROP);
            break;
        case LOSS:
            m_cc->TellLoss(nowPs, 1000);
            break;
        default:
            m_cc->TellTimeout(nowPs);
        }
    }

    /// @return the algorithm
    const CongestionControl& Get() const
    {
        return *m_cc;
    }

  private:
    /**
     * @brief An ACK of one packet.
     * @param us when
     * @param marked it was
     * @param rttUs its RTT
     */
    void Ack(int64_t us, bool marked, int64_t rttUs)
    {
        m_cumulative += 1000;
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::ACK);
        item->entropy = static_cast<uint16_t>(7 + m_cumulative / 1000 % 2);
        item->intCount = 1;
        item->exactInt = std::make_unique<std::array<IntSample, FabricPacketItem::MAX_HOPS>>();
        // the link is busy, and its queue more than the BDP
        item->exactInt->at(0).rateBps = LINE_BPS;
        item->exactInt->at(0).timePs = us * US;
        item->exactInt->at(0).txBytes = static_cast<uint64_t>(us) * LINE_BPS / 8000000;
        item->exactInt->at(0).queueBytes = 200000;
        AckInfo ack = MakePacketAck(us * US, marked, m_cumulative, 125000, rttUs * US);
        ack.triggerMarked = marked;
        ack.item = PeekPointer(item);
        m_cc->Acknowledge(ack);
    }

    /**
     * @brief A queue notifies.
     * @param nowPs when
     * @param dropped it dropped the packet
     */
    void Notify(int64_t nowPs, bool dropped)
    {
        const Ptr<FabricPacketItem> item = FabricPacketItem::Create(FabricPacketType::BTS);
        item->As<BtsFields>() = {};
        item->As<BtsFields>().dropped = dropped;
        BtsNotice notice = MakeNotice(nowPs, dropped, dropped && m_notified);
        notice.item = PeekPointer(item);
        m_notified = true;
        m_cc->TellBts(notice);
    }

    Ptr<CongestionControl> m_cc; //!< the algorithm
    Ptr<IntFormat> m_format;     //!< of INT
    ManualHost m_host;           //!< its timers
    uint64_t m_cumulative{0};    //!< payload bytes acknowledged
    bool m_notified{false};      //!< there was a notification
};

/// @return an EWMA gate that opens with the second marked packet: 0.4, 0.64
Ptr<CongestionModifier>
MakeGate()
{
    return CreateObjectWithAttributes<EwmaGateModifier>("Gain",
                                                        DoubleValue(0.4),
                                                        "NoticePackets",
                                                        DoubleValue(0),
                                                        "Signal",
                                                        PointerValue(CreateObject<MarkSignal>()));
}

/**
 * @ingroup dcfabric-tests
 * @brief Single cuts, by hand.
 */
class WithheldCutTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Compare window and rate.
     * @param sender whose
     * @param window bytes, 0: not compared
     * @param gbps Gb/s
     * @param what it shows
     */
    void Expect(const Sender& sender, uint64_t window, double gbps, const std::string& what)
    {
        if (window > 0)
        {
            NS_TEST_EXPECT_MSG_EQ(sender.Get().GetWindow(), window, what);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.Get().GetRate() / 1e9, gbps, 1e-9, what << ": rate");
    }

    void DoRun() override
    {
        // DCTCP, alpha 1 with gain 0: a mark halves 125,000 B. The loss in the same window of data
        // is answered for by that cut, and adds nothing; without the mark it halves as well.
        const auto makeDctcp = [](double alpha) {
            return CreateObjectWithAttributes<DctcpCongestionControl>("G",
                                                                      DoubleValue(0),
                                                                      "InitialAlpha",
                                                                      DoubleValue(alpha));
        };
        Sender dctcp(makeDctcp(1), {MakeGate()});
        dctcp.Feed(12, MARK);
        Expect(dctcp, 125000, 100, "withheld");
        dctcp.Feed(13, LOSS);
        Expect(dctcp, 62500, 100, "once");
        dctcp.Feed(14, LOSS);
        Expect(dctcp, 62500, 100, "of the same window of data");
        dctcp.Feed(15, TIMEOUT);
        Expect(dctcp, 1000, 100, "the least window");

        // With alpha 0.2 the mark takes a tenth: 112,500. 11 us later, which is more than a round
        // trip, it is forgiven, and the loss halves 125,000.
        Sender small(makeDctcp(0.2), {MakeGate()});
        small.Feed(12, MARK);
        small.Feed(22, LOSS);
        Expect(small, 112500, 100, "a round trip later");
        Sender late(makeDctcp(0.2), {MakeGate()});
        late.Feed(12, MARK);
        late.Feed(23, LOSS);
        Expect(late, 62500, 100, "forgiven");

        // The drop of a packet of which an early notification came is the second one of it.
        Sender dropped(makeDctcp(1), {MakeGate()});
        dropped.Feed(12, BTS);
        Expect(dropped, 125000, 100, "withheld");
        dropped.Feed(13, DROP);
        Expect(dropped, 62500, 100, "the drop");
        Sender bts(CreateObject<BtsCongestionControl>(), {MakeGate()});
        bts.Feed(12, BTS);
        Expect(bts, 126000, 100, "withheld");
        bts.Feed(13, DROP);
        Expect(bts, 63500, 50, "MaxDecrease of a full queue: 50 Gb/s x 10 us and a packet");

        // DCQCN does not react to losses, but it would have halved at the notification. A drop of
        // which no early notification came is one, whatever gates say.
        for (const Event event : {CNP, BTS})
        {
            for (const Event loss : {LOSS, TIMEOUT, DROP})
            {
                Sender dcqcn(CreateObject<DcqcnCongestionControl>(), {MakeGate()});
                dcqcn.Feed(12, event);
                Expect(dcqcn, 0, 100, "withheld");
                dcqcn.Feed(13, loss);
                Expect(dcqcn, 0, 50, NameOf(event) + ", " + NameOf(loss));
            }
        }
        // Where gaps rather tell of packets that others overtook, only the other two are certain.
        for (const Event loss : {LOSS, TIMEOUT, DROP})
        {
            Sender spread(CreateObject<DcqcnCongestionControl>(), {MakeGate()}, false);
            spread.Feed(12, CNP);
            spread.Feed(13, loss);
            Expect(spread, 0, loss == LOSS ? 100 : 50, "spread, " + NameOf(loss));
        }
        Sender unwarned(CreateObject<DcqcnCongestionControl>(), {MakeGate()});
        unwarned.Feed(12, DROP);
        Expect(unwarned, 0, 50, "a drop is no signal");

        // Swift decreases each of its two windows of 125 packets once in an RTT: one of 40 us where
        // 20 are the target takes 0.8 x (40 - 20) / 40 = 0.4 of that of the fabric, and a loss then
        // halves that of the endpoint alone. FlowRange 0, endpoint delay 0.
        Sender swift(CreateObjectWithAttributes<SwiftCongestionControl>("FlowRange",
                                                                        TimeValue(Seconds(0)),
                                                                        "RttGain",
                                                                        DoubleValue(1)),
                     {MakeGate()});
        swift.Feed(12, RTT);
        Expect(swift, 125000, 100, "withheld");
        swift.Feed(13, LOSS);
        Expect(swift, 62000, 100, "62 packets, not 37");
    }
};

/// What a test says of a congestion control.
struct Control
{
    std::string name;                             //!< in messages
    std::function<Ptr<CongestionControl>()> make; //!< makes one
};

/// @return all of them
std::vector<Control>
MakeControls()
{
    std::vector<Control> controls;
    const auto add = [&controls](const std::string& type,
                                 const std::vector<std::pair<std::string, std::string>>& values) {
        std::string name = type;
        ObjectFactory factory("ns3::" + type + "CongestionControl");
        for (const auto& [attribute, value] : values)
        {
            factory.Set(attribute, StringValue(value));
            name += " " + attribute + "=" + value;
        }
        controls.push_back({name, [factory]() { return factory.Create<CongestionControl>(); }});
    };
    add("Hpcc", {});
    add("Fncc", {});
    add("PowerTcp", {});
    add("ThetaPowerTcp", {});
    add("Dcqcn", {});
    add("Dcqcn", {{"CnpInterval", "0us"}, {"DecreaseInterval", "0us"}});
    add("Dcqcn", {{"CnpInterval", "0us"}, {"PeriodicChecks", "1"}, {"DecreaseInterval", "2us"}});
    add("Rocc", {});
    add("Dctcp", {});
    add("Dctcp", {{"InitialAlpha", "0.1"}});
    // each ACK is an event, and 40 us more than HighThreshold
    add("Timely", {{"SegmentBytes", "1"}, {"LowThreshold", "5us"}, {"HighThreshold", "12us"}});
    add("Swift", {});
    add("Nscc", {{"TargetRtts", "0.01"}}); // quick adapt at the RTT of 40 us
    add("Mprdma", {});
    add("Ib", {});
    add("Ib", {{"CnpInterval", "0us"}});
    add("DcqcnPlus", {});
    add("Falcon", {});
    add("Falcon", {{"DecreaseOnLoss", "1"}});
    add("Bts", {});
    add("No", {});
    add("External", {});
    add("DelayWindow", {}); // of the example to copy
    return controls;
}

/// A set of gates.
struct Gates
{
    std::string name;                                           //!< in messages
    std::function<std::vector<Ptr<CongestionModifier>>()> make; //!< makes them
};

/// @return gates that open and close at different events, or never, and two of them together
std::vector<Gates>
MakeGates()
{
    const auto make = [](const std::string& type,
                         const std::vector<std::pair<std::string, std::string>>& values) {
        ObjectFactory factory("ns3::" + type);
        for (const auto& [attribute, value] : values)
        {
            factory.Set(attribute, StringValue(value));
        }
        return [factory]() { return factory.Create<CongestionModifier>(); };
    };
    const auto byMark = make("EwmaGateModifier", {{"Signal", "ns3::MarkSignal"}});
    const auto quick = make("EwmaGateModifier", {{"Signal", "ns3::MarkSignal"}, {"Gain", "1"}});
    const auto byRtt =
        make("EwmaGateModifier", {{"Signal", "ns3::RttExcessSignal"}, {"Gain", "1"}});
    const auto unheld =
        make("EwmaGateModifier", {{"Signal", "ns3::MarkSignal"}, {"Gain", "0.4"}, {"Hold", "0us"}});
    const auto one =
        make("MajorityGateModifier", {{"Signal", "ns3::MarkSignal"}, {"Majority", "1"}});
    const auto most = make("MajorityGateModifier", {});
    const auto byDefault = make("EwmaGateModifier", {});
    const auto byClaim = HasClass("ns3::CoordinationGateModifier")
                             ? make("CoordinationGateModifier", {})
                             : byDefault;
    using Set = std::vector<Ptr<CongestionModifier>>;
    return {{"EWMA", [=]() { return Set{byMark()}; }},
            {"EWMA, gain 1", [=]() { return Set{quick()}; }},
            {"EWMA of RTTs", [=]() { return Set{byRtt()}; }},
            {"EWMA by default", [=]() { return Set{byDefault()}; }},
            {"EWMA without Hold", [=]() { return Set{unheld()}; }},
            {"no claim", [=]() { return Set{byClaim()}; }},
            {"one path", [=]() { return Set{one()}; }},
            {"both paths", [=]() { return Set{most()}; }},
            {"RTTs and marks",
             [=]() {
                 return Set{byRtt(), quick()};
             }},
            {"marks and both paths", [=]() {
                 return Set{quick(), most()};
             }}};
}

/**
 * @ingroup dcfabric-tests
 * @brief All orders of all events within a round trip.
 */
class WithheldCutOrdersTestCase : public TestCase
{
  public:
    /// @param control the algorithm
    explicit WithheldCutOrdersTestCase(const Control& control)
        : TestCase("after a loss no more than without gate: " + control.name),
          m_control(control)
    {
    }

  private:
    void DoRun() override
    {
        // one that the user writes, which cuts as often as it is told
        ExternalCongestionControl::SetDecider([](ExternalCongestionCall& call) {
            const bool told = call.kind == ExternalCongestionCall::CNP ||
                              (call.kind == ExternalCongestionCall::ACK &&
                               (call.ack->markedPackets > 0 || call.ack->rttPs > 20 * US));
            call.rate = call.kind == ExternalCongestionCall::START ? 1e11 : call.rate;
            call.window = call.kind == ExternalCongestionCall::START ? 125000 : call.window;
            call.rate *= told ? 0.5 : 1;
            call.window = std::max<uint64_t>(told ? call.window / 2 : call.window, 1);
        });
        for (const Gates& gates : MakeGates())
        {
            for (const Event last : {TIMEOUT, DROP})
            {
                std::vector<Event> order{MARK, CNP, BTS, RTT, LOSS, last};
                std::sort(order.begin(), order.end());
                do
                {
                    Compare(gates, order);
                } while (std::next_permutation(order.begin(), order.end()));
            }
        }
        ExternalCongestionControl::SetDecider({});
        const bool reacts = m_control.name != "No";
        NS_TEST_EXPECT_MSG_EQ((m_withheld > 0), reacts, "gates withhold something");
    }

    /**
     * @brief Feed the same events with and without gates.
     * @param gates with
     * @param order of events
     */
    void Compare(const Gates& gates, const std::vector<Event>& order)
    {
        Sender open(m_control.make(), {});
        Sender gated(m_control.make(), gates.make());
        int64_t us = BASE_US;
        std::string story = gates.name;
        for (const Event event : order)
        {
            us += 1;
            story += ", " + NameOf(event);
            open.Feed(us, event);
            gated.Feed(us, event);
            m_withheld += gated.Get().GetRate() > open.Get().GetRate() ||
                          gated.Get().GetWindow() > open.Get().GetWindow();
            if (event >= LOSS)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(gated.Get().GetWindow(), open.Get().GetWindow(), story);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(gated.Get().GetRate(),
                                            open.Get().GetRate() * (1 + 1e-12),
                                            story);
            }
        }
    }

    Control m_control;      //!< the algorithm
    uint64_t m_withheld{0}; //!< events after which gates made a difference
};

/// Gates and losses.
const SuiteCases g_cases("dcfabric-modifiers", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new WithheldCutTestCase(
        "a cut that was withheld takes hold with a loss, and does not swallow its cut"));
    std::string type;
    for (const Control& control : MakeControls())
    {
        // a control with other attributes than just before
        const std::string own = control.name.substr(0, control.name.find(' '));
        suite.AddTestCase(new WithheldCutOrdersTestCase(control),
                          own == type ? DurationOf<TestCase>::EXTENSIVE
                                      : DurationOf<TestCase>::QUICK);
        type = own;
    }
});

} // namespace ns3::tests::withheld_cuts_test
