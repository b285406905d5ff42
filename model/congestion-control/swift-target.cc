// SPDX-License-Identifier: GPL-2.0-only
#include "swift-target.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

void
SwiftTarget::Start(double fixedPs, double rangePs, double minPackets, double maxPackets)
{
    m_fixedPs = fixedPs;
    m_rangePs = rangePs;
    m_a = rangePs / (1 / std::sqrt(minPackets) - 1 / std::sqrt(maxPackets));
    m_b = -m_a / std::sqrt(maxPackets);
}

double
SwiftTarget::GetPs(double packets) const
{
    const double flows = m_a / std::sqrt(packets) + m_b;
    return m_fixedPs + std::max(0.0, std::min(flows, m_rangePs));
}

} // namespace ns3
