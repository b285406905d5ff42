// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-congestion.h"
#include "fabric-test-suite.h"
#include "fabric-test-units.h"

#include "ns3/congestion-modifier.h"
#include "ns3/no-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <string>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The seam of congestion control: who owns window and rate, and what modifiers may do.
 */

namespace ns3::tests::congestion_control_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Proposes what the test tells it to, and notes who was called.
 */
class ScriptedCongestionControl : public CongestionControl
{
  public:
    /// @param journal where to note calls
    explicit ScriptedCongestionControl(std::string* journal)
        : m_journal(journal)
    {
    }

    void OnAck(const AckInfo& /* ack */) override
    {
        *m_journal += "cc ";
    }

    /**
     * @brief Propose.
     * @param window bytes
     * @param rate bit/s
     * @param cause why
     */
    void Try(uint64_t window, double rate, CongestionCause cause)
    {
        Propose(123, window, rate, cause);
    }

    uint64_t initialWindow{UNLIMITED}; //!< to start with
    double initialRate{0};             //!< to start with; 0: that of the base class

  protected:
    void DoStart() override
    {
        *m_journal += "start-cc ";
        if (initialRate > 0)
        {
            SetInitial(initialWindow, initialRate);
        }
    }

  private:
    std::string* m_journal; //!< where to note calls
};

/**
 * @ingroup dcfabric-tests
 * @brief Calls a function, and notes who was called.
 */
class ScriptedModifier : public CongestionModifier
{
  public:
    /// Changes a proposal.
    using Change = std::function<void(CongestionProposal&)>;

    /**
     * @param name in the journal
     * @param journal where to note calls
     * @param change what to do
     */
    ScriptedModifier(const std::string& name, std::string* journal, Change change)
        : m_name(name),
          m_journal(journal),
          m_change(change)
    {
    }

    void Start(const PathInfo& path) override
    {
        *m_journal += "start-" + m_name + "-" + std::to_string(path.lineRateBps / GBPS) + " ";
    }

    void OnAck(const AckInfo& /* ack */) override
    {
        *m_journal += m_name + " ";
    }

    void Modify(CongestionProposal& proposal) override
    {
        *m_journal += m_name + "! ";
        m_change(proposal);
    }

  private:
    std::string m_name;     //!< in the journal
    std::string* m_journal; //!< where to note calls
    Change m_change;        //!< what to do
};

/**
 * @ingroup dcfabric-tests
 * @brief One connection of 100 Gb/s and a T of 10 us with scripted parts.
 */
class SeamTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /// Begin with a new algorithm without modifiers.
    void Begin()
    {
        m_journal.clear();
        m_cc = Make<ScriptedCongestionControl>(&m_journal);
    }

    /**
     * @brief Append a modifier.
     * @param name in the journal
     * @param change what it does
     */
    void Add(const std::string& name, ScriptedModifier::Change change)
    {
        m_cc->AddModifier(Make<ScriptedModifier>(name, &m_journal, change));
    }

    /// Start the algorithm.
    void Start()
    {
        m_cc->Start(MakePath(), nullptr);
    }

    /**
     * @brief Propose and compare.
     * @param window bytes
     * @param rate bit/s
     * @param cause why
     * @param newWindow expected
     * @param newRate expected
     * @param what for messages
     */
    void Expect(uint64_t window,
                double rate,
                CongestionCause cause,
                uint64_t newWindow,
                double newRate,
                const std::string& what)
    {
        m_cc->Try(window, rate, cause);
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), newWindow, what << ": window");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_cc->GetRate(), newRate, 1e-3, what << ": rate");
    }

    /**
     * @param arguments of it
     * @return an object made by its constructor with arguments
     */
    template <typename T, typename... Args>
    static Ptr<T> Make(Args... arguments)
    {
        return CompleteConstruct(new T(arguments...));
    }

    std::string m_journal;               //!< calls in order
    Ptr<ScriptedCongestionControl> m_cc; //!< the algorithm
};

/**
 * @ingroup dcfabric-tests
 * @brief Order of calls, and what the base class itself guarantees.
 */
class SeamOrderTestCase : public SeamTestCase
{
    using SeamTestCase::SeamTestCase;

    void DoRun() override
    {
        Begin();
        Add("add", [](CongestionProposal& p) { p.window += 1000; });
        Add("double", [](CongestionProposal& p) { p.window *= 2; });
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_journal, "start-add-100 start-double-100 start-cc ", "start");
        m_journal.clear();
        m_cc->Acknowledge(AckInfo());
        NS_TEST_EXPECT_MSG_EQ(m_journal, "add double cc ", "ACK");
        m_journal.clear();
        // (500 + 1000) x 2, not 500 x 2 + 1000
        Expect(500, 50e9, CongestionCause::SIGNAL, 3000, 50e9, "in order");
        NS_TEST_EXPECT_MSG_EQ(m_journal, "add! double! ", "proposal");

        // A proposal shows what is in force and what is wanted.
        Begin();
        CongestionProposal seen{};
        Add("look", [&seen](CongestionProposal& p) { seen = p; });
        Start();
        m_cc->Try(7000, 70e9, CongestionCause::RECOVERY);
        m_cc->Try(5000, 60e9, CongestionCause::SIGNAL);
        NS_TEST_EXPECT_MSG_EQ(seen.nowPs, 123, "time");
        NS_TEST_EXPECT_MSG_EQ((seen.cause == CongestionCause::SIGNAL), true, "cause");
        NS_TEST_EXPECT_MSG_EQ(seen.window, 5000, "window");
        NS_TEST_EXPECT_MSG_EQ(seen.oldWindow, 7000, "window in force");
        NS_TEST_EXPECT_MSG_EQ(seen.rate, 60e9, "rate");
        NS_TEST_EXPECT_MSG_EQ(seen.oldRate, 70e9, "rate in force");
        m_cc->Dispose();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What takes hold.
 */
class SeamLimitsTestCase : public SeamTestCase
{
    using SeamTestCase::SeamTestCase;

    void DoRun() override
    {
        Begin();
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), CongestionControl::UNLIMITED, "no window");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "line rate");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetPath().lineRateBps, 100 * GBPS, "path");
        Expect(CongestionControl::UNLIMITED,
               101e9,
               CongestionCause::RECOVERY,
               CongestionControl::UNLIMITED,
               100e9,
               "above the line rate");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 0, "no reduction");
        Expect(125000, 100e9, CongestionCause::SIGNAL, 125000, 100e9, "window only");
        Expect(125000, 99e9, CongestionCause::SIGNAL, 125000, 99e9, "rate only");
        Expect(124999, 98e9, CongestionCause::SIGNAL, 124999, 98e9, "both, counted once");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 3, "three reductions");
        Expect(124999, 98e9, CongestionCause::SIGNAL, 124999, 98e9, "the same");
        Expect(125000, 98e9, CongestionCause::RECOVERY, 125000, 98e9, "larger");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 3, "no more");
        // A larger window at a lower rate lowers one of them.
        Expect(126000, 97e9, CongestionCause::SIGNAL, 126000, 97e9, "one up, one down");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 4, "a reduction");

        // A modifier can neither exceed the line rate nor stop the connection.
        Begin();
        Add("extreme", [](CongestionProposal& p) {
            p.rate = 300e9;
            p.window = 0;
        });
        Start();
        Expect(5000, 50e9, CongestionCause::SIGNAL, 1, 100e9, "extremes of a modifier");

        // What an algorithm starts with is no proposal.
        Begin();
        Add("never", [](CongestionProposal& p) { p.window = 77; });
        m_cc->initialWindow = 125000;
        m_cc->initialRate = 500e9;
        Start();
        NS_TEST_EXPECT_MSG_EQ(m_journal, "start-never-100 start-cc ", "modifiers are not asked");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetWindow(), 125000, "initial window");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetRate(), 100e9, "initial rate, clipped");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 0, "no reduction");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Reductions by signals may be withheld, those by loss and timeout may not.
 */
class SeamWithholdTestCase : public SeamTestCase
{
    using SeamTestCase::SeamTestCase;

    void DoRun() override
    {
        Begin();
        Add("gate", [](CongestionProposal& p) {
            p.window = std::max(p.window, p.oldWindow);
            p.rate = std::max(p.rate, p.oldRate);
        });
        m_cc->initialWindow = 125000;
        m_cc->initialRate = 100e9;
        Start();
        Expect(60000, 50e9, CongestionCause::SIGNAL, 125000, 100e9, "signal");
        Expect(60000, 50e9, CongestionCause::RECOVERY, 125000, 100e9, "recovery");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 0, "withheld");
        Expect(60000, 50e9, CongestionCause::LOSS, 60000, 50e9, "loss");
        Expect(30000, 25e9, CongestionCause::TIMEOUT, 30000, 25e9, "timeout");
        NS_TEST_EXPECT_MSG_EQ(m_cc->GetReductions(), 2, "took hold");
        Expect(30000, 10e9, CongestionCause::LOSS, 30000, 10e9, "rate alone");
        Expect(20000, 10e9, CongestionCause::TIMEOUT, 20000, 10e9, "window alone");

        // A modifier may cut deeper after a loss, and may change what is no reduction.
        Begin();
        Add("half", [](CongestionProposal& p) {
            p.window /= 2;
            p.rate /= 2;
        });
        m_cc->initialWindow = 40000;
        m_cc->initialRate = 40e9;
        Start();
        Expect(20000, 20e9, CongestionCause::LOSS, 10000, 10e9, "deeper");
        Expect(50000, 50e9, CongestionCause::LOSS, 25000, 25e9, "an increase");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief No control at all.
 */
class NoCongestionControlTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        ObjectFactory factory("ns3::NoCongestionControl");
        Ptr<CongestionControl> cc = factory.Create<CongestionControl>();
        ManualHost host;
        cc->Start(MakePath(400 * GBPS, 10 * US), &host);
        AckInfo ack;
        ack.markedPackets = 9;
        ack.triggerMarked = true;
        cc->Acknowledge(ack);
        cc->TellCnp(1);
        cc->TellLoss(2, 1000);
        cc->TellTimeout(3);
        cc->OnSend(4, 1062);
        cc->TellTimer(0, 5);
        NS_TEST_EXPECT_MSG_EQ(cc->GetWindow(), CongestionControl::UNLIMITED, "no window");
        NS_TEST_EXPECT_MSG_EQ(cc->GetRate(), 400e9, "line rate");
        NS_TEST_EXPECT_MSG_EQ(host.IsIdle(), true, "no timer");
        const CongestionControlNeeds needs = cc->GetNeeds();
        NS_TEST_EXPECT_MSG_EQ(
            (needs.dataInt || needs.ackInt || needs.symmetricPaths || needs.ecn || needs.sends),
            false,
            "needs nothing");
        NS_TEST_EXPECT_MSG_LT(needs.cnpIntervalPs, 0, "no CNPs");
    }
};

/// The seam of congestion control.
const SuiteCases g_cases("dcfabric-congestion-control", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new SeamOrderTestCase("modifiers act in the order of installation and see ACKs first"));
    suite.AddTestCase(new SeamLimitsTestCase(
        "clip to the line rate, window of at least a byte, count of reductions"));
    suite.AddTestCase(
        new SeamWithholdTestCase("reductions after a loss or a timeout are never withheld"));
    suite.AddTestCase(
        new NoCongestionControlTestCase("none: line rate and no window, whatever happens"));
});

} // namespace ns3::tests::congestion_control_test
