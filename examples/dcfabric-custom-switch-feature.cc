// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief A switch feature from outside the module, compared with marks by queue length.
 */
#include "ns3/command-line.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/simulator.h"
#include "ns3/switch-feature.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace ns3
{

/// Phantom queues (HULL, NSDI 2012): marks by the length of a queue that exists only as a number
/// and drains a little slower than the link, so that senders slow down before a real queue grows.
class PhantomQueueFeature : public SwitchFeature
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::PhantomQueueFeature")
                .SetParent<SwitchFeature>()
                .AddConstructor<PhantomQueueFeature>()
                .AddAttribute("Gamma",
                              "Rate at which phantom queues drain, as a share of the link's.",
                              DoubleValue(0.95),
                              MakeDoubleAccessor(&PhantomQueueFeature::m_gamma),
                              MakeDoubleChecker<double>(0.1, 1))
                .AddAttribute("Threshold",
                              "Bytes in a phantom queue above which packets are marked.",
                              UintegerValue(15000),
                              MakeUintegerAccessor(&PhantomQueueFeature::m_threshold),
                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    uint32_t GetHooks() const override
    {
        return DEQUEUE; // the switch calls OnDequeue() and no other hook
    }

    void Attach(FabricSwitch* sw, uint32_t number) override
    {
        SwitchFeature::Attach(sw, number);
        m_queues.resize(sw->GetNPorts());
    }

    void OnDequeue(FabricNetDevice& egress, FabricPacketItem& item) override
    {
        Phantom& queue = m_queues[egress.GetPort()];
        const double ps = static_cast<double>(egress.GetNowPs() - queue.sincePs);
        const double drained = ps * m_gamma * static_cast<double>(egress.GetRateBps()) / 8e12;
        queue.bytes = std::max(0.0, queue.bytes - drained) + item.size + egress.GetGapBytes();
        queue.sincePs = egress.GetNowPs();
        if (queue.bytes > static_cast<double>(m_threshold))
        {
            item.Mark();
        }
    }

  private:
    /// The phantom queue of a port.
    struct Phantom
    {
        double bytes{0};    //!< length at sincePs
        int64_t sincePs{0}; //!< time of the last packet
    };

    double m_gamma{0};             //!< attribute
    uint64_t m_threshold{0};       //!< attribute
    std::vector<Phantom> m_queues; //!< by port
};

NS_OBJECT_ENSURE_REGISTERED(PhantomQueueFeature);

} // namespace ns3

using namespace ns3;

/**
 * @brief Run two flows over one link and print a line.
 * @return true if all went well
 */
static bool
Run(const std::string& title, bool phantom)
{
    FabricHelper helper;
    helper.SetCongestionControl("ns3::DcqcnCongestionControl");
    if (phantom)
    {
        // DCQCN is refused without a profile; this one never marks
        helper.SetMarkingProfile("ns3::WredMarkingProfile",
                                 "Kmin",
                                 UintegerValue(UINT64_MAX),
                                 "Kmax",
                                 UintegerValue(UINT64_MAX));
        helper.AddSwitchFeature("ns3::PhantomQueueFeature");
    }
    Ptr<Fabric> fabric =
        helper.Install(MakeFabricTopology("dumbbell:switches=2,senders=2")->BuildGraph());
    constexpr uint64_t BYTES = 100000000;
    double lastUs = 0;
    int delivered = 0;
    for (const uint32_t receiver : {2, 3})
    {
        fabric->GetNic(receiver)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent& event) {
                lastUs = static_cast<double>(event.nowPs) / 1e6;
                ++delivered;
            });
        fabric->GetNic(receiver - 2)->GetMessages().Send(receiver, BYTES, receiver);
    }
    Simulator::Run();

    const FabricNetDevice* bottleneck = fabric->GetPort(4, 2); // of the first switch, to the second
    const bool good = delivered == 2 && fabric->GetDrops().empty();
    std::cout << std::left << std::setw(16) << title << std::right << std::fixed
              << std::setprecision(1) << std::setw(14)
              << bottleneck->GetQueue().GetMeanBytes() / 1000 << std::setw(14) << lastUs
              << std::setw(14) << 2 * BYTES * 8 / lastUs / 1000 << (good ? "" : "  FAILED") << "\n";
    Simulator::Destroy();
    return good;
}

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__); // try --ns3::PhantomQueueFeature::Gamma=0.8
    cmd.Parse(argc, argv);
    try
    {
        std::cout << "two flows of 100 MB over one link of 100 Gb/s, DCQCN\n"
                  << "marks by          mean queue kB   last FCT us  goodput Gb/s\n";
        const bool custom = Run("phantom queue", true);
        const bool wred = Run("queue length", false);
        return custom && wred ? 0 : 1;
    }
    catch (const FabricError& error)
    {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
