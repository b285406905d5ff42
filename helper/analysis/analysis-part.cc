// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief What a scenario tells of deadlocks.
 */
#include "deadlock-detector.h"

#include "ns3/fabric-warning.h"
#include "ns3/json-writer.h"
#include "ns3/scenario-network.h"
#include "ns3/scenario-part.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Write deadlocks into summary.json, if there were any.
void
WriteDeadlocks(JsonWriter& json, const std::vector<Deadlock>& deadlocks)
{
    if (deadlocks.empty())
    {
        return;
    }
    json.Key("deadlocks");
    json.BeginArray();
    for (const Deadlock& deadlock : deadlocks)
    {
        json.BeginObject();
        json.UintMember("since_ns", static_cast<uint64_t>(deadlock.sincePs / 1000));
        json.UintMember("found_ns", static_cast<uint64_t>(deadlock.foundPs / 1000));
        json.Key("ended_ns");
        if (deadlock.endedPs < 0)
        {
            json.Null();
        }
        else
        {
            json.Uint(static_cast<uint64_t>(deadlock.endedPs / 1000));
        }
        json.Key("cycle");
        json.BeginArray();
        for (const RouteWalk::Channel& channel : deadlock.cycle)
        {
            json.BeginObject();
            json.UintMember("node", channel.node);
            json.UintMember("port", channel.port);
            json.UintMember("class", channel.priority);
            json.EndObject();
        }
        json.EndArray();
        json.UintMember("waiting_inputs", deadlock.victims);
        json.EndObject();
    }
    json.EndArray();
}

/// Looks for deadlocks during the run.
class AnalysisPart : public ScenarioPart
{
  public:
    void Read(const ScenarioOptions& /* options */, std::vector<TypeId>& used) override
    {
        used.push_back(DeadlockDetector::GetTypeId());
    }

    void Record(FlowRecorder& /* recorder */, const ScenarioNetwork& network) override
    {
        m_fabric = network.fabric;
        m_detector = CreateObject<DeadlockDetector>();
        m_detector->Attach(m_fabric);
    }

    void Watch(RunLoop& loop) override
    {
        loop.Add([this](int64_t nowPs) { return Look(nowPs); }, RunLoop::Idle::SKIP);
    }

    bool IsDeadlocked() const override
    {
        return m_detector->IsDeadlocked();
    }

    std::function<void(JsonWriter&)> Summarize() const override
    {
        return [deadlocks = m_detector->GetDeadlocks()](JsonWriter& json) {
            WriteDeadlocks(json, deadlocks);
        };
    }

    void ListViolations(std::vector<std::string>& violations) const override
    {
        for (const Deadlock& deadlock : m_detector->GetDeadlocks())
        {
            if (deadlock.endedPs < 0)
            {
                violations.push_back(deadlock.ToText(m_fabric->GetGraph()));
            }
        }
    }

  private:
    /// Look for deadlocks and tell of new ones at once. @return when to look again
    int64_t Look(int64_t nowPs)
    {
        const std::size_t known = m_detector->GetDeadlocks().size();
        const int64_t nextPs = m_detector->LookLate(nowPs);
        for (std::size_t i = known; i < m_detector->GetDeadlocks().size(); ++i)
        {
            // a run may go on for long
            NoteFabric(m_detector->GetDeadlocks()[i].ToText(m_fabric->GetGraph()));
        }
        return nextPs;
    }

    Ptr<Fabric> m_fabric;             //!< the network
    Ptr<DeadlockDetector> m_detector; //!< looks during the run
};

[[maybe_unused]] const bool g_hasAnalysisPart =
    GetScenarioPartTable().Add("", {{"analysis", &MakeScenarioPart<AnalysisPart>}});

} // namespace

} // namespace ns3
