// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-duration.h"
#include "fabric-test-errors.h"
#include "fabric-test-matrix-run.h"
#include "fabric-test-random.h"
#include "fabric-test-suite.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Each modifier, and each pair of them, over every congestion control: runs complete, and
 * each modifier has acted by its own counter.
 */

namespace ns3::tests::matrix::policy_modifiers_test
{
namespace policy_modifiers_test
{

/**
 * @ingroup dcfabric-tests
 * @brief All modifiers and pairs over one congestion control.
 */
class ModifierTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param share one in so many combinations
     */
    ModifierTestCase(const Cc& cc, std::size_t share)
        : TestCase(std::string(cc.name) + " with each modifier and each pair of them, one in " +
                   std::to_string(share)),
          m_cc(cc),
          m_share(share)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::vector<const Modifier*>> sets;
        for (std::size_t i = 0; i < std::size(MODIFIERS); ++i)
        {
            sets.push_back({&MODIFIERS[i]});
            for (std::size_t j = 0; j < std::size(MODIFIERS); ++j)
            {
                // the order makes no difference to what is told
                const bool isTwice = j < i && (MODIFIERS[i].filters || MODIFIERS[j].filters);
                if (i != j && !isTwice)
                {
                    sets.push_back({&MODIFIERS[i], &MODIFIERS[j]});
                }
            }
        }
        Sample sample(m_share, &m_cc - CCS);
        uint32_t legal = 0;
        for (const Lb& lb : LBS)
        {
            for (const auto& set : sets)
            {
                Combination c;
                c.cc = &m_cc;
                c.lb = &lb;
                c.modifiers = set;
                c.Complete();
                if (FindClashes(c).empty() && sample.Take())
                {
                    Check(c);
                    ++legal;
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(legal * m_share, 11, "some");
    }

    /// @brief Run a combination, again with other draws while one of its modifiers that can act had
    /// no reason to: what one does leaves the other less to do. @param c it
    void Check(const Combination& c)
    {
        std::set<const Modifier*> idle(c.modifiers.begin(), c.modifiers.end());
        std::set<const Modifier*> sure;
        for (const Modifier* modifier : c.modifiers)
        {
            if (CanAct(c, *modifier) && !ActsSeldom(c, *modifier))
            {
                sure.insert(modifier);
            }
        }
        const auto isWaiting = [&idle, &sure]() {
            return std::any_of(sure.begin(), sure.end(), [&idle](const Modifier* modifier) {
                return idle.count(modifier) > 0;
            });
        };
        uint32_t i = 1;
        do
        {
            const RandomRun random(i);
            const std::string refusal = RefusalOf([&]() { RunOnce(c, idle); });
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ(refusal, "(accepted)", c.GetName() << ", run " << i);
            ++i;
        } while (i <= MOST_RUNS && isWaiting());
        for (const Modifier* modifier : c.modifiers)
        {
            if (!ActsSeldom(c, *modifier))
            {
                NS_TEST_EXPECT_MSG_EQ((idle.count(modifier) == 0),
                                      CanAct(c, *modifier),
                                      modifier->name << " acts, " << c.GetName());
            }
        }
    }

    /**
     * @param c the combination
     * @param modifier it
     * @return true if a modifier has something to do
     */
    bool CanAct(const Combination& c, const Modifier& modifier) const
    {
        // over one path, or wherever the queue is the shortest, there is no other path that were
        // less congested
        const bool onePath = c.lb->hostPaths == 1 && (!c.lb->moves || c.lb->overtakes);
        return modifier.filters || (!m_cc.Is(NO_CONTROL) && !(HasLateSign(modifier) && onePath));
    }

    /**
     * @param c the combination
     * @param modifier it
     * @return true if a modifier has something to do in a few runs only
     */
    bool ActsSeldom(const Combination& c, const Modifier& modifier) const
    {
        const bool isFiltered = std::any_of(c.modifiers.begin(),
                                            c.modifiers.end(),
                                            [](const Modifier* other) { return other->filters; });
        return CanAct(c, modifier) && !modifier.filters && (HasLateSign(modifier) || isFiltered);
    }

    /// @return true if the gate has opened long before the control wants to cut: TIMELY does so at
    /// RTTs tens of us above the base RTT, which tell of congestion to the gate from a quarter of a
    /// base RTT on, and two such packets in a row open it @param modifier it
    bool HasLateSign(const Modifier& modifier) const
    {
        return m_cc.Is(PATH_DELAY) && std::string(modifier.name) == "ewma-gate";
    }

    /**
     * @brief Run a combination once.
     * @param c it
     * @param idle modifiers that act are taken out
     */
    void RunOnce(const Combination& c, std::set<const Modifier*>& idle)
    {
        const MatrixRun run(c);
        NS_TEST_EXPECT_MSG_EQ(run.GetCompleted().size(), std::size(TRAFFIC), c.GetName());
        NS_TEST_EXPECT_MSG_EQ(run.GetConservation().Holds(), true, c.GetName());
        NS_TEST_EXPECT_MSG_EQ(run.drops, 0, c.GetName());
        NS_TEST_EXPECT_MSG_EQ(run.modifiers.size(), c.modifiers.size(), c.GetName());
        for (const Modifier* modifier : c.modifiers)
        {
            if (run.modifiers.at(modifier->type).acts > 0)
            {
                idle.erase(modifier);
            }
        }
    }

    static constexpr uint32_t MOST_RUNS = 16; //!< in one of which every modifier acts

    const Cc& m_cc;      //!< congestion control
    std::size_t m_share; //!< one in so many
};

/// Modifiers over all congestion controls.
const SuiteCases g_cases("dcfabric-policies", TestSuite::Type::SYSTEM, [](Suite& suite) {
    for (const Cc& cc : CCS)
    {
        if (!cc.Is(CREDIT))
        {
            suite.AddTestCase(new ModifierTestCase(cc, 7));
            suite.AddTestCase(new ModifierTestCase(cc, 1), DurationOf<TestCase>::TAKES_FOREVER);
        }
    }
});

} // namespace policy_modifiers_test
} // namespace ns3::tests::matrix::policy_modifiers_test
