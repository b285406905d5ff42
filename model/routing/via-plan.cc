// SPDX-License-Identifier: GPL-2.0-only
#include "via-plan.h"

namespace ns3
{

bool
ViaPlan::MayChooseAgain(uint32_t /* node */, uint32_t /* from */) const
{
    return false;
}

bool
ViaPlan::IsNear(uint32_t /* node */, uint32_t /* from */, uint32_t /* src */) const
{
    return false;
}

} // namespace ns3
