// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TEST_MATRIX_H
#define FABRIC_TEST_MATRIX_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// Entropies of a set, of six bits.
constexpr uint32_t ENTROPY_SET = 64;

/// Any number of paths.
constexpr uint32_t ALL_PATHS = UINT32_MAX;

/// What congestion controls live on, as bits.
enum Trait : uint32_t
{
    DATA_INT = 1,         //!< INT that data brought to the receiver
    ACK_INT = 1 << 1,     //!< INT that ACKs took on their way back
    ECN = 1 << 2,         //!< marks
    WREB = 1 << 3,        //!< what WrebFeature tells of congestion
    BTS = 1 << 4,         //!< messages of switches are needed
    CNP = 1 << 5,         //!< receivers send CNPs
    CREDIT = 1 << 6,      //!< receivers grant what is sent, which nobody else may change
    CLASSES = 1 << 7,     //!< packets of a flow have several classes without flow control
    PATH_DELAY = 1 << 8,  //!< delays of one path are compared
    BYTE_ACKS = 1 << 9,   //!< an ACK covers several packets
    HAS_STATE = 1 << 10,  //!< the state is looked at in runs
    EXTERNAL = 1 << 11,   //!< decided elsewhere, here by SimpleDecider
    NO_CONTROL = 1 << 12, //!< nothing is ever reduced
};

/// A congestion control.
struct Cc
{
    const char* name;          //!< of dcfabric-sim
    const char* type;          //!< TypeId
    const char* feature;       //!< what it needs of switches; null: nothing
    uint32_t traits;           //!< what it lives on
    const char* flag{nullptr}; //!< attribute to be set; null: none
    bool on{true};             //!< its value

    /// @return whether it has a trait @param trait one of Trait
    bool Is(uint32_t trait) const
    {
        return (traits & trait) != 0;
    }
};

/// All of them.
constexpr Cc CCS[] = {
    {"none", "ns3::NoCongestionControl", nullptr, NO_CONTROL},
    {"hpcc", "ns3::HpccCongestionControl", "ns3::HpccIntFeature", DATA_INT | HAS_STATE},
    {"fncc", "ns3::FnccCongestionControl", "ns3::FnccIntFeature", ACK_INT | HAS_STATE},
    {"hpcc-rate",
     "ns3::HpccCongestionControl",
     "ns3::HpccIntFeature",
     DATA_INT | HAS_STATE,
     "HasWindow",
     false},
    {"hpcc-pint", "ns3::HpccPintCongestionControl", "ns3::PintFeature", DATA_INT | HAS_STATE},
    {"powertcp", "ns3::PowerTcpCongestionControl", "ns3::HpccIntFeature", DATA_INT | HAS_STATE},
    {"theta-powertcp", "ns3::ThetaPowerTcpCongestionControl", nullptr, HAS_STATE},
    {"dcqcn", "ns3::DcqcnCongestionControl", nullptr, ECN | WREB | CNP},
    {"dcqcn+win", "ns3::DcqcnCongestionControl", nullptr, ECN | WREB | CNP, "HasWindow"},
    {"dcqcn-plus", "ns3::DcqcnPlusCongestionControl", nullptr, ECN | WREB | CNP},
    {"rocc", "ns3::RoccCongestionControl", "ns3::RoccFeature", 0},
    {"dctcp", "ns3::DctcpCongestionControl", nullptr, ECN | WREB | HAS_STATE},
    {"timely", "ns3::TimelyCongestionControl", nullptr, PATH_DELAY | HAS_STATE},
    {"timely+win", "ns3::TimelyCongestionControl", nullptr, PATH_DELAY | HAS_STATE, "HasWindow"},
    {"swift", "ns3::SwiftCongestionControl", nullptr, HAS_STATE},
    {"falcon", "ns3::FalconCongestionControl", nullptr, 0},
    {"mprdma", "ns3::MprdmaCongestionControl", nullptr, ECN},
    {"nscc", "ns3::NsccCongestionControl", nullptr, ECN | BYTE_ACKS},
    {"bolt", "ns3::BoltCongestionControl", "ns3::BoltFeature", DATA_INT | BTS},
    {"ib", "ns3::IbCongestionControl", "ns3::FecnFeature", ECN | CNP},
    {"bts", "ns3::BtsCongestionControl", "ns3::WrebFeature", WREB | BTS},
    {"rccc", "ns3::RcccCongestionControl", nullptr, CREDIT},
    {"nscc+rccc", "ns3::NsccRcccCongestionControl", nullptr, ECN | CREDIT | BYTE_ACKS},
    {"swift+rccc", "ns3::SwiftRcccCongestionControl", nullptr, CREDIT},
    {"ndp", "ns3::NdpCongestionControl", nullptr, CREDIT},
    {"homa", "ns3::HomaCongestionControl", nullptr, CREDIT | CLASSES},
    {"external", "ns3::ExternalCongestionControl", nullptr, EXTERNAL},
    {"external-int",
     "ns3::ExternalCongestionControl",
     "ns3::HpccIntFeature",
     DATA_INT | EXTERNAL,
     "DataInt"},
    {"external-ack-int",
     "ns3::ExternalCongestionControl",
     "ns3::FnccIntFeature",
     ACK_INT | EXTERNAL,
     "AckInt"},
};

/// Load balancing: a class of hosts and one of switches.
struct Lb
{
    const char* name;      //!< of dcfabric-sim
    const char* balancer;  //!< TypeId, of hosts
    const char* selector;  //!< TypeId, of switches
    uint32_t hostPaths;    //!< on which hosts send the packets of a connection
    bool moves;            //!< switches send packets of one entropy on several paths
    bool overtakes;        //!< and they overtake one another there
    bool symmetric;        //!< a packet and its answer meet the same links
    bool hostMoves{false}; //!< hosts move a flow to another path, where it stays
    bool edges{false};     //!< the first switch chooses whole ways
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
    {"reps-ring",
     "ns3::RingRepsLoadBalancer",
     "ns3::EcmpPathSelector",
     ENTROPY_SET,
     false,
     false,
     false},
    {"oblivious",
     "ns3::ObliviousSprayLoadBalancer",
     "ns3::EcmpPathSelector",
     ENTROPY_SET,
     false,
     false,
     false},
    {"bitmap",
     "ns3::BitmapSprayLoadBalancer",
     "ns3::EcmpPathSelector",
     ENTROPY_SET,
     false,
     false,
     false},
    {"mixed", "ns3::RepsLoadBalancer", "ns3::EcmpPathSelector", ALL_PATHS, false, false, false},
    {"falcon", "ns3::FalconLoadBalancer", "ns3::EcmpPathSelector", ALL_PATHS, false, false, false},
    {"mrc", "ns3::MrcLoadBalancer", "ns3::EcmpPathSelector", ENTROPY_SET, false, false, false},
    {"plb", "ns3::PlbLoadBalancer", "ns3::EcmpPathSelector", 1, false, false, false, true},
    {"flowlet", "ns3::PerFlowLoadBalancer", "ns3::FlowletPathSelector", 1, true, false, false},
    {"adaptive", "ns3::PerFlowLoadBalancer", "ns3::AdaptivePathSelector", 1, true, true, false},
    {"drill", "ns3::PerFlowLoadBalancer", "ns3::DrillPathSelector", 1, true, true, false},
    {"conga",
     "ns3::PerFlowLoadBalancer",
     "ns3::CongaPathSelector",
     1,
     true,
     false,
     false,
     false,
     true},
    {"conweave",
     "ns3::PerFlowLoadBalancer",
     "ns3::ConweavePathSelector",
     1,
     true,
     false,
     false,
     false,
     true},
    {"hermes",
     "ns3::PerFlowLoadBalancer",
     "ns3::HermesPathSelector",
     1,
     true,
     false,
     false,
     false,
     true},
};

/// Link-level flow control.
struct Flow
{
    const char* name; //!< of dcfabric-sim
    const char* type; //!< TypeId, or none
    bool lossless;    //!< nothing is dropped
    bool perOutput;   //!< has to know the output at the next switch ahead, and queues for it
    bool asUe{false}; //!< credits as those of Ultra Ethernet
};

/// All of them.
constexpr Flow FLOWS[] = {
    {"pfc", "ns3::PriorityFlowControl", true, false},
    {"credit", "ns3::CreditFlowControl", true, false},
    {"cbfc", "ns3::CreditFlowControl", true, false, true},
    {"voq-credit", "ns3::VoqCreditFlowControl", true, true},
    {"none", "none", false, false},
};

/// The memory of switches.
struct Buffer
{
    const char* name;      //!< of dcfabric-sim
    const char* type;      //!< TypeId
    const char* threshold; //!< TypeId of what limits its queues; null: its own rule, or a number
    bool voq;              //!< virtual output queues
};

/// All of them.
constexpr Buffer BUFFERS[] = {
    {"shared-buffer", "ns3::SharedBuffer", nullptr, false},
    {"voq", "ns3::VoqBuffer", nullptr, true},
    {"abm", "ns3::SharedBuffer", "ns3::AbmThreshold", false},
    {"reverie", "ns3::SharedBuffer", "ns3::ReverieThreshold", false},
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
struct Feature
{
    const char* type;            //!< TypeId
    bool dataInt;                //!< writes INT into data
    bool marks;                  //!< decides on marks
    const char* reader{nullptr}; //!< its messages are of use for this control only; null: for more
};

/// All of them.
constexpr Feature FEATURES[] = {
    {"ns3::HpccIntFeature", true, false},
    {"ns3::FnccIntFeature", false, false},
    {"ns3::RoccFeature", false, false, "rocc"},
    {"ns3::WrebFeature", false, true},
    {"ns3::PintFeature", true, false},
    {"ns3::BoltFeature", true, false, "bolt"},
    {"ns3::FecnFeature", false, true},
};

/// A routing of networks of groups.
struct Routing
{
    const char* name; //!< of dcfabric-sim
    const char* type; //!< TypeId
    bool chooses;     //!< each packet's way, where it enters a group
};

/// All of them.
constexpr Routing ROUTINGS[] = {
    {"minimal", "ns3::DragonflyMinimalRouting", false},
    {"valiant", "ns3::DragonflyValiantRouting", true},
    {"ugal", "ns3::DragonflyUgalRouting", true},
    {"par", "ns3::DragonflyProgressiveRouting", true},
    {"piggyback", "ns3::DragonflyPiggybackRouting", true},
    {"par-piggyback", "ns3::DragonflyProgressivePiggybackRouting", true},
};

constexpr const char* OWN_DISC = "ns3::CongestionAwareQueueDisc"; //!< the module's
constexpr const char* STOCK_DISC = "ns3::FifoQueueDisc";          //!< one of ns-3's own
constexpr const char* PROFILE = "ns3::WredMarkingProfile";        //!< of marks

/// One choice of everything.
struct Combination
{
    const Cc* cc{&CCS[0]};                  //!< congestion control
    const Lb* lb{&LBS[0]};                  //!< load balancing
    const Flow* flow{&FLOWS[0]};            //!< flow control
    const Buffer* buffer{&BUFFERS[0]};      //!< memory of switches
    const Routing* routing{nullptr};        //!< of a direct network; null: another one
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
        marks = !HasMarker() && disc == OWN_DISC;
    }

    /**
     * @param feature TypeId
     * @return true if switches have a feature
     */
    bool Has(const std::string& feature) const
    {
        return std::count(features.begin(), features.end(), feature) > 0;
    }

    /// @return true if a feature of switches decides on marks
    bool HasMarker() const
    {
        return std::any_of(std::begin(FEATURES), std::end(FEATURES), [this](const Feature& one) {
            return one.marks && Has(one.type);
        });
    }

    /// @return TypeId of the reliability
    const char* GetReliability() const
    {
        return goBackN ? "ns3::GoBackN" : "ns3::SelectiveRepeat";
    }

    /// @return what it is, for messages of tests
    std::string GetName() const
    {
        std::string name =
            std::string(cc->name) + " x " + lb->name + " x " + flow->name + " x " + buffer->name;
        name += goBackN ? " x go-back-n" : "";
        name += routing ? std::string(" x ") + routing->name : "";
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
    const bool isInt = c.cc->Is(DATA_INT | ACK_INT);
    const bool isStock = c.disc != OWN_DISC;
    const bool notifies = c.Has("ns3::WrebFeature");
    const uint32_t paths = c.lb->hostPaths;
    const bool isPathSet = paths > 1 && paths <= FEW_PATHS;
    // INT records are compared with those before, of the same path
    check(isInt && paths > 1 && !(INT_ON_PATH_SETS && isPathSet), c.cc->type, c.lb->balancer);
    check(isInt && c.lb->moves, c.cc->type, c.lb->selector);
    // an ACK brings INT of the links of data only if it takes these
    check(c.cc->Is(ACK_INT) && !c.lb->symmetric, c.cc->type, c.lb->selector);
    check(c.cc->Is(ACK_INT) && c.lb->hostMoves, c.cc->type, c.lb->balancer);
    // go-back-N takes nothing out of order
    check(c.goBackN && (paths > 1 || c.lb->hostMoves), c.GetReliability(), c.lb->balancer);
    check(c.goBackN && c.lb->overtakes, c.GetReliability(), c.lb->selector);
    check(c.goBackN && c.cc->Is(CLASSES) && !c.flow->lossless, c.GetReliability(), c.cc->type);
    // credits of the queue for an output need both
    check(c.flow->perOutput && c.lb->moves, c.flow->type, c.lb->selector);
    check(c.flow->perOutput && !c.buffer->voq, c.flow->type, c.buffer->type);
    // what is held is released past virtual queues, and its delays are of no path
    const bool holds = std::string(c.lb->name) == "conweave";
    check(holds && c.buffer->voq, "ns3::ConweaveFeature", c.buffer->type);
    check(holds && c.cc->Is(PATH_DELAY), c.cc->type, c.lb->selector);
    if (c.routing)
    {
        const bool chooses = c.routing->chooses;
        check(chooses && isInt, c.cc->type, c.routing->type);
        check(chooses && c.goBackN, c.GetReliability(), c.routing->type);
        check(chooses && c.flow->perOutput, c.flow->type, c.routing->type);
        // which have ways, and know them, from end to end
        check(chooses && c.lb->edges, c.lb->selector, c.routing->type);
        // and probes of one class, where virtual channels are several
        check(c.flow->lossless && std::string(c.lb->name) == "hermes",
              "ns3::HermesFeature",
              c.flow->type);
        check(std::string(c.lb->name) == "spanning-trees", c.lb->selector, c.routing->type);
    }
    // classes that wait need a disc that can hold them back
    check(c.flow->lossless && isStock, c.flow->type, c.disc.c_str());
    check(c.marks && isStock, PROFILE, c.disc.c_str());
    check(notifies && isStock, "ns3::WrebFeature", c.disc.c_str());
    for (const Modifier* modifier : c.modifiers)
    {
        check(modifier->needsPathSet && !isPathSet, modifier->type, c.lb->balancer);
        check(modifier->needsPathSet && c.cc->Is(BYTE_ACKS), modifier->type, "AckBytes");
        check(c.cc->Is(CREDIT), c.cc->type, modifier->type);
    }
    // switches tell what is read, and nothing else
    check(c.cc->feature && !c.Has(c.cc->feature), c.cc->type, c.cc->feature);
    check(c.cc->Is(DATA_INT) && c.Has("ns3::FnccIntFeature"), c.cc->type, "ns3::FnccIntFeature");
    for (const Feature& feature : FEATURES)
    {
        const bool has = c.Has(feature.type);
        const bool isOwn = c.cc->feature && std::string(c.cc->feature) == feature.type;
        check(has && feature.reader && std::string(feature.reader) != c.cc->name,
              c.cc->type,
              feature.type);
        check(has && feature.dataInt && c.cc->Is(DATA_INT) && !isOwn, c.cc->type, feature.type);
        // one draw decides
        check(has && feature.marks && c.marks, feature.type, PROFILE);
    }
    check(c.cc->Is(ECN) && !c.marks && !c.HasMarker(),
          c.cc->type,
          isStock ? c.disc.c_str() : "marking profile");
    // notifications tell of congestion and of drops: somebody has to read them, or drops to happen
    check(notifies && !c.cc->Is(WREB) && c.flow->lossless, c.cc->type, "ns3::WrebFeature");
    return clashes;
}

/**
 * @ingroup dcfabric-tests
 * @brief Takes every so many of the combinations that nested loops make, or all of them. Share is
 * a prime that divides no length of a loop, so that each value meets each value of every other
 * loop.
 */
class Sample
{
  public:
    /**
     * @param share one in so many; 1: all
     * @param first which of these, to take others beside another control
     */
    Sample(std::size_t share, std::size_t first)
        : m_share(share),
          m_turn(first)
    {
    }

    /// @return true if the next one is to be taken
    bool Take()
    {
        return m_turn++ % m_share == 0;
    }

  private:
    std::size_t m_share; //!< one in so many
    std::size_t m_turn;  //!< of the next one
};

} // namespace matrix
} // namespace ns3::tests

#endif /* FABRIC_TEST_MATRIX_H */
