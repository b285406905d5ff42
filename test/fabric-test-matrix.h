// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MATRIX_H
#define FABRIC_TEST_MATRIX_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @brief What the suites of combinations share: all policies, by the names of dcfabric-sim, and
 * which of them go together.
 *
 * The rules are written down here once more, by what each policy is, and not asked of the classes:
 * they are what FabricHelper is held against. doc/combinations.rst tells them to users.
 */

namespace ns3::tests
{
namespace matrix
{

/// HPCC and FNCC keep the state of links by path, so that they go with 2 to 256 paths.
constexpr bool INT_ON_PATH_SETS = true;

/// Most paths of a small set.
constexpr uint32_t FEW_PATHS = 256;

/// Any number of paths.
constexpr uint32_t ALL_PATHS = UINT32_MAX;

/// A congestion control.
struct Cc
{
    const char* name;    //!< of dcfabric-sim
    const char* type;    //!< TypeId
    const char* feature; //!< what it needs of switches; null: nothing
    const char* flag;    //!< attribute to be set; null: none
    bool dataInt;        //!< reads INT that data brought to the receiver
    bool ackInt;         //!< reads INT that ACKs took on their way back
    bool ecn;            //!< lives on marks
    bool readsBts;       //!< reads notifications back to the sender
};

/// All of them.
constexpr Cc CCS[] = {
    {"hpcc",
     "ns3::HpccCongestionControl",
     "ns3::HpccIntFeature",
     nullptr,
     true,
     false,
     false,
     false},
    {"fncc",
     "ns3::FnccCongestionControl",
     "ns3::FnccIntFeature",
     nullptr,
     false,
     true,
     false,
     false},
    {"dcqcn", "ns3::DcqcnCongestionControl", nullptr, nullptr, false, false, true, true},
    {"rocc", "ns3::RoccCongestionControl", "ns3::RoccFeature", nullptr, false, false, false, false},
    {"dctcp", "ns3::DctcpCongestionControl", nullptr, nullptr, false, false, true, true},
    {"timely", "ns3::TimelyCongestionControl", nullptr, nullptr, false, false, false, false},
    {"swift", "ns3::SwiftCongestionControl", nullptr, nullptr, false, false, false, false},
    {"bts", "ns3::BtsCongestionControl", "ns3::WrebFeature", nullptr, false, false, false, true},
    {"none", "ns3::NoCongestionControl", nullptr, nullptr, false, false, false, false},
    {"external", "ns3::ExternalCongestionControl", nullptr, nullptr, false, false, false, false},
    {"external-int",
     "ns3::ExternalCongestionControl",
     "ns3::HpccIntFeature",
     "DataInt",
     true,
     false,
     false,
     false},
    {"external-ack-int",
     "ns3::ExternalCongestionControl",
     "ns3::FnccIntFeature",
     "AckInt",
     false,
     true,
     false,
     false},
    {"mprdma", "ns3::MprdmaCongestionControl", nullptr, nullptr, false, false, true, false},
    {"dcqcn-plus", "ns3::DcqcnPlusCongestionControl", nullptr, nullptr, false, false, true, true},
};

/// Load balancing: a class of hosts and one of switches.
struct Lb
{
    const char* name;     //!< of dcfabric-sim
    const char* balancer; //!< TypeId, of hosts
    const char* selector; //!< TypeId, of switches
    uint32_t hostPaths;   //!< on which hosts send the packets of a connection
    bool moves;           //!< switches send packets of one entropy on several paths
    bool overtakes;       //!< and they overtake one another there
    bool symmetric;       //!< a packet and its answer meet the same links
};

/// All of them.
constexpr Lb LBS[] = {
    {"symmetric-ecmp",
     "ns3::PerFlowLoadBalancer",
     "ns3::SymmetricEcmpPathSelector",
     1,
     false,
     false,
     true},
    {"ecmp", "ns3::PerFlowLoadBalancer", "ns3::EcmpPathSelector", 1, false, false, false},
    {"weighted-ecmp",
     "ns3::PerFlowLoadBalancer",
     "ns3::WeightedEcmpPathSelector",
     1,
     false,
     false,
     false},
    {"spanning-trees",
     "ns3::PerFlowLoadBalancer",
     "ns3::SpanningTreePathSelector",
     1,
     false,
     false,
     true},
    {"spray-random",
     "ns3::RandomSprayLoadBalancer",
     "ns3::EcmpPathSelector",
     ALL_PATHS,
     false,
     false,
     false},
    {"spray-rr",
     "ns3::RoundRobinSprayLoadBalancer",
     "ns3::EcmpPathSelector",
     ALL_PATHS,
     false,
     false,
     false},
    {"path-set",
     "ns3::RoundRobinSprayLoadBalancer",
     "ns3::SymmetricEcmpPathSelector",
     8,
     false,
     false,
     true},
    {"reps", "ns3::RepsLoadBalancer", "ns3::EcmpPathSelector", ALL_PATHS, false, false, false},
    {"flowlet", "ns3::PerFlowLoadBalancer", "ns3::FlowletPathSelector", 1, true, false, false},
    {"adaptive", "ns3::PerFlowLoadBalancer", "ns3::AdaptivePathSelector", 1, true, true, false},
    {"drill", "ns3::PerFlowLoadBalancer", "ns3::DrillPathSelector", 1, true, true, false},
    {"conga", "ns3::PerFlowLoadBalancer", "ns3::CongaPathSelector", 1, true, false, false},
    {"conweave", "ns3::PerFlowLoadBalancer", "ns3::ConweavePathSelector", 1, true, false, false},
};

/// Link-level flow control.
struct Flow
{
    const char* name;    //!< of dcfabric-sim
    const char* type;    //!< TypeId, or none
    bool lossless;       //!< nothing is dropped
    bool perOutput;      //!< has to know the output at the next switch ahead, and queues for it
    const char* buffers; //!< those with which triples run: s(hared), v(irtual input queues)
};

/// All of them.
constexpr Flow FLOWS[] = {
    {"pfc", "ns3::PriorityFlowControl", true, false, "sv"},
    {"credit", "ns3::CreditFlowControl", true, false, "sv"},
    {"voq-credit", "ns3::VoqCreditFlowControl", true, true, "v"},
    {"none", "none", false, false, "sv"},
};

/// A modifier.
struct Modifier
{
    const char* name;  //!< of dcfabric-sim
    const char* type;  //!< TypeId
    bool needsPathSet; //!< counts paths of a small set
    /// Changes what the control is told: acts on ACKs whatever the control makes of them, and
    /// leaves the others less to do.
    bool filters{false};
};

/// All of them.
constexpr Modifier MODIFIERS[] = {
    {"ratio-cut", "ns3::RatioCutModifier", false},
    {"ewma-gate", "ns3::EwmaGateModifier", false},
    {"majority-gate", "ns3::MajorityGateModifier", true},
    {"median-filter", "ns3::MedianFilterModifier", false, true},
    {"rtt-ecn-recovery", "ns3::RttEcnRecoveryModifier", false},
};

/// What switches may have beside.
constexpr const char* FEATURES[] = {"ns3::HpccIntFeature",
                                    "ns3::FnccIntFeature",
                                    "ns3::RoccFeature",
                                    "ns3::WrebFeature"};

constexpr const char* OWN_DISC = "ns3::CongestionAwareQueueDisc"; //!< the module's
constexpr const char* STOCK_DISC = "ns3::FifoQueueDisc";          //!< one of ns-3's own
constexpr const char* PROFILE = "ns3::WredMarkingProfile";        //!< of marks

/// One choice of everything.
struct Combination
{
    const Cc* cc{&CCS[8]};                  //!< congestion control
    const Lb* lb{&LBS[0]};                  //!< load balancing
    const Flow* flow{&FLOWS[0]};            //!< flow control
    bool voq{false};                        //!< virtual output queues instead of a shared buffer
    bool goBackN{false};                    //!< instead of selective repeat
    std::vector<const Modifier*> modifiers; //!< of congestion control
    std::vector<const char*> features;      //!< of switches
    std::string disc{OWN_DISC};             //!< of switch ports
    bool marks{true};                       //!< they have a profile of marks

    /// Have the feature that the congestion control needs, and the profile of marks only if queues
    /// do not notify: what dcfabric-sim does by itself.
    void Complete()
    {
        if (cc->feature)
        {
            features.push_back(cc->feature);
        }
        marks = !Has("ns3::WrebFeature") && disc == OWN_DISC;
    }

    /**
     * @param feature TypeId
     * @return true if switches have a feature
     */
    bool Has(const std::string& feature) const
    {
        return std::count(features.begin(), features.end(), feature) > 0;
    }

    /// @return TypeId of the switches' memory
    const char* GetBuffer() const
    {
        return voq ? "ns3::VoqBuffer" : "ns3::SharedBuffer";
    }

    /// @return TypeId of the reliability
    const char* GetReliability() const
    {
        return goBackN ? "ns3::GoBackN" : "ns3::SelectiveRepeat";
    }

    /// @return what it is, for messages of tests
    std::string GetName() const
    {
        std::string name = std::string(cc->name) + " x " + lb->name + " x " + flow->name +
                           (voq ? " x voq" : " x shared-buffer");
        name += goBackN ? " x go-back-n" : "";
        for (const Modifier* modifier : modifiers)
        {
            name += std::string(" x ") + modifier->name;
        }
        for (const char* feature : features)
        {
            name += std::string(" x ") + feature;
        }
        return name + " x " + disc + (marks ? " with marks" : "");
    }
};

/// Two policies that do not go together: both are to be named by a refusal.
using Clash = std::pair<std::string, std::string>;

/**
 * @param c it
 * @return what does not go together, nothing if the combination is legal
 */
inline std::vector<Clash>
FindClashes(const Combination& c)
{
    std::vector<Clash> clashes;
    const auto check = [&clashes](bool clash, const char* one, const char* other) {
        if (clash)
        {
            clashes.emplace_back(one, other);
        }
    };
    const bool isInt = c.cc->dataInt || c.cc->ackInt;
    const bool isStock = c.disc != OWN_DISC;
    const bool notifies = c.Has("ns3::WrebFeature");
    const uint32_t paths = c.lb->hostPaths;
    const bool isPathSet = paths > 1 && paths <= FEW_PATHS;
    // INT records are compared with those before, of the same path
    check(isInt && paths > 1 && !(INT_ON_PATH_SETS && isPathSet), c.cc->type, c.lb->balancer);
    check(isInt && c.lb->moves, c.cc->type, c.lb->selector);
    // an ACK brings INT of the links of data only if it takes these
    check(c.cc->ackInt && !c.lb->symmetric, c.cc->type, c.lb->selector);
    // go-back-N takes nothing out of order
    check(c.goBackN && paths > 1, c.GetReliability(), c.lb->balancer);
    check(c.goBackN && c.lb->overtakes, c.GetReliability(), c.lb->selector);
    // credits of the queue for an output need both
    check(c.flow->perOutput && c.lb->moves, c.flow->type, c.lb->selector);
    check(c.flow->perOutput && !c.voq, c.flow->type, c.GetBuffer());
    // what is held is released past virtual queues, and its delays are of no path
    const bool holds = std::string(c.lb->name) == "conweave";
    check(holds && c.voq, "ns3::ConweaveFeature", "ns3::VoqBuffer");
    check(holds && std::string(c.cc->name) == "timely", c.cc->type, c.lb->selector);
    // classes that wait need a disc that can hold them back
    check(c.flow->lossless && isStock, c.flow->type, c.disc.c_str());
    check(c.marks && isStock, PROFILE, c.disc.c_str());
    check(notifies && isStock, "ns3::WrebFeature", c.disc.c_str());
    // one draw decides mark and notification
    check(notifies && c.marks, "ns3::WrebFeature", PROFILE);
    for (const Modifier* modifier : c.modifiers)
    {
        check(modifier->needsPathSet && !isPathSet, modifier->type, c.lb->balancer);
    }
    // switches tell what is read
    check(c.cc->feature && !c.Has(c.cc->feature), c.cc->type, c.cc->feature);
    check(c.cc->dataInt && c.Has("ns3::FnccIntFeature"), c.cc->type, "ns3::FnccIntFeature");
    check(c.Has("ns3::RoccFeature") && std::string(c.cc->name) != "rocc",
          c.cc->type,
          "ns3::RoccFeature");
    check(c.cc->ecn && !c.marks && !notifies,
          c.cc->type,
          isStock ? c.disc.c_str() : "marking profile");
    // notifications tell of congestion and of drops: somebody has to read them, or drops to happen
    check(notifies && !c.cc->readsBts && c.flow->lossless, c.cc->type, "ns3::WrebFeature");
    return clashes;
}

} // namespace matrix
} // namespace ns3::tests

#endif /* FABRIC_TEST_MATRIX_H */
