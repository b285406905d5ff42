// SPDX-License-Identifier: GPL-2.0-only
#include "sim-config.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-quantity.h"
#include "ns3/fabric-spec.h"
#include "ns3/fabric-text-file.h"
#include "ns3/hpcc-config-file.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t BPS_PER_GBPS = 1000000000;
constexpr uint64_t PS_PER_S = 1000000000000;
constexpr uint64_t PS_PER_US = 1000000;
constexpr uint64_t UNIT_OF_PROBABILITY = 1000000000000000; //!< as many digits as a double has
constexpr uint64_t BYTES_PER_MIB = 1048576;
constexpr uint64_t BYTE_UNIT = 128; //!< of INT records there, for INT_MULTI 1
constexpr uint64_t QUEUE_UNIT = 80; //!< of INT records there, for INT_MULTI 1

/// Folders above that of the file in which files may be: ConWeave's is mix/output/ID/config.txt.
constexpr int LEVELS = 3;

/// What the rules below work on.
struct Reading
{
    const HpccConfigFile& file;                             //!< read
    const std::function<bool(const std::string&)>& isGiven; //!< see ReadSimConfig()
    SimConfig& config;                                      //!< result

    /// @brief Set an option. @param name its name @param value its value
    void SetOption(const std::string& name, const std::string& value) const
    {
        config.options[name] = value;
    }

    /// @brief Set attributes. @param key of which @param names `ns3::Class::Attribute` @param value
    /// of all
    void Set(const std::string& key,
             const std::vector<std::string>& names,
             const std::string& value) const
    {
        for (const std::string& name : names)
        {
            config.attributes.push_back({name, value, file.GetPlace(key) + ": " + key});
        }
    }

    /// @return true if a key is there and 1 @param key its name
    bool IsOn(const char* key) const
    {
        return file.Has(key) && file.GetUint(key) == 1;
    }

    /// @return true if a key is there and 0 @param key its name
    bool IsOff(const char* key) const
    {
        return file.Has(key) && file.GetUint(key) == 0;
    }
};

/// @return as an option is written @param rateBps bit/s
std::string
FormatRate(uint64_t rateBps)
{
    return FormatFabricDecimal(rateBps, BPS_PER_GBPS) + "Gbps";
}

/// @return as an option is written @param timePs ps
std::string
FormatSeconds(int64_t timePs)
{
    return FormatFabricDecimal(static_cast<uint64_t>(timePs), PS_PER_S) + "s";
}

/// A number of a mode and what it means here.
struct Mode
{
    uint64_t number;     //!< in the file
    const char* name;    //!< in the file's simulator
    const char* value;   //!< of the option; null: there is none
    const char* instead; //!< what to do without
};

constexpr Mode CC_MODES[] = {
    {1, "DCQCN", "dcqcn", ""},
    {3, "HPCC", "hpcc", ""},
    {7, "TIMELY", "timely", ""},
    {8, "DCTCP", "dctcp", ""},
    {10, "HPCC-PINT", nullptr, "--cc=hpcc has INT in full"},
};

constexpr Mode LB_MODES[] = {
    {0, "ECMP by flow", "ecmp", ""},
    {2,
     "DRILL",
     nullptr,
     "--lb=adaptive, with --reliability=selective-repeat, takes the least queue of all ports"},
    {3, "CONGA", nullptr, "--lb=flowlet moves flowlets without regard to load"},
    {6, "LetFlow", "flowlet", ""},
    {9, "ConWeave", nullptr, "--lb=flowlet moves flowlets, without putting them in order again"},
};

/// @brief Map a mode. @param r reading @param key its name @param option its option @param modes
/// all @param fallback value of the option without the key
template <std::size_t N>
void
MapMode(const Reading& r,
        const char* key,
        const char* option,
        const Mode (&modes)[N],
        const char* fallback)
{
    if (r.isGiven(option))
    {
        return;
    }
    if (!r.file.Has(key))
    {
        r.SetOption(option, fallback);
        return;
    }
    std::string known;
    for (const Mode& mode : modes)
    {
        if (mode.number == r.file.GetUint(key))
        {
            if (!mode.value)
            {
                r.file.Refuse(key,
                              std::to_string(mode.number) + " is " + mode.name +
                                  ", which is not part of dcfabric; give --" + option +
                                  " on the command line: " + mode.instead);
            }
            r.SetOption(option, mode.value);
            return;
        }
        known += (known.empty() ? "" : ", ") + std::to_string(mode.number) + " " + mode.name;
    }
    r.file.Refuse(key, "unknown mode " + r.file.GetText(key) + "; known: " + known);
}

/// @brief Congestion control and its window. @param r reading
void
MapControl(const Reading& r)
{
    MapMode(r, "CC_MODE", "cc", CC_MODES, "dcqcn");
    if (r.isGiven("cc"))
    {
        return;
    }
    const std::string& cc = r.config.options.at("cc");
    if (cc == "hpcc" || cc == "dctcp")
    {
        for (const char* key : {"HAS_WIN", "VAR_WIN"})
        {
            if (r.IsOff(key))
            {
                r.file.Refuse(key, "--cc=" + cc + " is a window that varies; write 1");
            }
        }
    }
    else if (r.IsOn("HAS_WIN"))
    {
        r.file.Refuse("HAS_WIN", "--cc=" + cc + " sets a rate and has no window here; write 0");
    }
    if (cc == "hpcc" && r.IsOn("SAMPLE_FEEDBACK"))
    {
        r.file.Refuse("SAMPLE_FEEDBACK", "INT is read from every ACK here; write 0");
    }
}

/// @brief Load balancing. @param r reading
void
MapBalancing(const Reading& r)
{
    MapMode(r, "LB_MODE", "lb", LB_MODES, "ecmp");
}

/// @brief Parameters of congestion controls: those of all, for --cc may be given. @param r reading
void
MapParameters(const Reading& r)
{
    const auto text = [&r](const char* key, const std::vector<std::string>& names) {
        if (r.file.Has(key))
        {
            r.Set(key, names, r.file.GetText(key));
        }
    };
    const auto number = [&r](const char* key, const std::vector<std::string>& names) {
        if (r.file.Has(key))
        {
            r.Set(key, names, std::to_string(r.file.GetUint(key)));
        }
    };
    const auto toggle = [&r](const char* key, const std::vector<std::string>& names) {
        if (r.file.Has(key))
        {
            r.Set(key, names, r.IsOn(key) ? "true" : "false");
        }
    };
    const auto rate = [&r](const char* key, const std::vector<std::string>& names) {
        if (r.file.Has(key))
        {
            r.Set(key, names, std::to_string(r.file.GetRateBps(key)) + "bps");
        }
    };
    const auto time = [&r](const char* key, const std::vector<std::string>& names) {
        if (r.file.Has(key))
        {
            r.Set(key, names, std::to_string(r.file.GetTimePs(key) / PS_PER_US) + "us");
        }
    };
    time("ALPHA_RESUME_INTERVAL", {"ns3::DcqcnCongestionControl::AlphaInterval"});
    time("RATE_DECREASE_INTERVAL", {"ns3::DcqcnCongestionControl::DecreaseInterval"});
    time("RP_TIMER", {"ns3::DcqcnCongestionControl::IncreaseInterval"});
    toggle("CLAMP_TARGET_RATE", {"ns3::DcqcnCongestionControl::ClampTargetRate"});
    number("FAST_RECOVERY_TIMES", {"ns3::DcqcnCongestionControl::FastRecoveryStages"});
    text("EWMA_GAIN", {"ns3::DcqcnCongestionControl::G", "ns3::DctcpCongestionControl::G"});
    rate("RATE_AI",
         {"ns3::DcqcnCongestionControl::AdditiveIncrease",
          "ns3::IntWindowCongestionControl::AdditiveIncrease",
          "ns3::TimelyCongestionControl::AdditiveIncrease"});
    rate("RATE_HAI", {"ns3::DcqcnCongestionControl::HyperIncrease"});
    rate("MIN_RATE",
         {"ns3::DcqcnCongestionControl::MinRate",
          "ns3::IntWindowCongestionControl::MinRate",
          "ns3::TimelyCongestionControl::MinRate"});
    rate("DCTCP_RATE_AI", {"ns3::DctcpCongestionControl::AdditiveIncrease"});
    toggle("FAST_REACT", {"ns3::IntWindowCongestionControl::FastReaction"});
    toggle("MULTI_RATE", {"ns3::HpccCongestionControl::PerLink"});
    text("U_TARGET", {"ns3::IntWindowCongestionControl::Eta"});
    number("MI_THRESH", {"ns3::IntWindowCongestionControl::MaxStage"});
}

/// @brief TIMELY, whose hyper-active step is a multiple here, and whose step there does not scale
/// with the line. @param r reading
void
MapTimely(const Reading& r)
{
    if (!r.file.Has("RATE_AI"))
    {
        return;
    }
    r.Set("RATE_AI", {"ns3::TimelyCongestionControl::ReferenceRate"}, "0bps");
    if (!r.file.Has("RATE_HAI"))
    {
        return;
    }
    const uint64_t step = r.file.GetRateBps("RATE_AI");
    const uint64_t hyper = r.file.GetRateBps("RATE_HAI");
    if (step > 0 && hyper >= step)
    {
        std::ostringstream factor;
        factor << std::setprecision(std::numeric_limits<double>::max_digits10)
               << static_cast<double>(hyper) / static_cast<double>(step);
        r.Set("RATE_HAI", {"ns3::TimelyCongestionControl::HyperFactor"}, factor.str());
    }
    else if (r.config.options.count("cc") != 0 && r.config.options.at("cc") == "timely")
    {
        r.file.Refuse("RATE_HAI", "must be at least RATE_AI, and that above 0, for TIMELY");
    }
}

/// @brief INT records, in units of bytes. @param r reading
void
MapInt(const Reading& r)
{
    if (!r.file.Has("INT_MULTI"))
    {
        return;
    }
    const uint64_t factor = r.file.GetUint("INT_MULTI");
    if (factor == 0)
    {
        r.file.Refuse("INT_MULTI", "must be above 0");
    }
    r.Set("INT_MULTI", {"ns3::IntFormat::ByteUnit"}, std::to_string(BYTE_UNIT * factor));
    r.Set("INT_MULTI", {"ns3::IntFormat::QueueUnit"}, std::to_string(QUEUE_UNIT * factor));
}

/// @brief The base RTT. @param r reading
void
MapBaseRtt(const Reading& r)
{
    if (r.file.Has("GLOBAL_T"))
    {
        r.SetOption("base-rtt", r.IsOn("GLOBAL_T") ? "largest" : "pair");
    }
}

/// @brief Marks. @param r reading
void
MapMarking(const Reading& r)
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
        text += (text.empty() ? "" : ";") + FormatRate(rateBps) + ":" +
                std::to_string(kmin.at(rateBps)) + "B," + std::to_string(kmax.at(rateBps)) + "B," +
                FormatFabricDecimal(static_cast<uint64_t>(p * 1e15 + 0.5), UNIT_OF_PROBABILITY);
    }
    r.SetOption("marking", text);
}

/// @brief Memory and flow control. @param r reading
void
MapBuffer(const Reading& r)
{
    if (r.file.Has("BUFFER_SIZE"))
    {
        const uint64_t mebibytes = r.file.GetUint("BUFFER_SIZE");
        if (mebibytes == 0)
        {
            r.file.Refuse("BUFFER_SIZE", "must be above 0, in MiB for each switch");
        }
        r.Set("BUFFER_SIZE",
              {"ns3::SharedBuffer::Size"},
              std::to_string(mebibytes * BYTES_PER_MIB));
    }
    const std::string threshold = "ns3::SharedBuffer::XoffThreshold";
    if (r.IsOff("USE_DYNAMIC_PFC_THRESHOLD") && !r.isGiven(threshold))
    {
        r.file.Refuse("USE_DYNAMIC_PFC_THRESHOLD",
                      "the file has no fixed threshold; give one on the command line: --" +
                          threshold + "=BYTES");
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

/// @brief Reliability, ACKs and pacing. @param r reading
void
MapTransport(const Reading& r)
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
        // what network-load-balance.cc sets: IrnRtoHigh
        r.SetOption("reliability", "selective-repeat");
        r.Set("ENABLE_IRN", {"ns3::FabricNic::AckTimeout"}, "320us");
    }
    const std::string every = "ns3::FabricNic::AckEvery";
    if (r.file.Has("L2_ACK_INTERVAL") && !r.isGiven(every))
    {
        if (r.file.GetUint("L2_ACK_INTERVAL") != 1)
        {
            r.file.Refuse("L2_ACK_INTERVAL",
                          "counts bytes in the code and packets in the documentation there; give "
                          "--" +
                              every + "=PACKETS on the command line, or write 1 for every packet");
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

/// @brief Times, seeds and faults. @param r reading
void
MapRun(const Reading& r)
{
    // third.cc begins flows 2 s after the start, network-load-balance.cc at FLOWGEN_START_TIME,
    // and goes on for 10 s at most
    constexpr int64_t START_PS = 2 * PS_PER_S;
    constexpr int64_t REST_PS = 10 * PS_PER_S;
    if (r.file.Has("SIMULATOR_STOP_TIME"))
    {
        r.SetOption("stop", FormatSeconds(r.file.GetTimePs("SIMULATOR_STOP_TIME")));
    }
    if (r.file.Has("FLOWGEN_STOP_TIME"))
    {
        if (r.file.Has("SIMULATOR_STOP_TIME"))
        {
            r.file.Refuse("FLOWGEN_STOP_TIME",
                          "the end of the run is given by SIMULATOR_STOP_TIME at " +
                              r.file.GetPlace("SIMULATOR_STOP_TIME") + "; take one of them away");
        }
        r.SetOption("stop", FormatSeconds(r.file.GetTimePs("FLOWGEN_STOP_TIME") + REST_PS));
    }
    if (r.file.Has("RANDOM_SEED"))
    {
        r.SetOption("seed", std::to_string(r.file.GetUint("RANDOM_SEED")));
    }
    if (r.file.Has("ERROR_RATE_PER_LINK"))
    {
        r.SetOption("error-rate", r.file.GetText("ERROR_RATE_PER_LINK"));
    }
    if (r.file.Has("LINK_DOWN") && r.file.GetLinkDown().timePs > 0)
    {
        const HpccConfigFile::LinkDown down = r.file.GetLinkDown();
        const int64_t start =
            r.file.Has("FLOWGEN_START_TIME") ? r.file.GetTimePs("FLOWGEN_START_TIME") : START_PS;
        r.SetOption("link-down",
                    FormatSeconds(start + down.timePs) + "," + std::to_string(down.a) + "," +
                        std::to_string(down.b));
    }
}

/// @brief Results. @param r reading
void
MapResults(const Reading& r)
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
                    std::to_string(r.file.GetTimePs("SW_MONITORING_INTERVAL") / 1000) + "ns");
    }
}

/// @return the file that a key means @param r reading @param key its name
std::string
FindFile(const Reading& r, const char* key)
{
    namespace fs = std::filesystem;
    const fs::path name = r.file.GetText(key);
    std::error_code error;
    const fs::path folder = fs::absolute(r.file.GetPath(), error).parent_path();
    std::vector<fs::path> places = {folder / name, name};
    fs::path above = folder;
    for (int level = 0; level < LEVELS; ++level)
    {
        above = above.parent_path();
        places.push_back(above / name);
    }
    if (name.is_absolute())
    {
        places = {name};
    }
    std::vector<std::string> tried;
    for (const fs::path& place : places)
    {
        if (fs::is_regular_file(place, error))
        {
            return fs::proximate(place, error).string();
        }
        const std::string text = fs::absolute(place, error).lexically_normal().string();
        if (std::count(tried.begin(), tried.end(), text) == 0)
        {
            tried.push_back(text);
        }
    }
    r.file.Refuse(key, "there is no such file; tried " + JoinFabricNames(tried));
}

/// @brief Network and flows. @param r reading
void
MapFiles(const Reading& r)
{
    constexpr const char* FILES[][3] = {{"TOPOLOGY_FILE", "topology", "file:"},
                                        {"FLOW_FILE", "workload", "flows:"}};
    std::string found;
    for (const auto& [key, option, prefix] : FILES)
    {
        if (r.isGiven(option))
        {
            continue;
        }
        if (!r.file.Has(key))
        {
            throw FabricError(r.file.GetPath() + ": has no " + key + "; give it there or --" +
                              option + " on the command line");
        }
        const std::string path = FindFile(r, key);
        r.SetOption(option, prefix + path);
        found += (found.empty() ? "" : ", ") + std::string(key) + " is " + path;
    }
    if (!found.empty())
    {
        r.config.notes.push_back(r.file.GetPath() + ": " + found);
    }
}

/// Keys without effect, and what there is instead.
struct Idle
{
    std::vector<const char*> keys; //!< names
    const char* instead;           //!< what to do, or why
};

/// @brief Tell which keys have no effect. @param r reading
void
NoteIdle(const Reading& r)
{
    static const std::vector<Idle> idle = {
        {{"ENABLE_TRACE", "TRACE_FILE", "TRACE_OUTPUT_FILE"}, "--trace=pcap has packets"},
        {{"QLEN_MON_FILE", "QLEN_MON_START", "QLEN_MON_END"}, "--trace=queues"},
        {{"UPLINK_MON_FILE"}, "--trace=links"},
        {{"CNP_OUTPUT_FILE", "CONN_MON_FILE", "FLOW_INPUT_FILE"}, "flows.csv and summary.json"},
        {{"VOQ_MON_FILE",
          "VOQ_MON_DETAIL_FILE",
          "EST_ERROR_MON_FILE",
          "CONWEAVE_TX_EXPIRY_TIME",
          "CONWEAVE_REPLY_TIMEOUT_EXTRA",
          "CONWEAVE_PATH_PAUSE_TIME",
          "CONWEAVE_EXTRA_VOQ_FLUSH_TIME",
          "CONWEAVE_DEFAULT_VOQ_WAITING_TIME"},
         "of LB_MODE 9 alone"},
        {{"PINT_LOG_BASE", "PINT_PROB"}, "of CC_MODE 10 alone"},
        {{"L2_CHUNK_SIZE"}, "of L2_BACK_TO_ZERO 1 alone"},
        {{"DATA_RATE", "LINK_DELAY"}, "the topology has them"},
        {{"LOAD"}, "the flows have it"},
        {{"PAUSE_TIME"}, "a pause there lasts until its resume"},
    };
    std::string text;
    for (const Idle& group : idle)
    {
        std::string names;
        for (const char* key : group.keys)
        {
            names += r.file.Has(key) ? (names.empty() ? "" : ", ") + std::string(key) : "";
        }
        if (!names.empty())
        {
            text += (text.empty() ? "" : "; ") + names + " (" + group.instead + ")";
        }
    }
    if (!text.empty())
    {
        r.config.notes.push_back(r.file.GetPath() + ": no effect here: " + text);
    }
}

} // namespace

SimConfig
ReadSimConfig(const std::string& path, const std::function<bool(const std::string&)>& isGiven)
{
    const HpccConfigFile file(path);
    SimConfig config;
    config.preset = file.IsConWeave() ? "conweave23" : "hpcc-sigcomm19";
    const Reading reading{file, isGiven, config};
    for (const auto map : {&MapFiles,
                           &MapControl,
                           &MapBalancing,
                           &MapParameters,
                           &MapTimely,
                           &MapInt,
                           &MapBaseRtt,
                           &MapMarking,
                           &MapBuffer,
                           &MapTransport,
                           &MapRun,
                           &MapResults,
                           &NoteIdle})
    {
        map(reading);
    }
    return config;
}

} // namespace ns3
