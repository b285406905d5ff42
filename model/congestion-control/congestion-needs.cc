// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-needs.h"

namespace ns3
{

bool
CongestionControlNeeds::Reads(TypeId type) const
{
    return std::any_of(features.begin(), features.end(), [type](const Feature& feature) {
        const TypeId read = TypeId::LookupByName(feature.type);
        return type == read || type.IsChildOf(read);
    });
}

void
CongestionControlNeeds::Add(const CongestionControlNeeds& others)
{
    features.insert(features.end(), others.features.begin(), others.features.end());
    dataInt |= others.dataInt;
    ackInt |= others.ackInt;
    seesMoves |= others.seesMoves;
    symmetricPaths |= others.symmetricPaths;
    ecn |= others.ecn;
    endpointDelay |= others.endpointDelay;
    pathSwitches |= others.pathSwitches;
    markDelay |= others.markDelay;
    sends |= others.sends;
    classes |= others.classes;
    receiver = receiver.empty() ? others.receiver : receiver;
    cnpIntervalPs = cnpIntervalPs < 0 ? others.cnpIntervalPs : cnpIntervalPs;
}

} // namespace ns3
