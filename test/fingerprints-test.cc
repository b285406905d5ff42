// SPDX-License-Identifier: GPL-2.0-only
#include "fabric-test-plan.h"
#include "fabric-test-suite.h"
#include "fabric-test-transport.h"

#include "ns3/back-to-sender-notifier.h"
#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/class-scheduler.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/nstime.h"
#include "ns3/packet-spraying.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/shared-entropy-store.h"
#include "ns3/test.h"
#include "ns3/timing-profile.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <memory>
#include <sstream>

/**
 * @file
 * @ingroup dcfabric-tests
 * @brief Fingerprints of small runs: any change of behavior is seen, and has to be
 * explained.
 *
 * doc/testing.rst says how to renew them.
 */

namespace ns3::tests::fingerprints_test
{

/**
 * @ingroup dcfabric-tests
 * @brief FNV-1a with 64 bits, over the bytes of numbers from the lowest on.
 */
class Digest
{
  public:
    /**
     * @brief Append a number.
     * @param value the number
     */
    void Add(uint64_t value)
    {
        for (int byte = 0; byte < 8; ++byte)
        {
            m_state = (m_state ^ (value & 0xff)) * 0x100000001b3U;
            value >>= 8;
        }
    }

    /// @return the digest so far
    uint64_t Get() const
    {
        return m_state;
    }

  private:
    uint64_t m_state{0xcbf29ce484222325U}; //!< offset basis
};

/**
 * @ingroup dcfabric-tests
 * @brief Sees all packets at one end of a link. A digest for each, so that the order of
 * simultaneous events of different nodes does not matter.
 */
struct PortWitness
{
    FabricNetDevice* port; //!< the end of the link
    Digest digest;         //!< of its packets
    uint64_t packets{0};   //!< how many
};

/**
 * @brief A packet begins to leave by a port; its arrival follows from that.
 * @param witness of the port
 * @param item the packet
 */
void
NoteTransmission(PortWitness* witness, Ptr<const FabricPacketItem> item)
{
    ++witness->packets;
    for (const uint64_t value : {static_cast<uint64_t>(witness->port->GetNowPs()),
                                 static_cast<uint64_t>(item->type),
                                 uint64_t{item->src},
                                 uint64_t{item->dst},
                                 uint64_t{item->psn},
                                 uint64_t{item->size},
                                 uint64_t{item->ds},
                                 uint64_t{item->entropy}})
    {
        witness->digest.Add(value);
    }
}

/**
 * @brief A packet arrives corrupted and is lost.
 * @param witness of the port
 * @param item the packet
 * @param reason why
 * @param port where
 */
void
NoteLoss(PortWitness* witness,
         Ptr<const FabricPacketItem> item,
         DropReason reason,
         const FabricNetDevice* port)
{
    if (port == witness->port && IsOnWire(reason))
    {
        witness->digest.Add(0x6c6f7373);
        NoteTransmission(witness, item);
    }
}

/// A run.
struct Scenario
{
    const char* name;                 //!< what it is about
    const char* topology;             //!< as of MakeFabricTopology()
    std::string workload;             //!< as of MakeFabricWorkload()
    void (*configure)(FabricHelper&); //!< policies
    uint64_t digest;                  //!< expected
    double errorRate{0};              //!< of all links
    FabricTopologyOptions links{};    //!< rates and delays
};

/**
 * @brief Set a congestion control and the switch feature of the same name.
 * @param helper to be told
 * @param name `Hpcc` or `Fncc`
 */
void
UseInt(FabricHelper& helper, const std::string& name)
{
    helper.SetCongestionControl("ns3::" + name + "CongestionControl");
    helper.AddSwitchFeature("ns3::" + name + "IntFeature");
}

/**
 * @brief Set a congestion control that reads marks.
 * @param helper to be told
 * @param name of the class
 * @param kmin,kmax thresholds in bytes
 */
void
UseMarks(FabricHelper& helper, const std::string& name, uint64_t kmin, uint64_t kmax)
{
    helper.SetCongestionControl("ns3::" + name + "CongestionControl");
    helper.SetMarkingProfile("ns3::WredMarkingProfile",
                             "Kmin",
                             UintegerValue(kmin),
                             "Kmax",
                             UintegerValue(kmax));
}

/**
 * @brief Set packet spraying.
 * @param helper to be told
 * @param name of the class
 */
void
UseSpraying(FabricHelper& helper, const std::string& name)
{
    helper.SetLoadBalancer("ns3::" + name + "SprayLoadBalancer");
    helper.SetPathSelector("ns3::EcmpPathSelector");
}

const char* const DUMBBELL = "dumbbell:switches=3,senders=2";          //!< network
const char* const LEAF_SPINE = "leaf-spine:leaves=4,spines=2,hosts=3"; //!< network
const char* const FAT_TREE = "fat-tree:k=4";                           //!< network
const char* const PAIRS = "pairs:size=400kB";                          //!< flows
const char* const INCAST = "incast:fan-in=8,size=50kB,dst=0";          //!< flows
const char* const PERMUTATION = "permutation:size=60kB";               //!< flows

const std::string HADOOP = "hadoop"; //!< flows, Poisson arrivals

const Scenario SCENARIOS[] = {
    {"line rate, PFC", DUMBBELL, "pairs:size=100kB", [](FabricHelper&) {}, 0xec341ad5e20469d0},
    {"HPCC", DUMBBELL, PAIRS, [](FabricHelper& h) { UseInt(h, "Hpcc"); }, 0xedea05592c79f107},
    {"FNCC", DUMBBELL, PAIRS, [](FabricHelper& h) { UseInt(h, "Fncc"); }, 0x30ac9caad3fe38ed},
    {"DCQCN",
     DUMBBELL,
     PAIRS,
     [](FabricHelper& h) { UseMarks(h, "Dcqcn", 20000, 80000); },
     0x296d30eed698fd06},
    {"DCTCP",
     DUMBBELL,
     PAIRS,
     [](FabricHelper& h) { UseMarks(h, "Dctcp", 60000, 60000); },
     0x6337545e632cc662},
    {"RoCC, one service level",
     DUMBBELL,
     "pairs:size=1MB",
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::RoccCongestionControl");
         h.AddSwitchFeature("ns3::RoccFeature");
         h.SetClasses(3, 3);
     },
     0xa9e0f07967388dcc},
    {"TIMELY",
     DUMBBELL,
     PAIRS,
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::TimelyCongestionControl",
                                "LowThreshold",
                                TimeValue(MicroSeconds(15)));
     },
     0xd9344508fde74f60},
    {"Swift, an ACK for four packets",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::SwiftCongestionControl",
                                "BaseTarget",
                                TimeValue(MicroSeconds(2)),
                                "FlowRange",
                                TimeValue(MicroSeconds(4)));
         h.SetNicAttribute("AckEvery", UintegerValue(4));
     },
     0x0bcbbf837e420326},
    {"incast under PFC with little buffer",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         h.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(20000));
     },
     0x6e65034a40620929},
    {"incast, HPCC, a large additive increase",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         UseInt(h, "Hpcc");
         h.SetCongestionControl("ns3::HpccCongestionControl",
                                "AdditiveIncrease",
                                DataRateValue(DataRate("400Mbps")));
     },
     0xc30175230dfdfe35},
    {"incast, FNCC, exact INT, T of each pair",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         UseInt(h, "Fncc");
         h.SetIntFormat("ns3::IntFormat", "Exact", BooleanValue(true));
         h.SetBaseRttPerPair(true);
     },
     0x4820347e2cb4bc21},
    {"random spraying, DCTCP",
     LEAF_SPINE,
     PERMUTATION,
     [](FabricHelper& h) {
         UseMarks(h, "Dctcp", 60000, 60000);
         UseSpraying(h, "Random");
     },
     0xfe24ecb2f55715e3},
    {"round-robin spraying, DCQCN",
     LEAF_SPINE,
     PERMUTATION,
     [](FabricHelper& h) {
         UseMarks(h, "Dcqcn", 20000, 80000);
         UseSpraying(h, "RoundRobin");
     },
     0xab640e3caa830a02},
    {"recycled entropies in a shared store, DCTCP",
     LEAF_SPINE,
     PERMUTATION,
     [](FabricHelper& h) {
         UseMarks(h, "Dctcp", 20000, 20000);
         UseSpraying(h, "Random");
         h.SetLoadBalancer("ns3::RepsLoadBalancer",
                           "Store",
                           TypeIdValue(SharedEntropyStore::GetTypeId()));
     },
     0x37b39b7975b35c03},
    {"recycled entropies, recurrent, from a counter, overflow",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         UseSpraying(h, "Random");
         h.SetLoadBalancer("ns3::RepsLoadBalancer",
                           "Fresh",
                           TypeIdValue(RoundRobinSprayLoadBalancer::GetTypeId()),
                           "Recurrent",
                           BooleanValue(true));
         h.SetFlowControl("none");
         h.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
         h.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
     },
     0x6fce175898c30e9d},
    {"hadoop, HPCC",
     FAT_TREE,
     HADOOP,
     [](FabricHelper& h) { UseInt(h, "Hpcc"); },
     0x21c9b553091c8d8a},
    {"hadoop, FNCC, an ACK for four packets",
     FAT_TREE,
     HADOOP,
     [](FabricHelper& h) {
         UseInt(h, "Fncc");
         h.SetNicAttribute("AckEvery", UintegerValue(4));
     },
     0x8e70f630a19ab529},
    {"hadoop, DCQCN, per-flow ECMP",
     FAT_TREE,
     HADOOP,
     [](FabricHelper& h) {
         UseMarks(h, "Dcqcn", 20000, 80000);
         h.SetPathSelector("ns3::EcmpPathSelector", "HashSeed", UintegerValue(3));
     },
     0xe1947307224afaea},
    {"spanning trees, FNCC",
     FAT_TREE,
     PERMUTATION,
     [](FabricHelper& h) {
         UseInt(h, "Fncc");
         h.SetPathSelector("ns3::SpanningTreePathSelector");
     },
     0x4ef892c125139ed5},
    {"overflow, selective repeat",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         h.SetFlowControl("none");
         h.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
         h.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
     },
     0x3a646cf4cc7fbf84},
    {"overflow, go-back-N, DCTCP, shared contexts",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         UseMarks(h, "Dctcp", 30000, 30000);
         h.SetFlowControl("none");
         h.SetReliability("ns3::GoBackN");
         h.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
         h.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
         h.SetNicAttribute("PdcPerMessage", BooleanValue(false));
         h.SetNicAttribute("InitialPsn", UintegerValue(0xfffff0));
     },
     0x6914cbc2f4a22e21},
    {"lossy links, random spraying, losses by time",
     LEAF_SPINE,
     PERMUTATION,
     [](FabricHelper& h) {
         UseMarks(h, "Dctcp", 60000, 60000);
         UseSpraying(h, "Random");
         h.SetReliability("ns3::RackRepeat");
     },
     0x5a0045964994c549,
     0.02},
    {"lossy links, HPCC",
     DUMBBELL,
     PAIRS,
     [](FabricHelper& h) {
         UseInt(h, "Hpcc");
         h.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
     },
     0xf991201b404ab74a,
     0.01},
    {"notifications back to senders, at departure, with spacing",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::BtsCongestionControl");
         const auto notifier = CreateObjectWithAttributes<BackToSenderNotifier>(
             "AtDeparture",
             BooleanValue(true),
             "TimingProfile",
             PointerValue(CreateObject<LinearTimingProfile>()));
         h.AddSwitchFeature("ns3::WrebFeature", "Notifier", PointerValue(notifier));
     },
     0xffa28b54a3ecd2f0},
    {"notifications of drops, go-back-N, DCTCP",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         h.SetCongestionControl("ns3::DctcpCongestionControl");
         h.AddSwitchFeature("ns3::WrebFeature");
         h.SetFlowControl("none");
         h.SetReliability("ns3::GoBackN");
         h.SetBuffer("ns3::SharedBuffer", "Size", UintegerValue(150000));
     },
     0x3c6710e09b1a873d},
    {"as the public HPCC simulator: its sizes and INT units, one class, go-back-N",
     FAT_TREE,
     INCAST,
     [](FabricHelper& h) {
         UseInt(h, "Hpcc");
         h.SetCongestionControl("ns3::HpccCongestionControl",
                                "MaxStage",
                                UintegerValue(0),
                                "FastReaction",
                                BooleanValue(true),
                                "MinRate",
                                DataRateValue(DataRate("1Gbps")));
         h.SetIntFormat("ns3::IntFormat",
                        "ByteUnit",
                        UintegerValue(512),
                        "QueueUnit",
                        UintegerValue(320));
         h.SetWireFormat("ns3::HpccSimWireFormat");
         h.SetQueueDisc("ns3::CongestionAwareQueueDisc", "MarkAtDequeue", BooleanValue(true));
         h.SetReliability("ns3::GoBackN");
         h.SetClasses(3, 3);
     },
     0xf4449d12520e1d60},
    {"as the FNCC paper: 1.5 us, 1456 B, PFC at 500 KB, one class",
     DUMBBELL,
     "pairs:size=1MB",
     [](FabricHelper& h) {
         UseInt(h, "Fncc");
         h.SetNicAttribute("PayloadBytes", UintegerValue(1456));
         h.SetBuffer("ns3::SharedBuffer", "XoffThreshold", UintegerValue(500000));
         h.SetClasses(3, 3);
     },
     0x9e2a1a2fa25d32c8,
     0,
     {"", "1.5us", "", "", ""}},
    {"deficit round robin, 25 and 100 Gb/s, DCQCN with marks at dequeue",
     LEAF_SPINE,
     INCAST,
     [](FabricHelper& h) {
         UseMarks(h, "Dcqcn", 20000, 80000);
         h.SetQueueDisc("ns3::CongestionAwareQueueDisc",
                        "MarkAtDequeue",
                        BooleanValue(true),
                        "Scheduler",
                        PointerValue(CreateObject<DeficitRoundRobinScheduler>()));
         h.SetClasses(3, 1);
     },
     0x4fa119a2bc1a772f,
     0,
     {"", "", "25Gbps,100Gbps", "", ""}},
};

/**
 * @ingroup dcfabric-tests
 * @brief All runs in one case, so that all fingerprints that have changed are printed at once.
 */
class FingerprintTestCase : public NamedCase
{
    using NamedCase::NamedCase;

    void DoRun() override
    {
        const uint32_t seed = RngSeedManager::GetSeed();
        const uint64_t run = RngSeedManager::GetRun();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        for (const Scenario& scenario : SCENARIOS)
        {
            RunOne(scenario);
        }
        RngSeedManager::SetSeed(seed);
        RngSeedManager::SetRun(run);
    }

    /**
     * @brief Run and compare.
     * @param scenario which
     */
    void RunOne(const Scenario& scenario)
    {
        FabricHelper helper;
        scenario.configure(helper);
        const FabricGraph graph =
            WithErrors(MakeFabricTopology(scenario.topology, scenario.links)->BuildGraph(),
                       scenario.errorRate);
        const bool poisson = scenario.workload == HADOOP;
        Ptr<FabricWorkload> workload = MakeFabricWorkload(
            scenario.workload,
            poisson ? FabricWorkloadOptions{"0.5", "40us"} : FabricWorkloadOptions{});
        workload->AssignStreams(int64_t{1} << 40);
        const auto flows = workload->Generate(graph);

        TestNetwork network(helper.Install(graph));
        std::vector<std::unique_ptr<PortWitness>> witnesses;
        for (uint32_t node = 0; node < graph.GetNNodes(); ++node)
        {
            for (uint32_t p = 0; p < graph.GetDegree(node); ++p)
            {
                FabricNetDevice* port = network.fabric->GetPort(node, p);
                witnesses.push_back(std::make_unique<PortWitness>(PortWitness{port, {}, 0}));
                PortWitness* witness = witnesses.back().get();
                port->TraceConnectWithoutContext("Transmit",
                                                 MakeBoundCallback(&NoteTransmission, witness));
                port->GetActor()->TraceConnectWithoutContext("Drop",
                                                             MakeBoundCallback(&NoteLoss, witness));
            }
        }
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            network.MessagesOf(flows[i].src)
                .SendAt(flows[i].startPs, flows[i].dst, flows[i].sizeBytes, i);
        }
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();

        Digest digest;
        uint64_t packets = 0;
        for (const auto& witness : witnesses)
        {
            digest.Add(witness->digest.Get());
            packets += witness->packets;
        }
        NS_TEST_EXPECT_MSG_EQ(network.completed.size(), flows.size(), "all messages complete");
        std::ostringstream present;
        present << "0x" << std::hex << std::setw(16) << std::setfill('0') << digest.Get();
        NS_TEST_EXPECT_MSG_EQ((digest.Get() == scenario.digest),
                              true,
                              "the behavior of '"
                                  << scenario.name << "' has changed: the fingerprint of its "
                                  << packets << " packets is now " << present.str()
                                  << ". If that is meant, enter it, and explain the change of "
                                     "behavior in the message of the commit");
    }
};

/// Fingerprints.
const SuiteCases g_cases("dcfabric-fingerprints", TestSuite::Type::SYSTEM, [](Suite& suite) {
    suite.AddTestCase(new FingerprintTestCase("digests of all packets of small runs"));
});

} // namespace ns3::tests::fingerprints_test
