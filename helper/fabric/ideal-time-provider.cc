// SPDX-License-Identifier: GPL-2.0-only
#include "ideal-time-provider.h"

namespace ns3
{

namespace
{

IdealTimeProvider::Maker g_makeIdealTime = nullptr; //!< see IdealTimeProvider::SetMaker()

} // namespace

IdealTimeProvider::~IdealTimeProvider() = default;

std::unique_ptr<IdealTimeProvider>
IdealTimeProvider::Make(const FabricGraph& graph,
                        const RoutingBuilder& routing,
                        uint32_t payloadBytes,
                        uint32_t frameBytes)
{
    return g_makeIdealTime ? g_makeIdealTime(graph, routing, payloadBytes, frameBytes) : nullptr;
}

bool
IdealTimeProvider::SetMaker(Maker make)
{
    g_makeIdealTime = make;
    return true;
}

} // namespace ns3
