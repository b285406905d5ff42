// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/bitmap-spray-load-balancer.h"
#include "ns3/boolean.h"
#include "ns3/mrc-load-balancer.h"
#include "ns3/nstime.h"
#include "ns3/oblivious-spray-load-balancer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/ring-reps-load-balancer.h"
#include "ns3/sent-entropies.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Load balancers of Ultra Ethernet, which go through a set of entropies.
 */

namespace ns3::tests::entropy_sets_test
{

using namespace by_hand;

/**
 * @ingroup dcfabric-tests
 * @brief Each round counts up from the first entropy.
 * @tparam T the load balancer
 */
template <typename T>
class Counting : public T
{
  protected:
    uint32_t DrawOrder() override
    {
        return 0;
    }
};

/**
 * @param bits of the set
 * @param upper bits that the NIC draws
 * @tparam T a load balancer whose rounds count up
 * @return one that has started
 */
template <typename T>
Ptr<Counting<T>>
MakeCounting(uint8_t bits, uint16_t upper = 0)
{
    const auto balancer = CreateObject<Counting<T>>();
    balancer->SetAttribute("EntropyBits", UintegerValue(bits));
    balancer->Start(upper);
    return balancer;
}

/**
 * @param balancer asked
 * @param n how often
 * @param nowPs time
 * @return what it chooses
 */
std::string
Choose(LoadBalancer& balancer, uint32_t n, int64_t nowPs = 0)
{
    std::string chosen;
    for (uint32_t i = 0; i < n; ++i)
    {
        chosen += std::to_string(balancer.ChooseEntropy(nowPs, false)) + " ";
    }
    return chosen;
}

/**
 * @ingroup dcfabric-tests
 * @brief Rounds of the oblivious balancer.
 */
class ObliviousSprayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto drawing = CreateObject<ObliviousSprayLoadBalancer>();
        NS_TEST_EXPECT_MSG_EQ(drawing->GetMaxPaths(), 64, "a path set");
        NS_TEST_EXPECT_MSG_EQ(drawing->NeedsRandomVariable(), true, "draws");
        NS_TEST_EXPECT_MSG_EQ(drawing->NeedsLosses(), false, "feedback makes no difference");
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(3);
        drawing->SetRandomVariable(random);
        drawing->Start(0x12ff);
        std::set<uint16_t> firsts;
        for (uint32_t round = 0; round < 20; ++round)
        {
            std::set<uint16_t> seen;
            const uint16_t first = drawing->ChooseEntropy(0, false);
            firsts.insert(first);
            seen.insert(first);
            for (uint32_t i = 1; i < 64; ++i)
            {
                const uint16_t entropy = drawing->ChooseEntropy(0, false);
                seen.insert(entropy);
                // counting up, exclusive-or with the order, which the first one shows
                NS_TEST_EXPECT_MSG_EQ(entropy, (first ^ i), "turn " << i);
            }
            NS_TEST_EXPECT_MSG_EQ(seen.size(), 64, "each once");
            NS_TEST_EXPECT_MSG_EQ(*seen.begin(), 0x12c0, "upper bits of the connection");
            NS_TEST_EXPECT_MSG_EQ(*seen.rbegin(), 0x12ff, "upper bits of the connection");
        }
        NS_TEST_EXPECT_MSG_GT(firsts.size(), 10, "another order in each round");

        NS_TEST_EXPECT_MSG_EQ(Choose(*MakeCounting<ObliviousSprayLoadBalancer>(2, 8), 6),
                              "8 9 10 11 8 9 ",
                              "four");
        const auto one = MakeCounting<ObliviousSprayLoadBalancer>(0, 7);
        NS_TEST_EXPECT_MSG_EQ(Choose(*one, 3), "7 7 7 ", "one");
        NS_TEST_EXPECT_MSG_EQ(one->GetMaxPaths(), 1, "one path");
        const auto all = MakeCounting<ObliviousSprayLoadBalancer>(16, 7);
        NS_TEST_EXPECT_MSG_EQ(Choose(*all, 3), "0 1 2 ", "all");
        NS_TEST_EXPECT_MSG_EQ(all->GetMaxPaths(), UINT32_MAX, "no bound");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Penalties of the bitmap balancer.
 */
class BitmapSprayTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        // Four entropies; 1 has been marked twice. 0; 1 is skipped and has one point left, 2, 3; 0;
        // 1 is skipped and has none left, 2, 3; 0, 1.
        auto lb = MakeCounting<BitmapSprayLoadBalancer>(2);
        lb->OnAck(0, 1, true);
        lb->OnAck(0, 1, true);
        lb->OnAck(0, 0, false);
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 8), "0 2 3 0 2 3 0 1 ", "two marks");
        // a trim is four points, and so four rounds
        lb = MakeCounting<BitmapSprayLoadBalancer>(2);
        lb->OnTrim(0, 2, false);
        lb->OnTrim(0, 3, true); // of the last hop, which all share
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 16), "0 1 3 0 1 3 0 1 3 0 1 3 0 1 2 3 ", "a trim");
        // fifteen at most
        lb = MakeCounting<BitmapSprayLoadBalancer>(1);
        NS_TEST_EXPECT_MSG_EQ(lb->NeedsLosses(), true, "losses");
        lb->OnLoss(0, 1);
        lb->OnTrim(0, 1, false);
        std::string zeros;
        for (int i = 0; i < 16; ++i)
        {
            zeros += "0 ";
        }
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 17), zeros + "1 ", "a loss and a trim");
        // A packet pays one point only: 1 and 2 have one each. 0; 1 loses its point, 2 does not, 3;
        // 0, 1, 2 loses its point, 3; 0, 1, 2, 3.
        lb = MakeCounting<BitmapSprayLoadBalancer>(2);
        lb->OnAck(0, 1, true);
        lb->OnAck(0, 2, true);
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 9), "0 3 0 1 3 0 1 2 3 ", "one for a packet");
        // All have two points. A packet that finds points on all takes the one with which it has
        // begun, from which it took one: 0, 1, 2, 3 have one left, and 0 again none. The next one
        // takes that of 1 and comes round to 0; then 1; that of 2, and 0; 1, 2; that of 3, and 0.
        lb = MakeCounting<BitmapSprayLoadBalancer>(2);
        for (uint16_t entropy = 0; entropy < 4; ++entropy)
        {
            lb->OnAck(0, entropy, true);
            lb->OnAck(0, entropy, true);
        }
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 11), "0 1 2 3 0 0 1 0 1 2 0 ", "all");
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 4), "1 2 3 0 ", "no points any more");
        // other points, of one of the connection's entropies
        lb = MakeCounting<BitmapSprayLoadBalancer>(2, 0x100);
        lb->SetAttribute("LossPenalty", UintegerValue(0));
        NS_TEST_EXPECT_MSG_EQ(lb->NeedsLosses(), false, "no losses");
        lb->SetAttribute("MaxPenalty", UintegerValue(1));
        lb->OnTrim(0, 0x101, false);
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 5), "256 258 259 256 257 ", "one point at most");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The small ring.
 */
class RingRepsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// @param explore packets that draw after freezing
    void Begin(uint32_t explore = 16)
    {
        m_lb = CreateObject<RingRepsLoadBalancer>();
        m_lb->SetAttribute("Capacity", UintegerValue(3));
        m_lb->SetAttribute("EntropyBits", UintegerValue(16));
        m_lb->SetAttribute("ExplorePackets", UintegerValue(explore));
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        m_lb->SetRandomVariable(random);
        m_expected = CreateObject<UniformRandomVariable>();
        m_expected->SetStream(7);
        m_lb->Start(0);
    }

    /**
     * @brief ACKs without marks.
     * @param entropies of their packets
     * @param nowPs when
     */
    void Ack(const std::vector<uint16_t>& entropies, int64_t nowPs = 0)
    {
        for (const uint16_t entropy : entropies)
        {
            m_lb->OnAck(nowPs, entropy, false);
        }
    }

    /**
     * @brief Packets draw.
     * @param n how many
     * @param nowPs when
     * @param why they do
     */
    void ExpectDraws(uint32_t n, int64_t nowPs, const std::string& why)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_lb->ChooseEntropy(nowPs, false),
                                  m_expected->GetInteger(0, 65535),
                                  why << ", draw " << i);
        }
    }

    void DoRun() override
    {
        constexpr int64_t MS = 1000 * US;
        Begin();
        NS_TEST_EXPECT_MSG_EQ(m_lb->GetMaxPaths(), UINT32_MAX, "no bound");
        ExpectDraws(3, 0, "empty");
        m_lb->OnAck(0, 4, true);
        ExpectDraws(1, 0, "a mark");
        Ack({5, 6, 7});
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 3), "5 6 7 ", "each once");
        ExpectDraws(2, 0, "none is valid");
        // frozen: they are there still
        m_lb->OnTimeout(MS);
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 7, 2 * MS), "5 6 7 5 6 7 5 ", "round and round");
        NS_TEST_EXPECT_MSG_EQ(m_lb->IsFrozen(2 * MS), true, "frozen");
        // the head is where 5 was: 8 is written there, and is next but two
        Ack({8}, 3 * MS);
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 4, 3 * MS), "6 7 8 6 ", "an ACK");
        m_lb->OnTimeout(9 * MS); // does not make it longer
        NS_TEST_EXPECT_MSG_EQ(m_lb->IsFrozen(11 * MS - 1), true, "1 ps before the end");
        NS_TEST_EXPECT_MSG_EQ(m_lb->IsFrozen(11 * MS), false, "10 ms after the time-out");
        // cleared; 16 packets draw, whatever comes back
        ExpectDraws(10, 11 * MS, "exploring");
        Ack({9}, 11 * MS);
        m_lb->OnTimeout(11 * MS);
        ExpectDraws(6, 11 * MS, "exploring, and time-outs change nothing");
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 1, 11 * MS), "9 ", "as before");
        ExpectDraws(1, 11 * MS, "the ring was cleared");

        // a fourth ACK takes the place of the oldest one
        Begin();
        Ack({5, 6, 7, 8});
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 3), "6 7 8 ", "5 is gone");
        ExpectDraws(1, 0, "none is valid");
        // valid and others: 6 is taken, then 9 and 10 come over 6 and 7
        Begin();
        Ack({5, 6, 7, 8});
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 1), "6 ", "the oldest");
        Ack({9, 10});
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 3), "8 9 10 ", "7 is gone");

        // frozen before it is full, and empty
        Begin(0);
        Ack({5, 6});
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 1), "5 ", "the oldest");
        m_lb->OnTimeout(0);
        NS_TEST_EXPECT_MSG_EQ(Choose(*m_lb, 3), "5 6 5 ", "two");
        ExpectDraws(1, 10 * MS, "cleared");
        m_lb->OnTimeout(10 * MS);
        ExpectDraws(1, 10 * MS, "frozen and empty");

        // losses, if they are to count
        Begin();
        Ack({5, 6, 7});
        m_lb->OnLoss(0, 5);
        NS_TEST_EXPECT_MSG_EQ(m_lb->IsFrozen(0), false, "a loss");
        NS_TEST_EXPECT_MSG_EQ(m_lb->NeedsLosses(), false, "does not count");
        m_lb->SetAttribute("FreezeOnLoss", BooleanValue(true));
        NS_TEST_EXPECT_MSG_EQ(m_lb->NeedsLosses(), true, "counts");
        m_lb->OnLoss(0, 5);
        NS_TEST_EXPECT_MSG_EQ(m_lb->IsFrozen(0), true, "a loss that counts");
        Begin();
        m_lb->SetAttribute("Freezing", TimeValue(Seconds(0)));
        m_lb->OnTimeout(0);
        NS_TEST_EXPECT_MSG_EQ(m_lb->IsFrozen(0), false, "never");

        // of a set
        m_lb->SetAttribute("EntropyBits", UintegerValue(2));
        m_lb->Start(0x1203);
        NS_TEST_EXPECT_MSG_EQ(m_lb->GetMaxPaths(), 4, "a path set");
        for (int i = 0; i < 20; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((m_lb->ChooseEntropy(0, false) & 0xfffc), 0x1200, "upper bits");
        }
    }

    Ptr<RingRepsLoadBalancer> m_lb;        //!< under test
    Ptr<UniformRandomVariable> m_expected; //!< what it draws
};

/**
 * @ingroup dcfabric-tests
 * @brief States of entropies.
 */
class MrcTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr int64_t MS = 1000 * US;
        using State = MrcLoadBalancer::State;
        auto lb = MakeCounting<MrcLoadBalancer>(2);
        NS_TEST_EXPECT_MSG_EQ(lb->NeedsLosses(), true, "losses");
        // marks that come while it is to be skipped add nothing
        lb->OnAck(0, 1, true);
        lb->OnAck(0, 1, true);
        lb->OnTrim(0, 1, false);
        lb->OnTrim(0, 3, true);
        NS_TEST_EXPECT_MSG_EQ((lb->GetState(1) == State::SKIP), true, "marked");
        NS_TEST_EXPECT_MSG_EQ((lb->GetState(3) == State::GOOD), true, "of the last hop");
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 7), "0 2 3 0 1 2 3 ", "misses one turn");
        // a packet makes one entropy good: 1 by that which takes 3, 2 by the next one
        lb = MakeCounting<MrcLoadBalancer>(2);
        lb->OnAck(0, 1, true);
        lb->OnTrim(0, 2, false);
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 9), "0 3 0 1 3 0 1 2 3 ", "one for a packet");
        // all are to be skipped: the one that was just made good is taken
        lb = MakeCounting<MrcLoadBalancer>(2);
        for (uint16_t entropy = 0; entropy < 4; ++entropy)
        {
            lb->OnAck(0, entropy, true);
        }
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 1), "0 ", "in a full turn");
        NS_TEST_EXPECT_MSG_EQ((lb->GetState(0) == State::GOOD), true, "is good");
        NS_TEST_EXPECT_MSG_EQ((lb->GetState(1) == State::SKIP), true, "is not");

        // a loss: no use but for probes, each ms, until an ACK comes
        lb = MakeCounting<MrcLoadBalancer>(2);
        lb->OnLoss(5 * MS, 2);
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 6, 5 * MS), "0 1 3 0 1 3 ", "assumed bad");
        lb->OnAck(5 * MS, 0, false);
        lb->OnTrim(5 * MS, 2, false);
        lb->OnLoss(5 * MS + 1, 2); // of another packet
        NS_TEST_EXPECT_MSG_EQ((lb->GetState(2) == State::ASSUMED_BAD), true, "stays so");
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 3, 6 * MS - 1), "0 1 3 ", "1 ps before its time");
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 7, 6 * MS), "0 1 2 3 0 1 3 ", "one probe");
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 6, 7 * MS), "0 1 2 3 0 1 ", "the next one");
        lb->OnAck(7 * MS, 2, true);
        NS_TEST_EXPECT_MSG_EQ((lb->GetState(2) == State::SKIP), true, "came through, marked");
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 5, 7 * MS), "3 0 1 2 3 ", "good");

        // all are bad: in turn
        lb = MakeCounting<MrcLoadBalancer>(1);
        lb->OnLoss(0, 0);
        lb->OnLoss(0, 1);
        NS_TEST_EXPECT_MSG_EQ(Choose(*lb, 4, 0), "0 1 0 1 ", "in turn");

        // denied
        const auto denies = CreateObject<Counting<MrcLoadBalancer>>();
        denies->SetAttribute("EntropyBits", UintegerValue(2));
        denies->SetAttribute("Denied", StringValue("1,2,1,70"));
        denies->Start(0x100);
        NS_TEST_EXPECT_MSG_EQ((denies->GetState(1) == State::DENIED), true, "denied");
        NS_TEST_EXPECT_MSG_EQ(Choose(*denies, 4), "256 259 256 259 ", "never");
        denies->OnAck(0, 0x101, false);
        denies->OnAck(0, 0x101, true);
        denies->OnLoss(0, 0x101);
        denies->OnLoss(0, 0x100);
        denies->OnLoss(0, 0x103);
        NS_TEST_EXPECT_MSG_EQ((denies->GetState(1) == State::DENIED), true, "whatever comes");
        NS_TEST_EXPECT_MSG_EQ(Choose(*denies, 1), "256 ", "rather a bad one");
        denies->SetAttribute("Denied", StringValue("0,1,2,3"));
        DCFABRIC_EXPECT_REFUSAL(denies->Start(0), "leaves none of 4 entropies");
        DCFABRIC_EXPECT_REFUSAL(denies->SetDenied("1,x"), "ns3::MrcLoadBalancer::Denied");
        DCFABRIC_EXPECT_REFUSAL(denies->SetDenied("65536"), "above 65535");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Which entropies packets had.
 */
class SentEntropiesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        constexpr uint32_t NONE = SentEntropies::NONE;
        SentEntropies sent;
        NS_TEST_EXPECT_MSG_EQ(sent.Take(0), NONE, "nothing");
        sent.Note(5, 5, 50);
        sent.Note(5, 6, 60);
        sent.Note(5, 9, 90); // 7 and 8 are not known
        NS_TEST_EXPECT_MSG_EQ(sent.Take(6), 60, "known");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(6), NONE, "told");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(7), NONE, "not known");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(4), NONE, "before");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(10), NONE, "behind");
        sent.Note(6, 6, 66); // again
        NS_TEST_EXPECT_MSG_EQ(sent.Take(5), NONE, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(6), 66, "the last copy");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(9), 90, "known");
        sent.Note(1000, 1001, 1);
        NS_TEST_EXPECT_MSG_EQ(sent.Take(1000), NONE, "not known");
        NS_TEST_EXPECT_MSG_EQ(sent.Take(1001), 1, "far behind");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Two leaves and four spines of which one loses all packets for a while; also with hosts
 * that have a port in each of two planes, of which one does.
 */
class DeadPathTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /// What became of a run.
    struct Outcome
    {
        uint64_t lostEarly; //!< data packets that the dead switch lost in the first ms
        uint64_t lostLate;  //!< in the last ms
        uint64_t after;     //!< that it passed when it was well again
    };

    /**
     * @brief A flow at line rate, 5 ms; the switch loses packets from 0.2 to 3 ms.
     * @param graph plan
     * @param dead number of the switch
     * @param dst receiver
     * @param helper with a load balancer
     * @return what became of it
     */
    Outcome Run(const FabricGraph& graph, uint32_t dead, uint32_t dst, FabricHelper helper)
    {
        constexpr int64_t MS = 1000 * US;
        helper.SetCongestionControl("ns3::NoCongestionControl");
        helper.SetPathSelector("ns3::EcmpPathSelector");
        helper.SetNicAttribute("PayloadBytes", UintegerValue(4096));
        helper.SetFlowControl("none");
        TestNetwork network(graph, helper);
        const Ptr<PacketTap> tap = AddTap(network, dead);
        Outcome outcome{};
        tap->SetRule([&](FabricPacketItem& item) {
            const int64_t nowPs = FabricTime::ToPs(Simulator::Now());
            const bool isData = item.type == DATA;
            outcome.lostEarly += isData && nowPs >= MS / 5 && nowPs < 6 * MS / 5;
            outcome.lostLate += isData && nowPs >= 2 * MS && nowPs < 3 * MS;
            outcome.after += isData && nowPs >= 3 * MS;
            return nowPs < MS / 5 || nowPs >= 3 * MS;
        });
        network.MessagesOf(0).SendAt(0, dst, 60000000, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), 1, "the message");
        NS_TEST_EXPECT_MSG_EQ(network.fabric->CheckConservation().Holds(), true, "conservation");
        return outcome;
    }

    void DoRun() override
    {
        const auto use = [](const std::string& balancer) {
            FabricHelper helper;
            helper.SetLoadBalancer("ns3::" + balancer + "LoadBalancer");
            return helper;
        };
        FabricGraph planes; // hosts 0 and 1 with a port each at switches 2 and 3
        planes.AddHost();
        planes.AddHost();
        for (uint32_t plane = 0; plane < 2; ++plane)
        {
            const uint32_t node = planes.AddSwitch();
            planes.AddLink(0, node, 100 * GBPS, US);
            planes.AddLink(1, node, 100 * GBPS, US);
        }

        const struct
        {
            const FabricGraph& graph; //!< plan
            uint32_t dead;            //!< switch
            uint32_t dst;             //!< receiver
            double share;             //!< of the packets that it ought to carry
        } cases[] = {{MakeTwoLeaves(1, 4), 5, 1, 0.25}, {planes, 3, 1, 0.5}};

        for (const auto& [graph, dead, dst, share] : cases)
        {
            // 2992 packets of 4178 B in a ms of 100 Gb/s
            const double perMs = 2992 * share;
            const Outcome blind = Run(graph, dead, dst, use("ObliviousSpray"));
            NS_TEST_EXPECT_MSG_GT(blind.lostLate, 0.2 * perMs, "oblivious: as before");
            const Outcome mrc = Run(graph, dead, dst, use("Mrc"));
            NS_TEST_EXPECT_MSG_GT(mrc.lostEarly, 0, "some are lost");
            // each of the set's 64 x share entropies probes once in a ms
            NS_TEST_EXPECT_MSG_LT(mrc.lostLate, 2 * 64 * share + 1, "MRC: probes only");
            NS_TEST_EXPECT_MSG_GT(mrc.after, 0.5 * perMs, "MRC: comes back");
            const Outcome bitmap = Run(graph, dead, dst, use("BitmapSpray"));
            NS_TEST_EXPECT_MSG_LT(bitmap.lostLate, 0.5 * blind.lostLate, "bitmap: less");
            FabricHelper ring = use("RingReps");
            ring.SetLoadBalancer("ns3::RingRepsLoadBalancer", "FreezeOnLoss", BooleanValue(true));
            const Outcome frozen = Run(graph, dead, dst, ring);
            NS_TEST_EXPECT_MSG_LT(frozen.lostLate, 20, "frozen: what has worked lately");
        }
    }
};

/// Sets of entropies.
const SuiteCases g_cases("dcfabric-entropies", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new ObliviousSprayTestCase("oblivious: rounds in an order of their own"));
    suite.AddTestCase(new BitmapSprayTestCase("bitmap: penalties for marks, trims, losses"));
    suite.AddTestCase(new RingRepsTestCase("REPS with a ring that is frozen"));
    suite.AddTestCase(new MrcTestCase("MRC: good, skip, assumed bad, denied"));
    suite.AddTestCase(new SentEntropiesTestCase("which entropies packets had"));
    suite.AddTestCase(new DeadPathTestCase("a spine and a plane that lose all packets"));
});

} // namespace ns3::tests::entropy_sets_test
