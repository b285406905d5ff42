// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/fabric-topology.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <cstdint>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Runs with random loss of data and ACKs always finish; runs without loss send nothing
 * twice.
 */

namespace ns3::tests::loss_test
{

/**
 * @param dumbbell which
 * @return dumbbell or leaf-spine of eight hosts
 */
FabricGraph
MakePlan(bool dumbbell)
{
    return MakeFabricTopology(dumbbell ? "dumbbell:switches=2,senders=4"
                                       : "leaf-spine:leaves=2,spines=2,hosts=4")
        ->BuildGraph();
}

/**
 * @ingroup dcfabric-tests
 * @brief Random messages over random policies.
 */
class RandomRunTestCase : public TestCase
{
  public:
    /**
     * @param name of the case
     * @param seed of the random numbers
     */
    RandomRunTestCase(const std::string& name, uint32_t seed)
        : TestCase(name),
          m_seed(seed),
          m_random(seed)
    {
    }

  protected:
    /**
     * @param n above it
     * @return a random number
     */
    uint64_t Draw(uint64_t n)
    {
        return m_random() % n;
    }

    /**
     * @brief Run random messages and check what must hold.
     * @param helper policies
     * @param graph plan of eight hosts
     * @param nFlows number of messages
     * @param largest length in bytes
     * @param what for messages of the test
     * @return packets sent again
     */
    uint64_t Run(FabricHelper helper,
                 const FabricGraph& graph,
                 uint32_t nFlows,
                 uint64_t largest,
                 const std::string& what)
    {
        const uint64_t run = RngSeedManager::GetRun();
        RngSeedManager::SetRun(1 + Draw(1000000));
        uint64_t again = 0;
        {
            TestNetwork network(graph, helper);
            std::vector<uint64_t> sizes;
            const bool incast = Draw(2);
            uint64_t total = 0;
            for (uint32_t tag = 0; tag < nFlows; ++tag)
            {
                const auto src = static_cast<uint32_t>(incast ? Draw(7) : Draw(8));
                const auto dst = static_cast<uint32_t>(incast ? 7 : (src + 1 + Draw(7)) % 8);
                sizes.push_back(1 + (tag % 3 == 0 ? Draw(3000) : Draw(largest)));
                total += sizes.back();
                const auto startPs = static_cast<int64_t>(Draw(3) * Draw(50) * US);
                network.MessagesOf(src).SendAt(startPs, dst, sizes.back(), tag);
            }
            Simulator::Stop(Seconds(1000)); // a run that does not end by itself fails
            Simulator::Run();
            for (uint32_t tag = 0; tag < nFlows; ++tag)
            {
                NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.delivered, tag).bytes,
                                      sizes[tag],
                                      what << ": message " << tag << " delivered once");
                NS_TEST_EXPECT_MSG_EQ(TestNetwork::Find(network.completed, tag).bytes,
                                      sizes[tag],
                                      what << ": message " << tag << " completed once");
            }
            const auto where = network.fabric->CheckConservation();
            NS_TEST_EXPECT_MSG_EQ(where.Holds(), true, what << ": conservation");
            NS_TEST_EXPECT_MSG_EQ(where.inFlight, 0, what << ": nothing is left over");
            NS_TEST_EXPECT_MSG_EQ(network.Sum(&FabricNic::Counters::bytesDelivered),
                                  total,
                                  what << ": each byte once");
            again = network.Sum(&FabricNic::Counters::retransmitted);
            m_timeouts += network.Sum(&FabricNic::Counters::timeouts);
            m_duplicates += network.Sum(&FabricNic::Counters::dataDuplicate);
            m_probes += network.Sum(&FabricNic::Counters::probesSent);
            for (const auto& [reason, count] : network.fabric->GetDrops())
            {
                m_drops += count;
            }
        }
        RngSeedManager::SetRun(run);
        return again;
    }

    uint32_t m_seed;          //!< of m_random
    uint64_t m_timeouts{0};   //!< of all runs
    uint64_t m_duplicates{0}; //!< of all runs
    uint64_t m_probes{0};     //!< of all runs
    uint64_t m_drops{0};      //!< of all runs

  private:
    std::mt19937_64 m_random; //!< makes the scenarios
};

/**
 * @ingroup dcfabric-tests
 * @brief A loss rate, over reliability, flow control, topology and what else there is.
 */
class LossTestCase : public RandomRunTestCase
{
  public:
    /**
     * @param errorRate of each link
     * @param rounds of each combination
     */
    LossTestCase(double errorRate, uint32_t rounds)
        : RandomRunTestCase("loss of " + std::to_string(errorRate * 100) + " % on each link",
                            static_cast<uint32_t>(errorRate * 1000) + 17),
          m_errorRate(errorRate),
          m_rounds(rounds)
    {
    }

  private:
    void DoRun() override
    {
        std::cout << "dcfabric-loss " << m_errorRate << ": seed " << m_seed << std::endl;
        uint64_t again = 0;
        for (uint32_t round = 0; round < 8 * m_rounds; ++round)
        {
            const bool goBack = round & 1;
            const bool pfc = round & 2;
            const bool dumbbell = round & 4;
            FabricHelper helper;
            helper.SetReliability(goBack ? "ns3::GoBackN" : "ns3::SelectiveRepeat");
            helper.SetFlowControl(pfc ? "ns3::PriorityFlowControl" : "none");
            const uint64_t m = std::vector<uint64_t>{1, 2, 4, 7}[Draw(4)];
            helper.SetNicAttribute("AckEvery", UintegerValue(m));
            const bool perMessage = Draw(2);
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            helper.SetNicAttribute("InitialPsn", UintegerValue(Draw(2) ? 0 : 0xfffff0));
            const bool hpcc = Draw(3) == 0;
            if (hpcc)
            {
                helper.SetCongestionControl("ns3::HpccCongestionControl");
                helper.AddSwitchFeature("ns3::HpccIntFeature");
            }
            std::ostringstream what;
            what << "seed " << m_seed << ", round " << round << (goBack ? ", go-back-N" : "")
                 << (pfc ? ", PFC" : "") << (dumbbell ? ", dumbbell" : "") << ", m " << m
                 << (perMessage ? "" : ", shared PDC") << (hpcc ? ", HPCC" : "");
            again +=
                Run(helper, WithErrors(MakePlan(dumbbell), m_errorRate), 24, 60000, what.str());
        }
        NS_TEST_EXPECT_MSG_GT(m_drops, 0, "packets were lost");
        NS_TEST_EXPECT_MSG_GT(again, 0, "and sent again");
    }

    double m_errorRate; //!< of each link
    uint32_t m_rounds;  //!< of each combination
};

/**
 * @ingroup dcfabric-tests
 * @brief Losses by time, with probes, where packets take many paths, over flow controls and numbers
 * around 2^24.
 */
class TimedLossTestCase : public RandomRunTestCase
{
  public:
    /**
     * @param errorRate of each link
     * @param rounds how many
     */
    TimedLossTestCase(double errorRate, uint32_t rounds)
        : RandomRunTestCase("losses by time, " + std::to_string(errorRate * 100) +
                                " % on each link",
                            static_cast<uint32_t>(errorRate * 1000) + 8985),
          m_errorRate(errorRate),
          m_rounds(rounds)
    {
    }

  private:
    void DoRun() override
    {
        std::cout << "dcfabric-loss by time " << m_errorRate << ": seed " << m_seed << std::endl;
        for (uint32_t round = 0; round < m_rounds; ++round)
        {
            FabricHelper helper;
            helper.SetReliability("ns3::RackRepeat");
            helper.SetPathSelector("ns3::EcmpPathSelector");
            helper.SetLoadBalancer("ns3::RandomSprayLoadBalancer");
            helper.SetFlowControl(std::vector<std::string>{"none",
                                                           "ns3::PriorityFlowControl",
                                                           "ns3::CreditFlowControl"}[round % 3]);
            const uint64_t m = std::vector<uint64_t>{1, 2, 4, 7}[Draw(4)];
            helper.SetNicAttribute("AckEvery", UintegerValue(m));
            const bool perMessage = Draw(2);
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(perMessage));
            helper.SetNicAttribute("InitialPsn", UintegerValue(Draw(2) ? 0 : 0xfffff0));
            const bool dctcp = Draw(2);
            if (dctcp)
            {
                helper.SetCongestionControl("ns3::DctcpCongestionControl");
            }
            std::ostringstream what;
            what << "seed " << m_seed << ", round " << round << ", m " << m
                 << (perMessage ? "" : ", shared PDC") << (dctcp ? ", DCTCP" : "");
            Run(helper, WithErrors(MakePlan(round & 1), m_errorRate), 24, 60000, what.str());
        }
        NS_TEST_EXPECT_MSG_GT(m_drops, 0, "packets were lost");
        NS_TEST_EXPECT_MSG_GT(m_probes, 0, "and asked for");
    }

    double m_errorRate; //!< of each link
    uint32_t m_rounds;  //!< how many
};

/**
 * @ingroup dcfabric-tests
 * @brief Buffers overflow without flow control; all the same everything arrives.
 */
class OverflowTestCase : public RandomRunTestCase
{
  public:
    OverflowTestCase()
        : RandomRunTestCase("buffers overflow", 4711)
    {
    }

  private:
    void DoRun() override
    {
        std::cout << "dcfabric-loss overflow: seed " << m_seed << std::endl;
        for (uint32_t round = 0; round < 10; ++round)
        {
            FabricHelper helper;
            helper.SetReliability(round & 1 ? "ns3::GoBackN" : "ns3::SelectiveRepeat");
            helper.SetFlowControl("none");
            helper.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(100000));
            Run(helper,
                MakePlan(round & 2),
                24,
                200000,
                "seed " + std::to_string(m_seed) + ", round " + std::to_string(round));
        }
        NS_TEST_EXPECT_MSG_GT(m_drops, 0, "packets were dropped");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Without loss nothing is sent twice, times out or is dropped.
 */
class LosslessTestCase : public RandomRunTestCase
{
  public:
    LosslessTestCase()
        : RandomRunTestCase("no loss, nothing sent twice", 815)
    {
    }

  private:
    void DoRun() override
    {
        std::cout << "dcfabric-loss lossless: seed " << m_seed << std::endl;
        for (uint32_t round = 0; round < 40; ++round)
        {
            FabricHelper helper;
            helper.SetReliability(round & 1 ? "ns3::GoBackN" : "ns3::SelectiveRepeat");
            const uint64_t m = std::vector<uint64_t>{1, 2, 4, 7}[Draw(4)];
            helper.SetNicAttribute("AckEvery", UintegerValue(m));
            helper.SetNicAttribute("PdcPerMessage", BooleanValue(Draw(2)));
            switch (Draw(3))
            {
            case 1:
                helper.SetCongestionControl("ns3::HpccCongestionControl");
                helper.AddSwitchFeature("ns3::HpccIntFeature");
                break;
            case 2:
                helper.SetCongestionControl("ns3::FnccCongestionControl");
                helper.AddSwitchFeature("ns3::FnccIntFeature");
                break;
            default:
                break;
            }
            std::ostringstream what;
            what << "seed " << m_seed << ", round " << round << ", m " << m;
            const uint64_t again = Run(helper, MakePlan(round & 2), 40, 300000, what.str());
            NS_TEST_EXPECT_MSG_EQ(again, 0, what.str() << ": sent again");
        }
        NS_TEST_EXPECT_MSG_EQ(m_timeouts, 0, "time-outs");
        NS_TEST_EXPECT_MSG_EQ(m_duplicates, 0, "duplicates");
        NS_TEST_EXPECT_MSG_EQ(m_drops, 0, "drops");
    }
};

/// Random loss.
const SuiteCases g_cases("dcfabric-loss", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new LossTestCase(0.001, 20));
    suite.AddTestCase(new LossTestCase(0.01, 60));
    suite.AddTestCase(new LossTestCase(0.05, 20));
    suite.AddTestCase(new LossTestCase(0.2, 10));
    suite.AddTestCase(new TimedLossTestCase(0.01, 30));
    suite.AddTestCase(new TimedLossTestCase(0.1, 30));
    suite.AddTestCase(new OverflowTestCase);
    suite.AddTestCase(new LosslessTestCase);
});

} // namespace ns3::tests::loss_test
