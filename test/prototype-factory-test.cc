// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/attribute-defaults.h"
#include "ns3/config.h"
#include "ns3/congestion-control.h"
#include "ns3/congestion-modifier.h"
#include "ns3/link-flow-control.h"
#include "ns3/load-balancer.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/prototype-factory.h"
#include "ns3/reliability-policy.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Objects that are copied from a prototype are those that a factory makes.
 */

namespace ns3::tests::prototype_factory_test
{

/// A class of which copies are made.
class Copied : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::Copied")
                                .SetParent<Object>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<Copied>()
                                .AddAttribute("Number",
                                              "A number.",
                                              UintegerValue(5),
                                              MakeUintegerAccessor(&Copied::number),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    Copied()
    {
        ++g_made;
    }

    Copied(const Copied& other) = default;

    uint32_t number{0};          //!< attribute
    static inline int g_made{0}; //!< without copies
};

NS_OBJECT_ENSURE_REGISTERED(Copied);
DCFABRIC_OBJECT_CLONABLE(Copied);

/// One that is derived from it, by somebody who says nothing of copies.
class Derived : public Copied
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::tests::Derived")
                                .SetParent<Copied>()
                                .SetGroupName("Dcfabric")
                                .AddConstructor<Derived>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Derived);

/// @param type TypeId name @return a factory
PrototypeFactory
FactoryOf(const std::string& type)
{
    PrototypeFactory factory;
    factory.SetTypeId(type);
    return factory;
}

/**
 * @ingroup dcfabric-tests
 * @brief When copies are made, and of what.
 */
class CopiesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        Copied::g_made = 0;
        PrototypeFactory factory = FactoryOf("ns3::tests::Copied");
        const auto first = factory.Create<Copied>();
        const auto second = factory.Create<Copied>();
        first->number = 77;
        NS_TEST_EXPECT_MSG_EQ(Copied::g_made, 1, "one is made, the other is a copy");
        NS_TEST_EXPECT_MSG_EQ(second->number, 5, "with the default");
        NS_TEST_EXPECT_MSG_EQ(factory.Create<Copied>()->number, 5, "none is the prototype");
        NS_TEST_EXPECT_MSG_EQ(second->GetInstanceTypeId(), Copied::GetTypeId(), "type");
        NS_TEST_EXPECT_MSG_EQ(second->GetReferenceCount(), 1, "owned by nobody else");

        PrototypeFactory other = factory;
        NS_TEST_EXPECT_MSG_EQ(other.Create<Copied>()->number, 5, "copies share the prototype");
        NS_TEST_EXPECT_MSG_EQ(Copied::g_made, 1, "no other is made");
        other.Set("Number", UintegerValue(6));
        NS_TEST_EXPECT_MSG_EQ(other.Create<Copied>()->number, 6, "until one is changed");
        NS_TEST_EXPECT_MSG_EQ(factory.Create<Copied>()->number, 5, "which leaves the other alone");
        NS_TEST_EXPECT_MSG_EQ(Copied::g_made, 2, "it has a prototype of its own");

        Copied::g_made = 0;
        PrototypeFactory derived = FactoryOf("ns3::tests::Derived");
        for (int i = 1; i <= 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(derived.Create<Copied>()->GetInstanceTypeId(),
                                  Derived::GetTypeId(),
                                  "whole, although its base is copied");
            NS_TEST_EXPECT_MSG_EQ(Copied::g_made, i, "made each time");
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Defaults that change while objects are made.
 */
class DefaultsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        PrototypeFactory factory = FactoryOf("ns3::tests::Copied");
        PrototypeFactory fixed = FactoryOf("ns3::tests::Copied");
        fixed.Set("Number", UintegerValue(9));
        const auto expect = [&](uint32_t number, const std::string& what) {
            for (int i = 0; i < 2; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(factory.Create<Copied>()->number, number, what);
                NS_TEST_EXPECT_MSG_EQ(fixed.Create<Copied>()->number, 9, what << ", set");
            }
        };
        AttributeDefaults& defaults = AttributeDefaults::Of(Copied::GetTypeId());
        const uint64_t version = defaults.GetVersion();
        expect(5, "at first");
        NS_TEST_EXPECT_MSG_EQ(defaults.GetVersion(), version, "nothing has changed");
        Config::SetDefault("ns3::tests::Copied::Number", UintegerValue(7));
        NS_TEST_EXPECT_MSG_NE(defaults.GetVersion(), version, "a default has");
        expect(7, "once changed");
        Config::SetDefault("ns3::tests::Copied::Number", UintegerValue(8));
        expect(8, "twice changed");
        {
            // who holds a default for a while does no harm
            TypeId::AttributeInformation info;
            Copied::GetTypeId().LookupAttributeByName("Number", &info);
            expect(8, "held");
            Config::SetDefault("ns3::tests::Copied::Number", UintegerValue(4));
            expect(4, "changed while it is held");
        }
        expect(4, "given back");
        Config::Reset();
        expect(5, "as at first");
        // of a base
        AttributeDefaults& derived = AttributeDefaults::Of(Derived::GetTypeId());
        const uint64_t before = derived.GetVersion();
        Config::SetDefault("ns3::tests::Copied::Number", UintegerValue(3));
        NS_TEST_EXPECT_MSG_NE(derived.GetVersion(), before, "of its base");
        Config::Reset();
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief All policies of PDCs, of ports and of NICs.
 */
class PoliciesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @param object what to read @param all what it holds is added; null: nobody asks
     * @return all attributes that can be read, as texts; of one that is an object its class and its
     * attributes, as its address tells nothing
     */
    static std::map<std::string, std::string> Read(const Object& object,
                                                   std::vector<Ptr<Object>>* all = nullptr)
    {
        std::map<std::string, std::string> values;
        TypeId type = object.GetInstanceTypeId();
        for (bool more = true; more; more = type.HasParent(), type = type.GetParent())
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const TypeId::AttributeInformation info = type.GetAttribute(i);
                const Ptr<AttributeValue> value = info.checker->Create();
                if (!info.accessor->Get(&object, *value))
                {
                    continue;
                }
                const auto* pointer = dynamic_cast<const PointerValue*>(PeekPointer(value));
                const Ptr<Object> held = pointer ? pointer->GetObject() : nullptr;
                values[info.name] = held ? held->GetInstanceTypeId().GetName()
                                         : value->SerializeToString(info.checker);
                if (held)
                {
                    for (const auto& [name, text] : Read(*held, all))
                    {
                        values[info.name + "." + name] = text;
                    }
                    if (all)
                    {
                        all->push_back(held);
                    }
                }
            }
        }
        return values;
    }

    /// Set each attribute of a class to something that is not its default, where one is found.
    static void SetAll(ObjectFactory& factory)
    {
        const std::map<std::string, std::vector<std::string>> others{
            {"ns3::BooleanValue", {"true", "false"}},
            {"ns3::UintegerValue", {"3", "4"}},
            {"ns3::DoubleValue", {"0.3", "2.5"}},
            {"ns3::TimeValue", {"7us", "8us"}},
            {"ns3::DataRateValue", {"3Gbps", "4Gbps"}}};
        const Ptr<Object> trial = factory.Create();
        for (const auto& [name, value] : Read(*trial))
        {
            TypeId::AttributeInformation info;
            const auto texts = factory.GetTypeId().LookupAttributeByName(name, &info)
                                   ? others.find(info.checker->GetValueTypeName())
                                   : others.end(); // of an object that it holds
            if (texts == others.end())
            {
                continue;
            }
            for (const std::string& other : texts->second)
            {
                if (trial->SetAttributeFailSafe(name, StringValue(other)) &&
                    Read(*trial)[name] != value)
                {
                    factory.Set(name, StringValue(other));
                    break;
                }
            }
        }
    }

    /// What a prototype gives is what a factory makes, and holds no object of another.
    void Check(const ObjectFactory& factory, const std::string& what)
    {
        const PrototypeFactory prototypes(factory);
        const auto expected = Read(*factory.Create());
        NS_TEST_EXPECT_MSG_EQ((Read(*factory.Create()) == expected), true, what);
        std::vector<Ptr<Object>> held; // which stay, so that none gets the place of another
        for (int i = 0; i < 3; ++i)
        {
            const Ptr<Object> object = prototypes.Create();
            NS_TEST_EXPECT_MSG_EQ(object->GetInstanceTypeId(), factory.GetTypeId(), what);
            NS_TEST_EXPECT_MSG_EQ((Read(*object, &held) == expected), true, what << ", turn " << i);
        }
        const std::size_t found = held.size();
        std::sort(held.begin(), held.end());
        held.erase(std::unique(held.begin(), held.end()), held.end());
        NS_TEST_EXPECT_MSG_EQ(held.size(), found, what << ": objects that several hold");
    }

    void DoRun() override
    {
        uint32_t classes = 0;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            const bool isPolicy = type.IsChildOf(CongestionControl::GetTypeId()) ||
                                  type.IsChildOf(CongestionModifier::GetTypeId()) ||
                                  type.IsChildOf(LoadBalancer::GetTypeId()) ||
                                  type.IsChildOf(LinkFlowControl::GetTypeId()) ||
                                  type.IsChildOf(ReliabilityPolicy::GetTypeId());
            if (!isPolicy || !type.HasConstructor())
            {
                continue;
            }
            ++classes;
            ObjectFactory factory;
            factory.SetTypeId(type);
            Check(factory, type.GetName());
            SetAll(factory);
            Check(factory, type.GetName() + " with other attributes");
        }
        NS_TEST_EXPECT_MSG_GT(classes, 40, "all policies");
    }
};

/// Copies of prototypes.
const SuiteCases g_cases("dcfabric-prototypes", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new CopiesTestCase("objects are copies where their class says so"));
    suite.AddTestCase(new DefaultsTestCase("a default that changes is noticed"));
    suite.AddTestCase(new PoliciesTestCase("policies are as a factory makes them"));
});

} // namespace ns3::tests::prototype_factory_test
