// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-errors.h"
#include "fabric-test-suite.h"

#include "ns3/dctcp-congestion-control.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-text.h"
#include "ns3/policy-rules.h"
#include "ns3/test.h"
#include "ns3/wreb-feature.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Texts that name classes and attributes, and errors made of them.
 */

namespace ns3::tests::fabric_error_test
{

/**
 * @ingroup dcfabric-tests
 * @brief A user who calls each thing by the number of its kind.
 */
class NumberSpeaker : public FabricSpeaker
{
  public:
    std::string Name(const FabricTerm& term) const override
    {
        return "#" + std::to_string(static_cast<int>(term.kind));
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief What is named is spelled by who speaks, and nothing else.
 */
class TextTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const FabricText empty;
        NS_TEST_EXPECT_MSG_EQ(empty.IsEmpty(), true, "nothing");
        NS_TEST_EXPECT_MSG_EQ(empty.Say(), "", "nothing");
        NS_TEST_EXPECT_MSG_EQ(FabricText("").IsEmpty(), true, "no words");

        const FabricText text =
            FabricTerm::Class(DctcpCongestionControl::GetTypeId()) + " at " + std::to_string(7) +
            " with " + FabricTerm::Attribute("ns3::A", "B") + ", " +
            FabricTerm::Attribute("ns3::A", "B", "1us") + ", " +
            FabricTerm::Any("ns3::C", "another", "routing") + ", " +
            FabricTerm::None("ns3::D", "flow control") + " or " + FabricTerm::Option("load");
        NS_TEST_EXPECT_MSG_EQ(text.Say(),
                              "ns3::DctcpCongestionControl at 7 with ns3::A::B, ns3::A::B=1us, "
                              "another routing, no flow control or load",
                              "in C++");
        NS_TEST_EXPECT_MSG_EQ(text.Say(NumberSpeaker()),
                              "#0 at 7 with #1, #1, #2, #3 or #4",
                              "by kind");
        NS_TEST_EXPECT_MSG_EQ(text.ListTerms().size(), 6, "named");
        NS_TEST_EXPECT_MSG_EQ(text.ListTerms()[2].value, "1us", "value of the second attribute");

        // what looks like a name in a user's own words is none
        NS_TEST_EXPECT_MSG_EQ(FabricText("'ns3::A'").Say(NumberSpeaker()), "'ns3::A'", "words");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Subject, conflict and remedies are there for themselves and as a sentence.
 */
class ErrorTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    /**
     * @brief Expect a sentence.
     * @param remedies of the error
     * @param sentence behind the conflict
     */
    void Expect(const std::vector<FabricRemedy>& remedies, const std::string& sentence)
    {
        const FabricError error("it", " clashes", remedies);
        NS_TEST_EXPECT_MSG_EQ(error.what(), "it clashes" + sentence, "remedies");
    }

    void DoRun() override
    {
        const FabricTerm a = FabricTerm::Class("ns3::A");
        const FabricTerm b = FabricTerm::Class("ns3::B");
        Expect({}, "");
        Expect({FabricRemedy::Use(a)}, "; use ns3::A");
        Expect({FabricRemedy::Use(a), FabricRemedy::Use(b)}, "; use ns3::A or ns3::B");
        Expect({FabricRemedy::Use(a), FabricRemedy::Use(b), FabricRemedy::Do("leave it out")},
               "; use ns3::A, ns3::B, or leave it out");
        Expect({FabricRemedy::Do("leave it out"), FabricRemedy::Use(a), FabricRemedy::Add(b)},
               "; leave it out, use ns3::A, or add ns3::B");
        Expect({FabricRemedy::Use(a), FabricRemedy::Do("wait"), FabricRemedy::Use(b)},
               "; use ns3::A, wait, or use ns3::B");
        Expect({FabricRemedy::Set(FabricTerm::Attribute("ns3::A", "X", "1"))}, "; set ns3::A::X=1");

        const FabricError error(a, " needs " + b, {FabricRemedy::Use(b)});
        NS_TEST_EXPECT_MSG_EQ(error.GetSubject().Say(), "ns3::A", "subject");
        NS_TEST_EXPECT_MSG_EQ(error.GetConflict().ListTerms().front().type, "ns3::B", "with");
        NS_TEST_EXPECT_MSG_EQ(error.GetRemedies().size(), 1, "remedies");
        NS_TEST_EXPECT_MSG_EQ(error.GetText().Say(NumberSpeaker()),
                              "#0 needs #0; use #0",
                              "by kind");

        // places come in front, the outer one first, and leave the parts as they are
        const FabricError placed = error.At("line 2: ").At("a file, ");
        NS_TEST_EXPECT_MSG_EQ(std::string(placed.what()),
                              "a file, line 2: ns3::A needs ns3::B; use ns3::B",
                              "with its place");
        NS_TEST_EXPECT_MSG_EQ(placed.GetText().Say(), std::string(placed.what()), "the same");
        NS_TEST_EXPECT_MSG_EQ(placed.GetSubject().Say(), "ns3::A", "subject");
        NS_TEST_EXPECT_MSG_EQ(AtPlace("x: ", []() { return 3; }), 3, "no error");
        DCFABRIC_EXPECT_REFUSAL(AtPlace("x: ", []() { throw FabricError("no"); }), "x: no");

        const FabricError plain("all of it");
        NS_TEST_EXPECT_MSG_EQ(plain.GetSubject().IsEmpty(), true, "no subject");
        NS_TEST_EXPECT_MSG_EQ(plain.GetConflict().Say(), "all of it", "in one piece");
    }
};

/**
 * @ingroup dcfabric-tests
 * @brief Who reads what a feature tells is found out, nowhere written down.
 */
class ReadersTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        std::vector<std::string> names;
        for (const TypeId& reader : ListReaders("ns3::CongestionControl", WrebFeature::GetTypeId()))
        {
            if (reader.GetName().find("::tests::") == std::string::npos)
            {
                names.push_back(reader.GetName());
            }
        }
        const std::vector<std::string> wanted{"ns3::BtsCongestionControl",
                                              "ns3::DcqcnCongestionControl",
                                              "ns3::DcqcnPlusCongestionControl",
                                              "ns3::DctcpCongestionControl"};
        NS_TEST_EXPECT_MSG_EQ((names == wanted), true, "of notifications back to senders");
        NS_TEST_EXPECT_MSG_EQ(
            ListReaders("ns3::CongestionModifier", WrebFeature::GetTypeId()).size(),
            0,
            "no modifier needs them");
    }
};

/// Texts and errors.
const SuiteCases g_cases("dcfabric-errors", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(new TextTestCase("names are spelled by who speaks"));
    suite.AddTestCase(new ErrorTestCase("subject, conflict and remedies"));
    suite.AddTestCase(new ReadersTestCase("readers of a feature"));
});

} // namespace ns3::tests::fabric_error_test
