// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-files.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"
#include "fabric-test-wings.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/flow-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief A policy behaves alike whoever installs it: FabricHelper here, dcfabric-sim and the
 * bindings of Python in test/python/test_one_behavior.py, which reads the table below.
 */

namespace ns3::tests::policy_behavior_test
{

/// A policy as dcfabric-sim names it, and as FabricHelper is told of it.
struct Behavior
{
    const char* options;              //!< of the program, beside those of all
    void (*configure)(FabricHelper&); //!< the same
    uint64_t digest;                  //!< FNV-1a of flows.csv
    const char* wing{""};             //!< class of it that a build may leave out
};

/**
 * @brief Set a congestion control.
 * @param helper to be told
 * @param name of the class
 */
void
UseControl(FabricHelper& helper, const std::string& name)
{
    helper.SetCongestionControl("ns3::" + name + "CongestionControl");
}

/**
 * @brief Set load balancing.
 * @param helper to be told
 * @param name of the class at hosts
 */
void
UseBalancer(FabricHelper& helper, const std::string& name)
{
    UseControl(helper, "Dctcp");
    helper.SetPathSelector("ns3::EcmpPathSelector");
    helper.SetLoadBalancer("ns3::" + name + "LoadBalancer");
}

/**
 * @brief Set a path selector.
 * @param helper to be told
 * @param name of the class
 */
void
UseSelector(FabricHelper& helper, const std::string& name)
{
    UseControl(helper, "Dctcp");
    helper.SetPathSelector("ns3::" + name + "PathSelector");
}

/**
 * @brief Set a modifier.
 * @param helper to be told
 * @param name of the class
 */
void
UseModifier(FabricHelper& helper, const std::string& name)
{
    UseControl(helper, "Dcqcn");
    helper.SetPathSelector("ns3::SymmetricEcmpPathSelector");
    helper.SetLoadBalancer("ns3::RoundRobinSprayLoadBalancer", "Entropies", UintegerValue(8));
    helper.AddModifier("ns3::" + name + "Modifier");
}

// Nothing is set here that a policy needs of others: neither loss rules nor thresholds nor buffers.
const Behavior BEHAVIORS[] = {
    {"--cc=none", [](FabricHelper& h) { UseControl(h, "No"); }, 0xbb87c8418ba4c258},
    {"--cc=hpcc",
     [](FabricHelper& h) {
         UseControl(h, "Hpcc");
         h.AddSwitchFeature("ns3::HpccIntFeature");
     },
     0xd9e03a5f13dbcea9},
    {"--cc=fncc",
     [](FabricHelper& h) {
         UseControl(h, "Fncc");
         h.AddSwitchFeature("ns3::FnccIntFeature");
     },
     0x76c3af3fbdafd553},
    {"--cc=bolt",
     [](FabricHelper& h) {
         UseControl(h, "Bolt");
         h.AddSwitchFeature("ns3::BoltFeature");
     },
     0xd63ebb02fd89b7b3},
    {"--cc=hpcc-rate",
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::HpccCongestionControl", "HasWindow", BooleanValue(false));
         h.AddSwitchFeature("ns3::HpccIntFeature");
     },
     0x8cc501d932a47c7c},
    {"--cc=dcqcn+win",
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::DcqcnCongestionControl", "HasWindow", BooleanValue(true));
     },
     0x151285a42388d8a},
    {"--cc=timely+win",
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::TimelyCongestionControl", "HasWindow", BooleanValue(true));
     },
     0x12c338f0c58c46ee},
    {"--cc=hpcc-pint",
     [](FabricHelper& h) {
         UseControl(h, "HpccPint");
         h.AddSwitchFeature("ns3::PintFeature");
     },
     0x8acea629d0bdb10b},
    {"--cc=powertcp",
     [](FabricHelper& h) {
         UseControl(h, "PowerTcp");
         h.AddSwitchFeature("ns3::HpccIntFeature");
     },
     0x6886a2b3620db5d7},
    {"--cc=theta-powertcp",
     [](FabricHelper& h) { UseControl(h, "ThetaPowerTcp"); },
     0x9e7bd6b762bad8f8},
    {"--cc=dcqcn", [](FabricHelper& h) { UseControl(h, "Dcqcn"); }, 0xce5ac01a2e6a9ad1},
    {"--cc=dcqcn-plus", [](FabricHelper& h) { UseControl(h, "DcqcnPlus"); }, 0xce5ac01a2e6a9ad1},
    {"--cc=falcon", [](FabricHelper& h) { UseControl(h, "Falcon"); }, 0x141c9bf990b1adf0},
    {"--cc=mprdma --lb=reps",
     [](FabricHelper& h) {
         UseBalancer(h, "Reps");
         UseControl(h, "Mprdma");
     },
     0xfb48a0d0c8e00971},
    {"--cc=ib",
     [](FabricHelper& h) {
         UseControl(h, "Ib");
         h.AddSwitchFeature("ns3::FecnFeature");
     },
     0x8db350f44cc874f9},
    {"--cc=dctcp", [](FabricHelper& h) { UseControl(h, "Dctcp"); }, 0x67efae5f5f8ef81c},
    {"--cc=rocc",
     [](FabricHelper& h) {
         UseControl(h, "Rocc");
         h.AddSwitchFeature("ns3::RoccFeature");
     },
     0x223eafa7caca3377},
    {"--cc=timely", [](FabricHelper& h) { UseControl(h, "Timely"); }, 0xc0af55b442404817},
    {"--cc=swift", [](FabricHelper& h) { UseControl(h, "Swift"); }, 0x5782764353779d3b},
    {"--cc=nscc", [](FabricHelper& h) { UseControl(h, "Nscc"); }, 0x2ff30af83c3b1258},
    {"--cc=nscc --lb=reps --flow-control=none",
     [](FabricHelper& h) {
         UseBalancer(h, "Reps");
         UseControl(h, "Nscc");
         h.SetFlowControl("none");
     },
     0x7dd2e9990808ed68},
    {"--cc=bts",
     [](FabricHelper& h) {
         UseControl(h, "Bts");
         h.AddSwitchFeature("ns3::WrebFeature");
     },
     0x15cd660b703ee66c},
    {"--cc=rccc", [](FabricHelper& h) { UseControl(h, "Rccc"); }, 0xd3aa60346df5a17a},
    {"--cc=nscc+rccc", [](FabricHelper& h) { UseControl(h, "NsccRccc"); }, 0xd208a27da51a0b77},
    {"--cc=swift+rccc", [](FabricHelper& h) { UseControl(h, "SwiftRccc"); }, 0xf9542928304171bb},
    {"--cc=ndp", [](FabricHelper& h) { UseControl(h, "Ndp"); }, 0xb2d48034fe808386},
    {"--cc=homa", [](FabricHelper& h) { UseControl(h, "Homa"); }, 0x44a7f83bd985b6e5},
    {"--cc=dctcp --lb=ecmp", [](FabricHelper& h) { UseSelector(h, "Ecmp"); }, 0x15ae7f354726e049},
    {"--cc=dctcp --lb=weighted-ecmp",
     [](FabricHelper& h) { UseSelector(h, "WeightedEcmp"); },
     0x15ae7f354726e049},
    {"--cc=dctcp --lb=spanning-trees",
     [](FabricHelper& h) { UseSelector(h, "SpanningTree"); },
     0xc2b65cfa488533d8},
    {"--cc=dctcp --lb=flowlet",
     [](FabricHelper& h) { UseSelector(h, "Flowlet"); },
     0x9e62525b86ebcac1},
    {"--cc=dctcp --lb=adaptive",
     [](FabricHelper& h) { UseSelector(h, "Adaptive"); },
     0x31ff52f92fa64775},
    {"--cc=dctcp --lb=drill", [](FabricHelper& h) { UseSelector(h, "Drill"); }, 0x75b5b84df5265a50},
    {"--cc=dctcp --lb=conga", [](FabricHelper& h) { UseSelector(h, "Conga"); }, 0x7a0a1beed2faa5a5},
    {"--cc=dctcp --lb=conweave",
     [](FabricHelper& h) { UseSelector(h, "Conweave"); },
     0x1ab1b1c046bfee3d},
    {"--cc=dctcp --lb=hermes",
     [](FabricHelper& h) { UseSelector(h, "Hermes"); },
     0xa59b1c3d04c819d},
    {"--cc=dctcp --lb=spray-random",
     [](FabricHelper& h) { UseBalancer(h, "RandomSpray"); },
     0x5a835e070a82f444},
    {"--cc=dctcp --lb=spray-rr",
     [](FabricHelper& h) { UseBalancer(h, "RoundRobinSpray"); },
     0x34a7307e5fa7fbd5},
    {"--cc=dctcp --lb=reps", [](FabricHelper& h) { UseBalancer(h, "Reps"); }, 0x338f52e2bf6ba3f1},
    {"--cc=falcon --lb=falcon",
     [](FabricHelper& h) {
         UseBalancer(h, "Falcon");
         UseControl(h, "Falcon");
     },
     0xc3427c492cea72d1},
    {"--cc=swift --lb=reps",
     [](FabricHelper& h) {
         UseBalancer(h, "Reps");
         UseControl(h, "Swift");
     },
     0xd4c368a97fc9262a},
    {"--cc=dctcp --lb=plb", [](FabricHelper& h) { UseBalancer(h, "Plb"); }, 0xa806060b4f65c35a},
    {"--cc=nscc --lb=reps-ring",
     [](FabricHelper& h) {
         UseBalancer(h, "RingReps");
         UseControl(h, "Nscc");
     },
     0x14d693442248614f},
    {"--cc=nscc --lb=oblivious",
     [](FabricHelper& h) {
         UseBalancer(h, "ObliviousSpray");
         UseControl(h, "Nscc");
     },
     0x6e4deafe7eca8287},
    {"--cc=nscc --lb=bitmap",
     [](FabricHelper& h) {
         UseBalancer(h, "BitmapSpray");
         UseControl(h, "Nscc");
     },
     0x3e9f22f4c24dfc51},
    {"--cc=nscc --lb=mixed",
     [](FabricHelper& h) {
         UseBalancer(h, "Reps");
         h.SetLoadBalancer("ns3::RepsLoadBalancer",
                           "Fresh",
                           StringValue("ns3::BitmapSprayLoadBalancer"));
         UseControl(h, "Nscc");
     },
     0x9c75f4dd809d75bb},
    {"--cc=nscc --lb=mrc",
     [](FabricHelper& h) {
         UseBalancer(h, "Mrc");
         UseControl(h, "Nscc");
     },
     0xd33fbf174d452779},
    {"--cc=dcqcn --lb=path-set --modifiers=ratio-cut",
     [](FabricHelper& h) { UseModifier(h, "RatioCut"); },
     0xefbd36513264b840},
    {"--cc=dcqcn --lb=path-set --modifiers=ewma-gate",
     [](FabricHelper& h) { UseModifier(h, "EwmaGate"); },
     0x5308878c90e88b30},
    {"--cc=dcqcn --lb=path-set --modifiers=majority-gate",
     [](FabricHelper& h) { UseModifier(h, "MajorityGate"); },
     0x2b310e94fae36a75},
    {"--cc=swift --lb=path-set --modifiers=median-filter",
     [](FabricHelper& h) {
         UseModifier(h, "MedianFilter");
         UseControl(h, "Swift");
     },
     0x3f7a8656ce51bc06},
    {"--cc=swift --lb=path-set --modifiers=rtt-ecn-recovery",
     [](FabricHelper& h) {
         UseModifier(h, "RttEcnRecovery");
         UseControl(h, "Swift");
     },
     0xb3686c1ca8c0aa27},
    {"--cc=dctcp --features=wreb",
     [](FabricHelper& h) {
         UseControl(h, "Dctcp");
         h.AddSwitchFeature("ns3::WrebFeature");
     },
     0xaaf43bcb139c8267},
    {"--cc=dctcp --flow-control=none --switch=abm --ns3::SharedBuffer::Size=150000",
     [](FabricHelper& h) {
         UseControl(h, "Dctcp");
         h.SetFlowControl("none");
         h.SetBuffer("ns3::SharedBuffer",
                     "Threshold",
                     StringValue("ns3::AbmThreshold"),
                     "Size",
                     UintegerValue(150000));
     },
     0x99f8702a5b83f104},
    {"--cc=dcqcn --switch=reverie --ns3::SharedBuffer::Size=600000",
     [](FabricHelper& h) {
         UseControl(h, "Dcqcn");
         h.SetBuffer("ns3::SharedBuffer",
                     "Threshold",
                     StringValue("ns3::ReverieThreshold"),
                     "Size",
                     UintegerValue(600000));
     },
     0x412fcdd9ac89de93},
    {"--cc=dcqcn --features=rcm --switch=voq",
     [](FabricHelper& h) {
         UseControl(h, "Dcqcn");
         h.SetBuffer("ns3::VoqBuffer");
         h.AddSwitchFeature("ns3::RcmFeature");
     },
     0x5d018ef3d9d91620,
     "ns3::RcmFeature"},
    // no link fails: as without
    {"--cc=dctcp --features=shield",
     [](FabricHelper& h) {
         UseControl(h, "Dctcp");
         h.AddSwitchFeature("ns3::ShieldFeature");
     },
     0x67efae5f5f8ef81c},
    {"--cc=dcqcn --features=pfc-watchdog",
     [](FabricHelper& h) {
         UseControl(h, "Dcqcn");
         h.AddSwitchFeature("ns3::PfcWatchdogFeature");
     },
     0xce5ac01a2e6a9ad1},
    {"--cc=dcqcn --coordination=ccm",
     [](FabricHelper& h) {
         UseControl(h, "Dcqcn");
         h.AddCoordination("ns3::CoordinationGateModifier");
     },
     0x100065f5316ad5d8,
     "ns3::CoordinationGateModifier"},
    {"--cc=none --flow-control=credit --throttle=pft",
     [](FabricHelper& h) {
         UseControl(h, "No");
         h.SetFlowControl("ns3::CreditFlowControl");
         h.SetThrottle("ns3::ProactiveFlowThrottle");
     },
     0x562972c2ddc52e31,
     "ns3::ProactiveFlowThrottle"},
    {"--cc=dcqcn --flow-control=credit",
     [](FabricHelper& h) {
         UseControl(h, "Dcqcn");
         h.SetFlowControl("ns3::CreditFlowControl");
     },
     0xe23c3c38f727d3c5},
    {"--cc=dctcp --reliability=go-back-n",
     [](FabricHelper& h) {
         UseControl(h, "Dctcp");
         h.SetReliability("ns3::GoBackN");
     },
     0x67efae5f5f8ef81c},
    {"--cc=dctcp --flow-control=none --reliability=irn --ns3::SharedBuffer::Size=150000",
     [](FabricHelper& h) {
         UseControl(h, "Dctcp");
         h.SetFlowControl("none");
         h.SetReliability("ns3::IrnRepeat");
         h.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
     },
     0xac86629706c9d9a4},
};

/**
 * @ingroup dcfabric-tests
 * @brief Runs with FabricHelper of what Python runs with the program.
 */
class PolicyBehaviorTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint64_t run = RngSeedManager::GetRun();
        RngSeedManager::SetRun(1);
        for (const char* selector :
             {"Ecmp", "SymmetricEcmp", "SpanningTree", "Adaptive", "Flowlet", "Drill"})
        {
            Config::SetDefaultFailSafe(std::string("ns3::") + selector + "PathSelector::HashSeed",
                                       UintegerValue(1)); // as --seed=1
        }
        for (const Behavior& behavior : BEHAVIORS)
        {
            if (HasClass(behavior.wing))
            {
                RunOne(behavior);
            }
        }
        Config::Reset();
        RngSeedManager::SetRun(run);
    }

    /**
     * @brief Run and compare.
     * @param behavior which
     */
    void RunOne(const Behavior& behavior)
    {
        FabricHelper helper;
        behavior.configure(helper);
        FabricTopologyOptions links;
        links.tierRates = "25Gbps,40Gbps";
        links.delay = "1us";
        const FabricGraph graph =
            MakeFabricTopology("leaf-spine:leaves=3,spines=4,hosts=4", links)->BuildGraph();
        const Ptr<FabricWorkload> workload =
            MakeFabricWorkload("permutation:size=300kB+incast:fan-in=6,size=100kB,dst=0", {});
        workload->AssignStreams(int64_t{1} << 40);
        const auto flows = workload->Generate(graph);
        const Ptr<Fabric> fabric = helper.Install(graph);
        const std::string path = CreateTempDirFilename("flows.csv");
        {
            FlowRecorder recorder(fabric, flows, workload->GetTriggers());
            recorder.GetLabels().Set(workload->GetGroups());
            recorder.SetStopWhenComplete(true);
            recorder.Start();
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(recorder.IsComplete(), true, behavior.options);
            recorder.WriteCsv(path);
        }
        Simulator::Destroy();
        if (!HasClass("ideal-times"))
        {
            return; // the file has columns of them
        }
        std::ifstream file(path, std::ios::binary);
        uint64_t digest = 0xcbf29ce484222325U;
        for (auto byte = std::istreambuf_iterator<char>(file);
             byte != std::istreambuf_iterator<char>();
             ++byte)
        {
            digest = (digest ^ static_cast<unsigned char>(*byte)) * 0x100000001b3U;
        }
        std::ostringstream present;
        present << "0x" << std::hex << digest;
        NS_TEST_EXPECT_MSG_EQ(digest,
                              behavior.digest,
                              behavior.options << ": now " << present.str());
    }
};

/// Policies by FabricHelper.
const SuiteCases g_cases("dcfabric-behavior", TestSuite::Type::UNIT, [](Suite& suite) {
    suite.AddTestCase(
        new PolicyBehaviorTestCase("a policy gives the same flows as by dcfabric-sim"));
});

} // namespace ns3::tests::policy_behavior_test
