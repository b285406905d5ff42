// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief A congestion control from outside the module, compared with HPCC on the same traffic.
 */
#include "ns3/command-line.h"
#include "ns3/congestion-control.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-topology.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace ns3
{

/// A window that grows by four packets in a round trip while packets wait less than Target on their
/// way, and else shrinks with the excess, by half at most and once per round trip. Needs no switch.
class DelayWindowCongestionControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::DelayWindowCongestionControl")
                .SetParent<CongestionControl>()
                .AddConstructor<DelayWindowCongestionControl>()
                .AddAttribute("Target",
                              "Time in queues that is tolerated.",
                              TimeValue(MicroSeconds(2)),
                              MakeTimeAccessor(&DelayWindowCongestionControl::m_target),
                              MakeTimeChecker(Time(0)));
        return tid;
    }

    void OnAck(const AckInfo& ack) override
    {
        const double queuedPs = static_cast<double>(ack.rttPs - GetPath().pairRttPs);
        const double excessPs = queuedPs - static_cast<double>(FabricTime::ToPs(m_target));
        double window = static_cast<double>(GetDueWindow());
        if (excessPs <= 0)
        {
            window += 4.0 * GetPath().payloadBytes * ack.ackedPayload / window;
        }
        else if (ack.cumulativeBytes >= m_nextCut)
        {
            window *= std::max(0.5, 1 - 0.8 * excessPs / queuedPs);
            m_nextCut = ack.sentBytes; // the next cut is for packets sent with this window
        }
        SendWith(ack.nowPs, window, CongestionCause::SIGNAL);
    }

    void OnTimeout(int64_t nowPs) override
    {
        SendWith(nowPs, GetPath().payloadBytes, CongestionCause::TIMEOUT);
    }

  protected:
    void DoStart() override
    {
        SetInitial(GetPath().bdpBytes, static_cast<double>(GetPath().lineRateBps));
    }

    void OnModified(int64_t /* nowPs */, ModifierEffect effect) override
    {
        if (effect == ModifierEffect::FORGIVEN)
        {
            m_nextCut = 0; // the last cut was never made
        }
    }

  private:
    /// Propose a window, and the rate that sends it in one base RTT.
    void SendWith(int64_t nowPs, double window, CongestionCause cause)
    {
        const double most = static_cast<double>(GetPath().bdpBytes);
        window = std::clamp(window, static_cast<double>(GetPath().payloadBytes), most);
        const double rate = window / most * static_cast<double>(GetPath().lineRateBps);
        Propose(nowPs, static_cast<uint64_t>(window), rate, cause);
    }

    Time m_target;         //!< attribute
    uint64_t m_nextCut{0}; //!< acknowledged bytes from which on the window may be cut again
};

NS_OBJECT_ENSURE_REGISTERED(DelayWindowCongestionControl);

} // namespace ns3

using namespace ns3;

/**
 * @brief Run the traffic under one congestion control and print a line.
 * @return true if all went well
 */
static bool
Run(const std::string& cc)
{
    FabricHelper helper;
    helper.SetCongestionControl(cc);
    helper.AddSwitchFeature("ns3::HpccIntFeature"); // fills only packets of senders that ask for it
    Ptr<Fabric> fabric = helper.Install(MakeFabricTopology("fat-tree:k=4")->BuildGraph());
    Ptr<FabricWorkload> traffic = MakeFabricWorkload("hadoop", {"0.5", "500us"});
    traffic->AssignStreams(int64_t{1} << 40);
    const std::vector<FabricFlow> flows = traffic->Generate(fabric->GetGraph());

    std::vector<double> slowdowns;
    double sumUs = 0;
    for (const uint32_t host : fabric->GetHosts())
    {
        fabric->GetNic(host)->GetMessages().SetDeliveredCallback(
            [&](const FabricMessageEvent& event) {
                const int64_t fctPs = event.nowPs - flows[event.tag].startPs;
                sumUs += static_cast<double>(fctPs) / 1e6;
                slowdowns.push_back(static_cast<double>(fctPs) /
                                    fabric->GetIdealFctPs(event.src, event.dst, event.bytes));
            });
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const FabricFlow& flow = flows[i];
        fabric->GetNic(flow.src)->GetMessages().SendAt(flow.startPs, flow.dst, flow.sizeBytes, i);
    }
    Simulator::Run();

    const bool good = slowdowns.size() == flows.size() && fabric->GetDrops().empty();
    std::sort(slowdowns.begin(), slowdowns.end());
    const std::size_t n = slowdowns.size();
    std::cout << std::left << std::setw(36) << cc << std::right << std::fixed
              << std::setprecision(2) << std::setw(6) << n << std::setw(10) << sumUs / n
              << std::setw(10) << (n ? slowdowns[n / 2] : 0) << std::setw(10)
              << (n ? slowdowns[n * 99 / 100] : 0) << (good ? "" : "  FAILED") << "\n";
    Simulator::Destroy();
    return good;
}

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__); // try --ns3::DelayWindowCongestionControl::Target=1us
    cmd.Parse(argc, argv);
    try
    {
        std::cout << "fat-tree k=4, 100 Gb/s, FB_Hadoop, load 0.5\n"
                  << "congestion control                   flows   FCT us  slow p50  slow p99\n";
        const bool custom = Run("ns3::DelayWindowCongestionControl");
        const bool hpcc = Run("ns3::HpccCongestionControl");
        return custom && hpcc ? 0 : 1;
    }
    catch (const FabricError& error)
    {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
