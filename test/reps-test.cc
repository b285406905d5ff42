// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/packet-spraying.h"
#include "ns3/private-entropy-store.h"
#include "ns3/random-variable-stream.h"
#include "ns3/reps-load-balancer.h"
#include "ns3/shared-entropy-store.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <memory>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Recycled entropies: what is used again, when, in which order, and for how long.
 */

namespace ns3::tests::reps_test
{

/**
 * @param store of the NIC
 * @param first fresh entropy
 * @param recurrent attribute
 * @param connection of the PDC
 * @return a balancer whose fresh entropies count up from a first one
 */
Ptr<RepsLoadBalancer>
MakeCounting(Ptr<EntropyStore> store,
             uint16_t first,
             bool recurrent = false,
             uint64_t connection = 0)
{
    Ptr<RepsLoadBalancer> reps = CreateObjectWithAttributes<RepsLoadBalancer>(
        "Fresh",
        TypeIdValue(RoundRobinSprayLoadBalancer::GetTypeId()),
        "Recurrent",
        BooleanValue(recurrent),
        "Expiry",
        TimeValue(NanoSeconds(100)));
    reps->Join(store, connection);
    reps->Start(first);
    return reps;
}

/**
 * @param reps asked
 * @param n how many
 * @param nowPs when
 * @return the next entropies as text
 */
std::string
Next(LoadBalancer& reps, uint32_t n, int64_t nowPs = 0)
{
    std::string text;
    for (uint32_t i = 0; i < n; ++i)
    {
        text += (i == 0 ? "" : " ") + std::to_string(reps.ChooseEntropy(nowPs, false));
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief The rules, by hand.
 */
class RepsTraceTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<RepsLoadBalancer> reps = MakeCounting(CreateObject<PrivateEntropyStore>(), 65534);
        NS_TEST_EXPECT_MSG_EQ(reps->GetMaxPaths(), UINT32_MAX, "no bound");
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 4), "65534 65535 0 1", "none stored: the counter");

        // In the order of ACKs, not of sending; 0 was marked. Then the counter goes on.
        reps->OnAck(0, 1, false);
        reps->OnAck(0, 0, true);
        reps->OnAck(0, 65534, false);
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 4), "1 65534 2 3", "oldest first, each once");

        // What is sent again takes a stored entropy as well: the way of a fresh one may be dead.
        reps->OnAck(0, 3, false);
        NS_TEST_EXPECT_MSG_EQ(reps->ChooseEntropy(0, true), 3, "sent again");
        NS_TEST_EXPECT_MSG_EQ(reps->ChooseEntropy(0, true), 4, "sent again, none stored");
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1), "5", "first time");

        // Two ACKs for one entropy, as of two packets or of a duplicate: two uses.
        reps->OnAck(0, 5, false);
        reps->OnAck(0, 5, false);
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 3), "5 5 6", "once per ACK");

        // A time-out takes nothing away: what was good on a path that lives is the best guess.
        reps->OnAck(0, 5, false);
        reps->OnTimeout(0);
        NS_TEST_EXPECT_MSG_EQ(reps->ChooseEntropy(0, true), 5, "sent again after a time-out");
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1), "7", "once");
        reps->Dispose();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief The ring.
 */
class RingTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<PrivateEntropyStore> store =
            CreateObjectWithAttributes<PrivateEntropyStore>("Capacity", UintegerValue(4));
        Ptr<RepsLoadBalancer> reps = MakeCounting(store, 1000);
        const auto save = [&](uint16_t from, uint16_t to) {
            for (uint16_t e = from; e <= to; ++e)
            {
                reps->OnAck(0, e, false);
            }
        };
        // places of 1 to 6: 5 6 3 4, of which 3 is the oldest
        save(1, 6);
        NS_TEST_EXPECT_MSG_EQ(store->GetCount(0), 4, "full");
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 2), "3 4", "1 and 2 were pushed out");
        save(7, 8); // places: 5 6 7 8
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 5), "5 6 7 8 1000", "over the end of the ring");
        // one in, one out, at each place more than once
        for (uint16_t e = 20; e < 30; ++e)
        {
            save(e, e);
            NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1), std::to_string(e), "alone");
        }
        NS_TEST_EXPECT_MSG_EQ(store->GetCount(0), 0, "empty");
        reps->Dispose();

        Ptr<PrivateEntropyStore> one =
            CreateObjectWithAttributes<PrivateEntropyStore>("Capacity", UintegerValue(1));
        reps = MakeCounting(one, 2000);
        save(1, 2);
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 2), "2 2000", "a ring of one keeps the last");

        // Another PDC has a ring of its own; the number of one that is gone is used again, empty.
        Ptr<RepsLoadBalancer> other = MakeCounting(one, 3000);
        save(5, 5);
        NS_TEST_EXPECT_MSG_EQ(Next(*other, 1), "3000", "not of the first");
        reps->Dispose();
        reps = MakeCounting(one, 4000);
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1), "4000", "5 went with its PDC");
        reps->Dispose();
        other->Dispose();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Expiry and recurrent connections.
 */
class RepsAgeTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (const bool shared : {false, true})
        {
            Ptr<EntropyStore> store;
            if (shared)
            {
                store = CreateObject<SharedEntropyStore>();
                store->Configure(10);
            }
            else
            {
                store = CreateObject<PrivateEntropyStore>();
            }
            Expire(store);
            Recur(store);
        }
    }

    /**
     * @brief Entropies are valid for 100 ns.
     * @param store to be used
     */
    void Expire(Ptr<EntropyStore> store)
    {
        constexpr int64_t late = int64_t{1} << 61; // 26 days
        Ptr<RepsLoadBalancer> reps = MakeCounting(store, 500);
        reps->OnAck(late, 1, false);
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1, late + 99999), "1", "99.999 ns old");
        reps->OnAck(late, 1, false);
        reps->OnAck(late + 1, 2, false);
        reps->OnAck(late + 2, 3, false);
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1, late + 100000), "2", "1 is 100 ns old");
        NS_TEST_EXPECT_MSG_EQ(Next(*reps, 1, late + 100002), "500", "so is 3, 2 ps later");
        reps->Dispose();
    }

    /**
     * @brief Connections 7 and 8.
     * @param store to be used
     */
    void Recur(Ptr<EntropyStore> store)
    {
        Ptr<RepsLoadBalancer> first = MakeCounting(store, 100, true, 7);
        first->OnAck(0, 1, false);
        first->OnAck(0, 2, false);
        first->OnAck(0, 3, false);
        NS_TEST_EXPECT_MSG_EQ(Next(*first, 1, 5), "1", "as usual");
        first->Dispose();
        Ptr<RepsLoadBalancer> otherHost = MakeCounting(store, 200, true, 8);
        Ptr<RepsLoadBalancer> flagless = MakeCounting(store, 300, false, 7);
        constexpr int64_t day = int64_t{86400} * 1000000000000;
        NS_TEST_EXPECT_MSG_EQ(Next(*otherHost, 1, day), "200", "of another connection");
        NS_TEST_EXPECT_MSG_EQ(Next(*flagless, 1, day), "300", "not recurrent");
        Ptr<RepsLoadBalancer> second = MakeCounting(store, 400, true, 7);
        Ptr<RepsLoadBalancer> third = MakeCounting(store, 600, true, 7);
        NS_TEST_EXPECT_MSG_EQ(Next(*second, 1, day), "2", "taken over");
        NS_TEST_EXPECT_MSG_EQ(Next(*third, 1, day), "3", "by both PDCs that go on at a time");
        NS_TEST_EXPECT_MSG_EQ(Next(*second, 1, day), "400", "each once");
        for (const auto& reps : {otherHost, flagless, second, third})
        {
            reps->Dispose();
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Fresh entropies at random, and what goes together.
 */
class RepsSettingsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<UniformRandomVariable> ofNic = CreateObject<UniformRandomVariable>();
        ofNic->SetStream(23);
        Ptr<UniformRandomVariable> expected = CreateObject<UniformRandomVariable>();
        expected->SetStream(23);
        Ptr<RepsLoadBalancer> reps = CreateObject<RepsLoadBalancer>();
        NS_TEST_EXPECT_MSG_EQ(reps->NeedsRandomVariable(), true, "draws");
        reps->SetRandomVariable(ofNic);
        Ptr<Object> store = reps->MakeShared(12);
        NS_TEST_EXPECT_MSG_EQ(!DynamicCast<PrivateEntropyStore>(store), false, "the default store");
        reps->Join(store, 0);
        reps->Start(5);
        for (uint32_t i = 0; i < 100; ++i)
        {
            const auto draw = static_cast<uint16_t>(expected->GetInteger(0, 65535));
            NS_TEST_EXPECT_MSG_EQ(reps->ChooseEntropy(0, i % 2), draw, "draw " << i);
            reps->OnAck(0, draw, i % 3 != 0);
            if (i % 3 == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(reps->ChooseEntropy(0, false), draw, "without a draw");
            }
        }
        reps->Dispose();

        reps = CreateObject<RepsLoadBalancer>();
        DCFABRIC_EXPECT_REFUSAL(
            reps->SetAttribute("Store", TypeIdValue(LoadBalancer::GetTypeId())),
            "ns3::RepsLoadBalancer::Store: ns3::LoadBalancer is no store of entropies; use "
            "ns3::PrivateEntropyStore");
        for (const TypeId& type : {RepsLoadBalancer::GetTypeId(),
                                   LoadBalancer::GetTypeId(),
                                   PrivateEntropyStore::GetTypeId()})
        {
            DCFABRIC_EXPECT_REFUSAL(reps->SetAttribute("Fresh", TypeIdValue(type)),
                                    "ns3::RepsLoadBalancer::Fresh: " + type.GetName() +
                                        " makes no fresh entropies; use "
                                        "ns3::RandomSprayLoadBalancer");
        }
        reps->Dispose();

        for (const std::string cc : {"Hpcc", "Fncc"})
        {
            FabricHelper helper;
            helper.SetLoadBalancer("ns3::RepsLoadBalancer");
            helper.SetCongestionControl("ns3::" + cc + "CongestionControl");
            helper.AddSwitchFeature("ns3::" + cc + "IntFeature");
            DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(2)),
                                    "ns3::" + cc +
                                        "CongestionControl compares INT records of one path, but "
                                        "ns3::RepsLoadBalancer sprays packets over all");
            Simulator::Destroy();
        }
        FabricHelper helper;
        helper.SetLoadBalancer("ns3::RepsLoadBalancer");
        helper.SetReliability("ns3::GoBackN");
        DCFABRIC_EXPECT_REFUSAL(helper.Install(MakeStar(2)),
                                "ns3::GoBackN accepts packets only in order, but "
                                "ns3::RepsLoadBalancer spreads a message over several");
        Simulator::Destroy();
    }
};

/// Recycled entropies.
const SuiteCases g_cases("dcfabric-reps", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new RepsTraceTestCase("the oldest good entropy is used once; marked ones are not"));
    suite.AddTestCase(
        new RingTestCase("a ring of four wraps, and pushes out the oldest when it is full"));
    suite.AddTestCase(new RepsAgeTestCase(
        "entropies expire to the ps; those of recurrent connections outlive their PDC"));
    suite.AddTestCase(new RepsSettingsTestCase(
        "random fresh entropies; wrong classes, INT and go-back-N are refused"));
});

} // namespace ns3::tests::reps_test
