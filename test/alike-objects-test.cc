// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-suite.h"

#include "ns3/boolean.h"
#include "ns3/class-scheduler.h"
#include "ns3/congestion-aware-queue-disc.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-net-device.h"
#include "ns3/fabric-nic.h"
#include "ns3/frame-loss.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Objects that are made like another one have all of its attributes.
 */

namespace ns3::tests::alike_objects_test
{

/// Values by name.
using Values = std::map<std::string, std::string>;

/**
 * @param object any
 * @return all attributes that can be set
 */
Values
ReadAttributes(const Object& object)
{
    Values values;
    TypeId tid = object.GetInstanceTypeId();
    do
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = tid.GetAttribute(i);
            if (info.accessor->HasSetter())
            {
                StringValue value;
                object.GetAttribute(info.name, value);
                values[info.name] = value.Get();
            }
        }
        tid = tid.GetParent();
    } while (tid != Object::GetTypeId());
    return values;
}

/**
 * @param values some
 * @param others of the same class
 * @return names of attributes that are the same, in order
 */
std::string
NameEqual(const Values& values, const Values& others)
{
    std::string names;
    for (const auto& [name, value] : values)
    {
        names += others.at(name) == value ? name + " " : "";
    }
    return names;
}

/**
 * @ingroup dcfabric-tests
 * @brief Queue discs and ports. All attributes are set to what is no default, but those that hold
 * objects: a new one that CreateAlike() forgets is seen here.
 */
class AlikeObjectsTest : public NamedCase
{
    using NamedCase::NamedCase;

    /// A derived class may have more.
    class DerivedDisc : public CongestionAwareQueueDisc
    {
    };

    void DoRun() override
    {
        const auto disc = CreateObject<CongestionAwareQueueDisc>();
        const Values usual = ReadAttributes(*disc);
        disc->SetAttribute("MaxSize", QueueSizeValue(QueueSize("5000B")));
        disc->SetAttribute("MarkedClasses", UintegerValue(9));
        disc->SetAttribute("MarkAtDequeue", BooleanValue(true));
        disc->SetAttribute("DscpMap", StringValue("46:7"));
        disc->SetAttribute("ClassQueueDisc", StringValue("ns3::FifoQueueDisc"));
        disc->SetAttribute("CountsDirectly", BooleanValue(false));
        disc->SetAttribute("Quota", UintegerValue(3));
        const Values set = ReadAttributes(*disc);
        NS_TEST_EXPECT_MSG_EQ(NameEqual(set, usual),
                              "BackToSender MarkingProfile Scheduler Trimmer ",
                              "attributes that the test leaves alone");
        const Ptr<CongestionAwareQueueDisc> alike = disc->CreateAlike();
        NS_TEST_ASSERT_MSG_EQ((alike != nullptr), true, "made");
        NS_TEST_EXPECT_MSG_EQ((ReadAttributes(*alike) == set), true, "all attributes");
        NS_TEST_EXPECT_MSG_EQ(alike->GetInstanceTypeId().GetName(),
                              "ns3::CongestionAwareQueueDisc",
                              "class");
        NS_TEST_EXPECT_MSG_EQ(alike->GetReferenceCount(), 1, "the caller's");
        alike->Dispose();
        NS_TEST_EXPECT_MSG_EQ((CreateObject<DerivedDisc>()->CreateAlike() == nullptr),
                              true,
                              "a derived class");
        disc->SetAttribute("Scheduler", PointerValue(CreateObject<DeficitRoundRobinScheduler>()));
        NS_TEST_EXPECT_MSG_EQ((disc->CreateAlike() == nullptr), true, "a scheduler of its own");
        disc->Dispose();

        const auto port = CreateObject<FabricNetDevice>();
        const Values usualPort = ReadAttributes(*port);
        port->SetAttribute("GapBytes", UintegerValue(12));
        port->SetAttribute("Mtu", UintegerValue(9000));
        const Ptr<FabricNetDevice> other = port->CreateAlike(DataRate("25Gbps"));
        NS_TEST_ASSERT_MSG_EQ((other != nullptr), true, "made");
        const Values setPort = ReadAttributes(*other);
        NS_TEST_EXPECT_MSG_EQ(NameEqual(setPort, usualPort),
                              "ReceiveErrorModel ",
                              "all others are set");
        NS_TEST_EXPECT_MSG_EQ(setPort.at("DataRate"), "25000000000bps", "as asked for");
        NS_TEST_EXPECT_MSG_EQ(NameEqual(setPort, ReadAttributes(*port)),
                              "GapBytes Mtu ReceiveErrorModel ",
                              "the others as they were");
        NS_TEST_EXPECT_MSG_EQ(other->GetInstanceTypeId().GetName(),
                              "ns3::FabricNetDevice",
                              "class");
        port->SetAttribute("ReceiveErrorModel", PointerValue(CreateObject<FrameLoss>()));
        NS_TEST_EXPECT_MSG_EQ((port->CreateAlike(DataRate("25Gbps")) == nullptr),
                              true,
                              "an error model of its own");
        CheckNics();
    }

    /// A derived class may have more.
    class DerivedNic : public FabricNic
    {
    };

    /// NICs, each attribute another than usual.
    void CheckNics()
    {
        const auto nic = CreateObject<FabricNic>();
        const Values usual = ReadAttributes(*nic);
        const std::map<std::string, std::vector<std::string>> others{
            {"BooleanValue", {"true", "false"}},
            {"UintegerValue", {"3", "4"}},
            {"DoubleValue", {"2.5"}},
            {"TimeValue", {"7us"}},
            {"DataRateValue", {"3Gbps"}}};
        for (const auto& [name, value] : usual)
        {
            TypeId::AttributeInformation info;
            FabricNic::GetTypeId().LookupAttributeByName(name, &info);
            // releases of ns-3 differ in whether its namespace is named
            const std::string type = info.checker->GetValueTypeName();
            for (const std::string& other : others.at(type.substr(type.rfind(':') + 1)))
            {
                nic->SetAttribute(name, StringValue(other));
                if (ReadAttributes(*nic).at(name) != value)
                {
                    break;
                }
            }
        }
        const Values set = ReadAttributes(*nic);
        NS_TEST_EXPECT_MSG_EQ(NameEqual(set, usual), "", "all have been set");
        const Ptr<FabricNic> alike = nic->CreateAlike();
        NS_TEST_ASSERT_MSG_EQ((alike != nullptr), true, "made");
        NS_TEST_EXPECT_MSG_EQ((ReadAttributes(*alike) == set), true, "all attributes");
        NS_TEST_EXPECT_MSG_EQ(alike->GetInstanceTypeId().GetName(), "ns3::FabricNic", "class");
        NS_TEST_EXPECT_MSG_EQ(alike->GetReferenceCount(), 1, "the caller's");
        NS_TEST_EXPECT_MSG_EQ((CreateObject<DerivedNic>()->CreateAlike() == nullptr),
                              true,
                              "a derived class");
        const Ptr<FabricChannel> link = FabricChannel::Create(NanoSeconds(7));
        NS_TEST_EXPECT_MSG_EQ(link->GetDelay(), NanoSeconds(7), "as asked for");
        NS_TEST_EXPECT_MSG_EQ(link->GetInstanceTypeId().GetName(), "ns3::FabricChannel", "class");
    }
};

/// Objects that are made like another one.
const SuiteCases g_cases("dcfabric-queue-disc", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new AlikeObjectsTest("queue discs, ports and NICs that are made like another one"));
});

} // namespace ns3::tests::alike_objects_test
