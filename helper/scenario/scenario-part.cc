// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-part.h"

namespace ns3
{

ScenarioPart::~ScenarioPart() = default;

void
ScenarioPart::Begin(const ScenarioOptions& /* options */)
{
}

void
ScenarioPart::Read(const ScenarioOptions& /* options */, std::vector<TypeId>& /* used */)
{
}

void
ScenarioPart::Configure(FabricHelper& /* helper */,
                        const ScenarioOptions& /* options */,
                        ScenarioNetwork& /* network */,
                        std::vector<TypeId>& /* used */)
{
}

void
ScenarioPart::TakeWorkload(const Ptr<FabricWorkload>& /* workload */,
                           const ScenarioOptions& /* options */,
                           ScenarioNetwork& /* network */,
                           std::vector<TypeId>& /* used */)
{
}

void
ScenarioPart::Prepare(ScenarioNetwork& /* network */, const ScenarioOptions& /* options */)
{
}

void
ScenarioPart::Divide(const FabricGraph& /* graph */,
                     const ScenarioNetwork& /* network */,
                     const ScenarioOptions& /* options */)
{
}

void
ScenarioPart::PlaceNodes(const FabricGraph& /* graph */,
                         const ScenarioOptions& /* options */,
                         std::vector<uint32_t>& /* rankOf */)
{
}

void
ScenarioPart::Install(ScenarioNetwork& /* network */, const ScenarioOptions& /* options */)
{
}

bool
ScenarioPart::LosesPackets() const
{
    return false;
}

void
ScenarioPart::Record(FlowRecorder& /* recorder */, const ScenarioNetwork& /* network */)
{
}

bool
ScenarioPart::NeedsOrder() const
{
    return false;
}

std::unique_ptr<RunLoop>
ScenarioPart::MakeLoop(FlowRecorder& /* recorder */,
                       int64_t /* stopPs */,
                       std::function<bool()> /* isOver */)
{
    return nullptr;
}

void
ScenarioPart::Watch(RunLoop& /* loop */)
{
}

bool
ScenarioPart::IsDeadlocked() const
{
    return false;
}

int64_t
ScenarioPart::GetLastChangePs() const
{
    return 0;
}

void
ScenarioPart::End(int64_t /* endPs */)
{
}

std::function<void(JsonWriter&)>
ScenarioPart::Summarize() const
{
    return {};
}

uint64_t
ScenarioPart::CountEvents(int64_t /* endPs */) const
{
    return 0;
}

std::string
ScenarioPart::Pack() const
{
    return "";
}

void
ScenarioPart::Join(const std::string& /* bytes */)
{
}

bool
ScenarioPart::JoinRanks(const ScenarioNetwork& /* network */,
                        FlowRecorder& /* recorder */,
                        RunSummary& /* summary */,
                        Fabric::Conservation& /* where */,
                        int64_t /* endPs */)
{
    return false;
}

void
ScenarioPart::Write(const std::string& /* folder */)
{
}

void
ScenarioPart::ListViolations(std::vector<std::string>& /* violations */) const
{
}

NamedTable<ScenarioPartKind>&
GetScenarioPartTable()
{
    static NamedTable<ScenarioPartKind> table([] { return std::vector<ScenarioPartKind>(); });
    return table;
}

} // namespace ns3
