// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Keys of congestion control and load balancing.
 */
#include "scenario-config-rules.h"

#include "ns3/scenario-policies.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

constexpr int64_t CONFIG_TIME_UNIT_PS = 1000000;
constexpr uint64_t BYTE_UNIT = 128; //!< of INT records there, for INT_MULTI 1
constexpr uint64_t QUEUE_UNIT = 80; //!< of INT records there, for INT_MULTI 1

/// A number of a mode and what it means here.
struct Mode
{
    uint64_t number;    //!< in the file
    const char* name;   //!< in the file's simulator
    const char* value;  //!< of the option, which a build may not have; null: there is none
    FabricText instead; //!< what to do without
};

/// A congestion control with the other HAS_WIN.
struct Windowed
{
    const char* cc;        //!< as CC_MODE says
    const char* otherwise; //!< value of --cc, which a build may not have
};

/// Those that there are.
constexpr Windowed WINDOWED[] = {
    {"hpcc", "hpcc-rate"},
    {"dcqcn", "dcqcn+win"},
    {"timely", "timely+win"},
};

/// @return those of congestion control
std::vector<Mode>
ListControlModes()
{
    return {
        {1, "DCQCN", "dcqcn", {}},
        {3, "HPCC", "hpcc", {}},
        {7, "TIMELY", "timely", {}},
        {8, "DCTCP", "dctcp", {}},
        {10,
         "HPCC-PINT",
         "hpcc-pint",
         FabricTerm::Option("cc", "hpcc") + " uses full INT (instead of PINT)"},
    };
}

/// @return those of load balancing
std::vector<Mode>
ListBalancingModes()
{
    return {
        {0, "ECMP by flow", "ecmp", {}},
        {2, "DRILL", "drill", {}},
        {3, "CONGA", "conga", {}},
        {6, "LetFlow", "flowlet", {}},
        {9, "ConWeave", "conweave", {}},
    };
}

/// Map a mode; without the key the option has the value @p fallback.
void
MapMode(const ScenarioConfigReading& r,
        const char* key,
        const char* option,
        const std::vector<Mode>& modes,
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
            if (!mode.value || !r.IsKnown(option, mode.value))
            {
                r.file.Refuse(key,
                              std::to_string(mode.number) + " is " + mode.name +
                                  ", which is not part of this build; give " +
                                  FabricTerm::Option(option) +
                                  " on the command line: " + mode.instead);
            }
            r.SetOption(option, mode.value);
            return;
        }
        known += (known.empty() ? "" : ", ") + std::to_string(mode.number) + " " + mode.name;
    }
    r.file.Refuse(key, "unknown mode " + r.file.GetText(key) + "; known: " + known);
}

/// Congestion control with a window that has none by itself, or the reverse.
void
MapOtherWindow(const ScenarioConfigReading& r, const std::string& cc, bool hasWindow)
{
    for (const Windowed& one : WINDOWED)
    {
        if (cc == one.cc && r.IsKnown("cc", one.otherwise))
        {
            r.SetOption("cc", one.otherwise);
            if (!hasWindow && r.IsOff("VAR_WIN"))
            {
                r.Set("VAR_WIN",
                      {"ns3::DcqcnCongestionControl::VaryWindow",
                       "ns3::TimelyCongestionControl::VaryWindow"},
                      "false");
            }
            return;
        }
    }
    r.file.Refuse("HAS_WIN",
                  FabricTerm::Option("cc", cc) +
                      (hasWindow ? " is a window that varies; write 1"
                                 : " sets a rate and has no window here; write 0"));
}

/// Congestion control and its window.
void
MapControl(const ScenarioConfigReading& r)
{
    MapMode(r, "CC_MODE", "cc", ListControlModes(), "dcqcn");
    if (r.isGiven("cc"))
    {
        return;
    }
    const std::string cc = r.config.options.at("cc");
    const bool hasWindow = cc.rfind("hpcc", 0) == 0 || cc == "dctcp";
    if (hasWindow ? r.IsOff("HAS_WIN") : r.IsOn("HAS_WIN"))
    {
        MapOtherWindow(r, cc, hasWindow);
    }
    else if (hasWindow && r.IsOff("VAR_WIN"))
    {
        r.file.Refuse("VAR_WIN",
                      FabricTerm::Option("cc", cc) + " is a window that varies; write 1");
    }
    if (cc == "hpcc" && r.IsOn("SAMPLE_FEEDBACK"))
    {
        r.file.Refuse("SAMPLE_FEEDBACK", "INT is read from every ACK here; write 0");
    }
}

/// Load balancing.
void
MapBalancing(const ScenarioConfigReading& r)
{
    MapMode(r, "LB_MODE", "lb", ListBalancingModes(), "ecmp");
}

/// Parameters of congestion controls: those of all, for --cc may be given.
void
MapParameters(const ScenarioConfigReading& r)
{
    using Names = std::vector<std::string>;
    const auto by = [&r](auto read) {
        return [&r, read](const char* key, const Names& names) {
            if (r.file.Has(key))
            {
                r.Set(key, names, read(key));
            }
        };
    };
    const auto text = by([&r](const char* key) { return r.file.GetText(key); });
    const auto number = by([&r](const char* key) { return std::to_string(r.file.GetUint(key)); });
    const auto toggle = by([&r](const char* key) { return r.IsOn(key) ? "true" : "false"; });
    const auto rate =
        by([&r](const char* key) { return std::to_string(r.file.GetRateBps(key)) + "bps"; });
    const auto time = by([&r](const char* key) {
        return std::to_string(r.file.GetTimePs(key) / CONFIG_TIME_UNIT_PS) + "us";
    });
    time("ALPHA_RESUME_INTERVAL", {"ns3::DcqcnCongestionControl::AlphaInterval"});
    time("RATE_DECREASE_INTERVAL", {"ns3::DcqcnCongestionControl::DecreaseInterval"});
    time("RP_TIMER", {"ns3::DcqcnCongestionControl::IncreaseInterval"});
    time("CONWEAVE_TX_EXPIRY_TIME", {"ns3::ConweaveFeature::Expiry"});
    time("CONWEAVE_REPLY_TIMEOUT_EXTRA", {"ns3::ConweaveFeature::ReplyExtra"});
    time("CONWEAVE_PATH_PAUSE_TIME", {"ns3::ConweaveFeature::PathPause"});
    time("CONWEAVE_EXTRA_VOQ_FLUSH_TIME", {"ns3::ConweaveFeature::FlushExtra"});
    time("CONWEAVE_DEFAULT_VOQ_WAITING_TIME", {"ns3::ConweaveFeature::DefaultWait"});
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
    if (r.IsKnown("cc", "hpcc-pint"))
    {
        text("PINT_PROB", {"ns3::HpccPintCongestionControl::FeedbackShare"});
    }
}

/// TIMELY, whose hyper-active step is a multiple here, and whose step there does not scale with the
/// line.
void
MapTimely(const ScenarioConfigReading& r)
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

/// INT records, in units of bytes.
void
MapInt(const ScenarioConfigReading& r)
{
    if (!r.file.Has("INT_MULTI"))
    {
        return;
    }
    const uint64_t factor = r.file.GetUint("INT_MULTI");
    r.Set("INT_MULTI", {"ns3::IntFormat::ByteUnit"}, std::to_string(BYTE_UNIT * factor));
    r.Set("INT_MULTI", {"ns3::IntFormat::QueueUnit"}, std::to_string(QUEUE_UNIT * factor));
}

} // namespace

bool
ScenarioConfigReading::IsKnown(const std::string& option, const std::string& value)
{
    const std::vector<ScenarioPolicy>& policies = GetScenarioPolicies();
    return std::any_of(policies.begin(), policies.end(), [&](const ScenarioPolicy& policy) {
        return policy.option == option && policy.name == value;
    });
}

void
MapScenarioConfigControls(const ScenarioConfigReading& r)
{
    MapControl(r);
    MapBalancing(r);
    MapParameters(r);
    MapTimely(r);
    MapInt(r);
}

} // namespace ns3
