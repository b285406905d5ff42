// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-wreb.h"

#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How often queues notify, over the level of each measure, by each profile.
 */

namespace ns3
{
namespace tests
{

namespace
{

constexpr int SEEDS = 100;             //!< of the generator
constexpr double LEAST_P_VALUE = 1e-4; //!< below it a hypothesis is rejected
constexpr uint8_t PRIORITY = 3;        //!< class that notifies
constexpr int64_t PERIOD_PS = 1000000; //!< between packets: the interval of rates

/// Levels, in units of a measure. Each profile is 0 up to 4 and 1 above 12.
constexpr std::array<uint64_t, 9> LEVELS = {2, 4, 5, 6, 8, 10, 12, 13, 20};

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
 * @ingroup dcfabric-tests
 * @brief A queue that is always at a level that the test sets.
 *
 * Two packets of the class take turns: each arrives while the one before it waits, and leaves one
 * behind when it departs. Besides, one of a lower class waits for ever.
 */
class LevelQueue
{
  public:
    static constexpr uint32_t SIZE = 64;        //!< bytes of a packet, if not set
    static constexpr uint32_t OTHER_SIZE = 700; //!< bytes of the packet of the lower class
    static constexpr uint8_t OTHER = 1;         //!< the lower class

    /// @param notifier its settings @param stream of its draws
    LevelQueue(Ptr<BackToSenderNotifier> notifier, int64_t stream)
        : m_disc(MakeNotifyingDisc(notifier)),
          m_atDeparture(notifier->IsAtDeparture())
    {
        m_disc->AssignStreams(stream);
        m_disc->SetSurroundings(&around);
        m_disc->SetBackToSenderCallback([this](const BackToSenderNotice&) { ++m_notices; });
        around.nowPs = 1000000000000; // 1 s, so that packets may have waited for long
        around.rateBps = 100000000000;
        m_disc->Enqueue(MakeTestItem(0, OTHER_SIZE, OTHER, TestQueueItem::NOT_ECT));
    }

    LevelQueue(const LevelQueue&) = delete;            ///< not copied: the callback is bound to it
    LevelQueue& operator=(const LevelQueue&) = delete; ///< likewise

    TestSurroundings around;    //!< what produces the level
    uint32_t size{SIZE};        //!< of packets
    uint32_t otherFlows{0};     //!< that have sent just before
    int64_t waitedPs{0};        //!< how long packets wait
    std::function<void()> step; //!< called just before each decision

    /// @brief Bring the queue to the level: packets that cannot notify go through it.
    void Settle()
    {
        around.nowPs += 10 * 1000 * PERIOD_PS; // former packets no longer count
        while (m_disc->GetClassBytes(PRIORITY) > 0)
        {
            Take();
        }
        for (uint32_t flow = 1; flow <= otherFlows; ++flow)
        {
            m_disc->Enqueue(Create<FlowItem>(flow, size, PRIORITY, TestQueueItem::NOT_ECT));
            Take();
        }
        for (int i = 0; i < 4; ++i)
        {
            Cycle(TestQueueItem::NOT_ECT);
        }
    }

    /// @return how many of some packets notify @param packets number of packets
    int Count(int packets)
    {
        m_notices = 0;
        m_marks = 0;
        for (int i = 0; i < packets; ++i)
        {
            Cycle(TestQueueItem::ECT0);
        }
        if (m_atDeparture)
        {
            // the last of them waits still, and the first cycle was about one that cannot notify
            Cycle(TestQueueItem::NOT_ECT);
        }
        return m_notices;
    }

    /// @return packets of the last Count() that got a mark
    int GetMarks() const
    {
        return m_marks;
    }

    /// @return counters of the class
    BackToSenderQueue::Counters GetCounters() const
    {
        return m_disc->GetBackToSenderCounters(PRIORITY);
    }

  private:
    /// @brief A packet arrives and the one before it leaves. @param ecn codepoint of the former
    void Cycle(uint8_t ecn)
    {
        Ptr<FlowItem>& item = m_items[m_next];
        m_next = 1 - m_next;
        if (!item || item->GetSize() != size)
        {
            item = Create<FlowItem>(0, size, PRIORITY);
        }
        item->ds = static_cast<uint8_t>(PRIORITY * 8 << 2 | ecn);
        around.nowPs += PERIOD_PS / 2;
        if (!m_atDeparture)
        {
            around.nowPs += PERIOD_PS / 2;
            step();
        }
        m_disc->Enqueue(item);
        m_marks += !m_atDeparture && item->IsMarked() ? 1 : 0;
        if (m_atDeparture)
        {
            around.nowPs += PERIOD_PS / 2;
            step();
        }
        if (m_disc->GetClassBytes(PRIORITY) > size)
        {
            const Ptr<FlowItem>& before = m_items[m_next];
            before->SetTimeStamp(NanoSeconds((around.nowPs - waitedPs) / 1000));
            Take();
            m_marks += m_atDeparture && before->IsMarked() ? 1 : 0;
        }
    }

    /// A packet leaves.
    void Take()
    {
        around.portSentBytes += m_disc->Dequeue()->GetSize();
    }

    Ptr<CongestionAwareQueueDisc> m_disc; //!< the queue disc
    bool m_atDeparture;                   //!< when it decides
    std::array<Ptr<FlowItem>, 2> m_items; //!< packets
    size_t m_next{0};                     //!< which arrives next
    int m_notices{0};                     //!< so far
    int m_marks{0};                       //!< so far
};

/**
 * @ingroup dcfabric-tests
 * @brief A measure, and how a level of it is produced.
 */
struct MeasureDrive
{
    std::string measure; //!< as an attribute
    uint64_t unit;       //!< of levels
    /// Sets what makes the level. Of the class SIZE bytes are in the disc at each decision.
    void (*set)(LevelQueue& queue, uint64_t level);
};

/// @return all measures
const std::vector<MeasureDrive>&
GetMeasures()
{
    static const std::vector<MeasureDrive> measures{
        {"ns3::QueueOccupancyMeasure",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.around.waitingBytes[PRIORITY] = level - LevelQueue::SIZE;
         }},
        {"ns3::PortOccupancyMeasure",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.around.waitingBytes[5] = 30;
             queue.around.waitingBytes[PRIORITY] =
                 level - LevelQueue::SIZE - LevelQueue::OTHER_SIZE - 30;
         }},
        {"ns3::BufferOccupancyMeasure",
         1000,
         [](LevelQueue& queue, uint64_t level) { queue.around.bufferBytes = level; }},
        {"ns3::GroupOccupancyMeasure[Classes=10]",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.around.groupBytes = {{10, level}};
         }},
        {"ns3::QueueGradientMeasure[Interval=1us]", // a level of 8 is a byte more each period
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.step = [&queue, level] { queue.around.waitingBytes[PRIORITY] += level / 8; };
         }},
        {"ns3::QueueingLatencyMeasure", // 12.5 B a ns on arrival
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.around.waitingBytes[PRIORITY] = level * 25 / 2 - LevelQueue::SIZE;
             queue.waitedPs = static_cast<int64_t>(level) * 1000;
         }},
        {"ns3::ActiveFlowsMeasure[Window=1ms]", // the test's packets are of one flow more
         1,
         [](LevelQueue& queue, uint64_t level) {
             queue.otherFlows = static_cast<uint32_t>(level) - 1;
         }},
        {"ns3::TransmittedBytesMeasure[Interval=1us]", // a packet each period
         1000,
         [](LevelQueue& queue, uint64_t level) { queue.size = static_cast<uint32_t>(level / 8); }},
        {"ns3::TransmittedBytesMeasure[Interval=1us|OfPort=true]", // half of it is of other classes
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.size = static_cast<uint32_t>(level / 16);
             queue.step = [&queue, others = level / 8 - queue.size] {
                 queue.around.portSentBytes += others;
             };
         }},
        {"ns3::WeightedMeasure[Terms=1*ns3::QueueOccupancyMeasure+0.5*ns3::BufferOccupancyMeasure]",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.around.waitingBytes[PRIORITY] = level / 2 - LevelQueue::SIZE;
             queue.around.bufferBytes = level;
         }}};
    return measures;
}

/**
 * @ingroup dcfabric-tests
 * @brief A profile, and what it says in a formula of the test.
 */
struct ProfileDrive
{
    std::string name;                           //!< for messages
    std::string (*make)(uint64_t unit);         //!< as an attribute
    std::array<double, LEVELS.size()> expected; //!< probability at each level
};

/// @return Pmax (e^(2x) - 1) / (e^2 - 1), Pmax = 0.9 @param x from Kmin to Kmax
double
Exponential(double x)
{
    return 0.9 * (std::exp(2 * x) - 1) / (std::exp(2) - 1);
}

/// @return a whole number of units as a string @param count how many @param unit of the measure
std::string
Units(uint64_t count, uint64_t unit)
{
    return std::to_string(count * unit);
}

/// @return all profiles
const std::vector<ProfileDrive>&
GetProfiles()
{
    // the levels from Kmin = 4 to Kmax = 12: 1/8, 2/8, 4/8, 6/8 and 8/8 of the way
    static const std::vector<ProfileDrive> profiles{
        {"linear",
         [](uint64_t unit) {
             return "ns3::WredMarkingProfile[Kmin=" + Units(4, unit) + "|Kmax=" + Units(12, unit) +
                    "|Pmax=0.9]";
         },
         {0, 0, 0.9 / 8, 0.9 / 4, 0.9 / 2, 0.9 * 3 / 4, 0.9, 1, 1}},
        {"piecewise", // a step at 6, down from 10 to 12, a step there: the first of two points
                      // counts
         [](uint64_t unit) {
             return "ns3::PiecewiseMarkingProfile[Points=" + Units(4, unit) + ":0," +
                    Units(6, unit) + ":0.3," + Units(6, unit) + ":0.5," + Units(10, unit) +
                    ":0.9," + Units(12, unit) + ":0.2," + Units(12, unit) + ":1]";
         },
         {0, 0, 0.15, 0.3, 0.7, 0.9, 0.2, 1, 1}},
        {"exponential",
         [](uint64_t unit) {
             return "ns3::ExponentialMarkingProfile[Kmin=" + Units(4, unit) +
                    "|Kmax=" + Units(12, unit) + "|Pmax=0.9|Steepness=2]";
         },
         {0,
          0,
          Exponential(0.125),
          Exponential(0.25),
          Exponential(0.5),
          Exponential(0.75),
          0.9,
          1,
          1}}};
    return profiles;
}

/**
 * The generator of ns-3 is linear: the n-th number of seed s is s times that of seed 1, so seeds in
 * a row are no independent samples. These are scrambled (finalizer of MurmurHash3).
 *
 * @param number 1 to SEEDS
 * @return a seed, 1 to 2^31
 */
uint32_t
GetSeed(uint32_t number)
{
    number = (number ^ (number >> 16)) * 0x85ebca6b;
    number = (number ^ (number >> 13)) * 0xc2b2ae35;
    return ((number ^ (number >> 16)) >> 1) + 1;
}

/// @return contribution to chi-square @param hits of packets @param packets how many @param
/// probability supposed
double
ChiSquare(int64_t hits, int64_t packets, double probability)
{
    const double n = static_cast<double>(packets);
    const double off = static_cast<double>(hits) - n * probability;
    return off * off / (n * probability * (1 - probability));
}

/// @return probability of such a chi-square or a larger one @param chiSquare value @param freedom
/// degrees of freedom
double
PValue(double chiSquare, double freedom)
{
    return boost::math::cdf(boost::math::complement(boost::math::chi_squared(freedom), chiSquare));
}

/**
 * @ingroup dcfabric-tests
 * @brief Probability of notifications by a profile, over all measures.
 */
class NoticeFrequencyTestCase : public TestCase
{
  public:
    /// @param profile number of the profile @param atDeparture when the queue decides
    NoticeFrequencyTestCase(size_t profile, bool atDeparture)
        : TestCase(GetProfiles()[profile].name + (atDeparture ? " at departure" : " at arrival") +
                   ": frequency over each measure by chi-square; 5 % more or less is seen"),
          m_profileNumber(profile),
          m_atDeparture(atDeparture)
    {
    }

  private:
    /// @return true if a level leaves it to chance @param index of LEVELS
    bool IsChance(size_t index) const
    {
        const double p = GetProfiles()[m_profileNumber].expected[index];
        return p > 0 && p < 1;
    }

    /// @brief Count the notifications of one seed. @param drive the measure @param seed seed
    /// @param stream of the draws
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
                m_seedsChiSquare += ChiSquare(hits, packets, p);
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

    /// @return chi-square of all seeds together @param factor of all probabilities
    double PooledChiSquare(double factor) const
    {
        double sum = 0;
        for (size_t i = 0; i < LEVELS.size(); ++i)
        {
            if (IsChance(i))
            {
                const double p = GetProfiles()[m_profileNumber].expected[i];
                sum += ChiSquare(m_hits[i], PACKETS * SEEDS, p * factor);
            }
        }
        return sum;
    }

    /// @return what a number is about @param drive measure @param seed seed @param stream stream
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

/**
 * @ingroup dcfabric-tests
 * @brief Frequencies of notifications.
 */
class WrebStatisticsTestSuite : public TestSuite
{
  public:
    WrebStatisticsTestSuite()
        : TestSuite("dcfabric-wreb-statistics", TestSuite::Type::UNIT)
    {
        for (size_t profile = 0; profile < GetProfiles().size(); ++profile)
        {
            AddTestCase(new NoticeFrequencyTestCase(profile, false));
            AddTestCase(new NoticeFrequencyTestCase(profile, true));
        }
    }
};

WrebStatisticsTestSuite g_wrebStatisticsTestSuite; //!< registers the suite

} // namespace

} // namespace tests
} // namespace ns3
