// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief Programs of ranks in a scenario (`workload=program:PATH`).
 */
#include "program-workload.h"
#include "rank-runner.h"

#include "ns3/fabric-error.h"
#include "ns3/fabric-warning.h"
#include "ns3/fabric-workload-factory.h"
#include "ns3/parse-units.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"

#include <algorithm>

namespace ns3
{

namespace
{

[[maybe_unused]] const bool g_hasProgramForms =
    GetFabricWorkloadTable().Add("hotspot",
                                 {{"program",
                                   "ns3::ProgramWorkload",
                                   {{"PATH", "Path"}},
                                   "programs of ranks",
                                   "PATH",
                                   &FillFabricArgument}});

/**
 * @brief Has programs make the flows, and decides who posts receives: their operations, or with
 * `messages=preposted` each message when it starts.
 */
class ProgramPart : public ScenarioPart
{
  public:
    void TakeWorkload(const Ptr<FabricWorkload>& workload,
                      const ScenarioOptions& options,
                      ScenarioNetwork& network,
                      std::vector<TypeId>& used) override
    {
        m_workload = DynamicCast<ProgramWorkload>(workload);
        if (m_workload)
        {
            network.makesFlows = true;
            network.dataClass = m_workload->GetPriority();
            used.push_back(RankRunner::GetTypeId());
            return;
        }
        const std::vector<TypeId> types = workload->GetTypes();
        if (std::find(types.begin(), types.end(), ProgramWorkload::GetTypeId()) != types.end())
        {
            throw FabricError(FabricTerm::Option("workload") + " '" + options.Get("workload") +
                              "': programs of ranks cannot be one of several workloads; write what "
                              "the others send as programs, too, or run them alone");
        }
    }

    void Prepare(ScenarioNetwork& network, const ScenarioOptions& options) override
    {
        if (!m_workload)
        {
            return;
        }
        if (options.IsGiven("post-delay"))
        {
            throw FabricError(options.Say("post-delay") + " contradicts " +
                              options.Say("workload") +
                              ", whose ranks post receives themselves; let them compute before");
        }
        if (network.poster && options.Get("messages") != "preposted")
        {
            network.poster = nullptr;
            m_ranksPostReceives = true;
        }
    }

    void Record(FlowRecorder& recorder, const ScenarioNetwork& network) override
    {
        if (!m_workload)
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
        m_runner = CreateObject<RankRunner>();
        m_runner->Install(recorder, m_workload->GetJob(), m_workload->GetPriority());
        if (m_ranksPostReceives)
        {
            m_runner->SetPostsReceives();
        }
    }

    uint64_t CountEvents(int64_t endPs) const override
    {
        return m_runner ? m_runner->CountEvents(endPs) : 0;
    }

    std::string Pack() const override
    {
        return m_runner ? m_runner->Pack() : "";
    }

    void Join(const std::string& bytes) override
    {
        if (m_runner)
        {
            m_runner->Join(bytes);
        }
    }

    void Write(const std::string& folder) override
    {
        if (!m_runner)
        {
            return;
        }
        m_runner->GetMarks().WriteCsv(folder + "/marks.csv");
        if (!m_runner->GetCollectives().GetRows().empty())
        {
            m_runner->GetCollectives().WriteCsv(folder + "/collectives.csv",
                                                m_runner->GetJob().GetGroups());
        }
        const uint64_t unreceived = m_runner->GetNUnreceived();
        if (unreceived > 0 && m_runner->IsFinished())
        {
            NoteFabric(FormatFabricCount(unreceived, "message") + " arrived that no rank received");
        }
    }

  private:
    Ptr<ProgramWorkload> m_workload; //!< what ranks do; null: the workload is another
    Ptr<RankRunner> m_runner;        //!< runs it
    bool m_ranksPostReceives{false}; //!< at the NICs
};

[[maybe_unused]] const bool g_hasProgramPart =
    GetScenarioPartTable().Add("", {{"programs", &MakeScenarioPart<ProgramPart>}});

} // namespace

} // namespace ns3
