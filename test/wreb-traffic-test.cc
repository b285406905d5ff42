// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-chi-square.h"
#include "fabric-test-suite.h"
#include "fabric-test-wreb.h"

#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief How often queues notify under random traffic, where levels are as they come.
 */

namespace ns3::tests::wreb_traffic_test
{

constexpr uint8_t PRIORITY = 3;       //!< class that notifies
constexpr uint8_t OTHER = 1;          //!< class besides, of lower priority
constexpr int64_t INTERVAL = 1000000; //!< of rates, in ps
constexpr int64_t WINDOW = 20000000;  //!< of flows, in ps

/**
 * @ingroup dcfabric-tests
 * @brief What the test knows of the queue: a list of what happened, read anew for each level.
 */
class Shadow
{
  public:
    int64_t nowPs{0};                //!< the present
    std::array<uint64_t, 8> bytes{}; //!< waiting, by class
    uint64_t sent{0};                //!< bytes of the class that have left

    /**
     * @brief The class was looked at.
     * @param arrival a packet has arrived, of a flow
     * @param flow its flow
     */
    void Look(bool arrival, uint32_t flow)
    {
        m_looks.push_back({nowPs, bytes[PRIORITY], sent, arrival, flow});
    }

    /**
     * @param measure which
     * @return level of the class
     */
    uint64_t GetLevel(const std::string& measure) const
    {
        if (measure.find("QueueOccupancy") != std::string::npos)
        {
            return bytes[PRIORITY];
        }
        if (measure.find("PortOccupancy") != std::string::npos)
        {
            return bytes[PRIORITY] + bytes[OTHER];
        }
        if (measure.find("Flows") != std::string::npos)
        {
            std::set<uint32_t> flows;
            for (auto look = m_looks.rbegin();
                 look != m_looks.rend() && look->timePs >= nowPs - WINDOW;
                 ++look)
            {
                if (look->arrival)
                {
                    flows.insert(look->flow);
                }
            }
            return flows.size();
        }
        const bool ofSent = measure.find("Transmitted") != std::string::npos;
        int64_t level = 0; // Mb/s, of the last interval that has ended
        const Moment* start = &m_looks.front();
        for (const Moment& look : m_looks)
        {
            if (look.timePs - start->timePs >= INTERVAL)
            {
                const auto more = static_cast<int64_t>(ofSent ? look.sent - start->sent
                                                              : look.bytes - start->bytes);
                // 8 bits a byte, 10^6 ps a us: Mb/s are bits a us
                level = std::max<int64_t>(more, 0) * 8 * 1000000 / (look.timePs - start->timePs);
                start = &look;
            }
        }
        return static_cast<uint64_t>(level);
    }

  private:
    /// A packet that arrived or left.
    struct Moment
    {
        int64_t timePs; //!< when
        uint64_t bytes; //!< waiting
        uint64_t sent;  //!< that have left
        bool arrival;   //!< it arrived
        uint32_t flow;  //!< of which flow
    };

    std::vector<Moment> m_looks; //!< in order
};

/**
 * @ingroup dcfabric-tests
 * @brief Random traffic under one measure.
 */
class RandomTrafficTestCase : public TestCase
{
  public:
    /**
     * @param measure CongestionMeasure
     * @param kmin,kmax of the profile
     * @param atDeparture when the queue decides
     */
    RandomTrafficTestCase(const std::string& measure,
                          uint64_t kmin,
                          uint64_t kmax,
                          bool atDeparture)
        : TestCase(measure + (atDeparture ? " at departure" : " at arrival") +
                   " of random traffic: levels, and frequency by chi-square"),
          m_measure(measure),
          m_kmin(kmin),
          m_kmax(kmax),
          m_atDeparture(atDeparture)
    {
    }

  private:
    static constexpr int STEPS = 400;      //!< arrivals and departures of a seed
    static constexpr size_t BINS = 5;      //!< of probability
    static constexpr int64_t STREAM = 400; //!< of traffic; the next is of draws

    /// What is counted at probabilities of a range.
    struct Bin
    {
        double hits{0};     //!< notifications
        double expected{0}; //!< sum of probabilities
        double variance{0}; //!< sum of p (1 - p)
    };

    /**
     * @param level of the queue
     * @return probability by the formula of WRED, Pmax = 0.9
     */
    double GetProbability(uint64_t level) const
    {
        return level <= m_kmin  ? 0
               : level > m_kmax ? 1
                                : 0.9 * static_cast<double>(level - m_kmin) /
                                      static_cast<double>(m_kmax - m_kmin);
    }

    /**
     * @brief Count a packet.
     * @param probability of a notification
     * @param told there was one
     * @param where for messages
     */
    void Count(double probability, bool told, const std::string& where)
    {
        if (probability == 0 || probability == 1)
        {
            NS_TEST_ASSERT_MSG_EQ(told, (probability == 1), "certain, " << where);
            ++m_certain;
            return;
        }
        Bin& bin = m_bins[static_cast<size_t>(probability * BINS)];
        bin.hits += told ? 1 : 0;
        bin.expected += probability;
        bin.variance += probability * (1 - probability);
    }

    /**
     * @brief Run a seed.
     * @param seed of the generator
     */
    void RunSeed(uint32_t seed)
    {
        const std::string where = "seed " + std::to_string(seed);
        RngSeedManager::SetSeed(seed);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(STREAM);
        const auto notifier =
            MakeNotifier("ns3::WredMarkingProfile[Kmin=" + std::to_string(m_kmin) +
                             "|Kmax=" + std::to_string(m_kmax) + "|Pmax=0.9]",
                         m_measure,
                         m_atDeparture);
        notifier->SetAttribute("Classes", UintegerValue(1U << PRIORITY));
        const auto disc = MakeNotifyingDisc(notifier);
        disc->AssignStreams(STREAM + 1);
        TestContext context;
        disc->SetContext(&context);
        bool told = false;
        disc->SetBackToSenderCallback([&told](const BackToSenderNotice&) { told = true; });

        Shadow shadow;
        double expected = 0;
        for (int step = 0; step < STEPS && !IsStatusFailure(); ++step)
        {
            context.nowPs += random->GetInteger(0, 700000);
            shadow.nowPs = context.nowPs;
            told = false;
            // the queue grows for a while and then drains for a while
            const bool arrives = random->GetValue() < (step / 50 % 2 == 0 ? 0.8 : 0.3);
            const uint32_t size = random->GetInteger(64, 1500);
            const uint32_t flow = random->GetInteger(0, 23);
            const uint8_t priority = random->GetValue() < 0.8 ? PRIORITY : OTHER;
            if (arrives)
            {
                if (priority == PRIORITY)
                {
                    shadow.Look(true, flow); // it finds the queue without it
                    Decide(false, shadow, expected);
                }
                disc->Enqueue(Create<FlowItem>(flow, size, priority));
                shadow.bytes[priority] += size;
            }
            else if (const Ptr<QueueDiscItem> gone = disc->Dequeue())
            {
                const uint8_t from = disc->GetClass(*gone);
                shadow.bytes[from] -= gone->GetSize();
                if (from == PRIORITY)
                {
                    shadow.sent += gone->GetSize();
                    shadow.Look(false, 0);
                    Decide(true, shadow, expected);
                }
            }
            if (m_decided)
            {
                Count(m_probability, told, where);
                m_decided = false;
            }
            else
            {
                NS_TEST_ASSERT_MSG_EQ(told, false, "no decision, " << where);
            }
        }
        NS_TEST_ASSERT_MSG_EQ_TOL(disc->GetBackToSenderCounters(PRIORITY).expected,
                                  expected,
                                  1e-9,
                                  "levels, " << where);
    }

    /**
     * @brief If the queue decides now, tell its probability.
     * @param departure a packet has left
     * @param shadow the queue
     * @param expected sum of probabilities
     */
    void Decide(bool departure, const Shadow& shadow, double& expected)
    {
        if (departure == m_atDeparture)
        {
            m_decided = true;
            m_probability = GetProbability(shadow.GetLevel(m_measure));
            expected += m_probability;
        }
    }

    void DoRun() override
    {
        const uint32_t seedBefore = RngSeedManager::GetSeed();
        for (uint32_t number = 1; number <= SEEDS && !IsStatusFailure(); ++number)
        {
            RunSeed(GetSeed(number));
        }
        RngSeedManager::SetSeed(seedBefore);
        double chiSquare = 0;
        for (const Bin& bin : m_bins)
        {
            NS_TEST_EXPECT_MSG_GT(bin.variance, 25, "enough packets of each probability");
            chiSquare += ChiSquare(bin.hits, bin.expected, bin.variance);
        }
        NS_TEST_EXPECT_MSG_GT(m_certain, 500, "also certain ones");
        if (IsStatusFailure())
        {
            return;
        }
        NS_TEST_EXPECT_MSG_GT(PValue(chiSquare, BINS),
                              LEAST_P_VALUE,
                              "all seeds, streams " << STREAM << " and " << STREAM + 1);
    }

    std::string m_measure;          //!< attribute
    uint64_t m_kmin;                //!< of the profile
    uint64_t m_kmax;                //!< of the profile
    bool m_atDeparture;             //!< when the queue decides
    bool m_decided{false};          //!< there was a decision in this step
    double m_probability{0};        //!< of it
    std::array<Bin, BINS> m_bins{}; //!< by probability
    uint32_t m_certain{0};          //!< packets with probability 0 or 1
};

/// Notifications under random traffic.
const SuiteCases g_cases("dcfabric-wreb", TestSuite::Type::UNIT, [](Suite& suite) {
    for (const bool atDeparture : {false, true})
    {
        const auto add = [&suite, atDeparture](const char* measure, uint64_t kmin, uint64_t kmax) {
            suite.AddTestCase(new RandomTrafficTestCase(measure, kmin, kmax, atDeparture));
        };
        add("ns3::QueueOccupancyMeasure", 3000, 20000);
        add("ns3::PortOccupancyMeasure", 3000, 25000);
        add("ns3::ActiveFlowsMeasure[Window=20us]", 8, 18);
        add("ns3::QueueGradientMeasure[Interval=1us]", 500, 15000);
        add("ns3::TransmittedBytesMeasure[Interval=1us]", 500, 10000);
    }
});

} // namespace ns3::tests::wreb_traffic_test
