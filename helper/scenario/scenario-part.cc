// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-part.h"

namespace ns3
{

ScenarioPart::~ScenarioPart() = default;

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
ScenarioPart::Record(FlowRecorder& /* recorder */, const ScenarioNetwork& /* network */)
{
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

void
ScenarioPart::Write(const std::string& /* folder */)
{
}

NamedTable<ScenarioPartKind>&
GetScenarioPartTable()
{
    static NamedTable<ScenarioPartKind> table([] { return std::vector<ScenarioPartKind>(); });
    return table;
}

} // namespace ns3
