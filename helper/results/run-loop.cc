// SPDX-License-Identifier: GPL-2.0-only
#include "run-loop.h"

namespace ns3
{

RunLoop::~RunLoop() = default;

} // namespace ns3
