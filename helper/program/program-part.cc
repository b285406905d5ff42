// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Programs of ranks in a scenario (`workload=program:PATH`).
 */
#include "job-link-feature.h"
#include "job-links.h"
#include "job-steps.h"
#include "job-table.h"
#include "placed-jobs.h"
#include "program-workload.h"
#include "rank-runner.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-warning.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/json-writer.h"
#include "ns3/mixed-workload.h"
#include "ns3/parse-units.h"
#include "ns3/plain-bytes.h"
#include "ns3/scenario-classes.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"
#include "ns3/scenario-schema.h"
#include "ns3/string.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @brief Read PATH,key=value: a comma belongs to the path unless a key follows.
 * @param form,spec,object as of FabricForm::fill
 */
void
FillProgram(const FabricForm& form, FabricSpec& spec, Object& object)
{
    const std::string& argument = spec.GetArgument(form.argument);
    std::size_t end = argument.size();
    for (std::size_t comma = argument.rfind(','); comma != std::string::npos && comma > 0;
         comma = argument.rfind(',', comma - 1))
    {
        const std::size_t equals = argument.find('=', comma);
        if (equals == std::string::npos || equals > end ||
            argument.substr(comma, equals - comma).find('/') != std::string::npos)
        {
            break;
        }
        end = comma;
    }
    object.SetAttribute("Path", StringValue(argument.substr(0, end)));
    if (end < argument.size())
    {
        FabricSpec keys(form.name + ":" + argument.substr(end + 1), "workload");
        FillFabricKeys(form, keys, object);
    }
}

[[maybe_unused]] const bool g_hasProgramForms = GetFabricWorkloadTable().Add(
    "hotspot",
    {{"program",
      "ns3::ProgramWorkload",
      {{"name", "Name"}, {"placement", "Placement"}, {"start", "Start"}, {"priority", "Priority"}},
      "programs of ranks; ``name=``, ``placement=``, ``priority=`` and ``start=`` "
      "(or ``@TIME``) may follow, see :doc:`jobs`",
      "PATH",
      &FillProgram}});

[[maybe_unused]] const bool g_hasJobOptions = GetScenarioOptionTable().Add(
    "workload",
    {{"only",
      ScenarioOption::Kind::TEXT,
      "",
      "parts of ``--workload`` that run, by their labels; the others keep their hosts and send "
      "nothing, so that these are alone. See :doc:`jobs`",
      nullptr,
      ","},
     {"alone",
      ScenarioOption::Kind::TEXT,
      "",
      "result folders of runs with ``--only``, against which ``jobs.csv`` and ``steps.csv`` tell "
      "slowdowns",
      nullptr,
      ","},
     {"compute",
      ScenarioOption::Kind::TEXT,
      "",
      "``FLOPS,BYTES/s`` of a rank, such as ``312TFLOPS,2TB/s``: how long ``compute flops=N "
      "bytes=SIZE`` of a program takes (:doc:`programs`)"}});

[[maybe_unused]] const bool g_hasPlacementKind = GetScenarioKindTable().Add(
    "Workloads",
    {{"Placements of jobs", "ns3::JobPlacement", "workload", "program"}});

/// @return true if a workload, as written, has programs beside one another or beside other traffic
bool
HasJobs(const ScenarioOptions& options)
{
    const std::vector<std::string> specs = SplitFabricWorkloads(options.Get("workload"));
    return specs.size() > 1 && std::any_of(specs.begin(), specs.end(), [](const auto& spec) {
               return spec.compare(0, 8, "program:") == 0;
           });
}

/**
 * @brief Has programs make the flows, and decides who posts receives: their operations, or with
 * `messages=preposted` each message when it starts.
 */
class ProgramPart : public ScenarioPart
{
  public:
    void Configure(FabricHelper& helper,
                   const ScenarioOptions& options,
                   ScenarioNetwork& /* network */,
                   std::vector<TypeId>& used) override
    {
        if (HasJobs(options))
        {
            helper.AddSwitchFeature("ns3::JobLinkFeature");
            used.push_back(JobLinkFeature::GetTypeId());
        }
    }

    void TakeWorkload(const Ptr<FabricWorkload>& workload,
                      const ScenarioOptions& options,
                      ScenarioNetwork& network,
                      std::vector<TypeId>& used) override
    {
        m_mix = DynamicCast<MixedWorkload>(workload);
        const std::vector<std::string> only = SplitFabricList(options.Get("only"));
        if (m_mix)
        {
            CheckNames(options);
        }
        if (m_mix && !only.empty())
        {
            m_mix->MuteAllBut(only);
        }
        m_programs = ListPrograms(workload);
        if (!only.empty() && (!m_mix || m_programs.empty()))
        {
            throw FabricError(options.Say("only") + " has no effect on " + options.Say("workload") +
                              ": it chooses among a job and what runs beside it, such as "
                              "program:a.txt+program:b.txt");
        }
        const bool isIdle =
            std::all_of(m_programs.begin(), m_programs.end(), [this](const auto& p) {
                return m_mix && m_mix->GetParts()[p.place].isMute;
            });
        if (isIdle && !m_programs.empty())
        {
            throw FabricError(options.Say("only") + " names no program of " +
                              options.Say("workload") + "; name one at least");
        }
        const std::vector<std::string> alone = SplitFabricList(options.Get("alone"));
        if (!alone.empty() && !IsJobRun())
        {
            throw FabricError(options.Say("alone") + " has no effect on " +
                              options.Say("workload") +
                              ": only jobs are compared, such as "
                              "program:a.txt+program:b.txt");
        }
        for (const std::string& folder : alone)
        {
            JobSteps::ReadTimes(folder, m_alone);
        }
        ReadRoofline(options);
        if (m_programs.empty())
        {
            return;
        }
        network.makesFlows = true;
        network.dataClass = m_programs.front().workload->GetPriority();
        for (const Program& program : m_programs)
        {
            network.madeClasses.emplace_back("job " + (m_mix
                                                           ? m_mix->GetParts()[program.place].label
                                                           : program.workload->GetName()),
                                             program.workload->GetPriority());
        }
        used.push_back(RankRunner::GetTypeId());
        used.push_back(ReductionFeature::GetTypeId());
        used.push_back(HostReduction::GetTypeId());
    }

    void Prepare(ScenarioNetwork& network, const ScenarioOptions& options) override
    {
        if (m_programs.empty())
        {
            return;
        }
        CheckInNetwork(options);
        if (m_roofline.IsGiven() && !IsCounted())
        {
            throw FabricError(options.Say("compute") + " has no effect on " +
                              options.Say("workload") +
                              ": its programs say how long they compute, not what, as compute "
                              "flops=N bytes=SIZE does");
        }
        if (options.IsGiven("post-delay"))
        {
            throw FabricError(options.Say("post-delay") + " contradicts " +
                              options.Say("workload") +
                              ", whose ranks post receives themselves; let them compute before");
        }
        if (network.poster && options.Get("messages") != "preposted")
        {
            if (!network.flows.empty())
            {
                throw FabricError(options.Say("messages") + " contradicts " +
                                  options.Say("workload") +
                                  ": ranks post receives themselves, and nobody would for the "
                                  "other traffic at their hosts; use " +
                                  FabricTerm::Option("messages", "preposted") +
                                  ", or write what the others send as a program, too");
            }
            network.poster = nullptr;
            m_ranksPostReceives = true;
        }
        m_groups = network.groups;
    }

    void Record(FlowRecorder& recorder, const ScenarioNetwork& network) override
    {
        if (m_programs.empty())
        {
            return;
        }
        if (network.lateReceives)
        {
            recorder.GetStarter().SetBegunElsewhere(
                [poster = network.poster, late = network.lateReceives](const FabricFlow& flow) {
                    poster->PostFor(flow);
                    late->OnPosted(flow.dst, flow.startPs);
                });
        }
        m_recorder = &recorder;
        const uint8_t priority = m_programs.front().workload->GetPriority();
        const std::shared_ptr<const RankJob> job = MakeJob();
        m_runner = CreateObject<RankRunner>();
        m_runner->SetRoofline(m_roofline);
        if (job)
        {
            m_runner->Install(recorder, job, priority);
        }
        if (job && m_ranksPostReceives)
        {
            m_runner->SetPostsReceives();
        }
        if (m_mix)
        {
            m_links = std::make_unique<JobLinks>(recorder.GetTable(),
                                                 *job,
                                                 job->GetHosts(recorder.GetFabric()->GetGraph()));
        }
    }

    bool NeedsOrder() const override
    {
        return m_runner && m_runner->GetReductions(); // all ranks of a tree go on together
    }

    uint64_t CountEvents(int64_t endPs) const override
    {
        return m_runner ? m_runner->CountEvents(endPs) : 0;
    }

    std::function<void(JsonWriter&)> Summarize() const override
    {
        if (!m_runner || !m_runner->GetReductions())
        {
            return {};
        }
        return [totals = m_runner->GetReductions()->GetTotals()](JsonWriter& json) {
            json.Key("in_network_reduction");
            json.BeginObject();
            json.UintMember("trees", totals.trees);
            json.UintMember("window_packets", totals.window);
            json.UintMember("host_packets", totals.hostPackets);
            json.UintMember("host_packets_sent_again", totals.sentAgain);
            json.UintMember("host_timeouts", totals.timeouts);
            json.UintMember("switch_sums", totals.sums);
            json.UintMember("switch_sums_sent_again", totals.sumsSentAgain);
            json.UintMember("switch_repeats", totals.repeats);
            json.UintMember("switch_answers", totals.answers);
            json.UintMember("max_slots", totals.maxSlots);
            json.UintMember("max_memory_bytes", totals.maxMemory);
            json.EndObject();
        };
    }

    std::string Pack() const override
    {
        std::string bytes;
        if (m_runner)
        {
            WritePlainText(bytes, m_runner->Pack());
            WritePlainText(bytes, m_links ? m_links->Pack() : "");
        }
        return bytes;
    }

    void Join(const std::string& bytes) override
    {
        if (m_runner)
        {
            std::size_t at = 0;
            m_runner->Join(TakePlainText(bytes, at));
            const std::string links = TakePlainText(bytes, at);
            if (m_links)
            {
                m_links->Join(links);
            }
        }
    }

    void Write(const std::string& folder) override
    {
        if (!m_runner)
        {
            return;
        }
        m_runner->GetMarks().WriteCsv(folder + "/marks.csv", &m_runner->GetJob());
        if (!m_runner->GetCollectives().GetRows().empty())
        {
            m_runner->GetCollectives().WriteCsv(folder + "/collectives.csv", m_runner->GetJob());
        }
        if (IsJobRun())
        {
            WriteJobs(folder);
        }
        const uint64_t unreceived = m_runner->GetNUnreceived();
        if (unreceived > 0 && m_runner->IsFinished())
        {
            NoteFabric(FormatFabricCount(unreceived, "message") + " arrived that no rank received");
        }
    }

  private:
    /// A program of the workload.
    struct Program
    {
        Ptr<ProgramWorkload> workload; //!< it
        std::size_t place;             //!< in the mix; 0 without
    };

    /// Read how fast ranks compute.
    void ReadRoofline(const ScenarioOptions& options)
    {
        const std::string text = options.Get("compute");
        if (text.empty())
        {
            return;
        }
        m_roofline = RankRoofline(text, options.Say("compute"));
        if (m_programs.empty())
        {
            throw FabricError(options.Say("compute") + " has no effect on " +
                              options.Say("workload") + ": only programs of ranks compute");
        }
    }

    /// @return true if a program says what it computes instead of how long
    bool IsCounted() const
    {
        for (const Program& one : m_programs)
        {
            for (const RankProgram& program : one.workload->GetJob()->GetPrograms())
            {
                const auto& operations = program.GetOperations();
                if (std::any_of(operations.begin(), operations.end(), [](const auto& operation) {
                        return operation.counted;
                    }))
                {
                    return true;
                }
            }
        }
        return false;
    }

    /// @return the programs of a workload
    std::vector<Program> ListPrograms(const Ptr<FabricWorkload>& workload) const
    {
        std::vector<Program> programs;
        if (const auto single = DynamicCast<ProgramWorkload>(workload))
        {
            programs.push_back({single, 0});
        }
        for (std::size_t i = 0; m_mix && i < m_mix->GetParts().size(); ++i)
        {
            if (const auto one = DynamicCast<ProgramWorkload>(m_mix->GetParts()[i].workload))
            {
                programs.push_back({one, i});
            }
        }
        return programs;
    }

    /// Refuse a name that another part of the mix has.
    void CheckNames(const ScenarioOptions& options) const
    {
        for (const MixedWorkload::Part& part : m_mix->GetParts())
        {
            const auto program = DynamicCast<ProgramWorkload>(part.workload);
            if (program && program->HasName() && program->GetName() != part.label)
            {
                throw FabricError(options.Say("workload") + ": two parts are called " +
                                  QuoteFabricText(program->GetName()) +
                                  "; give the programs other names with name=");
            }
        }
    }

    /// Refuse attributes of in-network reduction if there is none.
    void CheckInNetwork(const ScenarioOptions& options) const
    {
        const bool isUsed =
            std::any_of(m_programs.begin(), m_programs.end(), [](const Program& program) {
                return RankReductions::IsUsedBy(*program.workload->GetJob());
            });
        for (const TypeId& type : {HostReduction::GetTypeId(), ReductionFeature::GetTypeId()})
        {
            for (std::size_t i = 0; !isUsed && i < type.GetAttributeN(); ++i)
            {
                const std::string name = type.GetAttribute(i).name;
                if (options.IsAttributeGiven(type.GetName() + "::" + name))
                {
                    throw FabricError(FabricTerm::Attribute(type.GetName(), name) +
                                      " has no effect: no collective of " +
                                      options.Say("workload") + " has algorithm=in-network");
                }
            }
        }
    }

    /// @return true if results tell of jobs
    bool IsJobRun() const
    {
        return !m_programs.empty() && (m_mix || m_programs.front().workload->IsScheduled());
    }

    /// @return all programs that are to run, at their hosts
    std::shared_ptr<const RankJob> MakeJob() const
    {
        if (!IsJobRun())
        {
            return m_programs.front().workload->GetJob();
        }
        std::vector<JobRequest> requests;
        for (const Program& program : m_programs)
        {
            const MixedWorkload::Part* part = m_mix ? &m_mix->GetParts()[program.place] : nullptr;
            requests.push_back(program.workload->MakeRequest(
                part ? part->label : program.workload->GetName(),
                part ? static_cast<uint16_t>(part->firstGroup) : uint16_t{0}));
            requests.back().isMute = part && part->isMute;
        }
        return std::make_shared<const RankJob>(PlaceJobs(std::move(requests)));
    }

    /// Write jobs.csv, steps.csv and interference.csv.
    void WriteJobs(const std::string& folder) const
    {
        const JobSteps steps(*m_runner, m_alone);
        steps.WriteCsv(folder + "/steps.csv");
        WriteJobTable(*m_recorder, *m_runner, steps, m_groups, folder + "/jobs.csv");
        if (m_links)
        {
            m_links->WriteCsv(folder + "/interference.csv", m_groups);
        }
    }

    Ptr<MixedWorkload> m_mix;          //!< several workloads; null: there is one
    std::vector<Program> m_programs;   //!< what ranks do; empty: the workload is another
    JobSteps::Times m_alone;           //!< of runs of single jobs
    RankRoofline m_roofline;           //!< how fast ranks compute
    std::vector<std::string> m_groups; //!< labels of flows
    FlowRecorder* m_recorder{nullptr}; //!< of the flows
    Ptr<RankRunner> m_runner;          //!< runs the programs
    std::unique_ptr<JobLinks> m_links; //!< what jobs share; null: there is one
    bool m_ranksPostReceives{false};   //!< at the NICs
};

[[maybe_unused]] const bool g_hasProgramPart =
    GetScenarioPartTable().Add("", {{"programs", &MakeScenarioPart<ProgramPart>}});

} // namespace

} // namespace ns3
