// SPDX-License-Identifier: GPL-2.0-only
#include "sim-external.h"

#include "sim-descriptor.h"

#include "ns3/decider-socket.h"
#include "ns3/fabric-error.h"
#include "ns3/scenario-policies.h"

#include <string>

namespace ns3
{

namespace
{

constexpr const char* VARIABLE = "DCFABRIC_DECIDER";

} // namespace

void
ConnectSimDecider(const ScenarioOptions& options)
{
    if (FindScenarioPolicy("cc", options.Get("cc")).typeId !=
        std::string("ns3::ExternalCongestionControl"))
    {
        return;
    }
    struct stat status = {};
    const int descriptor = GetSimDescriptor(VARIABLE, status);
    if (descriptor < 0 || !S_ISSOCK(status.st_mode))
    {
        throw FabricError(options.Say("cc") + ": another process has to decide, and " + VARIABLE +
                          " does not name the descriptor of a socket to it; use a Scenario of the "
                          "Python package (examples/dcfabric)");
    }
    ExternalCongestionControl::SetDecider(DeciderSocket(descriptor));
}

} // namespace ns3
