// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-matrix-run.h"
#include "fabric-test-suite.h"

#include "ns3/test.h"

#include <cstddef>
#include <iterator>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief The whole product of policies: what is legal runs, what is not is refused by the names of
 * both sides.
 */

namespace ns3::tests::matrix::policy_refusals_test
{
namespace policy_refusals_test
{

/**
 * @ingroup dcfabric-tests
 * @brief Part of the product.
 */
class ProductTestCase : public NamedCase
{
  protected:
    using NamedCase::NamedCase;

    /**
     * @brief Install a combination, and let it send a message if it is legal.
     * @param c it
     */
    void Check(const Combination& c)
    {
        const SimpleDecider decider; // of external congestion controls
        const std::vector<Clash> clashes = FindClashes(c);
        std::size_t delivered = 0;
        const std::string answer = RefusalOf([&]() {
            const TestNetwork network(MakeTwoLeaves(1, 2, 10 * GBPS), MakeHelper(c));
            network.MessagesOf(0).Send(1, 3000, 0);
            Simulator::Stop(MilliSeconds(10));
            Simulator::Run();
            delivered = network.delivered.size() + network.completed.size();
        });
        Simulator::Destroy();
        if (clashes.empty())
        {
            ++m_legal;
            NS_TEST_EXPECT_MSG_EQ(answer, "(accepted)", c.GetName());
            NS_TEST_EXPECT_MSG_EQ(delivered, 2, "arrived and acknowledged, " << c.GetName());
            return;
        }
        ++m_refused;
        std::string wanted;
        bool named = false;
        for (const auto& [one, other] : clashes)
        {
            wanted += " " + one + " and " + other + ";";
            named = named || (Contains(answer, one) && Contains(answer, other));
        }
        NS_TEST_EXPECT_MSG_EQ(named,
                              true,
                              c.GetName() << " should be refused by the names of" << wanted
                                          << " got: " << answer);
    }

    uint32_t m_legal{0};   //!< combinations that ran
    uint32_t m_refused{0}; //!< combinations that were refused
};

/**
 * @ingroup dcfabric-tests
 * @brief What concerns paths, memory and losses.
 */
class PathProductTestCase : public ProductTestCase
{
  public:
    /// @param cc congestion control
    explicit PathProductTestCase(const Cc& cc)
        : ProductTestCase(std::string(cc.name) +
                          " x load balancing x flow control x switch x reliability x modifier"),
          m_cc(cc)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::vector<const Modifier*>> sets{{}};
        for (const Modifier& modifier : MODIFIERS)
        {
            sets.push_back({&modifier});
        }
        for (const Lb& lb : LBS)
        {
            for (const Flow& flow : FLOWS)
            {
                for (const int choice : {0, 1, 2, 3})
                {
                    for (const auto& modifiers : sets)
                    {
                        Combination c;
                        c.cc = &m_cc;
                        c.lb = &lb;
                        c.flow = &flow;
                        c.voq = choice & 1;
                        c.goBackN = choice & 2;
                        c.modifiers = modifiers;
                        c.Complete();
                        Check(c);
                    }
                }
            }
        }
        const std::size_t all = std::size(LBS) * std::size(FLOWS) * 4 * sets.size();
        NS_TEST_EXPECT_MSG_EQ(m_legal + m_refused, all, "all");
        NS_TEST_EXPECT_MSG_GT(m_legal, 0, "some");
    }

    const Cc& m_cc; //!< congestion control
};

/**
 * @ingroup dcfabric-tests
 * @brief What concerns switches: features, queue discs, marks.
 */
class SwitchProductTestCase : public ProductTestCase
{
  public:
    /// @param cc congestion control
    explicit SwitchProductTestCase(const Cc& cc)
        : ProductTestCase(std::string(cc.name) +
                          " x features of switches x flow control x queue disc x marks"),
          m_cc(cc)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t N_SETS = 1U << std::size(FEATURES);
        for (uint32_t set = 0; set < N_SETS; ++set)
        {
            for (const Flow& flow : FLOWS)
            {
                for (const int choice : {0, 1, 2, 3})
                {
                    Combination c;
                    c.cc = &m_cc;
                    c.flow = &flow;
                    c.voq = flow.perOutput;
                    c.disc = choice & 1 ? STOCK_DISC : OWN_DISC;
                    c.marks = choice & 2;
                    for (uint32_t i = 0; i < std::size(FEATURES); ++i)
                    {
                        if (set >> i & 1)
                        {
                            c.features.push_back(FEATURES[i]);
                        }
                    }
                    Check(c);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_legal + m_refused, N_SETS * 4 * 4, "all");
        NS_TEST_EXPECT_MSG_GT(m_legal, 0, "some");
    }

    const Cc& m_cc; //!< congestion control
};

/// The product of policies.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Cc& cc : CCS)
    {
        suite.AddTestCase(new PathProductTestCase(cc));
        suite.AddTestCase(new SwitchProductTestCase(cc));
    }
});

} // namespace policy_refusals_test
} // namespace ns3::tests::matrix::policy_refusals_test
