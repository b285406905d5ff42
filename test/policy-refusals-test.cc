// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-errors.h"
#include "fabric-test-matrix-run.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/fabric-topology.h"
#include "ns3/test.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

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
            const TestNetwork network(MakeGraph(c), MakeHelper(c));
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

    /// @return a small network @param c what is to be installed there
    static FabricGraph MakeGraph(const Combination& c)
    {
        return c.routing ? MakeFabricTopology(GROUPS)->BuildGraph()
                         : MakeTwoLeaves(1, 2, 10 * GBPS);
    }

    /// Hosts 0 and 1 are in different groups, which are linked by two ways.
    static constexpr const char* GROUPS =
        "dragonfly-plus:leaves=1,spines=2,hosts=1,globals=2,groups=3";

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
    /**
     * @param cc congestion control
     * @param share one in so many combinations
     */
    PathProductTestCase(const Cc& cc, std::size_t share)
        : ProductTestCase(std::string(cc.name) +
                          " x load balancing x flow control x switch x reliability x modifier, "
                          "one in " +
                          std::to_string(share)),
          m_cc(cc),
          m_share(share)
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
        Sample sample(m_share, &m_cc - CCS);
        for (const Lb& lb : LBS)
        {
            for (const Flow& flow : FLOWS)
            {
                for (const Buffer& buffer : BUFFERS)
                {
                    for (const auto& modifiers : sets)
                    {
                        for (const bool goBackN : {false, true})
                        {
                            Combination c;
                            c.cc = &m_cc;
                            c.lb = &lb;
                            c.flow = &flow;
                            c.buffer = &buffer;
                            c.goBackN = goBackN;
                            c.modifiers = modifiers;
                            c.Complete();
                            if (sample.Take())
                            {
                                Check(c);
                            }
                        }
                    }
                }
            }
        }
        const std::size_t all =
            std::size(LBS) * std::size(FLOWS) * std::size(BUFFERS) * sets.size() * 2;
        NS_TEST_EXPECT_MSG_GT((m_legal + m_refused + 1) * m_share, all, "all");
        NS_TEST_EXPECT_MSG_GT(m_legal, 0, "some");
    }

    const Cc& m_cc;      //!< congestion control
    std::size_t m_share; //!< one in so many
};

/**
 * @ingroup dcfabric-tests
 * @brief What concerns switches: features, queue discs, marks.
 */
class SwitchProductTestCase : public ProductTestCase
{
  public:
    /**
     * @param cc congestion control
     * @param share one in so many combinations
     */
    SwitchProductTestCase(const Cc& cc, std::size_t share)
        : ProductTestCase(std::string(cc.name) +
                          " x features of switches x flow control x queue disc x marks, one in " +
                          std::to_string(share)),
          m_cc(cc),
          m_share(share)
    {
    }

  private:
    void DoRun() override
    {
        Sample sample(m_share, &m_cc - CCS);
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
                    c.buffer = &BUFFERS[flow.perOutput ? 1 : 0];
                    c.disc = choice & 1 ? STOCK_DISC : OWN_DISC;
                    c.marks = choice & 2;
                    for (uint32_t i = 0; i < std::size(FEATURES); ++i)
                    {
                        if (set >> i & 1)
                        {
                            c.features.push_back(FEATURES[i].type);
                        }
                    }
                    if (sample.Take())
                    {
                        Check(c);
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT((m_legal + m_refused + 1) * m_share,
                              N_SETS * std::size(FLOWS) * 4,
                              "all");
        NS_TEST_EXPECT_MSG_GT(m_legal, 0, "some");
    }

    const Cc& m_cc;      //!< congestion control
    std::size_t m_share; //!< one in so many
};

/**
 * @ingroup dcfabric-tests
 * @brief What concerns the routings of direct networks.
 */
class RoutingProductTestCase : public ProductTestCase
{
  public:
    /**
     * @param routing it
     * @param share one in so many combinations
     */
    RoutingProductTestCase(const Routing& routing, std::size_t share)
        : ProductTestCase(std::string(routing.name) +
                          " x congestion control x load balancing x flow control x switch x "
                          "reliability, one in " +
                          std::to_string(share)),
          m_routing(routing),
          m_share(share)
    {
    }

  private:
    void DoRun() override
    {
        if (!HasClass(m_routing.type))
        {
            return;
        }
        Sample sample(m_share, &m_routing - ROUTINGS);
        for (const Cc& cc : CCS)
        {
            for (const Lb& lb : LBS)
            {
                for (const Flow& flow : FLOWS)
                {
                    for (const Buffer& buffer : BUFFERS)
                    {
                        for (const bool goBackN : {false, true})
                        {
                            Combination c;
                            c.cc = &cc;
                            c.lb = &lb;
                            c.flow = &flow;
                            c.buffer = &buffer;
                            c.goBackN = goBackN;
                            c.routing = &m_routing;
                            c.Complete();
                            if (sample.Take())
                            {
                                Check(c);
                            }
                        }
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_legal, 0, "some");
        NS_TEST_EXPECT_MSG_GT(m_refused, 0, "others are refused");
    }

    const Routing& m_routing; //!< of the network
    std::size_t m_share;      //!< one in so many
};

/// The product of policies.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Routing& routing : ROUTINGS)
    {
        suite.AddTestCase(new RoutingProductTestCase(routing, 101));
        suite.AddTestCase(new RoutingProductTestCase(routing, 1),
                          DurationOf<TestCase>::TAKES_FOREVER);
    }
    for (const Cc& cc : CCS)
    {
        suite.AddTestCase(new PathProductTestCase(cc, 23));
        suite.AddTestCase(new SwitchProductTestCase(cc, 11));
        suite.AddTestCase(new PathProductTestCase(cc, 1), DurationOf<TestCase>::TAKES_FOREVER);
        suite.AddTestCase(new SwitchProductTestCase(cc, 1), DurationOf<TestCase>::TAKES_FOREVER);
    }
});

} // namespace policy_refusals_test
} // namespace ns3::tests::matrix::policy_refusals_test
