// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_WREB_LEVEL_H
#define FABRIC_TEST_WREB_LEVEL_H

#include "fabric-test-wreb.h"

#include "ns3/nstime.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @brief For the statistics of notifications: a queue at a level of any measure that the test sets,
 * and profiles.
 */

namespace ns3::tests
{

constexpr uint8_t PRIORITY = 3;        //!< class that notifies
constexpr int64_t PERIOD_PS = 1000000; //!< between packets: the interval of rates

/// Levels, in units of a measure. Each profile is 0 up to 4 and 1 above 12.
constexpr std::array<uint64_t, 9> LEVELS = {2, 4, 5, 6, 8, 10, 12, 13, 20};

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

    /**
     * @param notifier its settings
     * @param stream of its draws
     */
    LevelQueue(Ptr<BackToSenderNotifier> notifier, int64_t stream)
        : m_disc(MakeNotifyingDisc(notifier)),
          m_atDeparture(notifier->IsAtDeparture())
    {
        m_disc->AssignStreams(stream);
        m_disc->SetContext(&context);
        m_disc->SetBackToSenderCallback([this](const BackToSenderNotice&) { ++m_notices; });
        context.nowPs = 1000000000000; // 1 s, so that packets may have waited for long
        context.rateBps = 100000000000;
        m_disc->Enqueue(MakeTestItem(0, OTHER_SIZE, OTHER, TestQueueItem::NOT_ECT));
    }

    LevelQueue(const LevelQueue&) = delete;            ///< not copied: the callback is bound to it
    LevelQueue& operator=(const LevelQueue&) = delete; ///< likewise

    TestContext context;        //!< what produces the level
    uint32_t size{SIZE};        //!< of packets
    uint32_t otherFlows{0};     //!< that have sent just before
    int64_t waitedPs{0};        //!< how long packets wait
    std::function<void()> step; //!< called just before each decision

    /// @brief Bring the queue to the level: packets that cannot notify go through it.
    void Settle()
    {
        context.nowPs += 10 * 1000 * PERIOD_PS; // former packets no longer count
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

    /**
     * @param packets number of packets
     * @return how many of some packets notify
     */
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

    /// @return true if it decides on packets that leave
    bool IsAtDeparture() const
    {
        return m_atDeparture;
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
    /**
     * @brief A packet arrives and the one before it leaves.
     * @param ecn codepoint of the former
     */
    void Cycle(uint8_t ecn)
    {
        Ptr<FlowItem>& item = m_items[m_next];
        m_next = 1 - m_next;
        if (!item || item->GetSize() != size)
        {
            item = Create<FlowItem>(0, size, PRIORITY);
        }
        item->ds = static_cast<uint8_t>(PRIORITY * 8 << 2 | ecn);
        context.nowPs += PERIOD_PS / 2;
        if (!m_atDeparture)
        {
            context.nowPs += PERIOD_PS / 2;
            step();
        }
        m_disc->Enqueue(item);
        m_marks += !m_atDeparture && item->IsMarked() ? 1 : 0;
        if (m_atDeparture)
        {
            context.nowPs += PERIOD_PS / 2;
            step();
        }
        if (m_disc->GetClassBytes(PRIORITY) > size)
        {
            const Ptr<FlowItem>& before = m_items[m_next];
            before->SetTimeStamp(NanoSeconds((context.nowPs - waitedPs) / 1000));
            Take();
            m_marks += m_atDeparture && before->IsMarked() ? 1 : 0;
        }
    }

    /// A packet leaves.
    void Take()
    {
        context.portSentBytes += m_disc->Dequeue()->GetSize();
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

/// @ingroup dcfabric-tests
/// @return all measures
inline const std::vector<MeasureDrive>&
GetMeasures()
{
    static const std::vector<MeasureDrive> measures{
        {"ns3::QueueOccupancyMeasure",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.context.waitingBytes[PRIORITY] = level - LevelQueue::SIZE;
         }},
        {"ns3::PortOccupancyMeasure",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.context.waitingBytes[5] = 30;
             queue.context.waitingBytes[PRIORITY] =
                 level - LevelQueue::SIZE - LevelQueue::OTHER_SIZE - 30;
         }},
        {"ns3::BufferOccupancyMeasure",
         1000,
         [](LevelQueue& queue, uint64_t level) { queue.context.bufferBytes = level; }},
        {"ns3::GroupOccupancyMeasure[Classes=10]",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.context.groupBytes = {{10, level}};
         }},
        {"ns3::QueueGradientMeasure[Interval=1us]", // a level of 8 is a byte more each period
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.step = [&queue, level] { queue.context.waitingBytes[PRIORITY] += level / 8; };
         }},
        {"ns3::QueueingLatencyMeasure", // 12.5 B a ns on arrival
         1000,
         [](LevelQueue& queue, uint64_t level) {
             // what the one of both does not look at would be another level
             queue.context.waitingBytes[PRIORITY] =
                 (queue.IsAtDeparture() ? 0 : level * 25 / 2 - LevelQueue::SIZE);
             queue.waitedPs = queue.IsAtDeparture() ? static_cast<int64_t>(level) * 1000 : 0;
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
                 queue.context.portSentBytes += others;
             };
         }},
        {"ns3::WeightedMeasure[Terms=1*ns3::QueueOccupancyMeasure+0.5*ns3::BufferOccupancyMeasure]",
         1000,
         [](LevelQueue& queue, uint64_t level) {
             queue.context.waitingBytes[PRIORITY] = level / 2 - LevelQueue::SIZE;
             queue.context.bufferBytes = level;
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

/**
 * @ingroup dcfabric-tests
 * @param x from Kmin to Kmax
 * @return Pmax (e^(2x) - 1) / (e^2 - 1), Pmax = 0.9
 */
inline double
Exponential(double x)
{
    return 0.9 * (std::exp(2 * x) - 1) / (std::exp(2) - 1);
}

/**
 * @ingroup dcfabric-tests
 * @param count how many
 * @param unit of the measure
 * @return a whole number of units as a string
 */
inline std::string
Units(uint64_t count, uint64_t unit)
{
    return std::to_string(count * unit);
}

/// @ingroup dcfabric-tests
/// @return all profiles
inline const std::vector<ProfileDrive>&
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

} // namespace ns3::tests

#endif /* FABRIC_TEST_WREB_LEVEL_H */
