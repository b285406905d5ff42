// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-presets.h"

#include "ns3/fabric-spec.h"

namespace ns3
{

namespace
{

/// Names and values.
using Values = std::map<std::string, std::string>;

/// @return both, each name with its first value
Values
Join(Values values, const Values& more)
{
    values.insert(more.begin(), more.end());
    return values;
}

/// @return the presets of this table's first lines
std::vector<ScenarioPreset>
ListFirstPresets()
{
    return {
        {
            "fncc24",
            "FNCC paper",
            // FNCC, section 5: links of 1.5 us, MTU 1518 (1456 + 62), symmetric paths, one service
            // level.
            {{"delay", "1.5us"}, {"payload", "1456"}, {"lb", "symmetric-ecmp"}},
            {
                // FNCC, section 5: PFC threshold of 500 KB.
                {"ns3::SharedBuffer::XoffThreshold", "500000"},
                // HPCC, SIGCOMM 2019, section 5.1, which FNCC takes over; W_AI = 40 Mb/s x T.
                {"ns3::IntWindowCongestionControl::Eta", "0.95"},
                {"ns3::IntWindowCongestionControl::MaxStage", "5"},
                {"ns3::IntWindowCongestionControl::AdditiveIncrease", "40Mbps"},
                // The public HPCC simulator; neither paper says what U is before it is measured.
                {"ns3::FnccCongestionControl::InitialUtilization", "1"},
                {"ns3::HpccCongestionControl::InitialUtilization", "1"},
                // FNCC, algorithm 2.
                {"ns3::FnccCongestionControl::Alpha", "1.05"},
                {"ns3::FnccCongestionControl::Beta", "0.9"},
                // FNCC, section 4.1: All_INT_Table is updated periodically. The period is ours; see
                // doc/validation.rst.
                {"ns3::FnccIntFeature::RefreshInterval", "1500ns"},
                // DCQCN, SIGCOMM 2015, sections 3 and 5.2: the timers of the paper; R_AI and R_HAI
                // of its first author's simulator.
                {"ns3::DcqcnCongestionControl::AlphaInterval", "55us"},
                {"ns3::DcqcnCongestionControl::DecreaseInterval", "50us"},
                {"ns3::DcqcnCongestionControl::IncreaseInterval", "55us"},
                {"ns3::DcqcnCongestionControl::CnpInterval", "50us"},
                {"ns3::DcqcnCongestionControl::AdditiveIncrease", "40Mbps"},
                {"ns3::DcqcnCongestionControl::HyperIncrease", "200Mbps"},
                // Ours, for the paper names none: ECN has to act before PFC does at 500 KB. At 100
                // Gb/s; scaled with the rate of each link.
                {"ns3::WredMarkingProfile::Kmin", "100000"},
                {"ns3::WredMarkingProfile::Kmax", "400000"},
                {"ns3::WredMarkingProfile::Pmax", "0.2"},
                {"ns3::WredMarkingProfile::Rate", "100Gbps"},
            },
            true,
            false,
        },
        {
            "hpcc-sigcomm19",
            "public HPCC simulator",
            // The public HPCC simulator (ns-3.17) as its scripts for 100 Gb/s configure it.
            {{"payload", "1000"},
             {"delay", "1us"},
             {"reliability", "go-back-n"},
             {"wire-format", "hpcc-sim"}},
            {
                // Units of its INT header: 1 ns, 128 B and 80 B, the latter two with its INT_MULTI
                // of 4.
                {"ns3::IntFormat::TimeUnit", "1ns"},
                {"ns3::IntFormat::ByteUnit", "512"},
                {"ns3::IntFormat::QueueUnit", "320"},
                // u_target, mi_thresh, rate_ai, min_rate and fast_react of the scripts; hpccPint's
                // u starts at 1.
                {"ns3::IntWindowCongestionControl::Eta", "0.95"},
                {"ns3::IntWindowCongestionControl::MaxStage", "0"},
                {"ns3::IntWindowCongestionControl::AdditiveIncrease", "40Mbps"},
                {"ns3::IntWindowCongestionControl::MinRate", "1Gbps"},
                {"ns3::IntWindowCongestionControl::FastReaction", "true"},
                {"ns3::HpccCongestionControl::InitialUtilization", "1"},
                // Its DCQCN: marks echoed on every ACK instead of CNPs, decisions at multiples of
                // their intervals, no byte counter, one stage of fast recovery.
                {"ns3::DcqcnCongestionControl::CnpInterval", "0ns"},
                {"ns3::DcqcnCongestionControl::PeriodicChecks", "true"},
                {"ns3::DcqcnCongestionControl::ClampTargetRate", "false"},
                {"ns3::DcqcnCongestionControl::AlphaInterval", "1us"},
                {"ns3::DcqcnCongestionControl::DecreaseInterval", "4us"},
                {"ns3::DcqcnCongestionControl::IncreaseInterval", "300us"},
                {"ns3::DcqcnCongestionControl::FastRecoveryStages", "1"},
                {"ns3::DcqcnCongestionControl::ByteCounter", "0"},
                {"ns3::DcqcnCongestionControl::AdditiveIncrease", "20Mbps"},
                {"ns3::DcqcnCongestionControl::HyperIncrease", "200Mbps"},
                {"ns3::DcqcnCongestionControl::GrowingHyperIncrease", "false"},
                {"ns3::DcqcnCongestionControl::MinRate", "1Gbps"},
                // Its TIMELY; there are no counterparts to its updates once per RTT and to its
                // hyper increase after five increases of any kind.
                {"ns3::TimelyCongestionControl::Alpha", "0.875"},
                {"ns3::TimelyCongestionControl::MaxDecrease", "1"},
                {"ns3::TimelyCongestionControl::HyperThreshold", "6"},
                {"ns3::TimelyCongestionControl::MinRate", "1Gbps"},
                // KMIN_MAP, KMAX_MAP and PMAX_MAP at 100 Gb/s; scaled with the rate, as the maps.
                {"ns3::WredMarkingProfile::Kmin", "400000"},
                {"ns3::WredMarkingProfile::Kmax", "1600000"},
                {"ns3::WredMarkingProfile::Pmax", "0.2"},
                {"ns3::WredMarkingProfile::Rate", "100Gbps"},
                {"ns3::CongestionAwareQueueDisc::MarkAtDequeue", "true"},
                // BUFFER_SIZE 32 and the constants of its switch memory.
                {"ns3::SharedBuffer::Size", "33554432"},
                {"ns3::SharedBuffer::Alpha", "0.125"},
                {"ns3::SharedBuffer::PortReserve", "4096"},
                {"ns3::SharedBuffer::ResumeOffset", "3072"},
            },
            true,
            true,
        },
        {
            "conweave23",
            "public ConWeave simulator",
            // The public simulator of ConWeave (SIGCOMM 2023), which descends from that of HPCC, as
            // its run.py configures it.
            {{"payload", "1000"},
             {"delay", "1us"},
             {"reliability", "go-back-n"},
             {"wire-format", "hpcc-sim"}},
            {
                // HPCC as in the simulator that it descends from; INT_MULTI is 1 here.
                {"ns3::IntFormat::TimeUnit", "1ns"},
                {"ns3::IntFormat::ByteUnit", "128"},
                {"ns3::IntFormat::QueueUnit", "80"},
                {"ns3::IntWindowCongestionControl::Eta", "0.95"},
                {"ns3::IntWindowCongestionControl::MaxStage", "0"},
                {"ns3::IntWindowCongestionControl::AdditiveIncrease", "40Mbps"},
                {"ns3::IntWindowCongestionControl::MinRate", "100Mbps"},
                {"ns3::IntWindowCongestionControl::FastReaction", "true"},
                {"ns3::HpccCongestionControl::InitialUtilization", "1"},
                // DCQCN: marks echoed on every ACK, as there; AI and HAI are 10 and 25 Mb/s for
                // each 25 Gb/s of the NIC.
                {"ns3::DcqcnCongestionControl::CnpInterval", "0ns"},
                {"ns3::DcqcnCongestionControl::PeriodicChecks", "true"},
                {"ns3::DcqcnCongestionControl::ClampTargetRate", "false"},
                {"ns3::DcqcnCongestionControl::G", "0.00390625"},
                {"ns3::DcqcnCongestionControl::AlphaInterval", "1us"},
                {"ns3::DcqcnCongestionControl::DecreaseInterval", "4us"},
                {"ns3::DcqcnCongestionControl::IncreaseInterval", "300us"},
                {"ns3::DcqcnCongestionControl::FastRecoveryStages", "1"},
                {"ns3::DcqcnCongestionControl::ByteCounter", "0"},
                {"ns3::DcqcnCongestionControl::AdditiveIncrease", "40Mbps"},
                {"ns3::DcqcnCongestionControl::HyperIncrease", "100Mbps"},
                {"ns3::DcqcnCongestionControl::GrowingHyperIncrease", "false"},
                {"ns3::DcqcnCongestionControl::MinRate", "100Mbps"},
                // Its maps have the same thresholds for all rates.
                {"ns3::WredMarkingProfile::Kmin", "100000"},
                {"ns3::WredMarkingProfile::Kmax", "400000"},
                {"ns3::WredMarkingProfile::Pmax", "0.2"},
                {"ns3::WredMarkingProfile::Rate", "0bps"},
                {"ns3::CongestionAwareQueueDisc::MarkAtDequeue", "true"},
                // 9 MiB; alpha 1/16 at the ingress, 1 at the egress.
                {"ns3::SharedBuffer::Size", "9437184"},
                {"ns3::SharedBuffer::Alpha", "0.0625"},
                {"ns3::SharedBuffer::EgressAlpha", "1"},
            },
            true,
            true,
        },
        {
            "dcqcn-paper",
            "DCQCN paper",
            // DCQCN, SIGCOMM 2015, as the paper and its fluid model set it.
            {{"cc", "dcqcn"}},
            {
                // Sections 3 and 5.2: g = 1/256, F = 5, timers of 55 us, a CNP for each flow every
                // 50 us, byte counter of 10 MB. R_AI, R_HAI and steps that grow by R_HAI: the
                // simulator that the paper's first author published.
                {"ns3::DcqcnCongestionControl::CnpInterval", "50us"},
                {"ns3::DcqcnCongestionControl::PeriodicChecks", "false"},
                {"ns3::DcqcnCongestionControl::ClampTargetRate", "true"},
                {"ns3::DcqcnCongestionControl::G", "0.00390625"},
                {"ns3::DcqcnCongestionControl::AlphaInterval", "55us"},
                {"ns3::DcqcnCongestionControl::DecreaseInterval", "50us"},
                {"ns3::DcqcnCongestionControl::IncreaseInterval", "55us"},
                {"ns3::DcqcnCongestionControl::FastRecoveryStages", "5"},
                {"ns3::DcqcnCongestionControl::ByteCounter", "10000000"},
                {"ns3::DcqcnCongestionControl::AdditiveIncrease", "40Mbps"},
                {"ns3::DcqcnCongestionControl::HyperIncrease", "200Mbps"},
                {"ns3::DcqcnCongestionControl::GrowingHyperIncrease", "true"},
                // At 40 Gb/s, the rate of its testbed; scaled with the rate of each link.
                {"ns3::WredMarkingProfile::Kmin", "5000"},
                {"ns3::WredMarkingProfile::Kmax", "200000"},
                {"ns3::WredMarkingProfile::Pmax", "0.01"},
                {"ns3::WredMarkingProfile::Rate", "40Gbps"},
            },
            false,
            false,
        },
        {
            "mellanox-100g",
            "DCQCN of Mellanox adapters",
            {{"cc", "dcqcn"}},
            Join(ListAdapterDcqcn(), {{"ns3::WredMarkingProfile::Rate", "100Gbps"}}),
            false,
            false,
        },
        {
            "irn",
            "IRN: RDMA without flow control",
            // Revisiting Network Support for RDMA, SIGCOMM 2018; the cap and the time-outs follow
            // from the network.
            {{"reliability", "irn"}, {"flow-control", "none"}},
            {},
            false,
            false,
        },
    };
}

} // namespace

std::map<std::string, std::string>
ListAdapterDcqcn()
{
    return {
        // DCE_TCP_G 1019 of 1024 is what alpha keeps; DCE_TCP_RTT 1 us: alpha goes up or down once
        // in each, by whether a CNP came.
        {"ns3::DcqcnCongestionControl::G", "0.0048828125"},
        {"ns3::DcqcnCongestionControl::AlphaInterval", "1us"},
        // RATE_REDUCE_MONITOR_PERIOD, MIN_TIME_BETWEEN_CNPS
        {"ns3::DcqcnCongestionControl::DecreaseInterval", "4us"},
        {"ns3::DcqcnCongestionControl::PeriodicChecks", "true"},
        {"ns3::DcqcnCongestionControl::CnpInterval", "4us"},
        // CLAMP_TGT_RATE 0, CLAMP_TGT_RATE_AFTER_TIME_INC 1
        {"ns3::DcqcnCongestionControl::ClampTargetRate", "false"},
        // RPG_TIME_RESET 300, RPG_BYTE_RESET 32767, RPG_THRESHOLD 1
        {"ns3::DcqcnCongestionControl::IncreaseInterval", "300us"},
        {"ns3::DcqcnCongestionControl::ByteCounter", "32767"},
        {"ns3::DcqcnCongestionControl::FastRecoveryStages", "1"},
        // RPG_AI_RATE, RPG_HAI_RATE, RPG_MIN_RATE in Mb/s
        {"ns3::DcqcnCongestionControl::AdditiveIncrease", "5Mbps"},
        {"ns3::DcqcnCongestionControl::HyperIncrease", "50Mbps"},
        {"ns3::DcqcnCongestionControl::MinRate", "1Mbps"},
    };
}

NamedTable<ScenarioPreset>&
GetScenarioPresetTable()
{
    static NamedTable<ScenarioPreset> table(&ListFirstPresets);
    return table;
}

const std::vector<ScenarioPreset>&
GetScenarioPresets()
{
    return GetScenarioPresetTable().Get();
}

const ScenarioPreset&
FindScenarioPreset(const std::string& name)
{
    return FindFabricName(GetScenarioPresets(), name, "preset");
}

} // namespace ns3
