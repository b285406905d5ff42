// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * @brief See AstraNetworkAPI.hh. There it has bases, so that what it has does not begin with it.
 */
#pragma once

#include <astra-sim/system/AstraNetworkAPI.hh>

namespace AstraSim
{

struct RecvPacketEventHadndlerData
{
    long other;
    ncclFlowTag flowTag;
};

} // namespace AstraSim
