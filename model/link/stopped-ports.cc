// SPDX-License-Identifier: GPL-2.0-only
#include "stopped-ports.h"

namespace ns3
{

std::vector<StoppedPorts::Entry> StoppedPorts::g_all;

void
StoppedPorts::Change(const FabricNetDevice& port, uint32_t& number)
{
    if (number == NONE)
    {
        number = static_cast<uint32_t>(g_all.size());
        g_all.push_back({&port, &number});
        return;
    }
    g_all[number] = g_all.back();
    *g_all[number].number = number;
    g_all.pop_back();
    number = NONE;
}

} // namespace ns3
