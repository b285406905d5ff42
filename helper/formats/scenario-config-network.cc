// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Keys of the network, the transport and the run.
 */
#include "scenario-config-rules.h"

#include "ns3/fabric-text-file.h"
#include "ns3/parse-units.h"

#include <cstdint>
#include <string>

namespace ns3
{

namespace
{

constexpr int64_t PS_PER_S = 1000000000000;
constexpr int64_t PS_PER_NS = 1000;
constexpr uint64_t UNIT_OF_PROBABILITY = 1000000000000000; //!< as many digits as a double has
constexpr uint64_t BYTES_PER_MIB = 1048576;

/// @return as an option is written
std::string
WriteConfigRate(uint64_t rateBps)
{
    return FormatFabricDecimal(rateBps, BPS_PER_GBPS) + "Gbps";
}

/// @return as an option is written
std::string
WriteConfigSeconds(int64_t timePs)
{
    return FormatFabricDecimal(static_cast<uint64_t>(timePs), static_cast<uint64_t>(PS_PER_S)) +
           "s";
}

/// The base RTT.
void
MapBaseRtt(const ScenarioConfigReading& r)
{
    if (r.file.Has("GLOBAL_T"))
    {
        r.SetOption("base-rtt", r.IsOn("GLOBAL_T") ? "largest" : "pair");
    }
}

/// Marks.
void
MapMarking(const ScenarioConfigReading& r)
{
    const char* names[] = {"KMIN_MAP", "KMAX_MAP", "PMAX_MAP"};
    if (r.IsOff("ENABLE_QCN"))
    {
        r.SetOption("marking", "none");
        return;
    }
    const char* present = nullptr;
    const char* missing = nullptr;
    for (const char* name : names)
    {
        (r.file.Has(name) ? present : missing) = name;
    }
    if (!present)
    {
        return;
    }
    if (missing)
    {
        r.file.Refuse(present, std::string("needs ") + missing + " beside it, for the same rates");
    }
    for (const char* name : names)
    {
        if (r.file.HasSurplus(name))
        {
            r.config.notes.push_back(r.file.GetPlace(name) + ": " + name +
                                     ": more pairs than promised: the first ones are taken, as "
                                     "there");
        }
    }
    const auto kmin = r.file.GetThresholds(names[0]);
    const auto kmax = r.file.GetThresholds(names[1]);
    const auto pmax = r.file.GetProbabilities();
    for (const auto& [rateBps, bytes] : kmin)
    {
        if (kmax.count(rateBps) == 0 || pmax.count(rateBps) == 0)
        {
            r.file.Refuse(kmax.count(rateBps) == 0 ? names[1] : names[2],
                          "lacks the rate " + std::to_string(rateBps) + " of KMIN_MAP");
        }
    }
    std::string text;
    for (const auto& [rateBps, bytes] : kmax)
    {
        if (kmin.count(rateBps) == 0)
        {
            r.file.Refuse(names[0], "lacks the rate " + std::to_string(rateBps) + " of KMAX_MAP");
        }
        if (bytes == 0)
        {
            r.file.Refuse(names[1],
                          "0 means no marks there and marks on everything here; take the rate "
                          "out, or write ENABLE_QCN 0 for no marks at all");
        }
        if (kmin.at(rateBps) > bytes)
        {
            r.file.Refuse(names[1], "is below KMIN_MAP at the rate " + std::to_string(rateBps));
        }
    }
    for (const auto& [rateBps, p] : pmax)
    {
        if (kmin.count(rateBps) == 0)
        {
            r.file.Refuse(names[0], "lacks the rate " + std::to_string(rateBps) + " of PMAX_MAP");
        }
        text += (text.empty() ? "" : ";") + WriteConfigRate(rateBps) + ":" +
                std::to_string(kmin.at(rateBps)) + "B," + std::to_string(kmax.at(rateBps)) + "B," +
                FormatFabricDecimal(static_cast<uint64_t>(p * 1e15 + 0.5), UNIT_OF_PROBABILITY);
    }
    r.SetOption("marking", text);
}

/// Memory and flow control.
void
MapBuffer(const ScenarioConfigReading& r)
{
    if (r.file.Has("BUFFER_SIZE"))
    {
        r.Set("BUFFER_SIZE",
              {"ns3::SharedBuffer::Size"},
              std::to_string(r.file.GetUint("BUFFER_SIZE") * BYTES_PER_MIB));
    }
    const std::string threshold = "ns3::SharedBuffer::XoffThreshold";
    if (r.IsOff("USE_DYNAMIC_PFC_THRESHOLD") && !r.isGiven(threshold))
    {
        r.file.Refuse("USE_DYNAMIC_PFC_THRESHOLD",
                      "the file has no fixed threshold; give one on the command line: " +
                          FabricTerm::Option(threshold, "BYTES"));
    }
    if (r.IsOn("USE_DYNAMIC_PFC_THRESHOLD"))
    {
        r.Set("USE_DYNAMIC_PFC_THRESHOLD", {threshold}, "0");
    }
    if (r.file.Has("ENABLE_PFC"))
    {
        r.SetOption("flow-control", r.IsOn("ENABLE_PFC") ? "pfc" : "none");
    }
}

/// Reliability, ACKs and pacing.
void
MapTransport(const ScenarioConfigReading& r)
{
    if (r.file.Has("PACKET_PAYLOAD_SIZE"))
    {
        r.SetOption("payload", std::to_string(r.file.GetUint("PACKET_PAYLOAD_SIZE")));
    }
    if (r.IsOn("L2_BACK_TO_ZERO"))
    {
        r.file.Refuse("L2_BACK_TO_ZERO",
                      "go-back-0 is not part of dcfabric; write 0 for go-back-N");
    }
    if (r.file.Has("L2_BACK_TO_ZERO"))
    {
        r.SetOption("reliability", "go-back-n");
    }
    if (r.IsOn("ENABLE_IRN"))
    {
        // what network-load-balance.cc sets; its IrnBdp, rate x RTT of its networks, follows from
        // the topology
        r.SetOption("reliability", "irn");
        r.Set("ENABLE_IRN", {"ns3::IrnRepeat::RtoHigh"}, "320us");
        r.Set("ENABLE_IRN", {"ns3::IrnRepeat::RtoLow"}, "100us");
    }
    const std::string every = "ns3::FabricNic::AckEvery";
    if (r.file.Has("L2_ACK_INTERVAL") && !r.isGiven(every))
    {
        if (r.file.GetUint("L2_ACK_INTERVAL") != 1)
        {
            r.file.Refuse("L2_ACK_INTERVAL",
                          "counts bytes in the code and packets in the documentation there; give " +
                              FabricTerm::Option(every, "PACKETS") +
                              " on the command line, or write 1 for every packet");
        }
        r.Set("L2_ACK_INTERVAL", {every}, "1");
    }
    if (r.IsOff("RATE_BOUND"))
    {
        r.file.Refuse("RATE_BOUND", "packets are always paced here; write 1");
    }
    // ConWeave has no key for this: its switches send ACKs first
    if (r.IsOn("ACK_HIGH_PRIO") || (r.file.IsConWeave() && !r.file.Has("ACK_HIGH_PRIO")))
    {
        r.config.attributes.push_back({"ns3::FabricNic::ControlClass", "6", r.file.GetPath()});
    }
}

/// Times, seeds and faults.
void
MapTimes(const ScenarioConfigReading& r)
{
    // third.cc begins flows 2 s after the start, network-load-balance.cc at FLOWGEN_START_TIME,
    // and goes on for 10 s at most
    constexpr int64_t START_PS = 2 * PS_PER_S;
    constexpr int64_t REST_PS = 10 * PS_PER_S;
    if (r.file.Has("SIMULATOR_STOP_TIME"))
    {
        r.SetOption("stop", WriteConfigSeconds(r.file.GetTimePs("SIMULATOR_STOP_TIME")));
    }
    if (r.file.Has("FLOWGEN_STOP_TIME"))
    {
        if (r.file.Has("SIMULATOR_STOP_TIME"))
        {
            r.file.Refuse("FLOWGEN_STOP_TIME",
                          "the end of the run is given by SIMULATOR_STOP_TIME at " +
                              r.file.GetPlace("SIMULATOR_STOP_TIME") + "; take one of them away");
        }
        r.SetOption("stop", WriteConfigSeconds(r.file.GetTimePs("FLOWGEN_STOP_TIME") + REST_PS));
    }
    if (r.file.Has("RANDOM_SEED"))
    {
        r.SetOption("seed", std::to_string(r.file.GetUint("RANDOM_SEED")));
    }
    if (r.file.Has("ERROR_RATE_PER_LINK"))
    {
        if (r.file.GetDouble("ERROR_RATE_PER_LINK") >= 1)
        {
            r.file.Refuse("ERROR_RATE_PER_LINK", "1 lets nothing pass; write less");
        }
        r.SetOption("error-rate", r.file.GetText("ERROR_RATE_PER_LINK"));
    }
    if (r.file.Has("LINK_DOWN") && r.file.GetLinkDown().timePs > 0)
    {
        const HpccConfigFile::LinkDown down = r.file.GetLinkDown();
        const int64_t start =
            r.file.Has("FLOWGEN_START_TIME") ? r.file.GetTimePs("FLOWGEN_START_TIME") : START_PS;
        r.SetOption("link-down",
                    WriteConfigSeconds(start + down.timePs) + "," + std::to_string(down.a) + "," +
                        std::to_string(down.b));
    }
}

/// Results.
void
MapResults(const ScenarioConfigReading& r)
{
    if (r.file.Has("FCT_OUTPUT_FILE"))
    {
        r.SetOption("export", "hpcc-fct");
    }
    if (r.file.Has("PFC_OUTPUT_FILE"))
    {
        r.SetOption("trace", "pfc");
    }
    if (r.file.Has("SW_MONITORING_INTERVAL"))
    {
        r.SetOption("trace-interval",
                    std::to_string(r.file.GetTimePs("SW_MONITORING_INTERVAL") / PS_PER_NS) + "ns");
    }
}

} // namespace

void
MapScenarioConfigNetwork(const ScenarioConfigReading& r)
{
    MapBaseRtt(r);
    MapMarking(r);
    MapBuffer(r);
    MapTransport(r);
}

void
MapScenarioConfigRun(const ScenarioConfigReading& r)
{
    MapTimes(r);
    MapResults(r);
}

} // namespace ns3
