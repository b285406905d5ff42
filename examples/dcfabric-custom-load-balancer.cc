// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief A host's load balancer from outside the module, compared with per-flow ECMP.
 */
#include "ns3/command-line.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/load-balancer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace ns3
{

/// Keeps its path until so many ACKs in a row have told of a mark, then tries another one.
class RepathingLoadBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::RepathingLoadBalancer")
                .SetParent<LoadBalancer>()
                .AddConstructor<RepathingLoadBalancer>()
                .AddAttribute("Patience",
                              "Marks in a row after which the path changes.",
                              UintegerValue(4),
                              MakeUintegerAccessor(&RepathingLoadBalancer::m_patience),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    void Start(uint16_t entropy) override
    {
        m_entropy = entropy; // random, so that what follows from it is so, too
    }

    uint16_t ChooseEntropy(int64_t /* nowPs */, bool /* retransmission */) override
    {
        return m_entropy;
    }

    void OnAck(int64_t /* nowPs */, uint16_t entropy, bool marked) override
    {
        if (entropy != m_entropy)
        {
            return; // of a path that has been left
        }
        m_marks = marked ? m_marks + 1 : 0;
        if (m_marks == m_patience)
        {
            OnTimeout(0);
        }
    }

    void OnTimeout(int64_t /* nowPs */) override
    {
        m_entropy = static_cast<uint16_t>(m_entropy * 25173U + 13849U); // runs through all values
        m_marks = 0;
    }

    uint32_t GetMaxPaths() const override
    {
        // so that a control that needs INT of one path refuses it, and that packets which others
        // overtake are not taken for lost (ListDefaults())
        return UINT32_MAX;
    }

  private:
    uint16_t m_entropy{0};  //!< of all packets
    uint32_t m_patience{0}; //!< attribute
    uint32_t m_marks{0};    //!< in a row
};

NS_OBJECT_ENSURE_REGISTERED(RepathingLoadBalancer);

} // namespace ns3

using namespace ns3;

/**
 * @brief Run a permutation under one load balancer and print a line.
 * @return true if all went well
 */
static bool
Run(const std::string& lb)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::DcqcnCongestionControl");
    helper.SetLoadBalancer(lb);
    Ptr<Fabric> fabric =
        helper.Install(MakeFabricTopology("leaf-spine:leaves=4,spines=8,hosts=4")->BuildGraph());
    Ptr<FabricWorkload> traffic = MakeFabricWorkload("permutation:size=20MB");
    traffic->AssignStreams(int64_t{1} << 40);
    const std::vector<FabricFlow> flows = traffic->Generate(fabric->GetGraph());

    double sumUs = 0;
    double lastUs = 0;
    std::size_t delivered = 0;
    uint64_t reordered = 0;
    for (const uint32_t host : fabric->GetHosts())
    {
        fabric->GetNic(host)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent& event) {
                const double fctUs = static_cast<double>(event.nowPs) / 1e6;
                sumUs += fctUs;
                lastUs = std::max(lastUs, fctUs);
                reordered += event.reordered;
                ++delivered;
            });
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        fabric->GetNic(flows[i].src)->GetMessages().Send(flows[i].dst, flows[i].sizeBytes, i);
    }
    Simulator::Run();

    const bool good = delivered == flows.size() && fabric->GetDrops().empty();
    std::cout << std::left << std::setw(30) << lb << std::right << std::fixed
              << std::setprecision(0) << std::setw(14) << sumUs / delivered << std::setw(14)
              << lastUs << std::setw(11) << reordered << (good ? "" : "  FAILED") << "\n";
    Simulator::Destroy();
    return good;
}

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__); // try --ns3::RepathingLoadBalancer::Patience=16
    cmd.Parse(argc, argv);
    try
    {
        std::cout << "leaf-spine 4 x 8, 16 hosts, 100 Gb/s, DCQCN, permutation of 20 MB\n"
                  << "load balancer                    mean FCT us   last FCT us  reordered\n";
        const bool custom = Run("ns3::RepathingLoadBalancer");
        const bool perFlow = Run("ns3::PerFlowLoadBalancer");
        return custom && perFlow ? 0 : 1;
    }
    catch (const FabricError& error)
    {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
