// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"
#include "fabric-test-wings.h"

#include "ns3/attribute-range.h"
#include "ns3/attribute-text.h"
#include "ns3/class-list.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Every attribute of the module has a range, and refuses what lies beyond.
 */

namespace ns3::tests::attribute_range_test
{

/// Attributes that take more than any algorithm can bear, and why.
const std::map<std::string, std::string> UNBOUNDED = {
    {"ns3::WredMarkingProfile::Kmin", "beyond any queue: never marks"},
    {"ns3::WredMarkingProfile::Kmax", "beyond any queue: never marks"},
    {"ns3::ExponentialMarkingProfile::Kmin", "beyond any queue: never marks"},
    {"ns3::ExponentialMarkingProfile::Kmax", "beyond any queue: never marks"},
    {"ns3::FecnFeature::VictimMask", "a mask: any ports"},
    {"ns3::FabricChannel::Delay", "below one tick it is refused when the link is made"},
    {"ns3::LookAheadScheduler::LookAheadFrom", "beyond any calendar: never fetches ahead"},
};

/**
 * @param checker of an attribute
 * @return true if a checker of numbers takes what no algorithm can bear
 */
bool
TakesAnything(const Ptr<const AttributeChecker>& checker)
{
    const std::vector<Ptr<AttributeValue>> beyond = {
        Create<DoubleValue>(1e300),
        Create<DoubleValue>(-1e300),
        Create<UintegerValue>(UINT64_MAX),
        Create<TimeValue>(Days(100)),
        Create<TimeValue>(Seconds(-1)),
        Create<DataRateValue>(DataRate(UINT64_MAX)),
        Create<QueueSizeValue>(QueueSize("0B")),
    };
    for (const auto& value : beyond)
    {
        if (checker->Check(*value))
        {
            return true;
        }
    }
    return false;
}

/**
 * @ingroup dcfabric-tests
 * @brief All attributes of all classes, by reflection.
 */
class AllAttributesTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        uint32_t attributes = 0;
        std::map<std::string, std::string> listed = UNBOUNDED;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId tid = TypeId::GetRegistered(i);
            const bool isOurs =
                tid.GetGroupName() == "Dcfabric" && !Contains(tid.GetName(), "::tests::");
            for (std::size_t a = 0; isOurs && a < tid.GetAttributeN(); ++a)
            {
                const TypeId::AttributeInformation info = tid.GetAttribute(a);
                const std::string name = tid.GetName() + "::" + info.name;
                ++attributes;
                NS_TEST_EXPECT_MSG_EQ(DescribeAttributeRange(*info.checker).empty(), false, name);
                const bool isListed = listed.erase(name) > 0;
                NS_TEST_EXPECT_MSG_EQ(TakesAnything(info.checker), isListed, name);
                NS_TEST_EXPECT_MSG_EQ(bool(info.checker->CreateValidValue(*info.initialValue)),
                                      true,
                                      name << " does not take its default");
            }
        }
        NS_TEST_EXPECT_MSG_GT(attributes, 200, "the classes are registered");
        for (const auto& [name, reason] : listed)
        {
            if (!HasClass(name.substr(0, name.rfind("::"))))
            {
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(name, "", "listed as unbounded (" << reason << "), but is not");
        }
    }
};

/// Texts on both sides of an end of a range.
struct End
{
    const char* name; //!< `ns3::Class::Attribute`
    const char* good; //!< the last legal value
    const char* bad;  //!< the first illegal one
};

/**
 * @ingroup dcfabric-tests
 * @brief The ends of ranges, open and closed.
 */
class RangeEndsTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::vector<End> ends = {
            // shares of the pool; without one, lossy queues have their reserves
            {"ns3::SharedBuffer::Alpha", "1e-9", "0"},
            {"ns3::SharedBuffer::Alpha", "1e9", "1.1e9"},
            {"ns3::SharedBuffer::EgressAlpha", "0", "-0.1"},
            {"ns3::SharedBuffer::Size", "1", "0"},
            {"ns3::SharedBuffer::Size", "1000000000000000000", "1000000000000000001"},
            // more than the line carries is no utilization to aim at
            {"ns3::HpccCongestionControl::Eta", "1", "2"},
            {"ns3::HpccCongestionControl::Eta", "1", "1.0000001"},
            {"ns3::HpccCongestionControl::Eta", "0.01", "0.0099"},
            {"ns3::FnccCongestionControl::Alpha", "0.1", "0"},
            {"ns3::FnccCongestionControl::Beta", "1", "1.1"},
            // weights of averages: 0 never moves
            {"ns3::TimelyCongestionControl::Alpha", "1", "1.01"},
            {"ns3::TimelyCongestionControl::Alpha", "1e-6", "0"},
            {"ns3::SwiftCongestionControl::RttGain", "1e-6", "0"},
            {"ns3::EwmaGateModifier::Gain", "1", "0"},
            // an alpha that stays is a fixed cut
            {"ns3::DcqcnCongestionControl::G", "0", "-0.1"},
            {"ns3::DctcpCongestionControl::G", "1", "1.5"},
            {"ns3::RoccFeature::Alpha", "0", "-1"},
            {"ns3::WredMarkingProfile::Pmax", "1", "2"},
            {"ns3::PoissonWorkload::Load", "1", "1.01"},
            {"ns3::PoissonWorkload::Load", "0.001", "0"},
            {"ns3::FatTreeTopology::K", "128", "130"},
            {"ns3::FabricNic::PayloadBytes", "65535", "65536"},
            {"ns3::PriorityFlowControl::Quanta", "65535", "65536"},
            // periods: zero would repeat for ever
            {"ns3::DcqcnCongestionControl::AlphaInterval", "1ns", "0ns"},
            {"ns3::RoccFeature::Interval", "24h", "86401s"},
            {"ns3::FabricNic::CnpInterval", "-1ns", "-2ns"},
            {"ns3::FabricNic::PdcIdleTime", "0ns", "-1ns"},
            {"ns3::DcqcnCongestionControl::MinRate", "1bps", "0bps"},
            {"ns3::DcqcnCongestionControl::MinRate", "1000000Gbps", "1000001Gbps"},
            {"ns3::DcqcnCongestionControl::AdditiveIncrease", "0bps", "-1bps"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "1p", "0p"},
            // not even of the right kind
            {"ns3::DcqcnCongestionControl::MinRate", "100Mbps", "100"},
            {"ns3::RoccFeature::Interval", "5us", "5"},
            {"ns3::SharedBuffer::Alpha", "0.5", "nan"},
            {"ns3::SharedBuffer::Alpha", "0.5", ""},
            {"ns3::SharedBuffer::Size", "5", "5x"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "5B", "5"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "5kB", "5ki"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "0.5MiB", "MB"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "5Kp", "5TB"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "3Mip", "5iB"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "5p", "5 p"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "5p", "5pp"},
            {"ns3::CongestionAwareQueueDisc::MaxSize", "5p", ""},
            {"ns3::WrebFeature::Send", "false", "no"},
            {"ns3::WrebFeature::Notifier", "ns3::BackToSenderNotifier", "ns3::IntFormat"},
            {"ns3::WrebFeature::Notifier", "ns3::BackToSenderNotifier", "ns3::BackNotifier"},
            {"ns3::WrebFeature::Notifier",
             "ns3::BackToSenderNotifier[FullQueue=1]",
             "ns3::BackToSenderNotifier[FullQueue=0]"},
            {"ns3::WrebFeature::Notifier",
             "ns3::BackToSenderNotifier[FullQueue=1]",
             "ns3::BackToSenderNotifier[FullQueue=1"},
        };
        for (const End& end : ends)
        {
            const std::string name = end.name;
            const std::size_t colons = name.rfind("::");
            const auto info = FindAttribute(FindClass(name.substr(0, colons), "here"),
                                            name.substr(colons + 2),
                                            "here");
            const auto check = [&](const char* text) {
                return RefusalOf([&]() { CheckAttributeText(text, info, "here"); });
            };
            NS_TEST_EXPECT_MSG_EQ(check(end.good), "(accepted)", name << "=" << end.good);
            NS_TEST_EXPECT_MSG_EQ(Contains(check(end.bad), "here: "),
                                  true,
                                  name << "=" << end.bad << ": " << check(end.bad));
        }
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What messages say.
 */
class RangeMessageTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const auto check = [](const std::string& type, const std::string& name, const char* text) {
            CheckAttributeText(text, FindAttribute(FindClass(type, "x"), name, "x"), "x");
        };
        DCFABRIC_EXPECT_REFUSAL(
            check("ns3::SharedBuffer", "Alpha", "0"),
            "x: invalid value '0'; it takes a number above 0 and up to 1e+09, by "
            "default 0.125");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::HpccCongestionControl", "Eta", "2"),
                                "invalid value '2'; it takes a number from 0.01 to 1, by default "
                                "0.95");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::FabricNic", "AckEvery", "0"),
                                "it takes a whole number from 1 to 4294967295, by default 1");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::RoccFeature", "Interval", "5"),
                                "invalid value '5'; it takes a time with a unit from 1ns to "
                                "86400s, by default 40us");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::DcqcnCongestionControl", "MinRate", "5"),
                                "it takes a rate with a unit, from 1bps to 1000000Gbps, by default "
                                "100000000bps");
        check("ns3::DcqcnCongestionControl", "MinRate", "1000000Gbps");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::WrebFeature", "Send", "no"),
                                "it takes true or false, by default true");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::HpccCongestionControl", "Etaa", "1"),
                                "x: ns3::HpccCongestionControl has no attribute \"Etaa\"; the "
                                "nearest is Eta");
        DCFABRIC_EXPECT_REFUSAL(check("ns3::HpcCongestionControl", "Eta", "1"),
                                "x: there is no class 'ns3::HpcCongestionControl'; the nearest is "
                                "ns3::HpccCongestionControl");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Classes by name, whatever the order in which a build registers them.
 */
class ClassListTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const std::vector<TypeId> classes = ListClasses("ns3::LoadBalancer");
        NS_TEST_EXPECT_MSG_GT(classes.size(), 2, "there are several");
        for (std::size_t i = 0; i < classes.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(classes[i].HasConstructor(), true, classes[i].GetName());
            NS_TEST_EXPECT_MSG_EQ((i == 0 || classes[i - 1].GetName() < classes[i].GetName()),
                                  true,
                                  classes[i].GetName());
        }
        // its base class cannot be made, and a class without others is all there is
        NS_TEST_EXPECT_MSG_EQ(ListClasses("ns3::GoBackN").size(), 1, "it");
        NS_TEST_EXPECT_MSG_EQ(ListClasses("ns3::NoSuchClass").size(),
                              0,
                              "of a wing that is closed");
    }
};

/// Ranges of attributes.
const SuiteCases g_cases("dcfabric-helper", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new AllAttributesTestCase(
        "every number among the attributes has a range that holds its default"));
    suite.AddTestCase(new RangeEndsTestCase(
        "ends of ranges: the last legal value is taken, the next one refused"));
    suite.AddTestCase(new RangeMessageTestCase(
        "refusals tell the value, the legal range, the default or the nearest name"));
    suite.AddTestCase(new ClassListTestCase("classes by name, in each build"));
});

} // namespace ns3::tests::attribute_range_test
