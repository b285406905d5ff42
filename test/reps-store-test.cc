// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/fabric-time.h"
#include "ns3/object-factory.h"
#include "ns3/private-entropy-store.h"
#include "ns3/shared-entropy-store.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Stores of entropies: who gives up what for whom, by hand and against a model.
 */

namespace ns3::tests::reps_store_test
{

/**
 * @param store its store
 * @param fifo queue
 * @return all that a queue holds, taken out, as text
 */
std::string
TakeAll(EntropyStore& store, uint32_t fifo)
{
    std::string text;
    uint16_t entropy = 0;
    while (store.Take(fifo, 0, entropy))
    {
        text += (text.empty() ? "" : " ") + std::to_string(entropy);
    }
    return text;
}

/**
 * @ingroup dcfabric-tests
 * @brief Capacity and fairness, by hand.
 */
class SharedStoreTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Ptr<SharedEntropyStore> store = CreateObject<SharedEntropyStore>();
        store->Configure(4);
        NS_TEST_EXPECT_MSG_EQ(store->GetCapacity(), 4, "as told");
        const uint32_t a = store->Open(FabricTime::NEVER);
        const uint32_t b = store->Open(FabricTime::NEVER);
        const uint32_t c = store->Open(FabricTime::NEVER);
        const auto save = [&](uint32_t fifo, uint16_t entropy) { store->Save(fifo, entropy, 0); };
        const auto expect = [&](uint32_t inA, uint32_t inB, uint32_t inC) {
            NS_TEST_EXPECT_MSG_EQ(store->GetCount(a), inA, "of A");
            NS_TEST_EXPECT_MSG_EQ(store->GetCount(b), inB, "of B");
            NS_TEST_EXPECT_MSG_EQ(store->GetCount(c), inC, "of C");
            NS_TEST_EXPECT_MSG_EQ(store->GetTotal(), inA + inB + inC, "in all");
        };
        save(a, 1);
        save(a, 2);
        save(a, 3);
        save(b, 4);
        expect(3, 1, 0); // full
        save(b, 5);      // A holds most and gives up 1: A 2 3, B 4 5
        expect(2, 2, 0);
        save(a, 6); // nobody holds more than A: 2 goes; A 3 6
        save(b, 7); // nor than B: 4 goes; B 5 7
        expect(2, 2, 0);
        save(c, 8); // A has held two for longer than B: 3 goes; A 6
        expect(1, 2, 1);
        save(c, 9); // B holds most: 5 goes; B 7, C 8 9
        expect(1, 1, 2);
        save(c, 10); // C itself: 8 goes; C 9 10
        expect(1, 1, 2);

        // B goes away with 7; its place is free.
        store->Close(b);
        expect(1, 0, 2);
        save(a, 11);
        expect(2, 0, 2);
        NS_TEST_EXPECT_MSG_EQ(store->Open(FabricTime::NEVER), b, "its number is used again");
        save(b, 12); // C has held two for longer than A: 9 goes
        expect(2, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(TakeAll(*store, a), "6 11", "A");
        NS_TEST_EXPECT_MSG_EQ(TakeAll(*store, b), "12", "B");
        NS_TEST_EXPECT_MSG_EQ(TakeAll(*store, c), "10", "C");
        expect(0, 0, 0);
        NS_TEST_EXPECT_MSG_EQ(store->GetNTaken(), 4, "6, 11, 12 and 10");

        // one place: the last one has it
        Ptr<SharedEntropyStore> one =
            CreateObjectWithAttributes<SharedEntropyStore>("Capacity", UintegerValue(1));
        one->Configure(1000);
        NS_TEST_EXPECT_MSG_EQ(one->GetCapacity(), 1, "the attribute overrides");
        const uint32_t x = one->Open(FabricTime::NEVER);
        const uint32_t y = one->Open(FabricTime::NEVER);
        one->Save(x, 1, 0);
        one->Save(x, 2, 0);
        one->Save(y, 3, 0);
        NS_TEST_EXPECT_MSG_EQ(TakeAll(*one, x), "", "given up");
        NS_TEST_EXPECT_MSG_EQ(TakeAll(*one, y), "3", "kept");

        Ptr<SharedEntropyStore> none = CreateObject<SharedEntropyStore>();
        none->Configure(0);
        NS_TEST_EXPECT_MSG_EQ(none->GetCapacity(), 1, "at least one place");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What the stores should do, in the plainest way.
 */
class StoreModel
{
  public:
    /// A queue.
    struct Queue
    {
        std::deque<std::pair<int64_t, uint16_t>> entries; //!< saved when, what
        int64_t expiryPs{1};                              //!< valid for less
        uint64_t changed{0};                              //!< when the number last changed
        bool open{false};                                 //!< exists
    };

    /**
     * @param shared one capacity for all
     * @param capacity entropies
     */
    StoreModel(bool shared, std::size_t capacity)
        : m_shared(shared),
          m_capacity(capacity)
    {
    }

    /**
     * @brief As the store.
     * @param fifo,entropy,nowPs as there
     */
    void Save(uint32_t fifo, uint16_t entropy, int64_t nowPs)
    {
        std::size_t total = 0;
        uint32_t most = fifo;
        for (uint32_t i = 0; i < queues.size(); ++i)
        {
            total += queues[i].entries.size();
            const std::size_t held = queues[most].entries.size();
            if (queues[i].entries.size() > held ||
                (most != fifo && queues[i].entries.size() == held &&
                 queues[i].changed < queues[most].changed))
            {
                most = i;
            }
        }
        if (m_shared ? total == m_capacity : queues[fifo].entries.size() == m_capacity)
        {
            Queue& loser = queues[m_shared ? most : fifo];
            loser.entries.pop_front();
            loser.changed = ++m_changes;
        }
        queues[fifo].entries.emplace_back(nowPs, entropy);
        queues[fifo].changed = ++m_changes;
    }

    /**
     * @param fifo,nowPs as there
     * @return as the store, -1 for none
     */
    int32_t Take(uint32_t fifo, int64_t nowPs)
    {
        Queue& queue = queues[fifo];
        while (!queue.entries.empty())
        {
            const auto [savedPs, entropy] = queue.entries.front();
            queue.entries.pop_front();
            queue.changed = ++m_changes;
            if (nowPs < savedPs + queue.expiryPs)
            {
                return entropy;
            }
        }
        return -1;
    }

    std::vector<Queue> queues; //!< by number

  private:
    bool m_shared;          //!< kind of store
    std::size_t m_capacity; //!< of all, or each
    uint64_t m_changes{0};  //!< so far
};

/**
 * @ingroup dcfabric-tests
 * @brief Random operations.
 */
class StorePropertyTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 200; ++seed)
        {
            RunOne(seed);
            if (IsStatusFailure())
            {
                return; // the message has the seed
            }
        }
    }

    /**
     * @brief Run a sequence.
     * @param seed of it
     */
    void RunOne(uint32_t seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
        const bool isShared = seed % 2 == 0;
        const uint32_t capacity = 1 + draw(seed % 3 == 0 ? 4 : 40);
        Ptr<EntropyStore> store;
        if (isShared)
        {
            store = CreateObject<SharedEntropyStore>();
            store->Configure(capacity);
        }
        else
        {
            store = CreateObjectWithAttributes<PrivateEntropyStore>("Capacity",
                                                                    UintegerValue(capacity));
        }
        StoreModel model(isShared, capacity);
        int64_t nowPs = 0;
        uint32_t nOpen = 0;
        const uint32_t most = 1 + draw(8);
        for (uint32_t step = 0; step < 2000; ++step)
        {
            nowPs += draw(4);
            const uint32_t what = draw(100);
            if (nOpen == 0 || (what < 4 && nOpen < most))
            {
                const int64_t expiryPs = draw(4) == 0 ? FabricTime::NEVER / 2 : 1 + draw(100);
                const uint32_t fifo = store->Open(expiryPs);
                NS_TEST_ASSERT_MSG_EQ((fifo <= model.queues.size()), true, "seed " << seed);
                if (fifo == model.queues.size())
                {
                    model.queues.emplace_back();
                }
                NS_TEST_ASSERT_MSG_EQ(model.queues[fifo].open, false, "seed " << seed);
                model.queues[fifo].open = true;
                model.queues[fifo].expiryPs = expiryPs;
                ++nOpen;
                continue;
            }
            uint32_t fifo = draw(static_cast<uint32_t>(model.queues.size()));
            while (!model.queues[fifo].open)
            {
                fifo = draw(static_cast<uint32_t>(model.queues.size()));
            }
            if (what < 6)
            {
                store->Close(fifo);
                model.queues[fifo].entries.clear();
                model.queues[fifo].open = false;
                --nOpen;
                continue;
            }
            if (what < 8)
            {
                store->Clear(fifo);
                model.queues[fifo].entries.clear();
            }
            else if (what < 62)
            {
                const auto entropy = static_cast<uint16_t>(draw(65536));
                store->Save(fifo, entropy, nowPs);
                model.Save(fifo, entropy, nowPs);
            }
            else
            {
                uint16_t entropy = 0;
                const bool taken = store->Take(fifo, nowPs, entropy);
                NS_TEST_ASSERT_MSG_EQ((taken ? entropy : -1),
                                      model.Take(fifo, nowPs),
                                      "seed " << seed << ", step " << step);
            }
            for (uint32_t i = 0; i < model.queues.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(store->GetCount(i),
                                      model.queues[i].entries.size(),
                                      "queue " << i << ", seed " << seed << ", step " << step);
            }
        }
    }
};

/// Stores of entropies.
const SuiteCases g_cases("dcfabric-reps", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new SharedStoreTestCase(
        "in a full shared store the PDC that holds most gives up its oldest"));
    suite.AddTestCase(new StorePropertyTestCase(
        "both stores do under random operations what a plain model does"));
});

} // namespace ns3::tests::reps_store_test
