// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-chi-square.h"
#include "fabric-test-suite.h"
#include "fabric-test-wreb-level.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How often queues notify, over the level of each measure, by each profile.
 */

namespace ns3::tests::wreb_statistics_test
{

/**
 * Packets of each seed at each level with a probability p between 0 and 1; n = 100 times as many in
 * all. A profile whose probabilities are q = 0.95 p adds to chi-square at each level the expected
 * n (p - q)^2 / (q (1 - q)) = n 0.00263 p / (1 - 0.95 p). Of the three profiles the exponential one
 * adds least: with p = 0.040, 0.091, 0.242, 0.490, 0.900 in all 0.0198 n = 198 at n = 10,000. Its
 * chi-square of 5 degrees of freedom has then a mean of 203 and a standard deviation of
 * sqrt(2 (5 + 2 x 198)) = 28; rejected is what exceeds 25.7: 6 standard deviations away. With q =
 * 1.05 p it is still more, as 1 - q is small where p = 0.9.
 */
constexpr int PACKETS = 100;
constexpr int CERTAIN_PACKETS = 10; //!< of each seed at each level with probability 0 or 1

/**
 * @param hits of packets
 * @param packets how many
 * @param probability supposed
 * @return contribution to chi-square
 */
double
ChiSquareOf(int64_t hits, int packets, double probability)
{
    return ChiSquare(static_cast<double>(hits),
                     packets * probability,
                     packets * probability * (1 - probability));
}

/**
 * @ingroup dcfabric-tests
 * @brief Probability of notifications by a profile, over all measures.
 */
class NoticeFrequencyTestCase : public TestCase
{
  public:
    /**
     * @param profile number of the profile
     * @param atDeparture when the queue decides
     */
    NoticeFrequencyTestCase(size_t profile, bool atDeparture)
        : TestCase(GetProfiles()[profile].name + (atDeparture ? " at departure" : " at arrival") +
                   ": frequency over each measure by chi-square; 5 % more or less is seen"),
          m_profileNumber(profile),
          m_atDeparture(atDeparture)
    {
    }

  private:
    /**
     * @param index of LEVELS
     * @return true if a level leaves it to chance
     */
    bool IsChance(size_t index) const
    {
        const double p = GetProfiles()[m_profileNumber].expected[index];
        return p > 0 && p < 1;
    }

    /**
     * @brief Count the notifications of one seed.
     * @param drive the measure
     * @param seed seed
     * @param stream of the draws
     */
    void RunSeed(const MeasureDrive& drive, uint32_t seed, int64_t stream)
    {
        const ProfileDrive& profile = GetProfiles()[m_profileNumber];
        RngSeedManager::SetSeed(seed);
        LevelQueue queue(MakeNotifier(profile.make(drive.unit), drive.measure, m_atDeparture),
                         stream);
        uint64_t subjects = 0;
        uint64_t early = 0;
        double expected = 0;
        for (size_t i = 0; i < LEVELS.size(); ++i)
        {
            const double p = profile.expected[i];
            const int packets = IsChance(i) ? PACKETS : CERTAIN_PACKETS;
            queue.step = [] {};
            drive.set(queue, LEVELS[i] * drive.unit);
            queue.Settle();
            const int hits = queue.Count(packets);
            NS_TEST_ASSERT_MSG_EQ(queue.GetMarks(),
                                  hits,
                                  "marks of " << Where(drive, seed, stream));
            if (!IsChance(i))
            {
                NS_TEST_ASSERT_MSG_EQ(hits,
                                      packets * p,
                                      "all or none at level " << LEVELS[i] << " of "
                                                              << Where(drive, seed, stream));
            }
            else
            {
                m_hits[i] += hits;
                m_seedsChiSquare += ChiSquareOf(hits, packets, p);
            }
            subjects += p > 0 ? packets : 0;
            early += hits;
            expected += p * packets;
        }
        const BackToSenderQueue::Counters counters = queue.GetCounters();
        NS_TEST_ASSERT_MSG_EQ(counters.subjects, subjects, Where(drive, seed, stream));
        NS_TEST_ASSERT_MSG_EQ(counters.early, early, Where(drive, seed, stream));
        NS_TEST_ASSERT_MSG_EQ_TOL(counters.expected, expected, 1e-9, Where(drive, seed, stream));
    }

    /**
     * @param factor of all probabilities
     * @return chi-square of all seeds together
     */
    double PooledChiSquare(double factor) const
    {
        double sum = 0;
        for (size_t i = 0; i < LEVELS.size(); ++i)
        {
            if (IsChance(i))
            {
                const double p = GetProfiles()[m_profileNumber].expected[i];
                sum += ChiSquareOf(m_hits[i], PACKETS * SEEDS, p * factor);
            }
        }
        return sum;
    }

    /**
     * @param drive measure
     * @param seed seed
     * @param stream stream
     * @return what a number is about
     */
    static std::string Where(const MeasureDrive& drive, uint32_t seed, int64_t stream)
    {
        std::ostringstream out;
        out << drive.measure << ", seed " << seed << ", stream " << stream;
        return out.str();
    }

    void DoRun() override
    {
        const uint32_t seedBefore = RngSeedManager::GetSeed();
        int64_t stream = 1000 * static_cast<int64_t>(2 * m_profileNumber + (m_atDeparture ? 1 : 0));
        for (const MeasureDrive& drive : GetMeasures())
        {
            ++stream;
            m_hits = {};
            m_seedsChiSquare = 0;
            for (uint32_t number = 1; number <= SEEDS && !IsStatusFailure(); ++number)
            {
                RunSeed(drive, GetSeed(number), stream);
            }
            RngSeedManager::SetSeed(seedBefore);
            if (IsStatusFailure())
            {
                return;
            }
            const std::string where =
                drive.measure + ", all seeds, stream " + std::to_string(stream);
            // five levels that leave it to chance
            NS_TEST_EXPECT_MSG_GT(PValue(PooledChiSquare(1), 5), LEAST_P_VALUE, where);
            // the seeds one by one: neither all alike nor one that stands out
            NS_TEST_EXPECT_MSG_GT(PValue(m_seedsChiSquare, 5 * SEEDS),
                                  LEAST_P_VALUE,
                                  "by seed, " << where);
            NS_TEST_EXPECT_MSG_LT(PValue(m_seedsChiSquare, 5 * SEEDS),
                                  1 - LEAST_P_VALUE,
                                  "by seed, " << where);
            for (const double wrong : {0.95, 1.05})
            {
                NS_TEST_EXPECT_MSG_LT(PValue(PooledChiSquare(wrong), 5),
                                      LEAST_P_VALUE,
                                      "a profile times " << wrong << " is told from it, " << where);
            }
        }
    }

    size_t m_profileNumber;                      //!< of GetProfiles()
    bool m_atDeparture;                          //!< when the queue decides
    std::array<int64_t, LEVELS.size()> m_hits{}; //!< of all seeds
    double m_seedsChiSquare{0};                  //!< sum of those of the seeds
};

/// Frequencies of notifications.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    for (size_t profile = 0; profile < GetProfiles().size(); ++profile)
    {
        suite.AddTestCase(new NoticeFrequencyTestCase(profile, false));
        suite.AddTestCase(new NoticeFrequencyTestCase(profile, true));
    }
});

} // namespace ns3::tests::wreb_statistics_test
