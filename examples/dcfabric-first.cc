// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // picoseconds, before anything else
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv); // --ns3::FnccCongestionControl::Alpha=1.1 and so on

    FabricHelper helper;
    helper.SetCongestionControl("ns3::FnccCongestionControl", "Beta", DoubleValue(0.9));
    helper.AddSwitchFeature("ns3::FnccIntFeature");
    Ptr<Fabric> fabric = helper.Install(MakeFabricTopology("fat-tree:k=4")->BuildGraph());

    // hosts 1, 5 and 9 send 1 MB to host 0
    fabric->GetNic(0)->GetMessages().SetDeliveredCallback([&](const FabricMessageEvent& event) {
        const double ideal = fabric->GetIdealFctPs(event.src, event.dst, event.bytes);
        std::cout << "from " << event.src << " after " << event.nowPs / 1e6 << " us, slowdown "
                  << event.nowPs / ideal << "\n";
    });
    for (uint32_t sender : {1, 5, 9})
    {
        fabric->GetNic(sender)->GetMessages().Send(0, 1000000, sender);
    }
    Simulator::Run();
    Simulator::Destroy();
}
